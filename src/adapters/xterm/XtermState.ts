import type { IBufferCell, Terminal } from "@xterm/headless"

/** How a cell is drawn; the pen that draws has the same. */
export type Style = Pick<
  IBufferCell,
  | "isBold"
  | "isDim"
  | "isItalic"
  | "isUnderline"
  | "isBlink"
  | "isInverse"
  | "isInvisible"
  | "isStrikethrough"
  | "isOverline"
  | "isFgRGB"
  | "isFgPalette"
  | "getFgColor"
  | "isBgRGB"
  | "isBgPalette"
  | "getBgColor"
>

interface Core {
  readonly coreService: { readonly isCursorHidden: boolean }
  readonly buffers: {
    readonly active: {
      readonly scrollTop: number
      readonly scrollBottom: number
      readonly savedX: number
      readonly savedY: number
      readonly savedCurAttrData: Style
      readonly ybase: number
      readonly lines: { readonly get: (index: number) => { readonly _data: Uint32Array } | undefined }
    }
  }
  readonly _charsetService: {
    readonly glevel: number
    readonly charset: Readonly<Record<string, string>> | undefined
  }
  readonly _inputHandler: {
    readonly _curAttrData: Style
    readonly _parser: { readonly currentState: number }
  }
}

/**
 * What the emulator knows and its public interface does not say. The package's version is pinned, and the
 * screen's contract tests fail if any of this is elsewhere in another.
 */
const coreOf = (terminal: Terminal): Core => Reflect.get(terminal, "_core")

export const isCursorVisible = (terminal: Terminal): boolean => !coreOf(terminal).coreService.isCursorHidden

/** Whether the output so far ends between escape sequences. */
export const isBetweenSequences = (terminal: Terminal): boolean => {
  const {
    _inputHandler: { _parser }
  } = coreOf(terminal)
  return _parser.currentState === 0
}

/** The shown buffer's margins and saved cursor, all from 0. */
export const buffer = (terminal: Terminal) => {
  const { savedCurAttrData, savedX, savedY, scrollBottom, scrollTop, ybase } = coreOf(terminal).buffers.active
  return {
    scrollTop,
    scrollBottom,
    saved: { x: savedX, y: Math.max(0, savedY - ybase), style: savedCurAttrData }
  }
}

/** The pen: how the next character will be drawn. */
export const style = (terminal: Terminal): Style => {
  const {
    _inputHandler: { _curAttrData }
  } = coreOf(terminal)
  return _curAttrData
}

/**
 * The cells of one row, three words each: content, foreground, background. Reading them one by one through the
 * public interface costs a tenth of all rendering.
 */
export const cells = (terminal: Terminal, row: number): Uint32Array | undefined => {
  const { lines, ybase } = coreOf(terminal).buffers.active
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
