import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as ExitCode from "./ExitCode.ts"

/** The longest prompt, in UTF-8 bytes; enforced while reading, so that no more than this is ever held (C8). */
const limit = 8 * 1024 * 1024

/** There is no prompt to give, or it is more than any agent takes. */
class InvalidPrompt extends Schema.TaggedError<InvalidPrompt>()("InvalidPrompt", {
  problem: Schema.Literals(["empty", "too_long", "unreadable"])
}) {
  override get message() {
    return {
      empty: 'there is no prompt: give one as words (obstat run "PROMPT") or on standard input',
      too_long: `the prompt is longer than ${limit} bytes`,
      unreadable: "standard input could not be read as UTF-8"
    }[this.problem]
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

/** What is piped in, up to the limit; a terminal is never read (C8). */
const piped = Effect.gen(function* () {
  if (process.stdin.isTTY) return ""
  const stdio = yield* Stdio.Stdio
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* stdio.stdin.pipe(
    Stream.mapError(() => new InvalidPrompt({ problem: "unreadable" })),
    Stream.runForEach((chunk) => {
      size += chunk.length
      if (size > limit) return Effect.fail(new InvalidPrompt({ problem: "too_long" }))
      chunks.push(chunk)
      return Effect.void
    })
  )
  return yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)),
    catch: () => new InvalidPrompt({ problem: "unreadable" })
  })
})

/** The prompt of a run: the words, joined by blanks, and behind them what is piped in. */
export const read = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const said = words.join(" ")
  const prompt = [said, (yield* piped).trimEnd()].filter((part) => part.trim() !== "").join("\n\n")
  if (prompt === "") return yield* new InvalidPrompt({ problem: "empty" })
  if (Buffer.byteLength(prompt) > limit) return yield* new InvalidPrompt({ problem: "too_long" })
  return prompt
})
