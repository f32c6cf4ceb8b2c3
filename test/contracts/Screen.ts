import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type { Frame } from "../../src/core/session/Frame.ts"
import { Screen, type ScreenBuffer } from "../../src/core/session/Screen.ts"
import * as Recordings from "../fixtures/Recordings.ts"

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "utf8"))

/** All that is seen, without the counts of how it came to be. */
const seen = (frame: Frame) => ({ ...frame, sequence: 0, bytes: 0 })

const open = Effect.fnUntraced(function* (size: { readonly cols: number; readonly rows: number }) {
  return yield* (yield* Screen).open(size)
})

const writeAll = (screen: ScreenBuffer, parts: ReadonlyArray<Uint8Array>) =>
  Effect.forEach(parts, (part) => screen.write(part.slice()))

/** Seeds of places to cut at; spread over the whole, since what is generated is mostly small. */
const seeds = (maxLength: number) =>
  Arbitrary.array(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))), {
    minLength: 1,
    maxLength
  })

const cut = (whole: Uint8Array, places: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const spread = places.map((seed) => (Math.imul(seed + 1, 2_654_435_761) >>> 0) % (whole.length + 1))
  const at = [0, ...spread.toSorted((a, b) => a - b), whole.length]
  return at.slice(1).map((end, index) => whole.subarray(at[index], end))
}

/** A property over places to cut at, with the same screens' layer for all its runs. */
const holds = <E, R>(
  maxLength: number,
  runs: number,
  property: (places: ReadonlyArray<number>) => Effect.Effect<void, E, R>
) =>
  Arbitrary.checkEffect(seeds(maxLength), (places) => Effect.as(property(places), true), { runs }).pipe(
    Effect.map((result) => assert.strictEqual(Arbitrary.formatCheckFailure(result), undefined))
  )

