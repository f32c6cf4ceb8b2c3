import type { Frame } from "../../core/session/Frame.ts"
import * as ScreenRows from "./ScreenRows.ts"

/** One numbered row of the editor: an option, or the row for own text, which is always the last. */
export interface Choice {
  /** The row's text behind its number and box, joined over its rows as drawn; descriptions included. */
  readonly rows: ReadonlyArray<string>
  readonly at: number
  /** Checkbox state; `null` where the row has no box. */
  readonly checked: boolean | null
}

/** A text field: the row for own text, or the notes beside previews. */
export interface Field {
  /** As drawn, row by row, without indentation; empty where only the placeholder stands. */
  readonly rows: ReadonlyArray<string>
  /** The agent draws its text cursor in it: keys are text. */
  readonly focused: boolean
}

/** What has the keys. */
export type Focus =
  | { readonly _tag: "choice"; readonly index: number }
  | { readonly _tag: "text" }
  | { readonly _tag: "notes" }
  | { readonly _tag: "advance" }
  | { readonly _tag: "chat" }

export interface Options {
  readonly _tag: "options"
  /** Tab headers of a grouped editor, or of one with checkboxes; `null` for a lone choice. */
  readonly tabs: ReadonlyArray<string> | null
  readonly header: string | null
  readonly prompt: string
  readonly choices: ReadonlyArray<Choice>
  /** Notes beside previews; then there is no row for own text. */
  readonly notes: Field | null
  readonly text: Field | null
  /** Whether the row for own text is checked; `null` where it has no box. */
  readonly textChecked: boolean | null
  /** The row with the caret, -1 where it is none of the choices. While notes have the keys it is still drawn. */
  readonly selected: number
  readonly focus: Focus
  /** Identity of what is drawn: changes with every key that had an effect. */
  readonly stage: string
}

/** The page that shows all answers before they are submitted. */
export interface Review {
  readonly _tag: "review"
  readonly tabs: ReadonlyArray<string>
  /** Its entries as drawn, joined; without the page's own words. */
  readonly body: string
  /** The row that submits is selected, not the one that cancels. */
  readonly submits: boolean
  readonly stage: string
}

/** A field so tall that everything above its last rows is off the screen. */
export interface Tall {
  readonly _tag: "tall"
  /** Numbered rows of the editor, the row for own text included. */
  readonly choices: number
  readonly multiple: boolean
  /** The last rows of what is in the field. */
  readonly rows: ReadonlyArray<string>
  readonly focus: Focus
  readonly stage: string
}

export type QuestionView = Options | Review | Tall | { readonly _tag: "unrecognised" }

const footer =
  /^Enter to select · (?:↑\/↓|Tab\/Arrow keys) to navigate(?: · n to add notes)?(?: · Tab to switch questions)?(?: · ctrl\+g to edit in .+)? · Esc to cancel$/
const chatRow = /^(❯| ) (?:(\d+)\. )?Chat about this$/
const choiceRow = /^(❯| ) (\d+)\. (?:\[([ ✔])\] ?)?(.*)$/
const advanceRow = /^(❯| ) {3,4}(?:Submit|Next)$/
const submitRow = /^(❯| ) 1\. Submit answers$/
const cancelRow = /^(❯| ) 2\. Cancel$/
const headerRow = /^ [☐☒] (.+)$/
const tabsRow = /^← +(.+?) +✔ Submit +→$/

const unrecognised = { _tag: "unrecognised" } as const

/**
 * The question editor in front, or `null` where there is none. It is the last thing on the screen and stands
 * under its own rule in column 0, where the conversation cannot write (S6.3).
 */
export const read = (frame: Frame): QuestionView | null => {
  const last = ScreenRows.lastRow(frame)
  if (cancelRow.test(ScreenRows.textAt(frame, last))) return readReview(frame, last)
  if (!footer.test(ScreenRows.textAt(frame, last))) return null
  // Footer, blank, chat row, rule: the fixed lower end.
  const rule = last - 3
  const chat = chatRow.exec(ScreenRows.textAt(frame, last - 2))
  if (chat === null || !ScreenRows.isRule(frame, rule)) return unrecognised
  const chatNumber = chat[2] === undefined ? null : Number(chat[2])
  const chatFocused = chat[1] === "❯"
  const top = ScreenRows.ruleAbove(frame, rule)
  return top === -1
    ? readTall(frame, rule, last, chatNumber, chatFocused)
    : readOptions(frame, { top, rule, last, chatNumber, chatFocused })
}

