import type { Frame } from "../../core/session/Frame.ts"
import { cursorWithin, nextChoice } from "./ChoiceRows.ts"
import { type Head, type QuestionPage, unrecognised } from "./QuestionPage.ts"
import * as ScreenRows from "./ScreenRows.ts"

const notesRow = /^( +Notes: )(.*)$/
const hint = "press n to add notes"

/** Options at the left, the selected one's preview in a box at the right, notes below the box. Then the rule. */
export const read = (
  frame: Frame,
  head: Head,
  place: { readonly first: number; readonly rule: number },
  chatFocused: boolean
): QuestionPage => {
  const drawn: Array<NonNullable<ReturnType<typeof nextChoice>>> = []
  let row = place.first
  for (; row < place.rule && !notesRow.test(ScreenRows.textAt(frame, row)); row++) {
    const left = ScreenRows.textAt(frame, row)
      .replace(/[┌│└].*$/u, "")
      .trimEnd()
    const choice = nextChoice(left, row, drawn.length)
    if (choice !== null) drawn.push(choice)
    else if (left !== "" && drawn.length > 0) drawn.at(-1)!.rows.push(left.trim())
    else if (left !== "") return unrecognised
  }
  const notes = notesRow.exec(ScreenRows.textAt(frame, row))
  const carets = drawn.filter(({ caret }) => caret).length
  if (notes === null || drawn.some(({ checked }) => checked !== null)) return unrecognised
  if (carets + Number(chatFocused) !== 1) return unrecognised
  const column = notes[1]!.length
  const focused = cursorWithin(frame, row, place.rule)
  const empty = focused ? ScreenRows.isPlaceholder(frame, row, column) : notes[2] === hint
  const below = frame.lines.slice(row + 1, place.rule).map(({ text }) => text.trimEnd().slice(column))
  const selected = drawn.findIndex(({ caret }) => caret)
  return {
    ...head,
    _tag: "options",
    choices: drawn,
    text: null,
    notes: { rows: empty ? [] : [notes[2]!, ...below], focused, checked: null },
    selected,
    focus: focused ? { _tag: "notes" } : chatFocused ? { _tag: "chat" } : { _tag: "choice", index: selected }
  }
}
