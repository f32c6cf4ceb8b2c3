import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as SplitCharacters from "../../../src/adapters/xterm/SplitCharacters.ts"

const byte = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))

describe("SplitCharacters", () => {
  it("every prefix of a text comes out as whole characters, the rest held [S1.4]", () => {
    const text = Buffer.from("a — é\u200d😀\u0080\u{10ffff}z")
    for (let end = 0; end <= text.length; end += 1) {
      const split = SplitCharacters.make()
      const parts = [split.join(text.subarray(0, end)), split.join(text.subarray(end))].map((part) =>
        Buffer.from(part)
      )
      assert.notInclude(parts[0]!.toString("utf8"), "\ufffd")
      assert.strictEqual(Buffer.concat(parts).toString("utf8"), text.toString("utf8"))
      assert.strictEqual(split.held().length, 0)
    }
  })

  it.prop(
    "no byte is lost or moved, valid or not, and never more than three are held [S1.4]",
    [Arbitrary.array(Arbitrary.array(byte, { maxLength: 8 }))],
    ([chunks]) => {
      const split = SplitCharacters.make()
      const out = chunks.map((chunk) => {
        const whole = Buffer.from(split.join(Uint8Array.from(chunk)))
        assert.isAtMost(split.held().length, 3)
        return whole
      })
      assert.strictEqual(Buffer.concat([...out, split.held()]).compare(Buffer.from(chunks.flat())), 0)
    },
    { arbitrary: { runs: 2000 } }
  )
})