/** What every screen guarantees. */
export const contract = ({ layer }: { readonly layer: Layer.Layer<Screen> }): void => {
  const provided = <A, E>(effect: Effect.Effect<A, E, Screen | Scope.Scope>) => Effect.provide(effect, layer)

  describe("contract", () => {
    it.live("a frame has rows with their attributes, the cursor, the title and the modes [S1.2]", () =>
      Effect.gen(function* () {
        const screen = yield* open({ cols: 20, rows: 4 })
        const frame = yield* screen.write(
          bytes(
            "\u001b[1mbold\u001b[0m 箱 \u001b[2;7mboth\u001b[0m\r\n\u001b]2;a title\u0007\u001b[?2004h" +
              "w".repeat(25)
          )
        )
        assert.deepStrictEqual(frame, {
          sequence: 1,
          bytes: 78,
          cols: 20,
          rows: 4,
          lines: [
            {
              text: "bold 箱 both",
              wrapped: false,
              marks: [
                { start: 0, end: 4, dim: false, inverse: false, bold: true },
                { start: 8, end: 12, dim: true, inverse: true, bold: false }
              ]
            },
            { text: "w".repeat(20), wrapped: false, marks: [] },
            { text: "wwwww", wrapped: true, marks: [] },
            { text: "", wrapped: false, marks: [] }
          ],
          cursor: { x: 5, y: 2, visible: true },
          title: "a title",
          modes: { alternateScreen: false, bracketedPaste: true }
        })
        const next = yield* screen.write(bytes("\u001b[?25l\u001b[?1049h\u001b[?2004lx"))
        assert.deepStrictEqual(next.modes, { alternateScreen: true, bracketedPaste: false })
        assert.isFalse(next.cursor.visible)
        const back = yield* screen.write(bytes("\u001b[?1049l\u001b[?25h"))
        assert.deepStrictEqual(seen(back).lines, frame.lines)
        assert.isTrue(back.cursor.visible)
        assert.strictEqual(back.sequence, 3)
      }).pipe(provided)
    )

    it.live("batches are rendered in the order of the calls, a frame for each [S1.2]", () =>
      Effect.gen(function* () {
        const screen = yield* open({ cols: 40, rows: 5 })
        const words = Array.from({ length: 30 }, (_, index) => `${index},`)
        const frames = yield* Effect.forEach(words, (word) => screen.write(bytes(word)), {
          concurrency: "unbounded"
        })
        let text = ""
        frames.forEach((frame, index) => {
          text += words[index]!
          assert.strictEqual(frame.sequence, index + 1)
          assert.strictEqual(frame.bytes, text.length)
          assert.strictEqual(frame.lines.map((line) => line.text).join(""), text)
        })
      }).pipe(provided)
    )

    it.live("a frame does not change when the next one comes [S1.2]", () =>
      Effect.gen(function* () {
        const screen = yield* open({ cols: 40, rows: 5 })
        const first = yield* screen.write(bytes("first"))
        const copy = structuredClone(first)
        yield* screen.write(bytes("\u001b[H\u001b[2Jsecond"))
        assert.deepStrictEqual(first, copy)
      }).pipe(provided)
    )

    it.live("a resize takes its place among the batches [S1.1]", () =>
      Effect.gen(function* () {
        const screen = yield* open({ cols: 10, rows: 3 })
        const [before, resized, after] = yield* Effect.all(
          [screen.write(bytes("0123456789ab")), screen.resize(12, 4), screen.write(bytes("c"))],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          before.lines.map((line) => line.text),
          ["0123456789", "ab", ""]
        )
        assert.deepStrictEqual([resized.cols, resized.rows, resized.lines.length], [12, 4, 4])
        assert.deepStrictEqual(
          after.lines.map((line) => line.text),
          ["0123456789", "abc", "", ""]
        )
        assert.strictEqual(after.sequence, 3)
      }).pipe(provided)
    )

    it.live("the emulator's answers to queries come apart from frames, in order [S1.6]", () =>
      Effect.gen(function* () {
        const screen = yield* open({ cols: 20, rows: 4 })
        const replies: Array<string> = []
        screen.onReply((text) => replies.push(text))
        const frame = yield* screen.write(bytes("ab\u001b[6n\r\n\u001b[6n\u001b[c"))
        assert.deepStrictEqual(replies.slice(0, 2), ["\u001b[1;3R", "\u001b[2;1R"])
        assert.match(replies[2]!, /^\u001b\[\?[\d;]+c$/)
        assert.strictEqual(replies.length, 3)
        assert.deepStrictEqual(
          frame.lines.map((line) => line.text),
          ["ab", "", "", ""]
        )
      }).pipe(provided)
    )

    it.live("closing settles what is open, and leaves other screens alone [S1.3]", () =>
      Effect.gen(function* () {
        const other = yield* open({ cols: 20, rows: 4 })
        const scope = yield* Scope.make()
        const screen = yield* Scope.provide(open({ cols: 20, rows: 4 }), scope)
        const write = yield* Effect.forkChild(Effect.flip(screen.write(bytes("x".repeat(60_000)))), {
          startImmediately: true
        })
        yield* Scope.close(scope, Exit.void)
        assert.strictEqual((yield* Fiber.join(write))._tag, "ScreenLost")
        assert.strictEqual((yield* Effect.flip(screen.serialize))._tag, "ScreenLost")
        assert.strictEqual((yield* other.write(bytes("lives"))).lines[0]!.text, "lives")
      }).pipe(provided)
    )

    for (const [name, recording] of Recordings.terminal) {
      it.live(`output split anywhere renders the same: ${name} [S1.4]`, () =>
        Effect.gen(function* () {
          const whole = yield* open(Recordings.size)
          const expected = seen(yield* whole.write(recording.slice()))
          const renders = Effect.fnUntraced(function* (parts: ReadonlyArray<Uint8Array>) {
            const frames = yield* writeAll(yield* open(Recordings.size), parts)
            assert.deepStrictEqual(seen(frames.at(-1)!), expected)
            assert.strictEqual(frames.at(-1)!.bytes, recording.length)
          }, Effect.scoped)
          yield* renders(Array.from(recording, (byte) => Uint8Array.of(byte)))
          yield* holds(40, 100, (places) => renders(cut(recording, places)))
        }).pipe(provided)
      )

      it.live(`a late screen fed the snapshot and what follows equals the live one: ${name} [S1.5]`, () =>
        holds(3, 200, (places) =>
          Effect.gen(function* () {
            const live = yield* open(Recordings.size)
            const late = yield* open(Recordings.size)
            const parts = cut(recording, places)
            const before = yield* writeAll(live, parts.slice(0, -1))
            const drawn = yield* late.write((yield* live.serialize).slice())
            assert.deepStrictEqual(comparable(drawn), comparable(before.at(-1)!))
            const end = yield* live.write(parts.at(-1)!.slice())
            const followed = yield* late.write(parts.at(-1)!.slice())
            assert.deepStrictEqual(comparable(followed), comparable(end))
          }).pipe(Effect.scoped)
        ).pipe(provided)
      )
    }
  })
}

/** A screen's first row may continue one that has left it; no output can say that of the first row. */
const comparable = (frame: Frame) => ({
  ...seen(frame),
  lines: frame.lines.map((line, row) => (row === 0 ? { ...line, wrapped: false } : line))
})
