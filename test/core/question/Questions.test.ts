import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { DeliveryFailed } from "../../../src/core/question/AnswerDelivery.ts"
import type { QuestionEvent } from "../../../src/core/question/QuestionEvent.ts"
import { QuestionAnswerFailed } from "../../../src/core/question/QuestionFailure.ts"
import * as Desk from "./Desk.ts"

const now = { startImmediately: true } as const

/** Where a fork has got to all it can do by itself. */
const settle = Effect.repeat(Effect.yieldNow, { times: 20 })

const categoryOf = (error: unknown) => (error instanceof QuestionAnswerFailed ? error.category : error)

const never = { editor: Desk.scripted("editor", () => Effect.never) } as const

describe("what a host sees", () => {
  it.effect("open requests in discovery order, frozen, under random ids [Q3.4, Q1.1, Q1.4]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make()
      desk.sight("a", Desk.define("First?"))
      desk.sight("b", Desk.define("Second?"))
      desk.paint("Second?")
      desk.paint("First?")
      const list = yield* desk.questions.list
      expect(list.map(({ questions }) => questions[0].prompt)).toEqual(["First?", "Second?"])
      expect(list.map(({ id }) => id)).toEqual(["id1", "id2"])
      expect(Object.isFrozen(list) && Object.isFrozen(list[0]!.questions[0].options)).toBe(true)
    })
  )

  it.effect("a snapshot and what follows it, in one call, without a gap or a ghost [Q3.4]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make()
      const first = yield* desk.raise("a", "First?")
      const seen = yield* Effect.forkChild(
        desk.questions.watch.pipe(
          Stream.map((change) =>
            change._tag === "Snapshot" ? change.requests.map(({ id }) => id) : change._tag
          ),
          Stream.take(3),
          Stream.runCollect
        )
      )
      yield* settle
      desk.accept("a", "First?", "Red")
      yield* desk.raise("b", "Second?")
      expect(yield* Fiber.join(seen)).toEqual([[first.id], "Closed", "Raised"])
    })
  )

  it.effect("a watcher that joins from within a handler repeats nothing [Q3.4, Q3.1]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make()
      const seen: Array<string> = []
      let joined: Fiber.Fiber<void> | null = null
      const runFork = Effect.runForkWith(yield* Effect.context())
      yield* desk.questions.subscribe("question", () => {
        joined ??= runFork(
          Stream.runForEach(desk.questions.watch, (change) =>
            Effect.sync(
              () =>
                void seen.push(change._tag === "Snapshot" ? `${change.requests.length} open` : change._tag)
            )
          )
        )
      })
      yield* desk.raise("a", "First?")
      yield* settle
      desk.accept("a", "First?", "Red")
      yield* settle
      expect(seen).toEqual(["1 open", "Closed"])
      yield* Fiber.interrupt(joined!)
    })
  )

  it.effect("raised before closed to every handler, though one of them causes the closure [Q3.1]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make()
      const seen: Array<string> = []
      yield* desk.questions.subscribe("question", ({ phase }) => {
        if (phase === "raised") desk.accept("a", "First?", "Red")
      })
      yield* desk.questions.subscribe("question", ({ phase }) => void seen.push(phase))
      desk.sight("a", Desk.define("First?"))
      desk.paint("First?")
      expect(seen).toEqual(["raised", "closed"])
    })
  )

  it.effect("a dialog that was painted before its record came, and is never painted again [Q3.3, Q5.1]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make()
      desk.paint("First?")
      desk.sight("a", Desk.define("First?"))
      expect((yield* desk.questions.list).length).toBe(1)
    })
  )

  it.effect("the stream of a watcher that never reads ends instead of growing [Q3.4]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make()
      const pull = yield* Stream.toPull(desk.questions.watch)
      yield* pull
      for (let i = 0; i < 3000; i++) {
        desk.sight(`n${i}`, Desk.define("Again?"))
        desk.paint("Again?")
        desk.accept(`n${i}`, "Again?", "Red")
      }
      let changes = 0
      let ended = false
      while (!ended) {
        const next = yield* Effect.exit(pull)
        ended = Exit.isFailure(next)
        if (Exit.isSuccess(next)) changes += next.value.length
      }
      expect(changes).toBeLessThan(6000)
      expect(changes).toBeGreaterThanOrEqual(4096)
    })
  )

  it.effect(
    "one raised and one closed event, with who answered, and the closure's content nowhere [Q3.1, Q3.9, Q3.2]",
    () =>
      Effect.gen(function* () {
        const desk = yield* Desk.make()
        const events: Array<QuestionEvent> = []
        yield* desk.questions.subscribe("question", (event) => void events.push(event))
        const request = yield* desk.raise("a", "First?")
        desk.paint("First?")
        desk.accept("a", "First?", "planted marker")
        desk.accept("a", "First?", "planted marker")
        expect(events).toEqual([
          { phase: "raised", sessionId: "session", agent: "claude", request },
          {
            phase: "closed",
            sessionId: "session",
            agent: "claude",
            request,
            closure: { reason: "answered", by: "terminal" }
          }
        ])
        expect(JSON.stringify(events)).not.toContain("planted marker")
      })
  )
})

