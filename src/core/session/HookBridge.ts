import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"

export class HookBridgeFailed extends Schema.TaggedError<HookBridgeFailed>()("HookBridgeFailed", {
  /** `path_too_long`, `permission`, `client_missing`, or the system's own code. */
  reason: Schema.String,
  path: Schema.String
}) {}

/** What a hook handler gives back. `silent`: no decision; the agent's own dialog stands. */
export type HookReply =
  | { readonly _tag: "silent" }
  /** Printed on the hook's stdout, exit 0. */
  | { readonly _tag: "json"; readonly value: unknown }

/** A hook event that was no valid one: content-free (S5.3). */
export interface HookFault {
  readonly reason: "malformed" | "oversized" | "wrong_token" | "late"
}

export interface HookEndpoint {
  /**
   * The shell command for the agent's hook configuration. It exits 0 only after one complete valid reply,
   * otherwise non-zero, and never 2 without a word on stderr (S5.7).
   */
  readonly command: string
  /** Which client the command runs. */
  readonly client: "native" | "node"
}

/**
 * Carries an agent's hook events to one handler and its replies back (S5.1). The handler's fiber is
 * interrupted when the agent's hook process goes away. Closing the scope ends every open hook without a
 * decision and removes the socket.
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
