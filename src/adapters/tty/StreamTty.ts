import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { Readable, Writable } from "node:stream"
import { SurfaceLost } from "../../core/authority/PersonSurface.ts"
import { SURFACE, type TtyEvent, type TtyHandle } from "./TtyDevice.ts"

/** A terminal as a pair of Node streams. */
export interface TtyStreams {
  readonly input: Readable
  readonly output: Writable
  readonly size: () => { readonly columns: number; readonly rows: number }
  /** Calls back on every change of size, until the returned function is called. */
  readonly onResize: (changed: () => void) => () => void
}

/** What a terminal is taken for that does not say how large it is. */
const UNKNOWN_SIZE = { columns: 80, rows: 24 }

/** A handle that reads `input` for the scope's life, and does not end either stream. */
export const open = Effect.fnUntraced(function* (
  streams: TtyStreams
): Effect.fn.Return<TtyHandle, never, Scope.Scope> {
  const events = yield* Effect.acquireRelease(Queue.unbounded<TtyEvent>(), Queue.shutdown)
  const { input, output } = streams
  const offer = (event: TtyEvent): void => {
    Queue.offerUnsafe(events, event)
  }
  const onData = (chunk: unknown): void => offer({ _tag: "input", text: String(chunk) })
  const onLost = (): void => offer({ _tag: "lost" })
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      input.setEncoding("utf8")
      input.on("data", onData).once("end", onLost).once("error", onLost).once("close", onLost)
      output.once("error", onLost).once("close", onLost)
      return streams.onResize(() => offer({ _tag: "resize" }))
    }),
    (stop) =>
      Effect.sync(() => {
        stop()
        input.off("data", onData).off("end", onLost).off("error", onLost).off("close", onLost)
        output.off("error", onLost).off("close", onLost)
        // Nobody reads now: what is typed meanwhile must not pile up here.
        input.pause()
      })
  )
  return {
    events,
    size: () => {
      const { columns, rows } = streams.size()
      return columns > 0 && rows > 0 ? { columns, rows } : UNKNOWN_SIZE
    },
    write: (text) =>
      Effect.callback<void, SurfaceLost>((resume) => {
        output.write(text, (error) =>
          resume(error ? Effect.fail(new SurfaceLost({ surface: SURFACE })) : Effect.void)
        )
      })
  }
})