const stageOf = (frame: Frame, from: number, to: number): string =>
  [
    `${frame.cursor.x},${frame.cursor.y}`,
    ...frame.lines.slice(Math.max(0, from), to + 1).map(({ text }) => text.trimEnd())
  ].join("\n")

const tabsOf = (text: string): ReadonlyArray<string> | null => {
  const found = tabsRow.exec(text)
  return found === null
    ? null
    : found[1]!
        .split(/[☐☒]/)
        .slice(1)
        .map((tab) => tab.trim())
}

interface Place {
  readonly top: number
  readonly rule: number
  readonly last: number
  readonly chatNumber: number | null
  readonly chatFocused: boolean
}

const readOptions = (frame: Frame, place: Place): QuestionView => {
  const { top, rule, last, chatNumber, chatFocused } = place
  const head = ScreenRows.textAt(frame, top + 1)
  const tabs = tabsOf(head)
  const header = headerRow.exec(head)?.[1]?.trim() ?? null
  if (tabs === null && header === null) return unrecognised
  let row = top + 2
  while (row < rule && ScreenRows.textAt(frame, row) === "") row++
  const prompt: Array<string> = []
  for (; row < rule && ScreenRows.textAt(frame, row) !== ""; row++) prompt.push(ScreenRows.textAt(frame, row))
  while (row < rule && ScreenRows.textAt(frame, row) === "") row++
  const base = { tabs, header, prompt: prompt.join("\n"), stage: stageOf(frame, top, last) }
  return chatNumber === null
    ? readPreviews(frame, base, row, rule, chatFocused)
    : readChoices(frame, base, row, rule, chatNumber, chatFocused)
}

type Base = Pick<Options, "tabs" | "header" | "prompt" | "stage">

const readChoices = (
  frame: Frame,
  base: Base,
  first: number,
  rule: number,
  chatNumber: number,
  chatFocused: boolean
): QuestionView => {
  const advance = advanceRow.exec(ScreenRows.textAt(frame, rule - 1))
  const end = advance === null ? rule : rule - 1
  const choices: Array<Choice & { selected: boolean; rows: Array<string> }> = []
  for (let row = first; row < end; row++) {
    const text = ScreenRows.textAt(frame, row)
    const found = choiceRow.exec(text)
    if (found !== null && Number(found[2]) === choices.length + 1) {
      choices.push({
        at: row,
        selected: found[1] === "❯",
        checked: found[3] === undefined ? null : found[3] === "✔",
        rows: [found[4]!]
      })
    } else if (choices.length > 0 && (text === "" || text.startsWith("     "))) {
      choices.at(-1)!.rows.push(text.trimStart())
    } else return unrecognised
  }
  const text = choices.at(-1)
  // The row for own text is the last, and the chat row counts on.
  if (text === undefined || choices.length < 2 || chatNumber !== choices.length + 1) return unrecognised
  if (choices.some(({ checked }) => (checked === null) !== (advance === null))) return unrecognised
  const selected = choices.findIndex((choice) => choice.selected)
  const focused =
    choices.filter((choice) => choice.selected).length + Number(chatFocused) + Number(advance?.[1] === "❯")
  if (focused !== 1) return unrecognised
  const isText = selected === choices.length - 1
  return {
    ...base,
    _tag: "options",
    choices: choices.slice(0, -1),
    notes: null,
    text: fieldOf(frame, text, isText, end),
    textChecked: text.checked,
    selected: isText ? -1 : selected,
    focus: chatFocused
      ? { _tag: "chat" }
      : selected === -1
        ? { _tag: "advance" }
        : isText
          ? { _tag: "text" }
          : { _tag: "choice", index: selected }
  }
}

const fieldOf = (frame: Frame, choice: Choice, focused: boolean, end: number): Field => {
  const column = choice.checked === null ? 5 : 9
  return {
    rows: isHint(frame, choice, focused, column) ? [] : choice.rows,
    focused: focused && cursorWithin(frame, choice.at, end)
  }
}

/** Off focus the placeholder has no mark of its own; an unchecked or uncommitted row says no more then. */
const isHint = (frame: Frame, choice: Choice, focused: boolean, column: number): boolean =>
  focused
    ? ScreenRows.isPlaceholder(frame, choice.at, column)
    : choice.rows.length === 1 && /^Type something\.?$/.test(choice.rows[0]!) && choice.checked !== true

const cursorWithin = (frame: Frame, from: number, to: number): boolean =>
  frame.cursor.y >= from && frame.cursor.y < to && ScreenRows.hasFieldCursor(frame, frame.cursor.y)