describe("a subscriber that fails", () => {
  it.effect("changes nothing for the others and is told once, without content [Q3.5]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make()
      const seen: Array<string> = []
      yield* desk.questions.subscribe("activity", () => Promise.reject(new Error("secret")))
      yield* desk.questions.subscribe("question", () => {
        throw new Error("secret")
      })
      yield* desk.questions.subscribe("question", (event) => void seen.push(event.phase))
      yield* desk.raise("a", "First?")
      desk.accept("a", "First?", "Red")
      yield* settle
      expect(seen).toEqual(["raised", "closed"])
      expect(desk.notices).toEqual([{ code: "question_observer_failed", phase: "question" }])
      expect(desk.questions.isHeld()).toBe(true)
      desk.paint()
      expect(desk.questions.isHeld()).toBe(false)
    })
  )

  it.effect("by a rejected promise is told too, with its own channel [Q3.5]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make()
      yield* desk.questions.subscribe("activity", () => Promise.reject(new Error("secret")))
      yield* desk.raise("a", "First?")
      yield* Effect.promise(() => Promise.resolve())
      yield* Effect.promise(() => Promise.resolve())
      expect(desk.notices).toEqual([{ code: "question_observer_failed", phase: "activity" }])
    })
  )
})

describe("which error wins", () => {
  const hostile: Record<string, never> = Object.defineProperty({}, "timeout", {
    get: () => {
      throw new Error("read")
    }
  })

  it.effect("a taken lane, before anything is read, over stale ids and bad batches [Q4.1]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make(never)
      const request = yield* desk.raise("a", "First?")
      yield* Effect.forkChild(desk.questions.answer(request.id, Desk.pick(request, 0)), now)
      yield* settle
      const trap = new Proxy([], {
        get: () => {
          throw new Error("read")
        }
      })
      for (const call of [
        desk.questions.answer(request.id, Desk.pick(request, 0)),
        desk.questions.answer("stale", Desk.pick(request, 0)),
        desk.questions.answer(request.id, trap, hostile)
      ]) {
        const error = yield* Effect.flip(call)
        expect(error.code).toBe("question_answer_failed")
      }
    })
  )

  it.effect("then an id that is not listed, before the answers are looked at [Q2.4, Q4.1]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make()
      const request = yield* desk.raise("a", "First?")
      desk.accept("a", "First?", "Red")
      for (const id of ["unknown", request.id, "", "__proto__"]) {
        const error = yield* Effect.flip(desk.questions.answer(id, null, hostile))
        expect(error.code).toBe("question_not_found")
      }
      expect(desk.written).toEqual([])
    })
  )

  it.effect("then the batch and the time-out, and nothing is written [Q2.2, Q4.1]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make({ textLimit: 10 })
      const request = yield* desk.raise("a", "First?")
      const questionId = request.questions[0].id
      const cases = [
        [[], {}, "missing_answer"],
        [true, {}, "not_an_array"],
        [new Proxy(Desk.pick(request, 0), {}), {}, "not_plain"],
        [[{ questionId, text: " \n " }], {}, "empty_answer"],
        [[{ questionId, text: "x".repeat(11) }], {}, "too_long_for_agent"],
        ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY].map(
          (timeout) => [Desk.pick(request, 0), { timeout }, "timeout_not_positive"] as const
        ),
        [Desk.pick(request, 0), hostile, "timeout_not_positive"]
      ] as const
      for (const [answers, options, rule] of cases) {
        const error = yield* Effect.flip(desk.questions.answer(request.id, answers, options))
        expect(error).toMatchObject({ code: "invalid_question_answer", rule })
      }
      expect(desk.written).toEqual([])
      expect(yield* desk.questions.list).toEqual([request])
    })
  )
})

