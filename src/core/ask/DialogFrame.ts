import * as TerminalText from "./TerminalText.ts"
import * as TextField from "./TextField.ts"
import { cut, span, text, type Row, type Size, type Span, type View } from "./TerminalView.ts"

/**
 * What every dialog looks like: a title, a body that scrolls, a rule, the controls, a line of hints. Rows of a
 * body begin with a blank or a gutter, ours do not: text in a value cannot pass for a title or a button (P2.6).
 */
export interface DialogFrame {
  readonly title: string
  /** Stands at the right of the title: since when, how many wait (P6.4). */
  readonly status: string
  readonly body: ReadonlyArray<Row>
  /** The first visible row of the body. */
  readonly top: number
  /** Whether the body leaves something out that can be expanded (P2.2). */
  readonly elided: boolean
  /** Always visible, never empty. */
  readonly controls: ReadonlyArray<Row>
  /** Where the cursor stands within the controls; `null`: hidden. */
  readonly cursor: { readonly row: number; readonly column: number } | null
  readonly hint: string
}

/** In this order rows are given up when the terminal is low: first the hint, last the title. */
const TITLE_FROM = 3
const RULE_FROM = 4
const HINT_FROM = 5

/** Buttons stand below each other only where enough is left for the body. */
const STACK_FROM = 12

/** What a title keeps when the status is long: who speaks. */
const TITLE_KEEPS = 16

/** How many rows of body fit beside `controls` rows of controls. */
export const room = (rows: number, controls: number): number => {
  const left = Math.max(1, rows - controls)
  return left - [TITLE_FROM, RULE_FROM, HINT_FROM].filter((least) => left >= least).length
}

/** The greatest `top` that still fills the room. */
export const lastTop = (body: number, room: number): number => Math.max(0, body - room)

/** The whole view. Every row fits `size.columns`; there are at most `size.rows`, unless the controls alone are more. */
export const compose = (frame: DialogFrame, size: Size): View => {
  const left = Math.max(1, size.rows - frame.controls.length)
  const height = room(size.rows, frame.controls.length)
  const shown = frame.body.slice(frame.top, frame.top + height)
  const above = [
    ...(left >= TITLE_FROM ? [titleRow(frame, size.columns)] : []),
    ...shown,
    ...(left >= RULE_FROM ? [ruleRow(frame, height, size.columns)] : [])
  ]
  return {
    rows: [
      ...above,
      ...frame.controls,
      ...(left >= HINT_FROM ? [[span(TerminalText.cut(frame.hint, size.columns), "dim")]] : [])
    ].map((row) => cut(row, size.columns)),
    cursor:
      frame.cursor === null ? null : { row: above.length + frame.cursor.row, column: frame.cursor.column }
  }
}

/** The title gives way to the status: it is what the first rows of the body say anyway. */
const titleRow = (frame: DialogFrame, columns: number): Row => {
  const status = frame.status === "" ? "" : TerminalText.cut(`  ${frame.status}`, columns - TITLE_KEEPS)
  const title = TerminalText.cut(TerminalText.line(frame.title), columns - TerminalText.width(status))
  const gap = columns - TerminalText.width(title) - TerminalText.width(status)
  return [span(title, "bold"), span(" ".repeat(Math.max(0, gap))), span(status, "dim")]
}

const ruleRow = (frame: DialogFrame, height: number, columns: number): Row => {
  const up = frame.top > 0
  const down = frame.top + height < frame.body.length
  const marks = [
    ...(up || down ? [`${up ? "↑" : ""}${down ? "↓" : ""} more`] : []),
    ...(frame.elided ? [TerminalText.ELLIPSIS] : [])
  ]
  // The mark of an elision stands first: it survives the narrowest terminal.
  const label = marks
    .toReversed()
    .map((mark) => ` ${mark} ──`)
    .join("")
  return [span(TerminalText.cut(`${label === "" ? "" : "──"}${label}`.padEnd(columns, "─"), columns), "dim")]
}

/** One of the choices in a row of buttons. `locked` says why it cannot be taken yet. */
export interface Button {
  readonly label: string
  /** Stands for the label where there is little room; in brackets while it is locked. */
  readonly short: string
  readonly focused: boolean
  readonly locked: string | null
}

/**
 * The buttons in one row; where they do not fit, in short words; else one below the other, or, in a terminal
 * that is too low for that, the focused one alone. The arrow, not the style, says where the focus is.
 */
export const buttonRows = (buttons: ReadonlyArray<Button>, size: Size): ReadonlyArray<Row> => {
  const long = buttons.map((button) =>
    buttonSpan(button, `${button.label}${button.locked === null ? "" : ` (${button.locked})`}`)
  )
  const short = buttons.map((button) =>
    buttonSpan(button, button.locked === null ? button.short : `(${button.short})`)
  )
  const inOneRow = [long, short].find((spans) => TerminalText.width(text(spans)) <= size.columns)
  if (inOneRow !== undefined) return [inOneRow]
  return size.rows >= STACK_FROM
    ? long.map((span): Row => [span])
    : short.filter((_, index) => buttons[index]?.focused === true).map((span): Row => [span])
}

const buttonSpan = ({ focused, locked }: Button, label: string): Span =>
  span(`${focused ? "❯" : " "} ${label} `, focused ? "inverse" : locked === null ? "plain" : "dim")

/** A text field with its label, in at most `most` rows; and where its cursor stands in them. */
export const fieldRows = (
  label: string,
  field: TextField.TextField,
  size: Size,
  most: number
): {
  readonly rows: ReadonlyArray<Row>
  readonly cursor: { readonly row: number; readonly column: number }
} => {
  const indent = label.length
  const height = Math.max(1, Math.min(most, size.rows - most))
  const { rows, cursor } = TextField.view(field, Math.max(1, size.columns - indent), height)
  return {
    rows: rows.map((row, index): Row => [span(index === 0 ? label : " ".repeat(indent), "bold"), span(row)]),
    cursor: { row: cursor.row, column: cursor.column + indent }
  }
}
