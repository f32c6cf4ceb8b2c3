import headless from "@xterm/headless"
import type { FrameChange } from "./RenderProtocol.ts"
import * as OpenSequence from "./OpenSequence.ts"
import * as RowReader from "./RowReader.ts"
import * as Snapshot from "./Snapshot.ts"
import * as SplitCharacters from "./SplitCharacters.ts"
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
  const buffers = terminal.buffer
  const reader = RowReader.make(terminal)
  const characters = SplitCharacters.make()
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
      const output = characters.join(bytes)
      // After input the emulator renders the next output at once instead of in a timer of its own.
      terminal.input("", true)
      terminal.write(output, () => {
        rendered = true
      })
      if (!rendered) throw new Error("the emulator did not render at once")
      unfinished.follow(output, XtermState.isBetweenSequences(terminal))
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
      const named = title === "" ? "" : `\u001b]2;${title}\u0007`
      return Buffer.concat([
        Buffer.from(Snapshot.of(terminal) + named, "utf8"),
        unfinished.bytes(),
        characters.held()
      ])
    },
    dispose: () => terminal.dispose()
  }
}
