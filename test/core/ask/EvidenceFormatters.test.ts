import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import {
  EvidenceFormatters,
  layer,
  type EvidenceFormatter
} from "../../../src/core/ask/EvidenceFormatters.ts"
import { call } from "./Fixtures.ts"

const entry = { label: "diff", text: "+a", modelGenerated: false }

const formatter = (format: EvidenceFormatter["format"], tool = "Bash"): EvidenceFormatter => ({
  agent: "claude",
  tools: [tool],
  format
})

const format = (...formatters: ReadonlyArray<EvidenceFormatter>) =>
  EvidenceFormatters.use((service) => service.format(call())).pipe(Effect.provide(layer(formatters)))

describe("EvidenceFormatters", () => {
  it.effect("gives a tool's evidence by its formatter, and that of others none [P4.2]", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* format(formatter(() => Effect.succeed([entry]))), [entry])
      assert.deepStrictEqual(yield* format(formatter(() => Effect.succeed([entry]), "Edit")), [])
    })
  )

  it.effect("one that fails, throws or gives junk leaves the raw facts [P4.2]", () =>
    Effect.gen(function* () {
      for (const broken of [
        () => Effect.fail("no"),
        () => Effect.die("no"),
        () => {
          throw new Error("no")
        },
        () => Effect.sync(() => JSON.parse('[{"label":1}]'))
      ]) {
        assert.deepStrictEqual(yield* format(formatter(broken)), [])
      }
    })
  )

  it.effect("one that overruns leaves the raw facts [P4.2]", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(format(formatter(() => Effect.never)))
      yield* Effect.repeat(Effect.yieldNow, { times: 20 })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(fiber), [])
    })
  )
})
