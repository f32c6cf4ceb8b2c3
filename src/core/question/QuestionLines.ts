import * as TerminalView from "../ask/TerminalView.ts"
import type { QuestionAnswer } from "./QuestionAnswer.ts"
import * as QuestionEntry from "./QuestionEntry.ts"
import * as QuestionForm from "./QuestionForm.ts"
import type { Question } from "./QuestionRequest.ts"

/** A question for a terminal without a cursor: everything in plain lines, and how to answer (P3.3). */
export const render = (question: Question, columns: number): ReadonlyArray<string> =>
  QuestionForm.question(question, QuestionEntry.empty, { focus: -1, expanded: true, columns }).rows.map(
    TerminalView.text
  )

/** What may be typed. The code has just been shown, so nothing typed earlier can be an answer (P6.1). */
export const instructions = (question: Question, code: string): ReadonlyArray<string> => [
  ...(question.selection === "none"
    ? []
    : [
        `Type "${code} 1" for the first option${
          question.selection === "multiple" ? `, "${code} 1,3" for several` : ""
        }.`
      ]),
  ...(question.textMode === "none"
    ? []
    : [`Type "${code} ${question.textMode === "additional" ? "1 " : ""}text: your words" to write.`]),
  `Type "leave ${code}" to leave it to the agent.`
]

export type Reply =
  | { readonly _tag: "answer"; readonly answer: QuestionAnswer }
  | { readonly _tag: "left" }
  | { readonly _tag: "unclear" }

const UNCLEAR: Reply = { _tag: "unclear" }

export const read = (line: string, question: Question, code: string): Reply => {
  const trimmed = line.trim()
  if (trimmed === `leave ${code}`) return { _tag: "left" }
  if (!trimmed.startsWith(`${code} `)) return UNCLEAR
  const match = /^([\d\s,]*)(?:text:(.*))?$/su.exec(trimmed.slice(code.length + 1))
  if (match === null) return UNCLEAR
  const [, numbers = "", text = ""] = match
  const options = numbers
    .split(/[\s,]+/)
    .filter((number) => number !== "")
    .map((number) => question.options[Number(number) - 1])
  if (question.selection === "single" && options.length > 1) return UNCLEAR
  if (text.trim() !== "" && question.textMode === "none") return UNCLEAR
  if (text.trim() !== "" && options.length > 0 && question.textMode === "alternative") return UNCLEAR
  let entry = QuestionEntry.empty
  for (const option of options) {
    if (option === undefined || question.selection === "none" || entry.chosen.includes(option.id))
      return UNCLEAR
    entry = QuestionEntry.toggle(entry, question, option.id)
  }
  if (text.trim() !== "") {
    entry = QuestionEntry.write(entry, question, { ...entry.field, before: text.trim() })
  }
  const answer = QuestionEntry.answer(entry, question)
  return answer === null ? UNCLEAR : { _tag: "answer", answer }
}
