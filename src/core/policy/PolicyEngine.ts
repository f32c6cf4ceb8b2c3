import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ToolCall } from "../call/ToolCall.ts"
import type { Policy } from "./Policy.ts"
import type { Ruling } from "./Ruling.ts"

/** Policy as a service: what the current rules say about a call. */
export class PolicyEngine extends Context.Service<
  PolicyEngine,
  {
    /** The policy that rules now. */
    readonly current: Effect.Effect<Policy>
    /** The current policy, then each that replaces it (L2.3). */
    readonly changes: Stream.Stream<Policy>
    /** Total: every call has a ruling (L1.1). A policy that changes meanwhile does not change this one. */
    readonly rule: (call: ToolCall) => Effect.Effect<Ruling>
  }
>()("obstat/policy/PolicyEngine") {}
