import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"

export class HookBridgeFailed extends Schema.TaggedError<HookBridgeFailed>()("HookBridgeFailed", {
  /**
   * - `path_too_long`: choose a shorter runtime directory; some systems cut longer socket paths silently.
   * - `unsafe_directory`: the runtime directory belongs to another user, or others may write to it.
   * - `client_missing`: neither hook client is where the package puts it; install the package again.
   * - otherwise the system's own code (`EACCES`, `ENOSPC`).
   */
  reason: Schema.String,
  /** The path that the reason is about. */
  path: Schema.String
}) {}

/**
 * What a hook handler gives back.
 *
 * - `silent`: the client exits 0 and prints nothing. No decision; the agent goes on as without a hook.
 * - `json`: printed on the hook's stdout, exit 0.
 * - `failed`: the client exits non-zero without output, as for every hook that breaks: under
 *   `blockingCommand` the call is blocked, under `command` the agent's own dialog stands.
 */
export type HookReply =
  | { readonly _tag: "silent" }
  | { readonly _tag: "json"; readonly value: unknown }
  | { readonly _tag: "failed" }

/**
 * A hook event that ended without a decision through no doing of the agent; content-free (S5.3).
 *
 * - `malformed`: no frame of ours, or no JSON in it.
 * - `oversized`: an event or a reply over the envelope's limit.
 * - `wrong_token`: a peer that does not know this launch's token.
 * - `late`: an event that never became complete, or a reply whose hook was gone.
 * - `handler_failed`: the handler broke.
 */
export interface HookFault {
  readonly reason: "malformed" | "oversized" | "wrong_token" | "late" | "handler_failed"
}

/** Both commands are safe to hand to a POSIX shell as they are, and stay the same for the whole launch. */
export interface HookEndpoint {
  /**
   * The shell command for the agent's hook configuration. It exits 0 only after one complete valid reply,
   * otherwise 1, and never without a word on stderr (S5.7).
   */
  readonly command: string
  /** The same, but without a complete valid reply it exits 2, which both agents take as a block (S5.2). */
  readonly blockingCommand: string
  /** Which client the commands run. */
  readonly client: "native" | "node"
}

/**
 * Carries an agent's hook events to one handler and its replies back (S5.1). Each event runs in a fiber of
 * its own, which is interrupted when the agent's hook process goes away. A handler that fails, or breaks,
 * is `failed`: never an allow. Closing the scope ends every open hook without a decision and leaves nothing
 * behind.
 */
export class HookBridge extends Context.Service<
  HookBridge,
  {
    readonly open: (options: {
      readonly handle: (payload: unknown) => Effect.Effect<HookReply>
      readonly onFault: (fault: HookFault) => void
    }) => Effect.Effect<HookEndpoint, HookBridgeFailed, Scope.Scope>
  }
>()("obstat/session/HookBridge") {}
