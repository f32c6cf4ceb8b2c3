import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { Attempt } from "../../../src/core/question/AnswerDelivery.ts"
import {
  Question,
  QuestionId,
  QuestionRequest,
  RequestId
} from "../../../src/core/question/QuestionRequest.ts"
import type { EditorStep } from "../../../src/core/session/Dialect.ts"
import * as EditorDelivery from "../../../src/core/session/EditorDelivery.ts"
import * as FakeAgent from "./FakeAgent.ts"

const request = QuestionRequest.make({
  id: RequestId.make("r"),
  agent: "claude",
  delivery: "blocking",
  questions: [
    Question.make({
      id: QuestionId.make("q"),
      prompt: "Which?",
      options: [],
      selection: "none",
      textMode: "alternative",
      supportsSecretInput: false
    })
  ]
})

const editor = (step: EditorStep): FakeAgent.Front => ({ fact: { _tag: "question", recognised: true }, step })
const type = (stage: string): FakeAgent.Front => editor({ _tag: "type", keys: stage, stage })
const submit = editor({ _tag: "submit", keys: "\r" })

const deliver = (agent: FakeAgent.FakeAgent, grant: (nth: number) => boolean = () => true) => {
  let asked = 0
  const attempt: Attempt = {
    request,
    answers: { answers: [], given: [] },
    write: (_submits, physical) =>
      Effect.suspend(() => {
        asked += 1
        return grant(asked) ? Effect.as(Effect.ignore(physical), true) : Effect.succeed(false)
      })
  }
  return EditorDelivery.make(agent.terminal, agent.dialect).deliver(attempt)
}

describe("EditorDelivery", () => {
  it.effect("sends one key per drawn stage, and the submitting one once [Q4.3, Q4.4]", () =>
    Effect.gen(function* () {
      const agent = FakeAgent.make(type("a"), (text, agent) => {
        // Frames that do not show the key's effect yet come first.
        agent.show(agent.front())
        if (text === "a") agent.show(type("b"))
        if (text === "b") agent.show(submit)
      })
      yield* deliver(agent)
      expect(agent.written).toEqual(["a", "b", "\r"])
    })
  )

  it.effect("a stage that is never drawn gets no second key, and fails as frame_wait [Q4.4, Q4.6]", () =>
    Effect.gen(function* () {
      const agent = FakeAgent.make(type("a"), (_, agent) => agent.show(type("a")))
      const fiber = yield* Effect.forkChild(Effect.flip(deliver(agent)), { startImmediately: true })
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ category: "frame_wait" })
      expect(agent.written).toEqual(["a"])
    })
  )

  it.effect("an unrecognised stage gets no key [Q4.3, Q4.8]", () =>
    Effect.gen(function* () {
      const agent = FakeAgent.make(editor({ _tag: "unrecognised" }), () => undefined)
      const fiber = yield* Effect.forkChild(Effect.flip(deliver(agent)), { startImmediately: true })
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ category: "frame_wait" })
      expect(agent.written).toEqual([])
    })
  )

  it.effect("a refused write is asked for again only with a later frame [Q4.3]", () =>
    Effect.gen(function* () {
      const agent = FakeAgent.make(submit, () => undefined)
      const fiber = yield* Effect.forkChild(
        deliver(agent, (nth) => nth > 1),
        { startImmediately: true }
      )
      expect(agent.written).toEqual([])
      agent.show(submit)
      yield* Fiber.join(fiber)
      expect(agent.written).toEqual(["\r"])
    })
  )

  it.effect("an ended terminal is terminal_write [Q4.6]", () =>
    Effect.gen(function* () {
      const agent = FakeAgent.make(type("a"), () => undefined)
      const fiber = yield* Effect.forkChild(Effect.flip(deliver(agent)), { startImmediately: true })
      yield* Effect.yieldNow
      agent.end({ code: 1, signal: null })
      expect(yield* Fiber.join(fiber)).toMatchObject({ category: "terminal_write" })
    })
  )
})
