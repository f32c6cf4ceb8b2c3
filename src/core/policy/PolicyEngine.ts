import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { ToolCall } from "../call/ToolCall.ts"
import * as Analysis from "./Analysis.ts"
import * as Basis from "./Basis.ts"
import { decide } from "./Decide.ts"
import type { SessionGrant } from "./Grant.ts"
import * as GrantOffer from "./GrantOffer.ts"
import * as Grants from "./Grants.ts"
import { PathFacts, type Script } from "./PathFacts.ts"
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
    /** What a person may allow beyond this one call; empty where they may not (L5.1, L5.2). */
    readonly offers: (call: ToolCall) => Effect.Effect<ReadonlyArray<GrantOffer.GrantOffer>>
    /** The files whose text this call would run, as they are now (P1.4). */
    readonly scripts: (call: ToolCall) => Effect.Effect<ReadonlyArray<Script>>
    /** Keeps what a person granted on an ask about this call (L5.1). */
    readonly grant: (call: ToolCall, given: SessionGrant) => Effect.Effect<void>
    /**
     * A ruling is acted upon: ends grants that are over, and uses those that it rests on. `false`: one of them is
     * gone meanwhile, the call has to be ruled again.
     */
    readonly spend: (call: ToolCall, ruling: Ruling) => Effect.Effect<boolean>
    /** Ends what was granted in a session (L5.3). */
    readonly endSession: (sessionId: string) => Effect.Effect<void>
  }
>()("obstat/policy/PolicyEngine") {}

/** `home` is the agent's own `$HOME`; `projectRoot` the directory that the session was launched in (L1.8). */
export interface Options extends Pattern.Places {
  /** The session's own directory for temporary files, if it has one. */
  readonly temporary?: string
}

/** Rules by what the source says, and by it anew whenever it changes; and what people grant meanwhile. */
export const layer = (
  options: Options
): Layer.Layer<PolicyEngine | Grants.Grants, never, PolicySource | PathFacts> =>
  Layer.effect(PolicyEngine, make(options)).pipe(Layer.provideMerge(Grants.layer))

const make = Effect.fnUntraced(function* (options: Options) {
  const source = yield* PolicySource
  const pathFacts = yield* PathFacts
  const grants = yield* Grants.Grants
  const first = Policy.compile(yield* source.read, options)
  const policy = yield* SubscriptionRef.make(first)
  yield* source.changes.pipe(
    Stream.map((texts) => Policy.compile(texts, options)),
    Stream.filter((next) => next.digest !== SubscriptionRef.getUnsafe(policy).digest),
    Stream.runForEach((next) => SubscriptionRef.set(policy, next)),
    Effect.forkScoped
  )

  /** All that a decision on this call is made of. */
  const look = Effect.fnUntraced(function* (call: ToolCall) {
    const current = yield* SubscriptionRef.get(policy)
    const analysis = Analysis.analyse(call, { ...options, cwd: call.cwd })
    const facts = yield* pathFacts.resolve(analysis.paths, analysis.programs)
    return { current, analysis, facts, held: yield* grants.covering(call) }
  })

  return PolicyEngine.of({
    current: SubscriptionRef.get(policy),
    changes: SubscriptionRef.changes(policy),
    rule: Effect.fn("PolicyEngine.rule")(function* (call) {
      const { analysis, current, facts, held } = yield* look(call)
      return { ...decide(current, held, analysis, facts), basis: Basis.take(analysis, facts, held) }
    }),
    offers: Effect.fn("PolicyEngine.offers")(function* (call) {
      if (call.requester.sessionId === null) return []
      const { analysis, current, facts, held } = yield* look(call)
      return GrantOffer.suggest(current, held, analysis, facts)
    }),
    grant: grants.add,
    spend: grants.spend,
    endSession: grants.dropSession,
    scripts: Effect.fn("PolicyEngine.scripts")((call) =>
      pathFacts.scripts(Analysis.scripts(Analysis.analyse(call, { ...options, cwd: call.cwd })))
    )
  })
})
