import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import * as Annotators from "../../../src/core/ask/Annotators.ts"
import { asking } from "./Fixtures.ts"

const payload = asking("git push")

const says = (name: string, annotate: Annotators.Annotator["annotate"]): Annotators.Annotator => ({
  name,
  annotate
})

const annotate = Effect.fnUntraced(function* (
  options: Annotators.Options,
  ...annotators: ReadonlyArray<Annotators.Annotator>
) {
  return yield* Effect.gen(function* () {
    const service = yield* Annotators.Annotators
    for (const one of annotators) yield* service.register(one)
    return yield* service.annotate(payload)
  }).pipe(Effect.scoped, Effect.provide(Annotators.layer(options)))
})

describe("Annotators", () => {
  it.effect("run only where they are named, in that order, each under its own name [P4.1]", () =>
    Effect.gen(function* () {
      const a = says("a", () => Effect.succeed("from a"))
      const b = says("b", () => Effect.succeed("from b"))
      assert.strictEqual(yield* annotate({ names: [] }, a, b), payload)
      assert.deepStrictEqual((yield* annotate({ names: ["b", "a", "b"] }, a, b)).annotations, [
        { source: "b", text: "from b" },
        { source: "a", text: "from a" }
      ])
    })
  )

  it.effect("change nothing but the notes, and see the request and its evidence alone [P4.1]", () =>
    Effect.gen(function* () {
      const { annotations, ...rest } = yield* annotate(
        { names: ["a"] },
        says("a", (ask) => {
          assert.sameMembers(Object.keys(ask), ["request", "evidence"])
          return Effect.succeed("note")
        })
      )
      assert.strictEqual(annotations.length, 1)
      assert.strictEqual(rest.request, payload.request)
      assert.strictEqual(rest.evidence, payload.evidence)
    })
  )

  it.effect("that fail, throw, say nothing or junk leave the prompt unchanged [P4.1]", () =>
    Effect.gen(function* () {
      const junk = (): Effect.Effect<string> => Effect.sync(() => JSON.parse('{"_tag":"allow"}'))
      for (const broken of [
        () => Effect.fail("no"),
        () => Effect.die("no"),
        () => {
          throw new Error("no")
        },
        () => Effect.succeed(null),
        () => Effect.succeed("  "),
        () => Effect.succeed("x".repeat(10_000)),
        junk
      ]) {
        assert.strictEqual(yield* annotate({ names: ["a"] }, says("a", broken)), payload)
      }
    })
  )

  it.effect("that overrun their time leave the prompt unchanged [P4.1]", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(
        annotate(
          { names: ["slow", "quick"], timeout: "5 seconds" },
          says("slow", () => Effect.never),
          says("quick", () => Effect.succeed("here"))
        )
      )
      yield* Effect.repeat(Effect.yieldNow, { times: 20 })
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual((yield* Fiber.join(fiber)).annotations, [{ source: "quick", text: "here" }])
    })
  )

  it.effect("a name that nobody registered fails safe, with one notice [P4.1]", () =>
    Effect.gen(function* () {
      const notices: Array<string> = []
      yield* Effect.gen(function* () {
        const service = yield* Annotators.Annotators
        assert.strictEqual(yield* service.annotate(payload), payload)
        assert.strictEqual(yield* service.annotate(payload), payload)
      }).pipe(
        Effect.provide(
          Annotators.layer({
            names: ["gone"],
            onMissing: (name) => Effect.sync(() => void notices.push(name))
          })
        )
      )
      assert.deepStrictEqual(notices, ["gone"])
    })
  )

  it.effect("a name is taken for its scope's life, and refused to a second [P4.1]", () =>
    Effect.gen(function* () {
      const service = yield* Annotators.Annotators
      const one = says("a", () => Effect.succeed("x"))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* service.register(one)
          assert.strictEqual((yield* Effect.flip(service.register(one)))._tag, "DuplicateAnnotator")
        })
      )
      yield* Effect.scoped(service.register(one))
      assert.strictEqual(yield* service.annotate(payload), payload)
    }).pipe(Effect.provide(Annotators.layer({ names: ["a"] })))
  )
})
