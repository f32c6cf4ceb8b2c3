import * as Schema from "effect/Schema"

/** A message that the person wrote in the root conversation: their words (A3.5). */
export const Message = Schema.TaggedStruct("message", {
  /** The host's own id of it; it stands in the journal's row, never in a prompt. */
  id: Schema.NonEmptyString,
  text: Schema.String
})

/**
 * A verified receipt's answer. `words` alone are the person's; `question` and `prompt` are what an agent wrote
 * around them (A3.5).
 */
export const Answer = Schema.TaggedStruct("answer", {
  id: Schema.NonEmptyString,
  words: Schema.Array(Schema.String),
  question: Schema.String,
  prompt: Schema.String
})

/** One piece of what the person said, with all that it belongs to. It is kept or dropped as a whole (R3.1). */
export const JudgeEvidence = Schema.Union([Message, Answer])
export type JudgeEvidence = typeof JudgeEvidence.Type

/** The part of a human answer's receipt that a judge may know (R1.1). */
export interface AuthenticatedAnswer {
  readonly toolCallId: string
  readonly questionIndex: number
  readonly question: string
  readonly prompt: string
  readonly answer:
    | { readonly kind: "option" | "custom"; readonly text: string; readonly selected?: ReadonlyArray<string> }
    | { readonly kind: "multi"; readonly selected: ReadonlyArray<string> }
}

/**
 * A receipt's answer as evidence. The caller has checked the receipt against the active session and its live
 * branch (R3.1); here it is believed.
 */
export const ofReceipt = ({
  answer,
  prompt,
  question,
  questionIndex,
  toolCallId
}: AuthenticatedAnswer): JudgeEvidence => ({
  _tag: "answer",
  id: `${toolCallId}#${questionIndex}`,
  words:
    answer.kind === "multi"
      ? answer.selected
      : [...(answer.selected ?? []).filter((label) => label !== answer.text), answer.text],
  question,
  prompt
})
