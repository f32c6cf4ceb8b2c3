import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Random from "effect/Random"
import { SurfaceLost } from "../../core/authority/PersonSurface.ts"
import type { DialogEvent } from "./TtyDialog.ts"
import { SURFACE, type TtyHandle } from "./TtyDevice.ts"

/** Three digits: long enough that no line typed earlier holds it by chance, short enough to copy. */
const LOWEST_CODE = 100
const HIGHEST_CODE = 999

export const makeCode = Effect.map(Random.nextIntBetween(LOWEST_CODE, HIGHEST_CODE), String)

/** Prints plain lines: the text is safe already, this only ends each of them. */
export const print = (handle: TtyHandle, lines: ReadonlyArray<string>): Effect.Effect<void, SurfaceLost> =>
  handle.write(lines.map((line) => `${line}\r\n`).join(""))

/** A reader of typed lines. What is left of the last one stays for the next call. */
export const reader = (events: Queue.Dequeue<DialogEvent>): Effect.Effect<string, SurfaceLost> => {
  let pending = ""
  return Effect.gen(function* () {
    while (true) {
      const end = /[\r\n]/.exec(pending)
      if (end !== null) {
        const line = pending.slice(0, end.index)
        pending = pending.slice(end.index + 1)
        return line
      }
      const event = yield* Queue.take(events)
      if (event._tag === "lost") return yield* new SurfaceLost({ surface: SURFACE })
      if (event._tag === "input") pending += event.text
    }
  })
}
