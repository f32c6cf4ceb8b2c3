import type { IBuffer, IBufferCell, Terminal } from "@xterm/headless"
import type { Style } from "./XtermState.ts"
import * as XtermState from "./XtermState.ts"

// The add-on that the emulator's makers give for this was tried first: on recordings of vim, less and bash it
// leaves stray characters, misplaces the cursor, and knows no margins, saved cursor or line drawing.

const csi = (text: string) => `\u001b[${text}`
const at = (x: number, y: number) => csi(`${y + 1};${x + 1}H`)

/** Each rendition with the code that switches it on. */
const renditions: ReadonlyArray<readonly [(style: Style) => number, string]> = [
  [(style) => style.isBold(), "1"],
  [(style) => style.isDim(), "2"],
  [(style) => style.isItalic(), "3"],
  [(style) => style.isUnderline(), "4"],
  [(style) => style.isBlink(), "5"],
  [(style) => style.isInverse(), "7"],
  [(style) => style.isInvisible(), "8"],
  [(style) => style.isStrikethrough(), "9"],
  [(style) => style.isOverline(), "53"]
]

const colour = (code: number, rgb: boolean, palette: boolean, value: number): ReadonlyArray<string> => {
  if (rgb) return [`${code};2;${(value >> 16) & 255};${(value >> 8) & 255};${value & 255}`]
  return palette ? [`${code};5;${value}`] : []
}

const rendition = (style: Style): string =>
  csi(
    [
      "0",
      ...renditions.flatMap(([is, code]) => (is(style) === 0 ? [] : [code])),
      ...colour(38, style.isFgRGB(), style.isFgPalette(), style.getFgColor()),
      ...colour(48, style.isBgRGB(), style.isBgPalette(), style.getBgColor())
    ].join(";") + "m"
  )

/** Draws a buffer's screen on an empty one of the same size. Cells that nothing was written to stay so. */
const drawn = (terminal: Terminal, buffer: IBuffer): string => {
  const { cols, rows } = terminal
  const cell = buffer.getNullCell()
  const parts: Array<string> = []
  const lines = Array.from({ length: rows }, (_, row) => buffer.getLine(buffer.baseY + row))
  // A row continues the one above only if a character once ran over its end: let two do so, then erase them.
  const continued = lines.flatMap((line, row) => (row > 0 && line?.isWrapped === true ? [row] : []))
  for (const row of continued) parts.push(at(cols - 1, row - 1), "  ")
  for (const row of continued) for (const dirty of [row - 1, row]) parts.push(at(0, dirty), csi(`${cols}X`))
  let style = ""
  for (const [row, line] of lines.entries()) {
    let cursor = -1
    for (let column = 0; column < cols; column += 1) {
      if (line?.getCell(column, cell) === undefined) continue
      const width = cell.getWidth()
      const chars = cell.getChars()
      if (width === 0 || (chars === "" && cell.isBgDefault())) continue
      if (cursor !== column) parts.push(at(column, row))
      const next = rendition(cell)
      if (next !== style) parts.push(next)
      style = next
      parts.push(chars === "" ? csi("X") : chars)
      cursor = chars === "" ? column : column + width
    }
  }
  parts.push(csi("m"))
  return parts.join("")
}

/** The cursor at its place; past the last column, where only writing there leads, by writing there again. */
const cursorAt = (terminal: Terminal, buffer: IBuffer, x: number, y: number, top: number): string => {
  const { cols } = terminal
  if (x < cols) return at(x, y - top)
  const line = buffer.getLine(buffer.baseY + y)
  const last = (column: number): IBufferCell | undefined => line?.getCell(column)
  const column = last(cols - 1)?.getWidth() === 0 ? cols - 2 : cols - 1
  const cell = last(column)
  if (cell === undefined) return at(cols - 1, y - top)
  const chars = cell.getChars()
  return at(column, y - top) + (chars === "" ? "" : rendition(cell) + chars)
}

const mouse = { none: "", x10: "9", vt200: "1000", drag: "1002", any: "1003" }

/** Output that leads a just reset terminal of the same size to this one's state, between two sequences. */
export const of = (terminal: Terminal): string => {
  const { buffer, modes } = terminal
  const { active, alternate, normal } = buffer
  const inAlternate = active.type === "alternate"
  const { saved, scrollBottom, scrollTop } = XtermState.buffer(terminal)
  const drawing = XtermState.lineDrawing(terminal)
  const set = (on: boolean, code: string) => (on ? csi(`${code}h`) : "")
  return [
    drawn(terminal, normal),
    // Entering the alternate screen saves the cursor of the normal one.
    inAlternate
      ? cursorAt(terminal, normal, normal.cursorX, normal.cursorY, 0) +
        csi("?1049h") +
        drawn(terminal, alternate)
      : "",
    at(saved.x, saved.y) + rendition(saved.style) + "\u001b7",
    csi(`${scrollTop + 1};${scrollBottom + 1}r`),
    set(modes.originMode, "?6"),
    cursorAt(terminal, active, active.cursorX, active.cursorY, modes.originMode ? scrollTop : 0),
    rendition(XtermState.style(terminal)),
    drawing.on ? (drawing.shifted ? "\u001b)0\u000e" : "\u001b(0") : "",
    set(modes.insertMode, "4"),
    set(modes.applicationCursorKeysMode, "?1"),
    set(modes.applicationKeypadMode, "?66"),
    set(modes.bracketedPasteMode, "?2004"),
    set(modes.reverseWraparoundMode, "?45"),
    set(modes.sendFocusMode, "?1004"),
    modes.mouseTrackingMode === "none" ? "" : csi(`?${mouse[modes.mouseTrackingMode]}h`),
    modes.wraparoundMode ? "" : csi("?7l"),
    XtermState.isCursorVisible(terminal) ? "" : csi("?25l")
  ].join("")
}
