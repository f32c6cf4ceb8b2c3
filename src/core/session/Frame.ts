/**
 * The screen after one completed render batch: immutable, complete, in order (S1.2).
 *
 * A recogniser reads frames and nothing else of the terminal.
 */
export interface Frame {
  /** Counts completed batches of this terminal, from 1. */
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
