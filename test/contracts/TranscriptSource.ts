import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { TranscriptSource, type TranscriptRecord } from "../../src/core/session/TranscriptSource.ts"

interface Driver {
  /** A path that is not there yet, nor the directories above it. */
  readonly path: string
  readonly append: (bytes: string | Uint8Array) => void
  /** Another file in its place, at once. */
  readonly replace: (bytes: string | Uint8Array) => void
}

interface Adapter {
  readonly layer: Layer.Layer<TranscriptSource>
  readonly driver: Effect.Effect<Driver, never, Scope.Scope>
}

const MIB = 1024 * 1024
const record = (offset: number, value: unknown): TranscriptRecord => ({ _tag: "record", offset, value })
const values = (records: ReadonlyArray<TranscriptRecord>) =>
  records.map((one) => (one._tag === "record" ? one.value : one._tag))

/** What every transcript source guarantees, wherever its bytes come from. */
export const contract = (adapter: Adapter): void => {
  /** Follows in the background; `take` waits for the next so many records, and never for a time. */
  const follow = Effect.fnUntraced(function* (path: string, from?: number) {
    const source = yield* TranscriptSource
    const queue = yield* Queue.unbounded<TranscriptRecord>()
    yield* Effect.forkScoped(Stream.runForEach(source.follow(path, from), (one) => Queue.offer(queue, one)))
    return { take: (count: number) => Queue.takeN(queue, count) }
  })
  const provided = <A, E>(effect: Effect.Effect<A, E, TranscriptSource | Scope.Scope>) =>
    Effect.scoped(Effect.provide(effect, adapter.layer))

  describe("contract", () => {
    it.live("gives what is there, then what comes, in order and with its place [S7.1]", () =>
      Effect.gen(function* () {
        const file = yield* adapter.driver
        file.append('{"a":1}\n[2]\n')
        const reader = yield* follow(file.path)
        assert.deepStrictEqual(yield* reader.take(2), [record(0, { a: 1 }), record(8, [2])])
        file.append('"é"\n')
        assert.deepStrictEqual(yield* reader.take(1), [record(12, "é")])
        file.append("4\n5\n")
        assert.deepStrictEqual(yield* reader.take(2), [record(17, 4), record(19, 5)])
      }).pipe(provided)
    )

    it.live("waits for a file whose directories are not there either [S7.1]", () =>
      Effect.gen(function* () {
        const file = yield* adapter.driver
        const reader = yield* follow(file.path)
        yield* Effect.yieldNow
        file.append("1\n")
        assert.deepStrictEqual(yield* reader.take(1), [record(0, 1)])
      }).pipe(provided)
    )

    it.live("gives a line when it is complete, wherever the writes end [S7.1]", () =>
      Effect.gen(function* () {
        const file = yield* adapter.driver
        const reader = yield* follow(file.path)
        const bytes = new TextEncoder().encode('{"t":"é😀"}\n{"t":"€"}\n')
        for (const byte of bytes) {
          file.append(Uint8Array.of(byte))
          yield* Effect.yieldNow
        }
        assert.deepStrictEqual(values(yield* reader.take(2)), [{ t: "é😀" }, { t: "€" }])
      }).pipe(provided)
    )

    it.live("a line that is no JSON or no UTF-8 is malformed, a blank one is nothing [S7.1]", () =>
      Effect.gen(function* () {
        const file = yield* adapter.driver
        const reader = yield* follow(file.path)
        file.append('{"half\n\n \t\r\n1\r\n')
        file.append(Uint8Array.of(0x22, 0xff, 0x22, 0x0a))
        file.append("2\n")
        assert.deepStrictEqual(yield* reader.take(4), [
          { _tag: "malformed", offset: 0 },
          record(12, 1),
          { _tag: "malformed", offset: 15 },
          record(19, 2)
        ])
      }).pipe(provided)
    )

    it.live("a line over the limit is one drop, and its neighbours are kept [S7.1]", () =>
      Effect.gen(function* () {
        const file = yield* adapter.driver
        const reader = yield* follow(file.path)
        file.append("1\n")
        for (let part = 0; part < 3; part++) file.append("x".repeat(MIB))
        file.append("\n2\n")
        assert.deepStrictEqual(yield* reader.take(3), [
          record(0, 1),
          { _tag: "dropped", offset: 2, bytes: 3 * MIB + 1 },
          record(3 * MIB + 3, 2)
        ])
      }).pipe(provided)
    )

    it.live("a large record comes whole [S7.1]", () =>
      Effect.gen(function* () {
        const file = yield* adapter.driver
        const reader = yield* follow(file.path)
        const image = "iVBORw0KGgo".repeat(MIB / 8)
        file.append(`${JSON.stringify({ image })}\n1\n`)
        const [first, second] = yield* reader.take(2)
        assert.isTrue(first?._tag === "record" && JSON.stringify(first.value) === JSON.stringify({ image }))
        assert.deepStrictEqual(second, record(image.length + 13, 1))
      }).pipe(provided)
    )

    for (const [name, content] of [
      ["a shorter", "3\n"],
      ["an equally long", "3\n4\n5\n"],
      ["a longer", '"other"\n"longer"\n"again"\n']
    ] as const) {
      it.live(`a file replaced by ${name} one is read from its first byte [S7.1]`, () =>
        Effect.gen(function* () {
          const file = yield* adapter.driver
          file.append("1\n2\n6")
          const reader = yield* follow(file.path)
          yield* reader.take(2)
          file.replace(content)
          const expected = content
            .split("\n")
            .flatMap((line): ReadonlyArray<unknown> => (line === "" ? [] : [JSON.parse(line)]))
          const records = yield* reader.take(expected.length)
          assert.deepStrictEqual(values(records), expected)
          assert.strictEqual(records[0]?.offset, 0)
          file.append("7\n")
          assert.deepStrictEqual(values(yield* reader.take(1)), [7])
        }).pipe(provided)
      )
    }

    it.live("begins where it is told to, and at the first byte of a file that is shorter [S7.1]", () =>
      Effect.gen(function* () {
        const file = yield* adapter.driver
        file.append("1\n2\n3\n")
        const reader = yield* follow(file.path, 4)
        assert.deepStrictEqual(yield* reader.take(1), [record(4, 3)])
        const beyond = yield* follow(file.path, 100)
        assert.deepStrictEqual(yield* beyond.take(1), [record(0, 1)])
      }).pipe(provided)
    )

    it.live("the end is that of the last complete line: from there only new records come [S7.1]", () =>
      Effect.gen(function* () {
        const source = yield* TranscriptSource
        const file = yield* adapter.driver
        assert.strictEqual(yield* source.end(file.path), 0)
        file.append("12")
        assert.strictEqual(yield* source.end(file.path), 0)
        file.append(`\n${'"old"\n'.repeat(50_000)}"half`)
        const end = yield* source.end(file.path)
        assert.strictEqual(end, 3 + 6 * 50_000)
        const reader = yield* follow(file.path, end)
        file.append(' a line"\n1\n')
        assert.deepStrictEqual(values(yield* reader.take(2)), ["half a line", 1])
      }).pipe(provided)
    )

    it.live("two readers of one file each get everything [S7.1]", () =>
      Effect.gen(function* () {
        const file = yield* adapter.driver
        const readers = [yield* follow(file.path), yield* follow(file.path)]
        file.append("1\n2\n")
        for (const reader of readers) assert.deepStrictEqual(values(yield* reader.take(2)), [1, 2])
      }).pipe(provided)
    )

    it.live.prop(
      "the records are those of the whole text, however it is written [S7.1]",
      [
        Schema.Array(Schema.Json).check(Schema.isMinLength(1)),
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))
      ],
      ([items, size]) =>
        Effect.gen(function* () {
          const file = yield* adapter.driver
          const reader = yield* follow(file.path)
          const bytes = new TextEncoder().encode(items.map((item) => `${JSON.stringify(item)}\n`).join(""))
          for (let at = 0; at < bytes.length; at += size) file.append(bytes.subarray(at, at + size))
          const read = values(yield* reader.take(items.length))
          assert.deepStrictEqual(read, JSON.parse(JSON.stringify(items)))
        }).pipe(provided),
      { arbitrary: { runs: 20 } }
    )
  })
}