const notesRow = /^ +Notes: (.*)$/

/** Options at the left, the selected one's preview in a box at the right, notes below the box. */
const readPreviews = (
  frame: Frame,
  base: Base,
  first: number,
  rule: number,
  chatFocused: boolean
): QuestionView => {
  const choices: Array<Choice & { selected: boolean; rows: Array<string> }> = []
  let row = first
  for (; row < rule && !notesRow.test(ScreenRows.textAt(frame, row)); row++) {
    const left = ScreenRows.textAt(frame, row)
      .replace(/[┌│└].*$/u, "")
      .trimEnd()
    const found = choiceRow.exec(left)
    if (found !== null && Number(found[2]) === choices.length + 1) {
      choices.push({ at: row, selected: found[1] === "❯", checked: null, rows: [found[4]!] })
    } else if (left !== "" && choices.length > 0) choices.at(-1)!.rows.push(left.trim())
    else if (left !== "") return unrecognised
  }
  const notes = notesRow.exec(ScreenRows.textAt(frame, row))
  const selected = choices.findIndex((choice) => choice.selected)
  if (notes === null || choices.filter((choice) => choice.selected).length + Number(chatFocused) !== 1) {
    return unrecognised
  }
  const column = ScreenRows.textAt(frame, row).indexOf("Notes: ") + "Notes: ".length
  const below = frame.lines
    .slice(row + 1, rule)
    .map(({ text }) => text.trimEnd())
    .map((text) => text.slice(Math.min(column, text.length)))
  while (below.at(-1) === "") below.pop()
  const focused = cursorWithin(frame, row, rule)
  const empty = focused ? ScreenRows.isPlaceholder(frame, row, column) : notes[1] === "press n to add notes"
  return {
    ...base,
    _tag: "options",
    choices,
    text: null,
    textChecked: null,
    selected,
    notes: { rows: empty ? [] : [notes[1]!, ...below], focused },
    focus: focused
      ? { _tag: "notes" }
      : selected === -1
        ? { _tag: "chat" }
        : { _tag: "choice", index: selected }
  }
}

/** Nothing but the end of a field, and below it the editor's fixed lower end. */
const readTall = (
  frame: Frame,
  rule: number,
  last: number,
  chatNumber: number | null,
  chatFocused: boolean
): QuestionView => {
  if (chatNumber === null) return unrecognised
  const advance = advanceRow.exec(ScreenRows.textAt(frame, rule - 1))
  const end = advance === null ? rule : rule - 1
  const indent = advance === null ? 5 : 9
  const rows = frame.lines.slice(0, end).map(({ text }) => text.trimEnd())
  if (!rows.every((text) => text === "" || text.startsWith(" ".repeat(indent)))) return unrecognised
  const advanceFocused = advance?.[1] === "❯"
  if (chatFocused && advanceFocused) return unrecognised
  const focus: Focus | null = chatFocused
    ? { _tag: "chat" }
    : advanceFocused
      ? { _tag: "advance" }
      : cursorWithin(frame, 0, end)
        ? { _tag: "text" }
        : null
  return focus === null
    ? unrecognised
    : {
        _tag: "tall",
        choices: chatNumber - 1,
        multiple: advance !== null,
        rows: rows.map((text) => text.slice(indent)),
        focus,
        stage: stageOf(frame, 0, last)
      }
}

/** Rows of the page that are the agent's own words, at the place where it draws them. */
const reviewWords =
  /^(?:Review your answers|Ready to submit your answers\?|⚠ (?:You have not answered all questions|Some questions are unanswered))$/

const readReview = (frame: Frame, last: number): QuestionView | null => {
  const submit = submitRow.exec(ScreenRows.textAt(frame, last - 1))
  const cancel = cancelRow.exec(ScreenRows.textAt(frame, last))
  const top = ScreenRows.ruleAbove(frame, last)
  if (submit === null || cancel === null || top === -1) return null
  const tabs = tabsOf(ScreenRows.textAt(frame, top + 1))
  const rows = frame.lines.slice(top + 2, last - 1).map(({ text }) => text.trimEnd())
  const title = rows.findIndex((text) => text !== "")
  if (tabs === null || rows[title] !== "Review your answers") return unrecognised
  if ((submit[1] === "❯") === (cancel[1] === "❯")) return unrecognised
  return {
    _tag: "review",
    tabs,
    body: rows.filter((text) => !reviewWords.test(text)).join("\n"),
    submits: submit[1] === "❯",
    stage: stageOf(frame, top, last)
  }
}
