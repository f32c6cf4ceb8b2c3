import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { StartupGate } from "../../../src/core/session/ScreenFact.ts"
import * as Startup from "../../../src/core/session/Startup.ts"
import * as FakeAgent from "./FakeAgent.ts"

const gate = (kind: StartupGate["kind"], move: string): FakeAgent.Front => ({
  fact: { _tag: "startup", gate: { label: "a gate", kind, selected: "row", move, commit: "\r" } }
})

const reach = (agent: FakeAgent.FakeAgent, trust: boolean, closing = false) => {
  const gates: Array<string> = []
  return Startup.awaitComposer({
    terminal: agent.terminal,
    dialect: agent.dialect,
    trust,
    closing: Effect.succeed(closing),
    onGate: ({ label }) => Effect.sync(() => gates.push(label)),
    onWriteFailed: () => Effect.void
  }).pipe(Effect.as(gates))
}

/** A gate whose wanted row is one key away. */
const gated = (kind: StartupGate["kind"]) =>
  FakeAgent.make(gate(kind, "down"), (text, agent) => {
    if (text === "down") agent.show(gate(kind, ""))
    if (text === "\r") agent.show(FakeAgent.composer())
  })

describe("Startup", () => {
  it.effect("answers a trust gate on request, only after the wanted row was seen selected [S6.2, S2.2]", () =>
    Effect.gen(function* () {
      const agent = gated("trust")
      expect(yield* reach(agent, true)).toEqual(["a gate"])
      expect(agent.written).toEqual(["down", "\r"])
    })
  )

  it.effect("without that request a trust gate is the person's, and untouched [S6.2]", () =>
    Effect.gen(function* () {
      const agent = gated("trust")
      const error = yield* Effect.flip(reach(agent, false))
      expect(error).toMatchObject({ code: "blocked_prompt", label: "a gate" })
      expect(agent.written).toEqual([])
    })
  )

  it.effect("declines an offer either way, and leaves what it may not answer [S6.4]", () =>
    Effect.gen(function* () {
      const offer = gated("offer")
      expect(yield* reach(offer, false)).toEqual(["a gate"])
      const blocked = gated("blocked")
      expect((yield* Effect.flip(reach(blocked, true)))._tag).toBe("BlockedPrompt")
      expect(blocked.written).toEqual([])
    })
  )

  it.effect("a gate that does not clear in five seconds is blocked, with one commit [S6.2]", () =>
    Effect.gen(function* () {
      const agent = FakeAgent.make(gate("trust", ""), () => undefined)
      const fiber = yield* Effect.forkChild(Effect.flip(reach(agent, true)), { startImmediately: true })
      yield* TestClock.adjust("6 seconds")
      expect((yield* Fiber.join(fiber))._tag).toBe("BlockedPrompt")
      expect(agent.written).toEqual(["\r"])
    })
  )

  it.effect("the row never moves: nothing is committed [S6.2]", () =>
    Effect.gen(function* () {
      const agent = FakeAgent.make(gate("trust", "down"), () => undefined)
      const fiber = yield* Effect.forkChild(Effect.exit(reach(agent, true)), { startImmediately: true })
      yield* TestClock.adjust("6 seconds")
      expect(Exit.isFailure(yield* Fiber.join(fiber))).toBe(true)
      expect(agent.written).toEqual(["down"])
    })
  )

  it.effect("once closing began no gate gets a key [S2.4]", () =>
    Effect.gen(function* () {
      const agent = gated("trust")
      yield* Effect.exit(reach(agent, true, true))
      expect(agent.written).toEqual([])
    })
  )
})