describe("an answer through the editor", () => {
  it.effect("succeeds only with the agent's own record of it [Q4.5, Q3.2, Q5.3]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make()
      const closed: Array<QuestionEvent> = []
      yield* desk.questions.subscribe(
        "question",
        (event) => void (event.phase === "closed" && closed.push(event))
      )
      const request = yield* desk.raise("a", "First?")
      const call = yield* Effect.forkChild(desk.questions.answer(request.id, Desk.pick(request, 1)), now)
      yield* settle
      expect(desk.written).toEqual(["type", "submit"])
      // The composer comes back: no evidence of anything.
      desk.paint()
      yield* settle
      expect(call.pollUnsafe()).toBeUndefined()
      desk.accept("a", "First?", "Green")
      yield* Fiber.join(call)
      expect(closed).toMatchObject([{ closure: { reason: "answered", by: "host" } }])
      expect(yield* desk.questions.list).toEqual([])
    })
  )

  it.effect("goes past an ordinary writer that waits, which is freed after it [Q4.2, Q4.8]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make()
      const request = yield* desk.raise("a", "First?")
      const writer = yield* Effect.forkChild(desk.questions.free, now)
      const call = yield* Effect.forkChild(desk.questions.answer(request.id, Desk.pick(request, 1)), now)
      yield* settle
      expect(writer.pollUnsafe()).toBeUndefined()
      desk.accept("a", "First?", "Green")
      yield* Fiber.join(call)
      expect(writer.pollUnsafe()).toBeUndefined()
      desk.paint()
      yield* Fiber.join(writer)
    })
  )

  it.effect("leaves no trace of itself in events, lists, notices or failures [Q3.6, Q3.9]", () =>
    Effect.gen(function* () {
      for (const value of ["planted marker", "something else"]) {
        const desk = yield* Desk.make()
        const told: Array<unknown> = []
        yield* desk.questions.subscribe("question", (event) => void told.push(event))
        const request = yield* desk.raise("a", "First?")
        const answers = [{ questionId: request.questions[0].id, text: "planted marker" }]
        const call = yield* Effect.forkChild(Effect.exit(desk.questions.answer(request.id, answers)), now)
        yield* settle
        desk.accept("a", "First?", value)
        told.push(yield* Fiber.join(call), yield* desk.questions.list, desk.notices)
        expect(told.length).toBe(5)
        expect(JSON.stringify(told)).not.toContain("planted marker")
      }
    })
  )

  it.effect("fails when the agent's record says something else [Q4.5, Q3.2]", () =>
    Effect.gen(function* () {
      for (const value of ["Red", "", "green", "Green "]) {
        const desk = yield* Desk.make()
        const closed: Array<QuestionEvent> = []
        yield* desk.questions.subscribe(
          "question",
          (event) => void (event.phase === "closed" && closed.push(event))
        )
        const request = yield* desk.raise("a", "First?")
        const call = yield* Effect.forkChild(
          Effect.flip(desk.questions.answer(request.id, Desk.pick(request, 1))),
          now
        )
        yield* settle
        desk.accept("a", "First?", value)
        expect(categoryOf(yield* Fiber.join(call))).toBe("native_acceptance")
        expect(closed).toMatchObject([{ closure: { reason: "unavailable" } }])
      }
    })
  )

  it.effect("writes nothing while no frame shows this editor, and the request stays [Q4.3, Q4.7]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make({
        editor: Desk.scripted("editor", (attempt) =>
          Effect.gen(function* () {
            expect(yield* attempt.write(true, Effect.die("written"))).toBe(false)
            return yield* Effect.never
          })
        )
      })
      const request = yield* desk.raise("a", "First?")
      desk.paint("something else")
      const call = yield* Effect.forkChild(
        Effect.flip(desk.questions.answer(request.id, Desk.pick(request, 0))),
        now
      )
      yield* settle
      yield* TestClock.adjust("20 seconds")
      expect(categoryOf(yield* Fiber.join(call))).toBe("frame_wait")
      expect(yield* desk.questions.list).toEqual([request])
    })
  )

  it.effect("is revoked by a person's key, and its delivery writes no more [Q4.3, Q4.7]", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      let interrupted = false
      let again: Effect.Effect<boolean, DeliveryFailed> = Effect.succeed(true)
      const desk = yield* Desk.make({
        editor: Desk.scripted("editor", (attempt) => {
          again = attempt.write(
            true,
            Effect.sync(() => void written.push("late"))
          )
          return Effect.andThen(
            attempt.write(
              false,
              Effect.sync(() => void written.push("key"))
            ),
            Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (interrupted = true)))
          )
        })
      })
      const request = yield* desk.raise("a", "First?")
      const call = yield* Effect.forkChild(
        Effect.flip(desk.questions.answer(request.id, Desk.pick(request, 0))),
        now
      )
      yield* settle
      desk.questions.observe({ _tag: "intervened", what: "key" })
      expect(categoryOf(yield* Fiber.join(call))).toBe("aborted")
      expect(yield* again).toBe(false)
      yield* settle
      expect(interrupted).toBe(true)
      expect(written).toEqual(["key"])
      expect(yield* desk.questions.list).toEqual([])
      expect(desk.questions.isHeld()).toBe(true)
    })
  )

  it.effect("submits at most once, and nothing is written after it [Q4.4]", () =>
    Effect.gen(function* () {
      const granted: Array<boolean> = []
      const desk = yield* Desk.make({
        editor: Desk.scripted("editor", (attempt) =>
          Effect.gen(function* () {
            for (const submits of [false, true, true, false]) {
              granted.push(yield* attempt.write(submits, Effect.void))
              desk.paint("First?")
            }
          })
        )
      })
      const request = yield* desk.raise("a", "First?")
      yield* Effect.forkChild(desk.questions.answer(request.id, Desk.pick(request, 0)), now)
      yield* settle
      expect(granted).toEqual([true, true, false, false])
    })
  )

  it.effect.each([
    ["frame_wait", Effect.fail(new DeliveryFailed({ category: "frame_wait" }))],
    ["adapter", Effect.fail(new DeliveryFailed({ category: "adapter" }))],
    ["adapter", Effect.die("a defect with content")],
    ["adapter", Effect.void]
  ] as const)(
    "fails as %s when its delivery ends so before any write, and may be tried again [Q4.6, Q4.7]",
    ([category, end]) =>
      Effect.gen(function* () {
        const desk = yield* Desk.make({ editor: Desk.scripted("editor", () => end) })
        const request = yield* desk.raise("a", "First?")
        const error = yield* Effect.flip(desk.questions.answer(request.id, Desk.pick(request, 0)))
        expect(categoryOf(error)).toBe(category)
        expect(JSON.stringify(error)).not.toContain("content")
        expect(yield* desk.questions.list).toEqual([request])
      })
  )

  it.effect("fails as terminal_write when the terminal refuses, and is then uncertain [Q4.6, Q4.7]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make({
        editor: Desk.scripted("editor", (attempt) => Effect.asVoid(attempt.write(true, Effect.fail("EIO"))))
      })
      const request = yield* desk.raise("a", "First?")
      const error = yield* Effect.flip(desk.questions.answer(request.id, Desk.pick(request, 0)))
      expect(categoryOf(error)).toBe("terminal_write")
      expect(yield* desk.questions.list).toEqual([])
    })
  )

  it.effect("keeps its own time, far beyond what a timer holds [Q4.1]", () =>
    Effect.gen(function* () {
      const desk = yield* Desk.make()
      const request = yield* desk.raise("a", "First?")
      const days = 2 ** 32
      const call = yield* Effect.forkChild(
        Effect.flip(desk.questions.answer(request.id, Desk.pick(request, 0), { timeout: days })),
        now
      )
      yield* settle
      yield* TestClock.adjust(days - 1)
      yield* settle
      expect(call.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect(categoryOf(yield* Fiber.join(call))).toBe("native_acceptance")
    })
  )
})

