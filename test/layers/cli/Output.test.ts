import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Output from "../../../src/layers/cli/Output.ts"

const Document = Schema.Struct({ text: Schema.String })

/** Any text at all: every code point, lone surrogates too. */
const CodePoints = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0x10ffff })))

/** Collects what is printed. */
const printed = <E>(print: Effect.Effect<void, E, Output.Output>) =>
  Effect.gen(function* () {
    const chunks: Array<string> = []
    yield* Effect.provideService(
      print,
      Output.Output,
      Output.Output.of({ write: (text) => Effect.sync(() => void chunks.push(text)) })
    )
    return chunks
  })

describe("Output", () => {
  it.effect.prop(
    "prints every document as JSON that no terminal obeys [C2] [X4]",
    { codePoints: CodePoints },
    ({ codePoints }) =>
      Effect.gen(function* () {
        const document = { text: codePoints.map((point) => String.fromCodePoint(point)).join("") }
        const [json = ""] = yield* printed(Output.json(Document)(document))
        const [line = ""] = yield* printed(Output.jsonl(Document)(Stream.make(document)))
        expect(JSON.parse(json)).toEqual(document)
        expect(JSON.parse(line)).toEqual(document)
        expect(line.indexOf("\n")).toBe(line.length - 1)
        // Controls, format characters, private and unassigned ones: anything but what is drawn as itself.
        expect(`${json}${line}`).not.toMatch(/[^\P{C}\n]/u)
      })
  )

  it.effect("ends text with one newline, and prints nothing for nothing [C2]", () =>
    Effect.gen(function* () {
      expect(yield* printed(Output.text("words"))).toEqual(["words\n"])
      expect((yield* printed(Output.text(""))).join("")).toBe("")
    })
  )

  it.effect("prints one line per document, in order", () =>
    Effect.gen(function* () {
      const chunks = yield* printed(Output.jsonl(Document)(Stream.make({ text: "a" }, { text: "b\nc" })))
      expect(chunks.join("")).toBe('{"text":"a"}\n{"text":"b\\nc"}\n')
    })
  )

  it.effect("takes no further document while the reader is slow", () =>
    Effect.gen(function* () {
      const reader = yield* Deferred.make<void>()
      const writes = yield* Queue.unbounded<string>()
      const pulled: Array<number> = []
      const documents = Stream.range(1, 1_000).pipe(
        Stream.tap((number) => Effect.sync(() => pulled.push(number))),
        Stream.map((number) => ({ text: `${number}` }))
      )
      const fiber = yield* Output.jsonl(Document)(documents).pipe(
        Effect.provideService(
          Output.Output,
          Output.Output.of({
            write: (text) => Effect.andThen(Queue.offer(writes, text), Deferred.await(reader))
          })
        ),
        Effect.forkChild
      )
      yield* Queue.take(writes)
      expect(pulled).toHaveLength(1)
      yield* Deferred.succeed(reader, undefined)
      yield* Fiber.join(fiber)
      expect(pulled).toHaveLength(1_000)
    })
  )

  it.effect("stops when the reader is gone [C1]", () =>
    Effect.gen(function* () {
      let pulled = 0
      const endless = Stream.fromEffectRepeat(Effect.sync(() => ({ text: `${pulled++}` })))
      const gone = yield* Output.jsonl(Document)(endless).pipe(
        Effect.provideService(
          Output.Output,
          Output.Output.of({
            write: () => (pulled > 3 ? Effect.fail(new Output.OutputClosed()) : Effect.void)
          })
        ),
        Effect.flip
      )
      expect(gone._tag).toBe("OutputClosed")
    })
  )
})
