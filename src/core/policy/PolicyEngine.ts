import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ToolCall } from "../call/ToolCall.ts"
import type { Ruling } from "./Ruling.ts"

/** Policy as a service: what the current rules say about a call. Total: every call has a ruling (L1.1). */
export class PolicyEngine extends Context.Service<
  PolicyEngine,
  {
    readonly rule: (call: ToolCall) => Effect.Effect<Ruling>
  }
>()("obstat/policy/PolicyEngine") {}
