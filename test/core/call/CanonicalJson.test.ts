import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../../../src/core/call/CanonicalJson.ts"

const print = CanonicalJson.print
const nest = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth))

/** The same value with every object's keys in the opposite order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)])
  )
}

describe("CanonicalJson", () => {
  it("sorts keys at every depth and leaves arrays as they are", () => {
    assert.deepStrictEqual(
      print({ b: [2, 1, { z: null, a: true }], a: "x\u2028é" }),
      Option.some('{"a":"x\u2028é","b":[2,1,{"a":true,"z":null}]}')
    )
  })

  it("keeps a key named __proto__ as any other", () => {
    assert.deepStrictEqual(print(JSON.parse('{"__proto__":{"b":1}}')), Option.some('{"__proto__":{"b":1}}'))
  })

  it.prop(
    "the text is JSON of an equal value, whatever the order of keys [S5.6]",
    [Schema.Json],
    ([value]) => {
      const text = Option.getOrThrow(print(value))
      assert.deepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      assert.deepStrictEqual(print(reversed(value)), Option.some(text))
    }
  )

  it("values that differ in type alone have different texts [S5.6]", () => {
    const values = [1, "1", true, "true", null, "null", [], {}, [null], { a: 1 }, [["a", 1]], "", [""], [[]]]
    const texts = values.map((value) => Option.getOrThrow(print(value)))
    assert.strictEqual(new Set(texts).size, values.length)
  })

  it("what is no JSON value, or nests without bound, has no text [S5.6]", () => {
    for (const value of [
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1n,
      () => 1,
      { a: undefined },
      [undefined],
      new Date(0),
      new Map()
    ]) {
      assert.deepStrictEqual(print(value), Option.none())
    }
    assert.isTrue(Option.isSome(print(nest(500))))
    assert.deepStrictEqual(print(nest(100_000)), Option.none())
  })
})
