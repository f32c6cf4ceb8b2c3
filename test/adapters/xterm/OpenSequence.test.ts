import { assert, describe, it } from "@effect/vitest"
import * as OpenSequence from "../../../src/adapters/xterm/OpenSequence.ts"

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "utf8"))
const held = (sequence: OpenSequence.OpenSequence) => Buffer.from(sequence.bytes()).toString("utf8")

describe("OpenSequence", () => {
  it("holds what broke off, over any number of parts, until it is complete [S1.5]", () => {
    const sequence = OpenSequence.make()
    assert.strictEqual(held(sequence), "")
    sequence.follow(bytes("text \u001b[1"), false)
    assert.strictEqual(held(sequence), "\u001b[1")
    sequence.follow(bytes(";3"), false)
    assert.strictEqual(held(sequence), "\u001b[1;3")
    sequence.follow(bytes("m more"), true)
    assert.strictEqual(held(sequence), "")
    sequence.follow(bytes("\u001b]2;tïtle Â é"), false)
    assert.strictEqual(held(sequence), "\u001b]2;tïtle Â é")
  })

  it("what begins ends what was open [S1.5]", () => {
    const sequence = OpenSequence.make()
    sequence.follow(bytes("\u001b]2;title"), false)
    sequence.follow(bytes(" goes on\u001b"), false)
    assert.strictEqual(held(sequence), "\u001b")
    sequence.follow(bytes("[3"), false)
    assert.strictEqual(held(sequence), "\u001b[3")
    // A control of two bytes in UTF-8.
    sequence.follow(bytes("1m\u009b4"), false)
    assert.strictEqual(held(sequence), "\u009b4")
  })

  it("memory is bounded for a sequence that does not end [S1.5]", () => {
    const sequence = OpenSequence.make()
    sequence.follow(bytes("\u001b]52;c;"), false)
    for (let times = 0; times < 100; times += 1) sequence.follow(bytes("A".repeat(64 * 1024)), false)
    assert.strictEqual(sequence.bytes().length, 128 * 1024)
    assert.strictEqual(held(sequence).slice(0, 8), "\u001b]52;c;A")
  })
})