describe("an answer that nobody confirmed", () => {
  it.effect(
    "closes once, cannot come back, and holds until the agent says how it ended [Q4.7, Q4.10, Q3.3]",
    () =>
      Effect.gen(function* () {
        const desk = yield* Desk.make()
        const phases: Array<string> = []
        yield* desk.questions.subscribe("question", (event) => void phases.push(event.phase))
        const request = yield* desk.raise("a", "First?")
        const call = yield* Effect.forkChild(desk.questions.answer(request.id, Desk.pick(request, 0)), now)
        yield* settle
        yield* Fiber.interrupt(call)
        expect(yield* desk.questions.list).toEqual([])
        desk.paint("First?")
        desk.sight("a", Desk.define("First?"))
        desk.sight("a", Desk.define("Changed?"))
        desk.paint("Changed?", "First?")
        const gone = yield* Effect.flip(desk.questions.answer(request.id, Desk.pick(request, 0)))
        expect(gone.code).toBe("question_not_found")
        desk.paint()
        expect(desk.questions.isHeld()).toBe(true)
        const free = yield* Effect.forkChild(desk.questions.free, now)
        desk.accept("a", "First?", "Red")
        yield* Fiber.join(free)
        expect(phases).toEqual(["raised", "closed"])
      })
  )

  for (const order of ["the write settles first", "the agent's record comes first"]) {
    it.effect(`holds for the write and for the record, though ${order} [Q4.7]`, () =>
      Effect.gen(function* () {
        const slow = yield* Desk.slowWrite()
        const desk = yield* Desk.make({
          editor: Desk.scripted("editor", (attempt) => Effect.asVoid(attempt.write(true, slow.physical)))
        })
        const request = yield* desk.raise("a", "First?")
        const call = yield* Effect.forkChild(desk.questions.answer(request.id, Desk.pick(request, 0)), now)
        yield* slow.begun
        // The caller need not wait for the stuck write.
        yield* Fiber.interrupt(call)
        desk.paint()
        const record = Effect.sync(() => desk.accept("a", "First?", "Red"))
        const both = order.startsWith("the write") ? [slow.end, record] : [record, slow.end]
        yield* both[0]!
        yield* settle
        expect(desk.questions.isHeld()).toBe(true)
        yield* both[1]!
        yield* desk.questions.free
        expect(desk.questions.isHeld()).toBe(false)
      })
    )
  }

  it.effect("gives the lane to no other answer while its write is under way [Q4.1, Q4.7]", () =>
    Effect.gen(function* () {
      const slow = yield* Desk.slowWrite()
      const desk = yield* Desk.make({
        editor: Desk.scripted("editor", (attempt) => Effect.asVoid(attempt.write(true, slow.physical)))
      })
      const first = yield* desk.raise("a", "First?")
      const second = yield* desk.raise("b", "Second?")
      desk.paint("First?")
      const call = yield* Effect.forkChild(desk.questions.answer(first.id, Desk.pick(first, 0)), now)
      yield* slow.begun
      yield* Fiber.interrupt(call)
      const error = yield* Effect.flip(desk.questions.answer(second.id, Desk.pick(second, 0)))
      expect(categoryOf(error)).toBe("adapter")
      yield* slow.end
    })
  )

  it.effect("is released by a host that has looked, after the write has ended [Q4.9, Q2.4]", () =>
    Effect.gen(function* () {
      const slow = yield* Desk.slowWrite()
      const desk = yield* Desk.make({
        editor: Desk.scripted("editor", (attempt) => Effect.asVoid(attempt.write(true, slow.physical)))
      })
      const request = yield* desk.raise("a", "First?")
      expect((yield* Effect.flip(desk.questions.release(request.id))).code).toBe("question_not_found")
      const call = yield* Effect.forkChild(desk.questions.answer(request.id, Desk.pick(request, 0)), now)
      yield* slow.begun
      yield* Fiber.interrupt(call)
      desk.paint()
      const release = yield* Effect.forkChild(desk.questions.release(request.id), now)
      yield* settle
      expect(release.pollUnsafe()).toBeUndefined()
      expect(desk.questions.isHeld()).toBe(true)
      yield* slow.end
      yield* Fiber.join(release)
      expect(desk.questions.isHeld()).toBe(false)
      // Its identity is spent all the same.
      desk.sight("a", Desk.define("First?"))
      desk.paint("First?")
      expect(yield* desk.questions.list).toEqual([])
      expect((yield* Effect.flip(desk.questions.release(request.id))).code).toBe("question_not_found")
    })
  )
})

