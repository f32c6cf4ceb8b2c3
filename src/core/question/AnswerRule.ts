import * as Schema from "effect/Schema"

/** What a batch of answers breaks (Q2.2). */
export const AnswerRule = Schema.Literals([
  // Of the input's form.
  "not_an_array",
  "not_plain",
  "malformed",
  // Of the batch.
  "unknown_question",
  "duplicate_question",
  "missing_answer",
  "batch_too_large",
  // Of one answer.
  "unknown_option",
  "duplicate_option",
  "option_not_allowed",
  "too_many_options",
  "text_not_allowed",
  "text_with_option",
  "text_without_option",
  "empty_answer",
  "control_character",
  "lone_surrogate",
  "too_long_for_agent",
  // Of the call's options.
  "timeout_not_positive"
])
export type AnswerRule = typeof AnswerRule.Type
