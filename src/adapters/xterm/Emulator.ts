import headless from "@xterm/headless"
import { SerializeAddon } from "@xterm/addon-serialize"
import type { FrameChange } from "./RenderProtocol.ts"
import * as OpenSequence from "./OpenSequence.ts"
import * as RowReader from "./RowReader.ts"
import * as XtermState from "./XtermState.ts"

/** One terminal emulator, used synchronously by the one thread that it lives on. */
export interface Emulator {
  /** Renders at once. */
  readonly write: (bytes: Uint8Array) => void
  readonly resize: (cols: number, rows: number) => void
  /** What changed since the last call. */
  readonly change: () => FrameChange
  /** The answers to queries since the last call. */
  readonly replies: () => ReadonlyArray<string>
  /** The whole state as output that leads to it. */
  readonly serialize: () => Uint8Array
  readonly dispose: () => void
}

export const make = (cols: number, rows: number): Emulator => {
  // Only the screen is ever looked at, so lines that leave it are not kept.
  const terminal = new headless.Terminal({ cols, rows, scrollback: 0, allowProposedApi: true })
  const addon = new SerializeAddon()
  terminal.loadAddon(addon)
  const buffers = terminal.buffer
  const reader = RowReader.make(terminal)
  const unfinished = OpenSequence.make()
  let title = ""
  let answers: Array<string> = []

  terminal.onTitleChange((next) => {
    title = next
  })
  terminal.onData((answer) => {
    if (answer !== "") answers.push(answer)
  })

  return {
    write: (bytes) => {
      let rendered = false
      // After input the emulator renders the next output at once instead of in a timer of its own.
      terminal.input("", true)
      terminal.write(bytes, () => {
        rendered = true
      })
      if (!rendered) throw new Error("the emulator did not render at once")
      unfinished.follow(bytes, XtermState.isBetweenSequences(terminal))
    },
    resize: (cols, rows) => {
      terminal.resize(cols, rows)
      reader.restart()
    },
    change: () => {
      return {
        cols: terminal.cols,
        rows: terminal.rows,
        lines: reader.changed(),
        cursor: {
          x: buffers.active.cursorX,
          y: buffers.active.cursorY,
          visible: XtermState.isCursorVisible(terminal)
        },
        title,
        modes: {
          alternateScreen: buffers.active.type === "alternate",
          bracketedPaste: terminal.modes.bracketedPasteMode
        }
      }
    },
    replies: () => {
      const taken = answers
      answers = []
      return taken
    },
    serialize: () => {
      const { cursorX, cursorY } = buffers.active
      const { savedX, savedY, scrollBottom, scrollTop, ybase } = XtermState.buffer(terminal)
      const at = (x: number, y: number) => `\u001b[${y + 1};${x + 1}H`
      let drawn = addon.serialize()
      // What the add-on leaves out: positions in the margins, the saved cursor, and what has no place on the
      // screen. Origin mode is set last by it, which moves the cursor.
      const margins = scrollTop !== 0 || scrollBottom !== terminal.rows - 1
      const saved = savedX !== 0 || savedY - ybase > 0
      const { originMode } = terminal.modes
      if (margins || saved || originMode) {
        drawn += "\u001b[?6l"
        if (saved) drawn += `${at(savedX, savedY - ybase)}\u001b7`
        if (margins) drawn += `\u001b[${scrollTop + 1};${scrollBottom + 1}r`
        if (originMode) drawn += "\u001b[?6h"
        drawn += at(cursorX, originMode ? cursorY - scrollTop : cursorY)
      }
      if (title !== "") drawn += `\u001b]2;${title}\u0007`
      if (!XtermState.isCursorVisible(terminal)) drawn += "\u001b[?25l"
      const { on, shifted } = XtermState.lineDrawing(terminal)
      if (on) drawn += shifted ? "\u001b)0\u000e" : "\u001b(0"
      return Buffer.concat([Buffer.from(drawn, "utf8"), unfinished.bytes()])
    },
    dispose: () => terminal.dispose()
  }
}
