import type { IBuffer, Terminal } from "@xterm/headless"
import type { PackedLines, Row } from "./PackedLines.ts"
import * as Packed from "./PackedLines.ts"
import * as XtermState from "./XtermState.ts"

// The emulator's cell: three words, of which the first holds a code point (or the sign that the text is kept
// elsewhere, being more than one) and a width, the others colours and flags.
const cellWords = 3
const codePointMask = 0x1fffff
const combinedFlag = 0x200000
const contentMask = codePointMask | combinedFlag
const widthShift = 22
const inverseFlag = 0x4000000
const boldFlag = 0x8000000
const dimFlag = 0x8000000
/** A cell that nothing was ever written to: one column wide, no colours. */
const blankContent = 1 << widthShift
const inverseShift = 26
const dimShift = 25

const space = 0x20

/** The three flags lie so in their words that shifting them gives the packed ones. */
const flagsOf = (foreground: number, background: number): number =>
  ((foreground & (inverseFlag | boldFlag)) >>> inverseShift) | ((background & dimFlag) >>> dimShift)

/** Columns up to the last that is not blank. */
const usedColumns = (cells: Uint32Array, cols: number): number => {
  let at = (cols - 1) * cellWords
  while (at >= 0 && cells[at] === blankContent && cells[at + 1] === 0 && cells[at + 2] === 0) at -= cellWords
  return at / cellWords + 1
}

const sameRow = (one: Row, other: Row | undefined): boolean =>
  other !== undefined &&
  one.text === other.text &&
  one.wrapped === other.wrapped &&
  one.marks.length === other.marks.length &&
  one.marks.every((value, index) => value === other.marks[index])

/** Reads the screen row by row; each call gives the rows that changed since the one before. */
export interface RowReader {
  readonly changed: () => PackedLines
  /** Forgets what was read: every row is given anew. */
  readonly restart: () => void
}

export const make = (terminal: Terminal): RowReader => {
  let shown: Array<Row> = []
  // A row has at most one pair of UTF-16 units for each column.
  let units = new Uint16Array(0)

  const read = (screen: IBuffer, row: number): Row => {
    const line = screen.getLine(screen.baseY + row)
    const cells = XtermState.cells(terminal, row)
    if (line === undefined || cells === undefined) return { text: "", wrapped: false, marks: [] }
    const { cols } = terminal
    const used = usedColumns(cells, cols)
    if (units.length < 2 * cols) units = new Uint16Array(2 * cols)
    const text = Buffer.from(units.buffer)
    const marks: Array<number> = []
    let flags = 0
    let start = 0
    let length = 0
    let written = 0
    let textAt = 0
    let whole = true
    for (let column = 0, at = 0; column < used; column += 1, at += cellWords) {
      const now = flagsOf(cells[at + 1]!, cells[at + 2]!)
      if (now !== flags) {
        if (flags !== 0) marks.push(start, column, flags)
        flags = now
        start = column
      }
      // The second cell of a wide character belongs to the first.
      if (column < textAt) continue
      const content = cells[at]!
      textAt = column + (content >>> widthShift || 1)
      if ((content & combinedFlag) !== 0) whole = false
      const codePoint = content & codePointMask
      if (codePoint > 0xffff) {
        units[length] = 0xd800 + ((codePoint - 0x10000) >> 10)
        units[length + 1] = 0xdc00 + ((codePoint - 0x10000) & 0x3ff)
        length += 2
      } else {
        units[length] = codePoint === 0 ? space : codePoint
        length += 1
      }
      if ((content & contentMask) !== 0) written = length
    }
    if (flags !== 0) marks.push(start, used, flags)
    return {
      text: whole ? text.toString("utf16le", 0, 2 * written) : line.translateToString(true),
      wrapped: line.isWrapped,
      marks
    }
  }

  return {
    changed: () => {
      const rows: Array<readonly [number, Row]> = []
      const screen = terminal.buffer.active
      for (let row = 0; row < terminal.rows; row += 1) {
        const line = read(screen, row)
        if (sameRow(line, shown[row])) continue
        shown[row] = line
        rows.push([row, line])
      }
      return Packed.pack(rows)
    },
    restart: () => {
      shown = []
    }
  }
}
