import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as JsonLines from "../../../src/core/session/JsonLines.ts"

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** What the lines are, whatever pieces the bytes come in. */
const split = (pieces: ReadonlyArray<Uint8Array>, limit: number, offset = 0) => {
  const push = JsonLines.splitter(limit, offset)
  return pieces
    .flatMap((piece) => push(piece))
    .map((line) =>
      line._tag === "line" ? `${line.offset}:${decode(line.bytes)}` : `${line.offset}-dropped-${line.size}`
    )
}

const cuts = (bytes: Uint8Array, size: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size)
  )

describe("JsonLines", () => {
  it("gives a line once it is complete, with its place in the file [S7.1]", () => {
    assert.deepStrictEqual(split([encode("one\n\nthr"), encode("ee\nfo")], 100, 7), [
      "7:one",
      "11:",
      "12:three"
    ])
  })

  it.prop(
    "the cuts of the bytes change nothing, inside a character or not [S7.1]",
    [Schema.Array(Schema.String), Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))],
    ([texts, size]) => {
      const bytes = encode(texts.map((text) => `${text.replaceAll("\n", "é")}\n`).join(""))
      assert.deepStrictEqual(split(cuts(bytes, size), 20), split([bytes], 20))
    }
  )

  it("a line over the limit is dropped, its neighbours are not, and nothing of it is kept [S7.1]", () => {
    for (const size of [1, 3, 1000]) {
      assert.deepStrictEqual(split(cuts(encode(`1234\n12345\n123456\n${"x".repeat(999)}\n12\n`), size), 5), [
        "0:1234",
        "5:12345",
        "11-dropped-7",
        "18-dropped-1000",
        "1018:12"
      ])
    }
  })

  it("keeps its own bytes: the caller may use a buffer again [S7.1]", () => {
    for (const buffer of [encode("abc"), Buffer.from("abc")]) {
      const push = JsonLines.splitter(100)
      push(buffer)
      buffer.fill(0)
      const [line] = push(encode("d\n"))
      assert.isTrue(line?._tag === "line" && decode(line.bytes) === "abcd")
    }
  })
})
