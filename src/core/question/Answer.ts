import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AnswerRule } from "./AnswerRule.ts"
import * as Freeze from "./Freeze.ts"
import * as PlainCopy from "./PlainCopy.ts"
import type { QuestionAnswer } from "./QuestionAnswer.ts"
import { OptionId, QuestionId, type Question, type QuestionRequest } from "./QuestionRequest.ts"
import * as Utf8 from "./Utf8.ts"

/** The answers were not looked at further, and nothing was typed (Q2.3). */
export class InvalidQuestionAnswer extends Schema.TaggedError<InvalidQuestionAnswer>()(
  "InvalidQuestionAnswer",
  {
    code: Schema.tag("invalid_question_answer"),
    rule: AnswerRule,
    /**
     * Counted from 0: the question's position in its request; where the answer names no question of it, the
     * answer's position in the batch. `null`: the batch as a whole.
     */
    position: Schema.NullOr(Schema.Int)
  }
) {}

/** A whole batch that may be typed: our own frozen copy, in the request's order. */
export interface ValidAnswer {
  /** Option ids in the question's option order (Q2.6). */
  readonly answers: ReadonlyArray<QuestionAnswer>
  /** The same answers with the option ids as the caller ordered them, for a receipt. */
  readonly given: ReadonlyArray<QuestionAnswer>
}

export interface ValidateOptions {
  /** Tells a proxy, where the platform can; without it a proxy's traps are read once and believed. */
  readonly isProxy?: ((value: object) => boolean) | undefined
  /** The longest text that the agent takes whole, in UTF-16 code units. */
  readonly textLimit?: number | null | undefined
  /** What the agent itself makes of a text before it takes it; a text that leaves nothing is no answer. */
  readonly trim?: ((text: string) => string) | undefined
}

/** Question ids, chosen option ids and texts of a batch together, in UTF-8 bytes (Q2.2). */
export const maximumBatchBytes = 8 * 1024 * 1024

/**
 * Whether `input` answers `request`: every question once, each within what its editor takes (Q2). Total and
 * pure; the input is read once through own data properties, and no content of it is in the error.
 */
export const validate = (
  request: QuestionRequest,
  input: unknown,
  options: ValidateOptions = {}
): Result.Result<ValidAnswer, InvalidQuestionAnswer> => {
  const copied = PlainCopy.answers(input, request, options.isProxy)
  if (Result.isFailure(copied)) return Result.fail(new InvalidQuestionAnswer(copied.failure))
  const failure = batchFailure(request, copied.success) ?? firstFailure(request, copied.success, options)
  if (failure !== null) return Result.fail(new InvalidQuestionAnswer(failure))
  const given = copied.success.map(toAnswer)
  const answers = request.questions.map((question) => {
    const answer = given.find(({ questionId }) => questionId === question.id)!
    if (answer.optionIds === undefined) return answer
    const chosen = new Set(answer.optionIds)
    return { ...answer, optionIds: question.options.map(({ id }) => id).filter((id) => chosen.has(id)) }
  })
  return Result.succeed(Freeze.deep({ answers, given }))
}

const toAnswer = ({ optionIds, questionId, text }: PlainCopy.CopiedAnswer): QuestionAnswer => ({
  questionId: QuestionId.make(questionId),
  ...(optionIds.length === 0 ? {} : { optionIds: optionIds.map((id) => OptionId.make(id)) }),
  ...(text === null ? {} : { text })
})

type Answers = ReadonlyArray<PlainCopy.CopiedAnswer>

const batchFailure = (request: QuestionRequest, answers: Answers): PlainCopy.Failure | null => {
  const positions = new Map<string, number>(request.questions.map(({ id }, position) => [id, position]))
  const answered = new Set<number>()
  for (const [index, { questionId }] of answers.entries()) {
    const position = positions.get(questionId)
    if (position === undefined) return { rule: "unknown_question", position: index }
    if (answered.has(position)) return { rule: "duplicate_question", position }
    answered.add(position)
  }
  const missing = request.questions.findIndex((_, position) => !answered.has(position))
  if (missing !== -1) return { rule: "missing_answer", position: missing }
  return batchBytes(answers) > maximumBatchBytes ? { rule: "batch_too_large", position: null } : null
}

/** Stops counting beyond the limit: no text has fewer bytes than code units. */
const batchBytes = (answers: Answers): number => {
  let total = 0
  for (const { optionIds, questionId, text } of answers) {
    for (const part of [questionId, ...optionIds, text ?? ""]) {
      total += part.length > maximumBatchBytes ? part.length : Utf8.bytes(part)
      if (total > maximumBatchBytes) return total
    }
  }
  return total
}

const firstFailure = (
  request: QuestionRequest,
  answers: Answers,
  options: ValidateOptions
): PlainCopy.Failure | null => {
  for (const [position, question] of request.questions.entries()) {
    const answer = answers.find(({ questionId }) => questionId === question.id)!
    const rule = optionRule(question, answer.optionIds) ?? textRule(question, answer, options)
    if (rule !== null) return { rule, position }
  }
  return null
}

const optionRule = (question: Question, optionIds: ReadonlyArray<string>): AnswerRule | null => {
  if (question.selection === "none" && optionIds.length > 0) return "option_not_allowed"
  const offered = new Set<string>(question.options.map(({ id }) => id))
  const chosen = new Set<string>()
  for (const id of optionIds) {
    if (!offered.has(id)) return "unknown_option"
    if (chosen.has(id)) return "duplicate_option"
    chosen.add(id)
  }
  return question.selection === "single" && chosen.size > 1 ? "too_many_options" : null
}

const textRule = (
  { selection, textMode }: Question,
  { optionIds, text }: PlainCopy.CopiedAnswer,
  { textLimit, trim }: ValidateOptions
): AnswerRule | null => {
  const chosen = optionIds.length > 0
  if (text === null) return chosen ? null : "empty_answer"
  if (textMode === "none") return "text_not_allowed"
  if (textMode === "alternative" && chosen) return "text_with_option"
  // The editor would attach the text to a row that nobody chose.
  if (textMode === "additional" && selection === "single" && !chosen) return "text_without_option"
  if (!text.isWellFormed()) return "lone_surrogate"
  if (forbiddenControl.test(text)) return "control_character"
  if ((trim === undefined ? text : trim(text)) === "") return "empty_answer"
  return typeof textLimit === "number" && text.length > textLimit ? "too_long_for_agent" : null
}

/** Every control character but tab, line feed and carriage return. */
const forbiddenControl = /[^\P{Cc}\t\n\r]/u
