import type { Frame } from "../../core/session/Frame.ts"
import { type Choice, type Field, type Head, type QuestionPage, unrecognised } from "./QuestionPage.ts"
import * as ScreenRows from "./ScreenRows.ts"

const choiceRow = /^(❯| ) (\d+)\. (?:\[([ ✔])\] ?)?(.*)$/
/** The row of checkboxes that leads on: to the next question, or to the review page. */
const advanceRow = /^(❯| ) {3,4}(?:Submit|Next)$/

/** Columns before the text of a row, its number included; checkboxes take four more. */
const textColumn = { plain: 5, boxed: 9 } as const

interface DrawnChoice extends Choice {
  readonly caret: boolean
  readonly rows: Array<string>
}

/** A numbered row, if this is the one with the next number. */
export const nextChoice = (text: string, at: number, count: number): DrawnChoice | null => {
  const found = choiceRow.exec(text)
  if (found === null || Number(found[2]) !== count + 1) return null
  return {
    at,
    caret: found[1] === "❯",
    checked: found[3] === undefined ? null : found[3] === "✔",
    rows: [found[4]!]
  }
}

/** Whether the agent draws its text cursor within these rows, where it also left the terminal's. */
export const cursorWithin = (frame: Frame, from: number, to: number): boolean =>
  frame.cursor.y >= from && frame.cursor.y < to && ScreenRows.hasFieldCursor(frame, frame.cursor.y)

/** Numbered options, the row for own text last; with checkboxes a row that leads on. Then the rule. */
export const read = (
  frame: Frame,
  head: Head,
  place: { readonly first: number; readonly rule: number },
  chat: { readonly number: number; readonly focused: boolean }
): QuestionPage => {
  const advance = advanceRow.exec(ScreenRows.textAt(frame, place.rule - 1))
  const end = advance === null ? place.rule : place.rule - 1
  const drawn: Array<DrawnChoice> = []
  for (let row = place.first; row < end; row++) {
    const text = ScreenRows.textAt(frame, row)
    const choice = nextChoice(text, row, drawn.length)
    if (choice !== null) drawn.push(choice)
    else if (drawn.length > 0 && (text === "" || text.startsWith("     ")))
      drawn.at(-1)!.rows.push(text.trimStart())
    else return unrecognised
  }
  const own = drawn.at(-1)
  if (own === undefined || drawn.length < 2 || chat.number !== drawn.length + 1) return unrecognised
  if (drawn.some(({ checked }) => (checked === null) !== (advance === null))) return unrecognised
  const carets = drawn.filter(({ caret }) => caret).length
  if (carets + Number(chat.focused) + Number(advance?.[1] === "❯") !== 1) return unrecognised
  const selected = drawn.findIndex(({ caret }) => caret)
  return {
    ...head,
    _tag: "options",
    choices: drawn.slice(0, -1),
    text: ownText(frame, own, end),
    notes: null,
    selected: own.caret ? -1 : selected,
    focus: chat.focused
      ? { _tag: "chat" }
      : selected === -1
        ? { _tag: "advance" }
        : own.caret
          ? { _tag: "text" }
          : { _tag: "choice", index: selected }
  }
}

const placeholder = /^Type something\.?$/

const ownText = (frame: Frame, own: DrawnChoice, end: number): Field => ({
  rows: isEmpty(frame, own) ? [] : own.rows,
  focused: own.caret && cursorWithin(frame, own.at, end),
  checked: own.checked
})

/** Off focus the placeholder has no mark of its own: then the row counts as empty unless it is checked. */
const isEmpty = (frame: Frame, { at, caret, checked, rows }: DrawnChoice): boolean =>
  caret
    ? ScreenRows.isPlaceholder(frame, at, checked === null ? textColumn.plain : textColumn.boxed)
    : rows.length === 1 && placeholder.test(rows[0]!) && checked !== true

/**
 * Nothing but the end of a field, and below it the editor's fixed lower end: everything above is off the screen.
 */
export const readTall = (
  frame: Frame,
  stage: string,
  rule: number,
  chat: { readonly number: number; readonly focused: boolean }
): QuestionPage => {
  const advance = advanceRow.exec(ScreenRows.textAt(frame, rule - 1))
  const end = advance === null ? rule : rule - 1
  const column = advance === null ? textColumn.plain : textColumn.boxed
  const rows = frame.lines.slice(0, end).map(({ text }) => text.trimEnd())
  if (!rows.every((text) => text === "" || text.startsWith(" ".repeat(column)))) return unrecognised
  const leads = advance?.[1] === "❯"
  if (Number(chat.focused) + Number(leads) + Number(cursorWithin(frame, 0, end)) !== 1) return unrecognised
  return {
    _tag: "tall",
    // The row for own text and the chat row are numbered too.
    choices: chat.number - 2,
    multiple: advance !== null,
    rows: rows.map((text) => text.slice(column)),
    focus: { _tag: chat.focused ? "chat" : leads ? "advance" : "text" },
    stage
  }
}
