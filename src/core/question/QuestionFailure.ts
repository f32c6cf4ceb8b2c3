import * as Schema from "effect/Schema"

/**
 * No open request has this id: it is unknown, closed, retired, or of an earlier process (Q2.4). Nothing was
 * typed and the answers were not looked at. Read `list` for what is open now.
 */
export class QuestionNotFound extends Schema.TaggedError<QuestionNotFound>()("QuestionNotFound", {
  code: Schema.tag("question_not_found")
}) {}

/**
 * Where an attempt to answer ended (Q4.6).
 *
 * - `frame_wait`: the question's own editor did not come up, or not again, in time.
 * - `adapter`: this way of answering cannot be used now: another answer is under way, a caller's hook has
 *   decided, or the editor is at a stage that is not recognised.
 * - `terminal_write`: the terminal or the hook refused the bytes.
 * - `native_acceptance`: the agent's record does not confirm this answer.
 * - `aborted`: the caller, a person at the keys, an interrupt or the session's end stopped it.
 */
export const FailureCategory = Schema.Literals([
  "frame_wait",
  "adapter",
  "terminal_write",
  "native_acceptance",
  "aborted"
])
export type FailureCategory = typeof FailureCategory.Type

/**
 * The answer is not confirmed by the agent's own record (Q4.6). If the request is still listed, nothing was
 * typed and it may be answered again; if not, what the agent received is unknown and nothing may be repeated.
 */
export class QuestionAnswerFailed extends Schema.TaggedError<QuestionAnswerFailed>()("QuestionAnswerFailed", {
  code: Schema.tag("question_answer_failed"),
  category: FailureCategory
}) {}
