import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Authority } from "../../../src/core/authority/Authority.ts"
import type { Decision } from "../../../src/core/authority/Decision.ts"
import type { ToolCall } from "../../../src/core/call/ToolCall.ts"
import * as Gatekeeper from "../../../src/core/session/Gatekeeper.ts"
import * as FakeAgent from "./FakeAgent.ts"

const call = (command: string): ToolCall => ({
  agent: "claude",
  tool: "Bash",
  input: { command },
  callId: `call ${command}`,
  cwd: "/work",
  mode: "default",
  requester: { agentName: null, sessionId: "s", forwarded: false }
})

const decision = (action: Decision["action"]): Decision => ({
  action,
  by: { _tag: "rule" },
  denial: action === "deny" ? "policy" : null,
  reason: action === "deny" ? "not here" : null,
  ruling: null,
  steps: [],
  node: "s"
})

const authority = (
  decide: (call: ToolCall) => Effect.Effect<Decision>,
  endSession: (sessionId: string) => Effect.Effect<void> = () => Effect.void
) =>
  Layer.succeed(
    Authority,
    Authority.of({ decide, register: () => Effect.void, endSession, decisions: Stream.empty })
  )

const keeper = (
  ungated: Array<string> = [],
  replies: Array<string> = [],
  dialogGone: Effect.Effect<void> = Effect.void
) =>
  Gatekeeper.make({
    dialect: FakeAgent.make(FakeAgent.composer(), () => undefined).dialect,
    onDecision: () => Effect.void,
    onReply: ({ callId }, reply) => Effect.sync(() => replies.push(`${callId}: ${reply}`)),
    onUngated: (tool) => Effect.sync(() => ungated.push(tool)),
    dialogGone
  })

const never = authority(() => Effect.never)
const byCommand = authority(({ input }) =>
  Effect.succeed(
    decision(Predicate.hasProperty(input, "command") && input.command === "ls" ? "allow" : "deny")
  )
)

