import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Frame } from "./Frame.ts"

/** The renderer behind a screen ended before its terminal did. */
export class ScreenLost extends Schema.TaggedError<ScreenLost>()("ScreenLost", {
  reason: Schema.String
}) {}

/**
 * One headless screen: bytes in, frames out. Rendering may run on another thread; it waits for no observer.
 */
export interface ScreenBuffer {
  /**
   * Renders one batch; resolves with the frame that holds it. Batches are rendered, and their effects resolve,
   * in the order in which these were begun. The bytes must not be used afterwards: they may be moved away.
   */
  readonly write: (bytes: Uint8Array) => Effect.Effect<Frame, ScreenLost>
  /** Takes its place in the order of the batches, and counts as one. */
  readonly resize: (cols: number, rows: number) => Effect.Effect<Frame, ScreenLost>
  /** One listener for the emulator's own answers to terminal queries, in order. Never a person's typing (S1.6). */
  readonly onReply: (listener: (text: string) => void) => void
  /**
   * The screen as bytes that draw it on a just reset terminal of the same size, in the order of the calls to
   * `write`. Output that ended inside a character or an escape sequence is part of them, so that what follows
   * on this screen may follow there (S1.5).
   */
  readonly serialize: Effect.Effect<Uint8Array, ScreenLost>
}

export class Screen extends Context.Service<
  Screen,
  {
    readonly open: (size: {
      readonly cols: number
      readonly rows: number
    }) => Effect.Effect<ScreenBuffer, ScreenLost, Scope.Scope>
  }
>()("obstat/session/Screen") {}
