import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as PacedJson from "../../../src/core/session/PacedJson.ts"

/** Makes any text a long one. */
const BLANKS = " ".repeat(256 * 1024)
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const MIB = 1024 * 1024

const native = (text: string): Option.Option<unknown> => {
  try {
    return Option.some(JSON.parse(text))
  } catch {
    return Option.none()
  }
}

describe("PacedJson", () => {
  it.effect.prop("long texts have the values that JSON.parse gives them [S7.1]", [Schema.Json], ([value]) =>
    Effect.gen(function* () {
      for (const text of [JSON.stringify(value), JSON.stringify([value, { a: value }], null, 1)]) {
        assert.deepStrictEqual(yield* PacedJson.parseLong(bytesOf(text + BLANKS)), native(text))
        assert.deepStrictEqual(PacedJson.parseShort(bytesOf(text)), native(text))
      }
    })
  )

  it.effect("what JSON.parse refuses is refused, and nothing else [S7.1]", () =>
    Effect.gen(function* () {
      const texts = [
        "",
        "[",
        "{",
        '"',
        "-",
        "t",
        ":",
        "\\",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1]]",
        '{"a"}',
        '{"a":}',
        '{"a":1,}',
        "{a:1}",
        '{"a":1 "b":2}',
        "[}",
        "{]",
        "[1}",
        '{"a":1]',
        "01",
        "+1",
        "1.",
        ".5",
        "1e",
        "-0",
        "1e400",
        "nul",
        "nulll",
        "null null",
        "true,",
        '"\\x"',
        '"\\u12"',
        '"a\nb"',
        '"\\\\"',
        '"\\\\\\""',
        '{"__proto__":{"a":1},"a":1,"a":2}',
        "\ufeff1",
        '["\\ud83d\\ude00", "\\ud83d"]',
        "//"
      ]
      for (const text of texts) {
        assert.deepStrictEqual(
          yield* PacedJson.parseLong(bytesOf(text + BLANKS)),
          native(text),
          text.slice(0, 40)
        )
      }
    })
  )

  it.effect("a long string may be cut anywhere but in a character or an escape [S7.1]", () =>
    Effect.gen(function* () {
      for (const unit of ["é", "€", "😀", "\\", '"', '\\"', "\n", "\u0001", "a\\", "\ud83d"]) {
        for (let shift = 0; shift < 7; shift++) {
          const value = "x".repeat(shift) + unit.repeat(300_000)
          const parsed = yield* PacedJson.parseLong(bytesOf(JSON.stringify({ [`k${shift}`]: value })))
          // Compared as texts: an assertion on a million characters would print them.
          assert.isTrue(JSON.stringify(Option.getOrNull(parsed)) === JSON.stringify({ [`k${shift}`]: value }))
        }
      }
    })
  )

  it.effect.prop(
    "a long container has the value that JSON.parse gives it [S7.1]",
    [Schema.Json, Schema.String],
    ([value, text]) =>
      Effect.gen(function* () {
        const long = "y".repeat(300_000)
        const many = Array.from({ length: 3000 }, (_, index) => ({
          index,
          value,
          [text]: long.slice(0, 100)
        }))
        const object = Object.fromEntries(many.map((item, index) => [`${text}${index}`, item]))
        for (const whole of [[many, long, value], { a: { b: object, [text]: long }, c: [[many]] }]) {
          for (const blank of [0, 1]) {
            const json = JSON.stringify(whole, null, blank)
            const parsed = yield* PacedJson.parseLong(bytesOf(json))
            // Compared as texts: an assertion on a million characters would print them.
            assert.isTrue(JSON.stringify(Option.getOrNull(parsed)) === JSON.stringify(JSON.parse(json)))
          }
        }
      }),
    { arbitrary: { runs: 10 } }
  )

  it.effect("what breaks far inside a long text is found [S7.1]", () =>
    Effect.gen(function* () {
      const item = '{"a":[1,2,{"b":"c"}]}'
      const items = Array.from({ length: 30_000 }, () => item)
      const whole = (middle: string) => `[${items.join(",")},${middle},${items.join(",")}]`
      assert.isTrue(Option.isSome(yield* PacedJson.parseLong(bytesOf(whole(item)))))
      for (const middle of [
        "",
        "1 2",
        "]",
        "[}",
        "{]",
        "[",
        '"',
        '{"a"}',
        '{"a":}',
        "{1:2}",
        "x",
        "1],[1",
        '"\\q"'
      ]) {
        assert.isTrue(Option.isNone(yield* PacedJson.parseLong(bytesOf(whole(middle)))), middle)
      }
    })
  )

  it.effect("long containers in each other have a limit, short ones have none of ours [S7.1]", () =>
    Effect.gen(function* () {
      const nested = (depth: number) => "[".repeat(depth) + `"${"x".repeat(MIB)}"` + "]".repeat(depth)
      assert.isTrue(Option.isSome(yield* PacedJson.parseLong(bytesOf(nested(60)))))
      assert.isTrue(Option.isNone(yield* PacedJson.parseLong(bytesOf(nested(70)))))
      assert.isTrue(Option.isNone(yield* PacedJson.parseLong(bytesOf("[".repeat(16 * MIB)))))
      const short = "[".repeat(1000) + "]".repeat(1000)
      assert.isTrue(Option.isSome(yield* PacedJson.parseLong(bytesOf(`[${short},"${"x".repeat(MIB)}"]`))))
    })
  )

  it.effect("bytes that are no UTF-8 are no JSON [S7.1]", () =>
    Effect.gen(function* () {
      for (const size of [1, MIB]) {
        const bytes = bytesOf(`"${"x".repeat(size)}"`)
        bytes[1] = 0xff
        assert.deepStrictEqual(yield* PacedJson.parseLong(bytes), Option.none())
      }
    })
  )

  it.effect("lets others run while it parses a long text [S7.1]", () =>
    Effect.gen(function* () {
      const dense = JSON.stringify(Array.from({ length: 200_000 }, (_, index) => ({ index, list: [1, "x"] })))
      for (const text of [dense, JSON.stringify("y".repeat(8 * MIB)), `"${'\\"'.repeat(MIB)}"`]) {
        let turns = 0
        const others = yield* Effect.forkChild(
          Effect.forever(
            Effect.andThen(
              Effect.yieldNow,
              Effect.sync(() => void (turns += 1))
            )
          )
        )
        const parsed = yield* PacedJson.parseLong(bytesOf(text))
        assert.isTrue(Option.isSome(parsed))
        assert.isAtLeast(turns, 2)
        others.interruptUnsafe()
      }
    })
  )
})
