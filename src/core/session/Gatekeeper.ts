import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Denial from "../ask/Denial.ts"
import { Authority } from "../authority/Authority.ts"
import type { Decision } from "../authority/Decision.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import * as Tools from "../call/Tools.ts"
import type { Dialect } from "./Dialect.ts"
import type { HookReply } from "./HookBridge.ts"
import * as HookGate from "./HookGate.ts"

/**
 * How a hook was answered: `pass` and `release` let the call go on, `deny` and `refuse` stop it, `withhold` leaves
 * the agent's own dialog to itself, `fail` is a hook that failed.
 */
export type GateReply = "pass" | "release" | "withhold" | "deny" | "refuse" | "fail"

export interface GatekeeperOptions {
  readonly dialect: Dialect
  readonly onDecision: (call: ToolCall, decision: Decision) => Effect.Effect<void>
  /** The agent's hook gets its reply now: what was decided leaves the gate (A4.1). */
  readonly onReply: (call: ToolCall, reply: GateReply) => Effect.Effect<void>
  /** A tool ran that the gate never saw, or one without hooks that policy cannot see into (S5.5). */
  readonly onUngated: (tool: string) => Effect.Effect<void>
  /** Resolves once the agent's own permission dialog is off its screen. */
  readonly dialogGone: Effect.Effect<void>
}

/** The hook gate at work: puts parked calls to the authority, and turns its decisions into hook replies. */
export interface Gatekeeper {
  /** Parks until the call is decided. Interrupted when the agent ends its hook, which withdraws the ask. */
  readonly request: (
    place: "tool" | "permission",
    call: ToolCall,
    agentId: string | null
  ) => Effect.Effect<HookReply>
  readonly observe: (event: HookGate.GateEvent) => Effect.Effect<void>
  /** Whether some call waits for its decision. */
  readonly isAsking: () => boolean
  /**
   * Ends when no reply of ours is taking a dialog away: a key that a person typed meanwhile must not land in what
   * comes after it. At most a second (S5.6).
   */
  readonly keysFree: Effect.Effect<void>
}

const silent: HookReply = { _tag: "silent" }
const failed: HookReply = { _tag: "failed" }

interface Waiting {
  readonly call: ToolCall
  readonly reply: Deferred.Deferred<HookReply>
  asking: Fiber.Fiber<void> | null
  decision: Decision | null
}

/** Whether a call may write; certain only of a tool that reads a file. */
const mayWrite = ({ agent, tool }: ToolCall): boolean => {
  const rule = Tools.find(agent, tool)
  return !(rule._tag === "file" && rule.direction === "read")
}

