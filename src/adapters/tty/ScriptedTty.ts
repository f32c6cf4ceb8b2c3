import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { Size } from "../../core/ask/TerminalView.ts"
import type { TtyDevice, TtyEvent } from "./TtyDevice.ts"

export interface Options {
  readonly size: Size
  /**
   * A recorded person: called with each new screen, once the terminal has confirmed it, and gives the keys
   * they press then (none: `""`).
   */
  readonly react: (screen: string) => string
  /** Where the bytes go besides, so that somebody can watch. */
  readonly echo?: (bytes: string) => void
}

/** A terminal without a person: it answers cursor queries as a real one does, and plays recorded keys. */
export const make = (options: Options): TtyDevice => ({
  foreground: Effect.succeed(true),
  open: () =>
    Effect.gen(function* () {
      const events = yield* Effect.acquireRelease(Queue.unbounded<TtyEvent>(), Queue.shutdown)
      let last = ""
      return {
        events,
        size: () => options.size,
        write: (bytes: string) =>
          Effect.sync(() => {
            options.echo?.(bytes)
            for (const answer of answers(bytes)) Queue.offerUnsafe(events, { _tag: "input", text: answer })
            if (!bytes.includes(CURSOR_QUERY)) return
            const now = screen(bytes)
            const keys = now === last ? "" : options.react(now)
            last = now
            if (keys !== "") Queue.offerUnsafe(events, { _tag: "input", text: keys })
          })
      }
    })
})

const CURSOR_QUERY = "\x1b[6n"

const MOVE = /\x1b\[(\d+);(\d+)H/g

/** The cursor stands where it was moved last. */
const answers = (bytes: string): ReadonlyArray<string> =>
  bytes
    .split(CURSOR_QUERY)
    .slice(0, -1)
    .map((painted) => {
      const [, row = "1", column = "1"] = [...painted.matchAll(MOVE)].at(-1) ?? []
      return `\x1b[${row};${column}R`
    })

/** What is read on the screen: each move begins a row, every other sequence shows nothing. */
const screen = (bytes: string): string =>
  bytes
    .replace(MOVE, "\n")
    .replace(/\x1b\[[?0-9;]*[A-Za-z]/g, "")
    .trim()
