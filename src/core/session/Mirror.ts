import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import * as OutputBuffer from "./OutputBuffer.ts"
import type { ScreenLost } from "./Screen.ts"
import type { TerminalClosed } from "./Terminal.ts"

/**
 * What a late observer's terminal has to be fed to show what the live one shows (S1.5).
 *
 * - `screen`: reset, take this size, then write the bytes. Comes first, after a resize, and whenever the
 *   observer fell too far behind.
 * - `output`: write the bytes.
 */
export type MirrorEvent =
  | { readonly _tag: "screen"; readonly cols: number; readonly rows: number; readonly bytes: Uint8Array }
  | { readonly _tag: "output"; readonly bytes: Uint8Array }

/** Raw output kept for one observer; one that is further behind gets the whole screen anew (S1.5). */
const tailBytes = 128 * 1024

interface Size {
  readonly cols: number
  readonly rows: number
}

interface Tail {
  readonly held: OutputBuffer.OutputBuffer
  readonly changed: Latch.Latch
  /** Whether `held` continues what the observer already has. */
  live: boolean
}

/** The observers of one terminal's screen; memory is bounded for each, however slow it is. */
export interface Mirror {
  readonly stream: Stream.Stream<MirrorEvent, TerminalClosed>
  /** A batch is about to be handed to the screen. */
  readonly output: (batch: Uint8Array) => void
  /** A resize was handed to the screen. */
  readonly resized: () => void
  readonly close: (reason: TerminalClosed) => void
}

export const make = (options: {
  /** Begins a snapshot in the screen's order, and calls `join` at that very point. One that fails closes the terminal. */
  readonly snapshot: (join: (size: Size) => void) => Effect.Effect<Fiber.Fiber<Uint8Array, ScreenLost>>
}): Mirror => {
  const tails = new Set<Tail>()
  let closed: TerminalClosed | null = null

  const drop = (tail: Tail) => {
    tail.live = false
    tail.held.clear()
  }

  const end = Effect.suspend((): Effect.Effect<never, TerminalClosed | Cause.Done> =>
    closed?.reason === "screen_lost" ? Effect.fail(closed) : Cause.done()
  )

  const redraw = Effect.fnUntraced(function* (tail: Tail) {
    let size: Size = { cols: 0, rows: 0 }
    const fiber = yield* options.snapshot((at) => {
      size = at
      tail.live = true
    })
    // The terminal may close while it is drawn.
    const drawn = yield* Fiber.await(fiber)
    if (Exit.isFailure(drawn)) return yield* end
    return { _tag: "screen", ...size, bytes: drawn.value } satisfies MirrorEvent
  })

  const next = (tail: Tail): Effect.Effect<MirrorEvent, TerminalClosed | Cause.Done> =>
    Effect.suspend(() => {
      // What ended by itself can still be drawn.
      if (closed !== null && closed.reason !== "ended") return end
      if (!tail.live) return redraw(tail)
      if (tail.held.size() > 0) {
        return Effect.succeed<MirrorEvent>({ _tag: "output", bytes: tail.held.take(tailBytes) })
      }
      if (closed !== null) return end
      tail.changed.closeUnsafe()
      return Effect.andThen(tail.changed.await, next(tail))
    })

  const stream = Effect.gen(function* () {
    const tail: Tail = { held: OutputBuffer.make(), changed: Latch.makeUnsafe(false), live: false }
    yield* Effect.acquireRelease(
      Effect.sync(() => tails.add(tail)),
      () => Effect.sync(() => tails.delete(tail))
    )
    return Stream.fromEffectRepeat(next(tail))
  }).pipe(Stream.unwrap)

  return {
    stream,
    output: (batch) => {
      for (const tail of tails) {
        if (!tail.live) continue
        if (tail.held.size() + batch.length > tailBytes) drop(tail)
        else tail.held.push(batch.slice())
        tail.changed.openUnsafe()
      }
    },
    resized: () => {
      for (const tail of tails) {
        drop(tail)
        tail.changed.openUnsafe()
      }
    },
    close: (reason) => {
      closed = reason
      for (const tail of tails) tail.changed.openUnsafe()
    }
  }
}
