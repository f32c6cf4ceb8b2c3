import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import type { JournalEntry } from "../../../src/core/journal/JournalEntry.ts"
import type { Position } from "../../../src/core/journal/JournalRow.ts"
import * as Verification from "../../../src/core/journal/Verification.ts"
import { chain, digests, opened, status } from "./Fixtures.ts"

const lines = chain([opened(), status("ready"), status("running"), status("stopped"), { _tag: "closed" }])

const verify = (...texts: ReadonlyArray<string>) =>
  Verification.verify(digests.sha256, {
    whole: true,
    parts: texts.map((text, index) => ({ file: `part ${index + 1}`, text }))
  })

const broken = (...texts: ReadonlyArray<string>) => verify(...texts).broken

describe("Verification", () => {
  it("follows an unbroken chain to its end [A4.2]", () => {
    expect(verify(lines.join(""))).toMatchObject({ broken: null, torn: false, ended: true })
    expect(verify(lines.join("")).rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  })

  it("names the row in which any one byte was changed [A4.2]", () => {
    const text = lines.join("")
    const lineOf = (at: number) => text.slice(0, at).split("\n").length
    for (let at = 0; at < text.length - 1; at++) {
      const other = text[at] === "1" ? "2" : "1"
      const link = broken(text.slice(0, at) + other + text.slice(at + 1))
      expect(link, `byte ${at}`).not.toBeNull()
      expect(link?.line, `byte ${at}`).toBe(lineOf(at))
    }
  })

  it("names a change that leaves the same value, such as a blank or another order of keys [A4.2]", () => {
    const spaced = lines.with(1, lines[1]!.replace(",", ", "))
    expect(broken(spaced.join(""))).toEqual({ file: "part 1", line: 2, reason: "changed" })
    const { v, ...rest } = JSON.parse(lines[1]!)
    const reordered = lines.with(1, `${JSON.stringify({ v, ...rest })}\n`)
    expect(broken(reordered.join(""))).toEqual({ file: "part 1", line: 2, reason: "changed" })
  })

  it.each<{ name: string; text: ReadonlyArray<string>; line: number }>([
    { name: "taken out", text: lines.toSpliced(2, 1), line: 3 },
    { name: "doubled", text: lines.toSpliced(2, 0, lines[1]!), line: 3 },
    { name: "moved", text: [lines[0]!, lines[2]!, lines[1]!, lines[3]!], line: 2 },
    { name: "put in", text: lines.toSpliced(2, 0, chain([opened(), status("x")])[1]!), line: 3 },
    { name: "the first, taken away", text: lines.slice(1), line: 1 },
    { name: "an empty line", text: lines.toSpliced(2, 0, "\n"), line: 3 }
  ])("names the place where a row was $name [A4.2]", ({ line, text }) => {
    expect(broken(text.join(""))?.line).toBe(line)
  })

  it("a chain that was made anew from a changed row on still breaks where it was joined [A4.2]", () => {
    const forged = chain([opened(), status("forged")])[1]!
    expect(broken([lines[0]!, forged, ...lines.slice(2)].join(""))).toEqual({
      file: "part 1",
      line: 3,
      reason: "not_linked"
    })
  })

  it("wherever the last row is cut, the rows before it hold, and the cut is told [A4.4]", () => {
    const whole = lines.slice(0, 3).join("")
    for (let length = 1; length < lines[3]!.length; length++) {
      expect(verify(whole + lines[3]!.slice(0, length))).toMatchObject({
        broken: null,
        torn: true,
        ended: false
      })
      expect(verify(whole + lines[3]!.slice(0, length)).rows).toHaveLength(3)
    }
  })

  it("says where rows may be missing at the end, which the rows themselves cannot tell [A4.2]", () => {
    expect(verify(lines.slice(0, 3).join(""))).toMatchObject({ broken: null, ended: false })
  })

  describe("over the parts of a rotated journal", () => {
    const first = chain([opened(), status("ready")])
    const { hash, seq }: Position = JSON.parse(first[1]!)
    const second = chain([opened(2), status("running"), { _tag: "closed" }], { seq, hash })

    it("the next part goes on from the last hash [A4.2]", () => {
      expect(verify(first.join(""), second.join(""))).toMatchObject({ broken: null, ended: true })
    })

    it.each<{ name: string; texts: ReadonlyArray<string>; file: string }>([
      { name: "the first part is missing", texts: [second.join("")], file: "part 1" },
      { name: "rows of the first are missing", texts: [first[0]!, second.join("")], file: "part 2" },
      { name: "the parts are swapped", texts: [second.join(""), first.join("")], file: "part 1" },
      {
        name: "the first is torn, though it was left for the next",
        texts: [first.join("").slice(0, -1), second.join("")],
        file: "part 2"
      }
    ])("$name: named [A4.2]", ({ file, texts }) => {
      expect(broken(...texts)).toMatchObject({ file, line: 1, reason: "not_linked" })
    })

    it("one part by itself is followed from where it starts [C25]", () => {
      const alone = Verification.verify(digests.sha256, {
        whole: false,
        parts: [{ file: "x", text: second.join("") }]
      })
      expect(alone.broken).toBeNull()
      expect(alone.rows).toHaveLength(3)
    })
  })

  it("does not read rows of another version, or with fields that it does not know [A4.2]", () => {
    for (const change of [{ v: 2 }, { more: 1 }]) {
      const line = `${JSON.stringify({ ...JSON.parse(lines[0]!), ...change })}\n`
      expect(broken(line)).toEqual({ file: "part 1", line: 1, reason: "unreadable" })
    }
  })

  const text = Arbitrary.schema(Schema.String)
  it.prop(
    "whatever texts its entries hold, a chain that was written can be followed [A4.2]",
    [Arbitrary.array(text, { minLength: 1, maxLength: 6 })],
    ([notes]) => {
      const entries = notes.map((note): JournalEntry => ({ _tag: "link", link: note, note }))
      expect(verify(chain([opened(), ...entries]).join("")).rows).toHaveLength(notes.length + 1)
    }
  )
})
