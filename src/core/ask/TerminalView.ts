import * as TerminalText from "./TerminalText.ts"

/** How a span stands out. None of them carries meaning alone: without styles the text says the same. */
export type Style = "plain" | "bold" | "dim" | "inverse"

export interface Span {
  readonly text: string
  readonly style: Style
}

/** One row of the screen. */
export type Row = ReadonlyArray<Span>

/** A whole screen of a dialog: what is painted, and where the cursor stands (`null`: hidden). */
export interface View {
  readonly rows: ReadonlyArray<Row>
  readonly cursor: { readonly row: number; readonly column: number } | null
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

export const span = (text: string, style: Style = "plain"): Span => ({ text, style })

/** The row's text alone. */
export const text = (row: Row): string => row.map((span) => span.text).join("")

/** Select Graphic Rendition codes: attributes, no colours, so that they fit every theme. */
const SGR: Readonly<Record<Style, string>> = {
  plain: "",
  bold: "\x1b[1m",
  dim: "\x1b[2m",
  inverse: "\x1b[7m"
}
const SGR_RESET = "\x1b[0m"
const ERASE_LINE = "\x1b[2K"
const ERASE_BELOW = "\x1b[J"

/** The last guard of P2.6: whatever a row holds, only our own escapes reach the terminal. */
const CONTROL = /\p{Cc}/gu

const encodeSpan = ({ text, style }: Span, styled: boolean): string => {
  const safe = text.replace(CONTROL, "\ufffd")
  return styled && style !== "plain" ? `${SGR[style]}${safe}${SGR_RESET}` : safe
}

const moveTo = (row: number, column: number): string => `\x1b[${row + 1};${column + 1}H`

/**
 * The bytes that paint `view` from the top left corner over whatever is there, and where the cursor then
 * stands (0-based). `styled: false` for `NO_COLOR`.
 */
export const encode = (
  view: View,
  options: { readonly styled: boolean }
): { readonly bytes: string; readonly cursor: { readonly row: number; readonly column: number } } => {
  const cursor = view.cursor ?? { row: Math.max(0, view.rows.length - 1), column: 0 }
  // Erased before it is written: without automatic wrap an erase behind a full row would take its last column.
  // The last row erases what an earlier, taller view left below.
  const painted = view.rows.map(
    (row, index) =>
      `${moveTo(index, 0)}${index === view.rows.length - 1 ? ERASE_BELOW : ERASE_LINE}${row.map((span) => encodeSpan(span, options.styled)).join("")}`
  )
  return {
    bytes: `${painted.join("")}${moveTo(cursor.row, cursor.column)}`,
    cursor
  }
}

/** A row cut to `columns`, its spans kept as far as they fit. */
export const cut = (row: Row, columns: number): Row => {
  let room = columns
  const result: Array<Span> = []
  for (const { text, style } of row) {
    const fitting = TerminalText.cut(text, room)
    result.push({ text: fitting, style })
    room -= TerminalText.width(fitting)
    if (fitting !== text) break
  }
  return result
}
