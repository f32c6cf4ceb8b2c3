import type { Key } from "./Keys.ts"
import * as TerminalText from "./TerminalText.ts"

/** Text that a person types, with the cursor between its two parts. Never styled, never changed for them. */
export interface TextField {
  readonly before: string
  readonly after: string
  /** Characters (UTF-16 units) that the field takes; what does not fit is refused, visibly. */
  readonly limit: number
}

export const make = (limit: number): TextField => ({ before: "", after: "", limit })

/** A field that begins with a text, the cursor behind it. What does not fit is left out. */
export const from = (text: string, limit: number): TextField => insert(make(limit), text)

export const value = (field: TextField): string => field.before + field.after

/** Whether there is anything in it but blanks. */
export const isBlank = (field: TextField): boolean => value(field).trim() === ""

const NAMED_EDITS: ReadonlyMap<string, (field: TextField) => TextField> = new Map([
  ["backspace", (field) => ({ ...field, before: withoutLast(field.before) })],
  ["delete", (field) => ({ ...field, after: withoutFirst(field.after) })],
  ["left", (field) => moveLeft(field)],
  ["right", (field) => moveRight(field)],
  ["home", (field) => ({ ...field, before: "", after: value(field) })],
  ["end", (field) => ({ ...field, before: value(field), after: "" })]
])

const CONTROL_EDITS: ReadonlyMap<string, (field: TextField) => TextField> = new Map([
  ["a", (field) => ({ ...field, before: "", after: value(field) })],
  ["e", (field) => ({ ...field, before: value(field), after: "" })],
  ["j", (field) => insert(field, "\n")],
  ["k", (field) => ({ ...field, after: "" })],
  ["u", (field) => ({ ...field, before: "" })],
  ["w", (field) => ({ ...field, before: field.before.replace(/\S+\s*$|\s+$/u, "") })]
])

/** The field after a key, or `null` where the key is none of its own. */
export const press = (field: TextField, key: Key): TextField | null => {
  switch (key._tag) {
    case "char":
      return insert(field, key.char)
    case "paste":
      return insert(field, key.text)
    case "named":
      return NAMED_EDITS.get(key.name)?.(field) ?? null
    case "ctrl":
      return CONTROL_EDITS.get(key.letter)?.(field) ?? null
    case "cursor":
    case "unknown":
      return null
  }
}

const insert = (field: TextField, text: string): TextField => {
  const room = field.limit - field.before.length - field.after.length
  let added = ""
  for (const grapheme of TerminalText.graphemes(accepted(text))) {
    if (added.length + grapheme.length > room) break
    added += grapheme
  }
  return { ...field, before: field.before + added }
}

/** Every line break as LF; no control character but tab and LF, no half of a surrogate pair (Q2.2, Q5.5). */
const accepted = (text: string): string =>
  text.replace(/\r\n?/g, "\n").replace(/(?![\t\n])\p{Cc}|\p{Cs}/gu, "")

const withoutLast = (text: string): string => TerminalText.graphemes(text).slice(0, -1).join("")
const withoutFirst = (text: string): string => TerminalText.graphemes(text).slice(1).join("")

const moveLeft = (field: TextField): TextField => {
  const before = withoutLast(field.before)
  return { ...field, before, after: field.before.slice(before.length) + field.after }
}

const moveRight = (field: TextField): TextField => {
  const after = withoutFirst(field.after)
  return { ...field, before: field.before + field.after.slice(0, field.after.length - after.length), after }
}

/** The field in rows of `columns`, at most `height` of them around the cursor; and where the cursor stands. */
export const view = (
  field: TextField,
  columns: number,
  height: number
): {
  readonly rows: ReadonlyArray<string>
  readonly cursor: { readonly row: number; readonly column: number }
} => {
  // One column stays free: the cursor stands behind the last character.
  const room = Math.max(1, columns - 1)
  const shown = (text: string): ReadonlyArray<string> =>
    TerminalText.visible(text).lines.flatMap((line) => TerminalText.wrap(line, room))
  const head = shown(field.before)
  const cursorRow = head.length - 1
  const all = shown(value(field))
  const top = Math.max(0, Math.min(cursorRow - height + 1, all.length - height))
  const from = Math.min(top, cursorRow)
  return {
    rows: all.slice(from, from + height),
    cursor: {
      row: cursorRow - from,
      column: Math.min(TerminalText.width(head[cursorRow] ?? ""), columns - 1)
    }
  }
}
