import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as PacedJson from "../../../src/core/session/PacedJson.ts"

/** Longer than what is parsed at once, whatever it is added to. */
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
        assert.deepStrictEqual(yield* PacedJson.parse(bytesOf(text + BLANKS)), native(text))
        assert.deepStrictEqual(yield* PacedJson.parse(bytesOf(text)), native(text))
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
          yield* PacedJson.parse(bytesOf(text + BLANKS)),
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
          const parsed = yield* PacedJson.parse(bytesOf(JSON.stringify({ [`k${shift}`]: value })))
          // Compared as texts: an assertion on a million characters would print them.
          assert.isTrue(JSON.stringify(Option.getOrNull(parsed)) === JSON.stringify({ [`k${shift}`]: value }))
        }
      }
    })
  )

  it.effect("depth costs no stack [S7.1]", () =>
    Effect.gen(function* () {
      const deep = "[".repeat(MIB) + "]".repeat(MIB)
      assert.isTrue(Option.isSome(yield* PacedJson.parse(bytesOf(deep))))
      assert.isTrue(Option.isNone(yield* PacedJson.parse(bytesOf(deep.slice(1)))))
    })
  )

  it.effect("bytes that are no UTF-8 are no JSON [S7.1]", () =>
    Effect.gen(function* () {
      for (const size of [1, MIB]) {
        const bytes = bytesOf(`"${"x".repeat(size)}"`)
        bytes[1] = 0xff
        assert.deepStrictEqual(yield* PacedJson.parse(bytes), Option.none())
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
        assert.isTrue(Option.isSome(yield* PacedJson.parse(bytesOf(text))))
        assert.isAbove(turns, 5)
        others.interruptUnsafe()
      }
    })
  )
})
