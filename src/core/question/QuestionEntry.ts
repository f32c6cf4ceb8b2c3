import * as TextField from "../ask/TextField.ts"
import type { QuestionAnswer } from "./QuestionAnswer.ts"
import type { OptionId, Question } from "./QuestionRequest.ts"

/** What a person has entered for one question so far. */
export interface QuestionEntry {
  readonly chosen: ReadonlyArray<OptionId>
  readonly field: TextField.TextField
  /** Whether the text counts: for an `alternative`, choosing an option sets it aside without losing it. */
  readonly textCounts: boolean
}

/** Codex's notes are cut beyond this (Q2.2); nobody types more at a terminal. */
const TEXT_LIMIT = 40_000

export const empty: QuestionEntry = { chosen: [], field: TextField.make(TEXT_LIMIT), textCounts: false }

/** Chooses an option; on a question of `multiple` chooses or leaves it. */
export const toggle = (entry: QuestionEntry, question: Question, id: OptionId): QuestionEntry => {
  const had = entry.chosen.includes(id)
  const textCounts = entry.textCounts && question.textMode !== "alternative"
  if (question.selection === "single") return { ...entry, chosen: [id], textCounts }
  return {
    ...entry,
    chosen: had ? entry.chosen.filter((other) => other !== id) : [...entry.chosen, id],
    textCounts
  }
}

/** Text takes the place of the options where it is an `alternative`. */
export const write = (
  entry: QuestionEntry,
  question: Question,
  field: TextField.TextField
): QuestionEntry => {
  const textCounts = !TextField.isBlank(field)
  return { field, textCounts, chosen: textCounts && question.textMode === "alternative" ? [] : entry.chosen }
}

/** The answer as entered, or `null` while it is none that the editor would take (Q2.2). */
export const answer = (entry: QuestionEntry, question: Question): QuestionAnswer | null => {
  const optionIds = question.options.map(({ id }) => id).filter((id) => entry.chosen.includes(id))
  const needsOption = question.selection === "single" && question.textMode === "additional"
  if (optionIds.length === 0 && (!entry.textCounts || needsOption)) return null
  return {
    questionId: question.id,
    ...(optionIds.length > 0 && { optionIds }),
    ...(entry.textCounts && { text: TextField.value(entry.field) })
  }
}