export const make = Effect.fnUntraced(function* (
  options: GatekeeperOptions
): Effect.fn.Return<Gatekeeper, never, Authority | Scope.Scope> {
  const authority = yield* Authority
  const scope = yield* Effect.scope
  const { hooks } = options.dialect
  const waiting = new Map<string, Waiting>()
  let state = HookGate.initial
  const keys = Latch.makeUnsafe(true)
  let opened = 0

  const answer = (
    { hook, _tag }: Extract<HookGate.GateOutput, { readonly _tag: GateReply }>,
    reply: HookReply
  ) =>
    Effect.suspend(() => {
      const one = waiting.get(hook)
      if (one === undefined || Deferred.isDoneUnsafe(one.reply)) return Effect.void
      // Told first: whoever waits for the reply goes on as soon as it is there.
      return Effect.andThen(options.onReply(one.call, _tag), Deferred.succeed(one.reply, reply))
    })

  /** What the agent is told; where the gate itself refused, nobody else decided. */
  const denial = (hook: string, { kind, reason }: HookGate.Denial): string => {
    const one = waiting.get(hook)
    if (one === undefined) return ""
    const byGate = { action: "deny", by: { _tag: "unavailable" }, denial: kind, reason } as const
    return Denial.render(one.call, one.decision ?? { ...byGate, ruling: null, steps: [], node: "gate" })
  }

  /** Puts one parked call to the authority, and tells the gate what came of it. */
  const ask = (hook: string, one: Waiting) =>
    authority.decide(one.call).pipe(
      Effect.timeoutOption(Duration.hours(HookGate.PARK_LIMIT_HOURS)),
      Effect.flatMap((decided) => {
        // This fiber has its answer: what follows must not interrupt it.
        one.asking = null
        if (decided._tag === "None") return observe({ _tag: "expired", hook })
        const decision = decided.value
        one.decision = decision
        return options.onDecision(one.call, decision).pipe(
          Effect.andThen(
            observe({
              _tag: "decided",
              hook,
              verdict:
                decision.action === "allow"
                  ? { _tag: "allow" }
                  : { _tag: "deny", kind: decision.denial ?? "gate_error", reason: decision.reason }
            })
          )
        )
      })
    )

  const perform = (output: HookGate.GateOutput): Effect.Effect<void> => {
    switch (output._tag) {
      case "ask": {
        const one = waiting.get(output.hook)
        return one === undefined
          ? Effect.void
          : Effect.map(Effect.forkIn(ask(output.hook, one), scope), (fiber) => {
              one.asking = fiber
            })
      }
      case "withdraw": {
        const asking = waiting.get(output.hook)?.asking
        // Not awaited: what a person was shown leaves the screen in its own time.
        return asking === null || asking === undefined
          ? Effect.void
          : Effect.sync(() => asking.interruptUnsafe())
      }
      case "pass":
      case "withhold":
        return answer(output, silent)
      case "deny":
        return answer(output, { _tag: "json", value: hooks.deny(denial(output.hook, output.verdict)) })
      case "refuse":
        return answer(output, { _tag: "json", value: hooks.refuse(denial(output.hook, output.verdict)) })
      case "release":
        return answer(output, { _tag: "json", value: hooks.release })
      case "fail":
        return answer(output, failed)
      case "hold_keys":
        keys.closeUnsafe()
        return Effect.raceFirst(
          options.dialogGone,
          Effect.sleep(Duration.millis(HookGate.KEY_HOLD_LIMIT_MS))
        ).pipe(
          Effect.andThen(observe({ _tag: "dialog_settled", hook: output.hook })),
          Effect.forkIn(scope),
          Effect.asVoid
        )
      case "free_keys":
        return Effect.sync(() => {
          if (state.holding.length === 0) keys.openUnsafe()
        })
      case "hookless_result":
        return Effect.void
      case "ungated_call":
      case "hookless_call":
        return options.onUngated(output.tool)
    }
  }

  const observe: (event: HookGate.GateEvent) => Effect.Effect<void> = Effect.fnUntraced(function* (event) {
    const next = HookGate.transition(state, event)
    state = next.state
    for (const output of next.outputs) yield* perform(output)
  })

  // A session of another agent's id, after a restart of the agent or in a subagent, ends with this one.
  const sessionIds = new Set<string>()
  yield* Effect.addFinalizer(() =>
    Effect.andThen(observe({ _tag: "closed" }), Effect.forEach(sessionIds, authority.endSession))
  )

  return {
    observe,
    isAsking: () => waiting.size > 0,
    keysFree: keys.await,
    request: Effect.fnUntraced(function* (place, call, agentId) {
      opened += 1
      if (call.requester.sessionId !== null) sessionIds.add(call.requester.sessionId)
      const hook = String(opened)
      const one: Waiting = { call, reply: yield* Deferred.make<HookReply>(), asking: null, decision: null }
      const park = Effect.suspend(() => {
        waiting.set(hook, one)
        return observe(
          place === "tool"
            ? { _tag: "tool_requested", hook, call, agentId }
            : { _tag: "permission_requested", hook, call, agentId, writes: mayWrite(call) }
        )
      })
      // A hook may end at any moment, also while it is being parked. What has its reply is parked no more, and
      // the gate withdraws nothing of it.
      return yield* Effect.acquireUseRelease(
        park,
        () => Deferred.await(one.reply),
        () =>
          Effect.ensuring(
            observe({ _tag: "withdrawn", hook }),
            Effect.sync(() => waiting.delete(hook))
          )
      )
    })
  }
})
