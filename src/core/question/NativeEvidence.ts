import type { NativeAnswers } from "../session/HookFact.ts"
import type { QuestionDefinition } from "./QuestionDefinition.ts"

type Definitions = ReadonlyArray<QuestionDefinition>

/**
 * Whether two records describe the same questions: prompts, headers, selection and the options' labels and
 * descriptions, in order (Q5.6). Previews do not count: not every source carries them.
 */
export const sameQuestions = (a: Definitions, b: Definitions): boolean =>
  a === b ||
  (a.length === b.length &&
    a.every((left, i) => {
      const right = b[i]!
      return (
        left.prompt === right.prompt &&
        left.header === right.header &&
        left.selection === right.selection &&
        left.options.length === right.options.length &&
        left.options.every(
          (option, row) =>
            option.label === right.options[row]!.label &&
            option.description === right.options[row]!.description
        )
      )
    }))

/**
 * Whether the agent's record holds something for every question. A completion that does not is no answer,
 * whatever the agent calls it (Q3.2).
 */
export const isComplete = (definitions: Definitions, answers: NativeAnswers): boolean =>
  definitions.every(({ prompt }) =>
    answers.some((answer) => answer.prompt === prompt && (answer.value !== "" || (answer.notes ?? "") !== ""))
  )

/** Whether two records hold exactly the same answers; the order of different questions means nothing. */
export const sameAnswers = (a: NativeAnswers, b: NativeAnswers): boolean => {
  if (a.length !== b.length) return false
  const left = byPrompt(a)
  const right = byPrompt(b)
  return left.every((answer, i) => {
    const other = right[i]!
    return answer.prompt === other.prompt && answer.value === other.value && answer.notes === other.notes
  })
}

/** Questions that share a prompt keep their order. */
const byPrompt = (answers: NativeAnswers) =>
  answers.toSorted((a, b) => (a.prompt < b.prompt ? -1 : a.prompt > b.prompt ? 1 : 0))
