import type * as Effect from "effect/Effect"
import type * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { SurfaceLost } from "../../core/authority/PersonSurface.ts"

/** What comes from the terminal. `lost`: it is gone (hang-up, closed window); nothing follows. */
export type TtyEvent =
  | { readonly _tag: "input"; readonly text: string }
  | { readonly _tag: "resize" }
  | { readonly _tag: "lost" }

/** A terminal held by one dialog: raw, read by nobody else, until the scope that opened it closes. */
export interface TtyHandle {
  readonly events: Queue.Dequeue<TtyEvent>
  readonly size: () => { readonly columns: number; readonly rows: number }
  readonly write: (text: string) => Effect.Effect<void, SurfaceLost>
}

/**
 * A terminal that a dialog can take. The real one is `/dev/tty`; a host that mirrors an agent's screen hands
 * in its own, whose `open` freezes the mirror and whose scope's end repaints it (C13).
 */
export interface TtyDevice {
  /** Whether a person can be reached here now: asked anew for each ask (A1). */
  readonly foreground: Effect.Effect<boolean>
  /**
   * Takes the terminal. `raw`: keys as they are typed, no echo; `line`: whole lines, edited and echoed by
   * the terminal itself. Closing the scope restores what was there before.
   */
  readonly open: (mode: "raw" | "line") => Effect.Effect<TtyHandle, SurfaceLost, Scope.Scope>
}

/** How this surface is called in verdicts and errors. */
export const SURFACE = "terminal"
