import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as Keys from "../../../src/core/ask/Keys.ts"

const all = (text: string): ReadonlyArray<Keys.Key> => Keys.decode(Keys.empty, text).keys

const named = (name: Keys.NamedKey): Keys.Key => ({ _tag: "named", name })

const SEQUENCES = [
  "\r",
  "\x1b[A",
  "\x1bOB",
  "\x1b[1;5C",
  "\x1b[5~",
  "\x1b[Z",
  "\x03",
  "a",
  "😀",
  "\x1b[200~two\nlines \x1b[31m\x1b[201~",
  "\x1b[12;1R",
  "\x1b]11;rgb:0/0/0\x07",
  "\x1bP>|xterm\x1b\\",
  "\x1b[?62;22c",
  "\x1b[99;5u",
  "\x1bx"
]

describe("Keys", () => {
  it.each<[string, Keys.Key]>([
    ["\r", named("enter")],
    ["\x1b[A", named("up")],
    ["\x1bOA", named("up")],
    ["\x1b[1;5D", named("left")],
    ["\x1b[6~", named("page_down")],
    ["\x1b[Z", named("back_tab")],
    ["\x7f", named("backspace")],
    ["\x03", { _tag: "ctrl", letter: "c" }],
    ["\n", { _tag: "ctrl", letter: "j" }],
    ["\x1b[99;5u", { _tag: "ctrl", letter: "c" }],
    ["\x1b[27u", named("escape")],
    ["\x1b[9;2u", named("back_tab")],
    ["\x1b[7;3R", { _tag: "cursor", row: 6, column: 2 }],
    ["\x1b[200~a\r\nb\x1b[201~", { _tag: "paste", text: "a\r\nb" }],
    ["\x1b]0;x\x1b\\", { _tag: "unknown" }],
    ["\x1bd", { _tag: "unknown" }],
    ["\0", { _tag: "unknown" }],
    ["\x1b[<0;1;1M", { _tag: "unknown" }]
  ])("reads %j as one key", (text, key) => {
    assert.deepStrictEqual(all(text), [key])
  })

  it("takes an escape for the key only after a pause, or when another follows", () => {
    const { decoder, keys } = Keys.decode(Keys.empty, "\x1b")
    assert.deepStrictEqual(keys, [])
    assert.isTrue(Keys.isWaiting(decoder))
    assert.deepStrictEqual(Keys.flush(decoder), { decoder: Keys.empty, keys: [named("escape")] })
    assert.deepStrictEqual(all("\x1b\x1b[A"), [named("escape"), named("up")])
  })

  it("drops what is left of a sequence that never ends", () => {
    const { decoder } = Keys.decode(Keys.empty, "\x1b[12")
    assert.deepStrictEqual(Keys.flush(decoder), { decoder: Keys.empty, keys: [{ _tag: "unknown" }] })
    assert.deepStrictEqual(Keys.decode(Keys.empty, `\x1b]${"x".repeat(5000)}`).decoder, Keys.empty)
  })

  it("a paste holds keys as text, also one that is torn at its end mark [P6.1]", () => {
    let decoder = Keys.empty
    const keys: Array<Keys.Key> = []
    for (const piece of ["\x1b[200~yes\r", "\x1b[C\r\x1b[2", "01~", "x"]) {
      const decoded = Keys.decode(decoder, piece)
      decoder = decoded.decoder
      keys.push(...decoded.keys)
    }
    assert.deepStrictEqual(keys, [
      { _tag: "paste", text: "yes\r\x1b[C\r" },
      { _tag: "char", char: "x" }
    ])
  })

  it.prop(
    "splitting the input anywhere gives the same keys [P6.1]",
    [
      Arbitrary.array(
        Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: SEQUENCES.length - 1 }))),
        {
          minLength: 1,
          maxLength: 8
        }
      ),
      Arbitrary.array(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 }))), {
        minLength: 1,
        maxLength: 8
      })
    ],
    ([picks, sizes]) => {
      const text = picks.map((pick) => SEQUENCES[pick] ?? "").join("")
      let decoder = Keys.empty
      const keys: Array<Keys.Key> = []
      const chars = Array.from(text)
      for (let at = 0, turn = 0; at < chars.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1
        const decoded = Keys.decode(decoder, chars.slice(at, at + size).join(""))
        decoder = decoded.decoder
        keys.push(...decoded.keys)
        at += size
      }
      assert.deepStrictEqual(keys, all(text))
      assert.deepStrictEqual(decoder, Keys.empty)
    },
    { arbitrary: { runs: 2000 } }
  )
})
