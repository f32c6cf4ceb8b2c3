import type { FrameLine, FrameMark } from "../../core/session/Frame.ts"

/** Flags of a packed mark. */
const inverse = 1
const bold = 2
const dim = 4

/** A row as it is read: `marks` holds three numbers for each mark, its start, its end and its flags. */
export interface Row {
  readonly text: string
  readonly wrapped: boolean
  readonly marks: ReadonlyArray<number>
}

/** Some rows of a frame in few and flat values, since a frame of objects costs more to send than to read. */
export interface PackedLines {
  readonly rows: ReadonlyArray<number>
  /** The rows' texts, joined by line feeds, which no cell can hold. */
  readonly text: string
  readonly wrapped: ReadonlyArray<boolean>
  readonly marks: ReadonlyArray<ReadonlyArray<number>>
}

const none: ReadonlyArray<FrameMark> = []

const unpackMarks = (packed: ReadonlyArray<number>): ReadonlyArray<FrameMark> => {
  if (packed.length === 0) return none
  const marks: Array<FrameMark> = []
  for (let at = 0; at < packed.length; at += 3) {
    const flags = packed[at + 2]!
    marks.push({
      start: packed[at]!,
      end: packed[at + 1]!,
      dim: (flags & dim) !== 0,
      inverse: (flags & inverse) !== 0,
      bold: (flags & bold) !== 0
    })
  }
  return marks
}

export const pack = (rows: ReadonlyArray<readonly [row: number, line: Row]>): PackedLines => ({
  rows: rows.map(([row]) => row),
  text: rows.map(([, line]) => line.text).join("\n"),
  wrapped: rows.map(([, line]) => line.wrapped),
  marks: rows.map(([, line]) => line.marks)
})

/** Puts the packed lines into their places among `lines`. */
export const unpackInto = (lines: Array<FrameLine>, packed: PackedLines): void => {
  const texts = packed.text.split("\n")
  packed.rows.forEach((row, index) => {
    lines[row] = {
      text: texts[index]!,
      wrapped: packed.wrapped[index]!,
      marks: unpackMarks(packed.marks[index]!)
    }
  })
}