describe("Gatekeeper", () => {
  it.effect(
    "an allowed call passes in silence and is released once, by an equal dialog; each reply is told [S5.6, A4.1]",
    () =>
      Effect.gen(function* () {
        const replies: Array<string> = []
        const gate = yield* keeper([], replies)
        expect(yield* gate.request("tool", call("ls"), null)).toEqual({ _tag: "silent" })
        expect(yield* gate.request("permission", call("ls"), null)).toEqual({
          _tag: "json",
          value: { release: true }
        })
        const other = yield* gate.request("permission", call("rm"), null)
        expect(other).toMatchObject({ _tag: "json", value: { refuse: expect.stringContaining("not here") } })
        expect(replies).toEqual(["call ls: pass", "call ls: release", "call rm: refuse"])
      }).pipe(Effect.provide(byCommand), Effect.scoped)
  )

  it.effect("in plan mode what may write is not released, and reading is [S5.5]", () =>
    Effect.gen(function* () {
      const gate = yield* keeper()
      const planned = { ...call("ls"), mode: "plan" }
      const reading = { ...planned, tool: "Read", input: { command: "ls", file_path: "/work/a" } }
      for (const one of [planned, reading]) yield* gate.request("tool", one, null)
      expect(yield* gate.request("permission", planned, null)).toEqual({ _tag: "silent" })
      expect(yield* gate.request("permission", reading, null)).toEqual({
        _tag: "json",
        value: { release: true }
      })
    }).pipe(Effect.provide(byCommand), Effect.scoped)
  )

  it.effect("a person's keys wait until the dialog is gone, at most a second [S5.6]", () =>
    Effect.gen(function* () {
      const gone = yield* Deferred.make<void>()
      const gate = yield* keeper([], [], Deferred.await(gone))
      yield* gate.keysFree
      yield* gate.request("tool", call("ls"), null)
      yield* gate.request("permission", call("ls"), null)
      const held = yield* Effect.forkChild(gate.keysFree, { startImmediately: true })
      expect(held.pollUnsafe()).toBeUndefined()
      yield* Deferred.succeed(gone, undefined)
      yield* Fiber.join(held)

      const stuck = yield* keeper([], [], Effect.never)
      yield* stuck.request("tool", call("ls"), null)
      yield* stuck.request("permission", call("ls"), null)
      const late = yield* Effect.forkChild(stuck.keysFree, { startImmediately: true })
      yield* TestClock.adjust("999 millis")
      expect(late.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(late)
    }).pipe(Effect.provide(byCommand), Effect.scoped)
  )

  it.effect("a denied call is told why, and who decided [S5.1, P3.1]", () =>
    Effect.gen(function* () {
      const gate = yield* keeper()
      expect(yield* gate.request("tool", call("rm"), null)).toMatchObject({
        _tag: "json",
        value: { deny: expect.stringContaining("denied by policy") }
      })
    }).pipe(Effect.provide(byCommand), Effect.scoped)
  )

  it.effect("a hook that the agent ended leaves no ask, however early it ended [S5.6]", () =>
    Effect.gen(function* () {
      let asking = 0
      const layer = authority(() =>
        Effect.acquireUseRelease(
          Effect.sync(() => void (asking += 1)),
          () => Effect.never,
          () => Effect.sync(() => void (asking -= 1))
        )
      )
      yield* Effect.gen(function* () {
        const gate = yield* keeper()
        for (let turns = 0; turns < 20; turns++) {
          const hook = yield* Effect.forkChild(gate.request("tool", call("ls"), null))
          for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
          yield* Fiber.interrupt(hook)
          expect(gate.isAsking()).toBe(false)
        }
        for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
        expect(asking).toBe(0)
      }).pipe(Effect.provide(layer), Effect.scoped)
    })
  )

  it.effect("a hook that the agent ended withdraws its ask [S5.6]", () =>
    Effect.gen(function* () {
      const withdrawn = yield* Deferred.make<void>()
      const asking = yield* Deferred.make<void>()
      const layer = authority(() =>
        Deferred.succeed(asking, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(withdrawn, undefined))
        )
      )
      yield* Effect.gen(function* () {
        const gate = yield* keeper()
        const hook = yield* Effect.forkChild(gate.request("tool", call("ls"), null))
        yield* Deferred.await(asking)
        expect(gate.isAsking()).toBe(true)
        yield* Fiber.interrupt(hook)
        yield* Deferred.await(withdrawn)
        expect(gate.isAsking()).toBe(false)
      }).pipe(Effect.provide(layer), Effect.scoped)
    })
  )

  it.effect("an ask that nobody decides for twelve hours is denied as unavailable [S5.6]", () =>
    Effect.gen(function* () {
      const gate = yield* keeper()
      const hook = yield* Effect.forkChild(gate.request("tool", call("ls"), null))
      yield* TestClock.adjust("12 hours")
      expect(yield* Fiber.join(hook)).toMatchObject({
        _tag: "json",
        value: { deny: expect.stringContaining("none could be reached") }
      })
    }).pipe(Effect.provide(never), Effect.scoped)
  )

  it.effect("a host that goes answers every parked hook with a failure, never an allow [S5.2, S5.6]", () =>
    Effect.gen(function* () {
      const reply = yield* Effect.scoped(
        Effect.gen(function* () {
          const gate = yield* keeper()
          const hook = yield* Effect.forkDetach(gate.request("tool", call("ls"), null))
          yield* Effect.yieldNow
          return hook
        })
      )
      expect(yield* Fiber.join(reply)).toEqual({ _tag: "failed" })
    }).pipe(Effect.provide(never))
  )

  it.effect("a result of a call that the gate never saw is told, and shuts it [S5.5]", () =>
    Effect.gen(function* () {
      const ungated: Array<string> = []
      const gate = yield* keeper(ungated)
      yield* gate.observe({ _tag: "result", callId: "unseen", tool: "Bash", form: "gated" })
      expect(ungated).toEqual(["Bash"])
      expect(yield* gate.request("tool", call("ls"), null)).toEqual({ _tag: "failed" })
    }).pipe(Effect.provide(byCommand), Effect.scoped)
  )

  it.effect("ends what was granted in its sessions when it ends [L5.3]", () =>
    Effect.gen(function* () {
      const ended: Array<string> = []
      const layer = authority(
        () => Effect.succeed(decision("allow")),
        (id) => Effect.sync(() => void ended.push(id))
      )
      yield* Effect.gen(function* () {
        const gate = yield* keeper()
        yield* gate.request("tool", call("ls"), null)
        expect(ended).toEqual([])
      }).pipe(Effect.provide(layer), Effect.scoped)
      expect(ended).toEqual(["s"])
    })
  )
})