describe("an answer through a parked hook", () => {
  const hookDesk = (
    offered: Array<ReadonlyArray<string>>,
    end: Effect.Effect<void, DeliveryFailed> = Effect.void
  ) =>
    Desk.make({
      ...never,
      hook: (_, hooks) => {
        offered.push(hooks)
        return Desk.scripted("hook", (attempt) => Effect.andThen(attempt.write(true, Effect.void), end))
      }
    })

  it.effect("needs no key, is preferred, and knows its own hooks [Q5.4, Q4.5]", () =>
    Effect.gen(function* () {
      const offered: Array<ReadonlyArray<string>> = []
      const desk = yield* hookDesk(offered)
      const request = yield* desk.raise("a", "First?")
      // A person at the terminal moves about in the dialog meanwhile: they race fairly.
      desk.paint("not recognised")
      const call = yield* Effect.forkChild(desk.questions.answer(request.id, Desk.pick(request, 2)), now)
      desk.questions.observe({ _tag: "intervened", what: "key" })
      yield* settle
      expect(offered).toEqual([["hook of a"]])
      desk.accept("a", "First?", "Blue")
      yield* Fiber.join(call)
    })
  )

  it.effect("that loses to the person at the terminal says so [Q5.4, Q4.5]", () =>
    Effect.gen(function* () {
      const desk = yield* hookDesk([])
      const request = yield* desk.raise("a", "First?")
      const call = yield* Effect.forkChild(
        Effect.flip(desk.questions.answer(request.id, Desk.pick(request, 2))),
        now
      )
      yield* settle
      desk.accept("a", "First?", "Red")
      expect(categoryOf(yield* Fiber.join(call))).toBe("native_acceptance")
    })
  )

  it.effect("is not used where texts cannot tell questions or options apart [Q5.4, Q1.4]", () =>
    Effect.gen(function* () {
      const offered: Array<ReadonlyArray<string>> = []
      const desk = yield* hookDesk(offered)
      desk.sight("twins", Desk.define("Same?", ["Yes", "No"]), Desk.define("Same?", ["Yes", "No"]))
      desk.paint("Same?")
      desk.sight("labels", Desk.define("Which?", ["Yes", "Yes"]))
      desk.paint("Which?")
      for (const request of yield* desk.questions.list) {
        const answers = request.questions.map(({ id, options }) => ({
          questionId: id,
          optionIds: [options[1]!.id]
        }))
        const call = yield* Effect.forkChild(desk.questions.answer(request.id, answers), now)
        yield* settle
        yield* Fiber.interrupt(call)
      }
      expect(offered).toEqual([])
    })
  )
})

