import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as EditDiff from "../../../src/adapters/diff/EditDiff.ts"
import { EvidenceFormatters, layer } from "../../../src/core/ask/EvidenceFormatters.ts"
import type { ToolCall } from "../../../src/core/call/ToolCall.ts"
import { call } from "../../core/ask/Fixtures.ts"

const format = (tool: string, input: unknown, agent: ToolCall["agent"] = "claude") =>
  EvidenceFormatters.use((formatters) => formatters.format(call({ agent, tool, input }))).pipe(
    Effect.provide(layer(EditDiff.formatters))
  )

describe("EditDiff", () => {
  it.effect("shows an edit as the lines that stay, go and come [P4.2]", () =>
    Effect.gen(function* () {
      const diff = { label: "diff", text: "  a\n- b\n+ c\n  d", modelGenerated: false }
      const claude = { file_path: "/p/x", old_string: "a\nb\nd", new_string: "a\nc\nd\n" }
      assert.deepStrictEqual(yield* format("Edit", claude), [diff])
      const pi = { path: "x", edits: [{ oldText: "a\nb\nd", newText: "a\nc\nd" }] }
      assert.deepStrictEqual(yield* format("edit", pi, "pi"), [diff])
    })
  )

  it.effect("numbers several, and shows a text that comes from nothing [P4.2]", () =>
    Effect.gen(function* () {
      const edits = [
        { old_string: "", new_string: "x" },
        { old_string: "y", new_string: "" }
      ]
      assert.deepStrictEqual(
        (yield* format("MultiEdit", { file_path: "/p/x", edits })).map(({ label, text }) => [label, text]),
        [
          ["diff 1", "+ x"],
          ["diff 2", "- y"]
        ]
      )
    })
  )

  it.effect("adds nothing where the input is another, or the texts are too different to compare [P4.2]", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* format("Edit", { old_string: 1 }), [])
      assert.deepStrictEqual(yield* format("Edit", null), [])
      const lines = (prefix: string) =>
        Array.from({ length: 20_000 }, (_, index) => `${prefix}${index}`).join("\n")
      assert.deepStrictEqual(yield* format("Edit", { old_string: lines("a"), new_string: lines("b") }), [])
    })
  )
})
