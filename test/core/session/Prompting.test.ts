import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Prompting from "../../../src/core/session/Prompting.ts"
import * as FakeAgent from "./FakeAgent.ts"

const submit = (
  agent: FakeAgent.FakeAgent,
  options: Partial<Pick<Prompting.PromptOptions, "text" | "unheld" | "held" | "closing" | "taken">> = {}
) =>
  Prompting.submit({
    terminal: agent.terminal,
    dialect: agent.dialect,
    text: "hello",
    unheld: Effect.void,
    held: () => false,
    closing: Effect.succeed(false),
    taken: Effect.never,
    ...options
  })

/** A prompt field that takes pastes and works after Enter, as far as `swallow` lets it. */
const working = (swallow: (text: string, nth: number) => boolean = () => false) => {
  let nth = 0
  return FakeAgent.make(FakeAgent.composer(), (text, agent) => {
    nth += 1
    if (swallow(text, nth)) return
    if (text === "\r") agent.show(FakeAgent.composer("", true))
    else agent.show(FakeAgent.composer(text))
  })
}

describe("Prompting", () => {
  it.effect("pastes, sees the text, and submits with a separate Enter [S3.1, S3.3]", () =>
    Effect.gen(function* () {
      const agent = working()
      yield* submit(agent)
      expect(agent.written).toEqual(["<hello>", "\r"])
    })
  )

  it.effect("the agent's own record ends the wait, with no second Enter [S3.3]", () =>
    Effect.gen(function* () {
      const taken = yield* Deferred.make<void>()
      const agent = FakeAgent.make(FakeAgent.composer(), (text, agent) => {
        if (text === "\r") Deferred.doneUnsafe(taken, Effect.void)
        else agent.show(FakeAgent.composer(text))
      })
      yield* submit(agent, { taken: Deferred.await(taken) })
      expect(agent.written).toEqual(["<hello>", "\r"])
    })
  )

  it.effect("a swallowed paste or Enter is retried at most twice, then it fails [S3.3]", () =>
    Effect.gen(function* () {
      const lost = working((_, nth) => nth === 1)
      const fiber = yield* Effect.forkChild(submit(lost), { startImmediately: true })
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      expect(lost.written).toEqual(["<hello>", "<hello>", "\r"])

      const enterLost = working((text) => text === "\r")
      const failing = yield* Effect.forkChild(Effect.exit(submit(enterLost)), { startImmediately: true })
      yield* TestClock.adjust("5 minutes")
      const exit = yield* Fiber.join(failing)
      expect(Exit.isFailure(exit)).toBe(true)
      // The draft that stands is our own: only Enter is repeated.
      expect(enterLost.written).toEqual(["<hello>", "\r", "\r", "\r"])
    })
  )

  it.effect("a command of the agent's own that begins no turn is given once [S3.3]", () =>
    Effect.gen(function* () {
      const agent = FakeAgent.make(FakeAgent.composer(), (text, agent) =>
        agent.show(text === "\r" ? FakeAgent.composer("", true) : FakeAgent.composer(text))
      )
      const fiber = yield* Effect.forkChild(Effect.flip(submit(agent, { text: "/clear" })), {
        startImmediately: true
      })
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "PromptNotTaken", attempts: 1 })
      expect(agent.written).toEqual(["</clear>", "\r"])
    })
  )

  it.effect("a person's draft is neither overwritten nor submitted [S3.3]", () =>
    Effect.gen(function* () {
      const agent = FakeAgent.make(FakeAgent.composer("my own words"), () => undefined)
      const fiber = yield* Effect.forkChild(submit(agent), { startImmediately: true })
      yield* TestClock.adjust("1 hour")
      expect(agent.written).toEqual([])
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("words that a person typed after our paste get no Enter [S3.3]", () =>
    Effect.gen(function* () {
      const agent = working()
      let checks = 0
      const closing = Effect.sync(() => {
        checks += 1
        // Right before Enter somebody types on.
        if (checks === 2) agent.show(FakeAgent.composer("<hello> and more"))
        return false
      })
      const fiber = yield* Effect.forkChild(submit(agent, { closing }), { startImmediately: true })
      yield* TestClock.adjust("1 hour")
      expect(agent.written).toEqual(["<hello>"])
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("nothing is typed into a dialog, nor while a question holds the input [S3.3, Q4.8]", () =>
    Effect.gen(function* () {
      const dialog = FakeAgent.make({ fact: { _tag: "permission", title: "Bash" } }, () => undefined)
      const first = yield* Effect.forkChild(submit(dialog), { startImmediately: true })
      const held = working()
      const second = yield* Effect.forkChild(submit(held, { unheld: Effect.never }), {
        startImmediately: true
      })
      yield* TestClock.adjust("1 hour")
      expect(dialog.written).toEqual([])
      expect(held.written).toEqual([])
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(second)
    })
  )

  it.effect("once closing began nothing is written [S2.4]", () =>
    Effect.gen(function* () {
      const agent = working()
      const exit = yield* Effect.exit(submit(agent, { closing: Effect.succeed(true) }))
      expect(Exit.isFailure(exit)).toBe(true)
      expect(agent.written).toEqual([])
    })
  )
})
