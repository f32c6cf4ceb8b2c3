import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { ToolCall } from "../call/ToolCall.ts"
import * as Analysis from "./Analysis.ts"
import * as Basis from "./Basis.ts"
import { decide } from "./Decide.ts"
import { PathFacts } from "./PathFacts.ts"
import type * as Pattern from "./Pattern.ts"
import * as Policy from "./Policy.ts"
import { PolicySource } from "./PolicySource.ts"
import type { Ruling } from "./Ruling.ts"

/** Policy as a service: what the current rules say about a call. */
export class PolicyEngine extends Context.Service<
  PolicyEngine,
  {
    /** The policy that rules now. */
    readonly current: Effect.Effect<Policy.Policy>
    /** The current policy, then each that replaces it (L2.3). */
    readonly changes: Stream.Stream<Policy.Policy>
    /** Total: every call has a ruling (L1.1). A policy that changes meanwhile does not change this one. */
    readonly rule: (call: ToolCall) => Effect.Effect<Ruling>
  }
>()("obstat/policy/PolicyEngine") {}

/** `home` is the agent's own `$HOME`; `projectRoot` the directory that the session was launched in (L1.8). */
export interface Options extends Pattern.Places {
  /** The session's own directory for temporary files, if it has one. */
  readonly temporary?: string
}

/** Rules by what the source says, and by it anew whenever it changes. */
export const layer = (options: Options): Layer.Layer<PolicyEngine, never, PolicySource | PathFacts> =>
  Layer.effect(PolicyEngine, make(options))

const make = Effect.fnUntraced(function* (options: Options) {
  const source = yield* PolicySource
  const pathFacts = yield* PathFacts
  const first = Policy.compile(yield* source.read, options)
  const policy = yield* SubscriptionRef.make(first)
  yield* source.changes.pipe(
    Stream.map((texts) => Policy.compile(texts, options)),
    Stream.filter((next) => next.digest !== SubscriptionRef.getUnsafe(policy).digest),
    Stream.runForEach((next) => SubscriptionRef.set(policy, next)),
    Effect.forkScoped
  )
  return PolicyEngine.of({
    current: SubscriptionRef.get(policy),
    changes: SubscriptionRef.changes(policy),
    rule: Effect.fn("PolicyEngine.rule")(function* (call) {
      const current = yield* SubscriptionRef.get(policy)
      const analysis = Analysis.analyse(call, { ...options, cwd: call.cwd })
      const facts = yield* pathFacts.resolve(analysis.paths, analysis.programs)
      return { ...decide(current, [], analysis, facts), basis: Basis.take(analysis, facts, []) }
    })
  })
})
