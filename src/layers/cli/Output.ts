import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Flag from "effect/cli/Flag"
import type { Writable } from "node:stream"
import * as TerminalText from "../../core/ask/TerminalText.ts"

/** How a command prints its result: for reading, as one document, or as one document per line. */
const formats = ["text", "json", "jsonl"] as const
export type Format = (typeof formats)[number]

export const flag = Flag.Literals("output", formats).pipe(
  Flag.withDefault("text" as const),
  Flag.withDescription("How to print the result")
)

/** Whoever read standard output closed it. Not a failure: the command stops quietly with status 0 (C1, C4). */
export class OutputClosed extends Schema.TaggedError<OutputClosed>()("OutputClosed", {}) {}

/**
 * Standard output. `write` returns once the operating system has taken the whole text, so a slow reader slows
 * the writer and nothing is left behind when the process exits.
 */
export class Output extends Context.Service<
  Output,
  { readonly write: (text: string) => Effect.Effect<void, OutputClosed> }
>()("obstat/cli/Output") {}

/** Errors that say that nobody reads any more, as the platforms name them. */
const closedCodes: ReadonlySet<string | undefined> = new Set([
  "EPIPE",
  "ECONNRESET",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END"
])

const make = (stream: Writable) => {
  // The callback of each write reports the same error; without a listener Node would end the process over it.
  stream.on("error", () => undefined)
  return Output.of({
    write: (text) =>
      text === ""
        ? Effect.void
        : Effect.callback<void, OutputClosed>((resume) => {
            stream.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
              if (error === null || error === undefined) return resume(Effect.void)
              resume(closedCodes.has(error.code) ? Effect.fail(new OutputClosed()) : Effect.die(error))
            })
          })
  })
}

export const layer = Layer.sync(Output, () => make(process.stdout))

/** Prints a text for a person. The caller has made it safe for a terminal; one final newline is added. */
export const text = (value: string) => Output.use((output) => output.write(value === "" ? "" : `${value}\n`))

/**
 * JSON that no terminal can mistake for a command (C2, X4): `JSON.stringify` leaves DEL, the C1 controls and the
 * invisible format characters as they are, so they are escaped too. It is the same document to any parser.
 */
const stringify = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, indent).replaceAll(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`
    ).join("")
  )

/** Prints one document. */
export const json =
  <S extends Schema.ConstraintEncoder<unknown>>(schema: S) =>
  (value: S["Type"]) =>
    text(stringify(Schema.encodeUnknownSync(schema)(value), 2))

/** Prints one result in the format that was asked for; `read` is its text for a person. */
export const result =
  <S extends Schema.ConstraintEncoder<unknown>>(schema: S) =>
  (format: Format, value: S["Type"], read: (value: S["Type"]) => string) => {
    switch (format) {
      case "text":
        return text(TerminalText.visible(read(value)).lines.join("\n"))
      case "json":
        return json(schema)(value)
      case "jsonl":
        return jsonl(schema)(Stream.make(value))
    }
  }

/**
 * Prints one document per line as they come, with one write per chunk. The stream is pulled no faster than its
 * output is read.
 */
export const jsonl =
  <S extends Schema.ConstraintEncoder<unknown>>(schema: S) =>
  <E, R>(values: Stream.Stream<S["Type"], E, R>) => {
    const encode = Schema.encodeUnknownSync(schema)
    return Stream.runForEachArray(values, (chunk) =>
      Output.use((output) => output.write(chunk.map((value) => `${stringify(encode(value), 0)}\n`).join("")))
    )
  }
