import type { QuestionAnswer } from "../../core/question/QuestionAnswer.ts"
import type { Question, QuestionRequest } from "../../core/question/QuestionRequest.ts"
import type { NativeAnswers } from "../../core/session/HookFact.ts"
import * as AskUserQuestion from "./AskUserQuestion.ts"

/** Newlines as LF: Claude's editor would take a bare CR for Enter, and keeps everything else (Q4.5, Q5.5). */
export const normaliseText = (text: string): string => text.replaceAll(/\r\n?/g, "\n")

/** What one question is to hold in the end, by position, as the editor sees it. */
export interface Wanted {
  readonly question: Question
  /** Positions of the chosen options; labels may repeat, positions do not (Q1.4). */
  readonly options: ReadonlySet<number>
  readonly text: string | null
}

/** The answer to every question of the request, in its order; `null` where one is missing. */
export const wanted = (
  request: QuestionRequest,
  answers: ReadonlyArray<QuestionAnswer>
): ReadonlyArray<Wanted> | null => {
  const all = request.questions.map((question): Wanted | null => {
    const answer = answers.find(({ questionId }) => questionId === question.id)
    if (answer === undefined) return null
    const chosen = new Set(answer.optionIds)
    return {
      question,
      options: new Set(question.options.flatMap(({ id }, position) => (chosen.has(id) ? [position] : []))),
      text: answer.text === undefined ? null : normaliseText(answer.text)
    }
  })
  return all.every((one) => one !== null) ? all : null
}

/** Whether a text goes beside the chosen option of a choice, as a note, and not in its place. */
export const takesNotes = (question: Question): boolean =>
  question.selection === "single" && question.textMode === "additional"

/** The value that the agent's record holds for this answer. */
export const value = ({ question, options, text }: Wanted): string => {
  const labels = question.options.flatMap(({ label }, position) => (options.has(position) ? [label] : []))
  if (question.selection === "multiple") {
    return [...labels, ...(text === null ? [] : [text])].map(AskUserQuestion.quoteItem).join(", ")
  }
  return labels[0] ?? text ?? ""
}

/** What the agent's record must hold for these answers (Q4.5). */
export const expected = (request: QuestionRequest, answers: ReadonlyArray<QuestionAnswer>): NativeAnswers =>
  (wanted(request, answers) ?? []).map((one) => ({
    prompt: one.question.prompt,
    value: value(one),
    notes: takesNotes(one.question) ? one.text : null
  }))