describe("the end of a session", () => {
  it.effect(
    "closes what is open, fails the answer under way, ends the watchers, frees the input [Q3.2, Q4.3]",
    () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const desk = yield* Desk.make(never).pipe(Effect.provideService(Scope.Scope, scope))
        const closures: Array<unknown> = []
        const request = yield* desk.raise("a", "First?")
        const watcher = yield* Effect.forkChild(
          Stream.runForEach(desk.questions.watch, (change) =>
            Effect.sync(() => void (change._tag === "Closed" && closures.push(change.event)))
          )
        )
        const call = yield* Effect.forkChild(
          Effect.flip(desk.questions.answer(request.id, Desk.pick(request, 0))),
          now
        )
        yield* settle
        yield* Scope.close(scope, Exit.void)
        expect(categoryOf(yield* Fiber.join(call))).toBe("aborted")
        yield* Fiber.join(watcher)
        expect(closures).toMatchObject([{ phase: "closed", closure: { reason: "unavailable" } }])
        yield* desk.questions.free
        desk.sight("b", Desk.define("Late?"))
        desk.paint("Late?")
        expect(yield* desk.questions.list).toEqual([])
        expect((yield* Effect.flip(desk.questions.answer(request.id, []))).code).toBe("question_not_found")
      })
  )
})
