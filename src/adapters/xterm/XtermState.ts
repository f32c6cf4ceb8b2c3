import type { Terminal } from "@xterm/headless"

/** A buffer's own state beside its cells. Positions are from 0; `savedY` counts from the buffer's first line. */
interface BufferState {
  readonly scrollTop: number
  readonly scrollBottom: number
  readonly savedX: number
  readonly savedY: number
  readonly ybase: number
  readonly lines: { readonly get: (index: number) => { readonly _data: Uint32Array } | undefined }
}

interface Core {
  readonly coreService: { readonly isCursorHidden: boolean }
  readonly buffers: { readonly active: BufferState }
  readonly _charsetService: {
    readonly glevel: number
    readonly charset: Readonly<Record<string, string>> | undefined
  }
  readonly _inputHandler: {
    readonly _parser: { readonly currentState: number }
    readonly _utf8Decoder: { readonly interim: Uint8Array }
  }
}

/**
 * What the emulator knows and its public interface does not say. The package's version is pinned, and the
 * screen's contract tests fail if any of this is elsewhere in another.
 */
const coreOf = (terminal: Terminal): Core => Reflect.get(terminal, "_core")

export const isCursorVisible = (terminal: Terminal): boolean => !coreOf(terminal).coreService.isCursorHidden

/** Whether the output so far ends between characters and escape sequences. */
export const isBetweenSequences = (terminal: Terminal): boolean => {
  const {
    _inputHandler: { _parser, _utf8Decoder }
  } = coreOf(terminal)
  return _parser.currentState === 0 && _utf8Decoder.interim[0] === 0
}

export const buffer = (terminal: Terminal): BufferState => coreOf(terminal).buffers.active

/**
 * The cells of one row, three words each: content, foreground, background. Reading them one by one through the
 * public interface costs a tenth of all rendering.
 */
export const cells = (terminal: Terminal, row: number): Uint32Array | undefined => {
  const { lines, ybase } = buffer(terminal)
  const line = lines.get(ybase + row)
  if (line === undefined) return undefined
  const { _data } = line
  return _data
}

/** Whether letters are drawn as lines now, and through which of the two shifts. */
export const lineDrawing = (terminal: Terminal): { readonly on: boolean; readonly shifted: boolean } => {
  const {
    _charsetService: { charset, glevel }
  } = coreOf(terminal)
  return { on: charset?.["q"] === "─", shifted: glevel === 1 }
}
