/**
 * The screen after one completed render batch: immutable, complete, in order (S1.2).
 *
 * A recogniser reads frames and nothing else of the terminal.
 */
export interface Frame {
  /** Counts completed batches of this terminal, from 1; 0 before the first. */
  readonly sequence: number
  /** Bytes of output rendered so far, all batches together. */
  readonly bytes: number
  readonly cols: number
  readonly rows: number
  /** Exactly `rows` lines, top first. */
  readonly lines: ReadonlyArray<FrameLine>
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean }
  /** The window title last set (OSC 0 or 2), empty if none. */
  readonly title: string
  readonly modes: { readonly alternateScreen: boolean; readonly bracketedPaste: boolean }
}

export interface FrameLine {
  /** The row's text without trailing blanks that were never written. Wide characters count once. */
  readonly text: string
  /** True where this row continues the one above (soft wrap). */
  readonly wrapped: boolean
  /** Runs of cells with an attribute that recognisers look at; columns, end exclusive. */
  readonly marks: ReadonlyArray<FrameMark>
}

export interface FrameMark {
  readonly start: number
  readonly end: number
  readonly dim: boolean
  readonly inverse: boolean
  readonly bold: boolean
}

/** An empty screen, as a terminal shows it before its first output. */
export const blank = (cols: number, rows: number): Frame => ({
  sequence: 0,
  bytes: 0,
  cols,
  rows,
  lines: Array.from({ length: rows }, () => ({ text: "", wrapped: false, marks: [] })),
  cursor: { x: 0, y: 0, visible: true },
  title: "",
  modes: { alternateScreen: false, bracketedPaste: false }
})
