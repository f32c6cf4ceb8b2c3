import * as Effect from "effect/Effect"
import type { Dialect } from "./Dialect.ts"
import type { Frame } from "./Frame.ts"
import { PromptNotTaken, SessionOver } from "./SessionError.ts"
import type { Terminal } from "./Terminal.ts"

/** A swallowed prompt is retried at most twice, then it fails (S3.3). */
const maximumAttempts = 3

/** How long one attempt looks for the agent's evidence before the screen is read again. */
const evidencePatience = "8 seconds"

/** How long a pasted text may take to show in the prompt field. */
const echoPatience = "5 seconds"

export interface PromptOptions {
  readonly terminal: Terminal
  readonly dialect: Dialect
  readonly text: string
  /** Resolves once nothing holds ordinary input: no question, no ask in front (Q4.8). */
  readonly unheld: Effect.Effect<void>
  readonly held: () => boolean
  readonly closing: Effect.Effect<boolean>
  /** Resolves once the agent's own record says that it took the prompt: the strongest evidence, at any moment. */
  readonly taken: Effect.Effect<void>
}

const composer = (dialect: Dialect, frame: Frame) => {
  const fact = dialect.screen.read(frame)
  return fact._tag === "composer" ? fact : null
}

/**
 * Types one prompt: waits for an empty prompt field, pastes, sees the text arrive, and only then submits; a
 * dialog, a question or a person's draft in front is waited for, never typed into (S3.3).
 */
export const submit = Effect.fnUntraced(function* (options: PromptOptions) {
  const { terminal, dialect } = options
  const { keys } = dialect.screen

  /** One write, if at this moment the newest frame still shows what `fits` asks for. */
  const write = Effect.fnUntraced(function* (text: string, fits: (frame: Frame) => boolean) {
    if (yield* options.closing) return yield* new SessionOver()
    const frame = yield* terminal.settled
    if (options.held() || !fits(frame)) return false
    yield* terminal.write(text).pipe(Effect.mapError(() => new SessionOver()))
    return true
  })
  const draft = (frame: Frame) => composer(dialect, frame)?.draft ?? null
  const working = (frame: Frame) => composer(dialect, frame)?.working === true

  const type = Effect.gen(function* () {
    // A command may be carried out, and be seen working, without beginning a turn: only the agent's record tells,
    // and it must not be given again.
    const isCommand = dialect.screen.isCommand(options.text)
    const attempts = isCommand ? 1 : maximumAttempts
    const evidence = isCommand ? Effect.never : terminal.until(working)
    /** What our own paste looked like in the prompt field; nothing else is ever submitted. */
    let pasted: string | null = null
    const ours = (frame: Frame) => pasted !== null && draft(frame) === pasted
    let attempt = 0
    while (attempt < attempts) {
      yield* options.unheld
      const front = yield* terminal.until((frame) => draft(frame) === "" || ours(frame))
      if (draft(front) === "") {
        if (!(yield* write(keys.prompt(options.text), (frame) => draft(frame) === ""))) continue
        const echo = yield* terminal
          .until((frame) => (draft(frame) ?? "") !== "")
          .pipe(Effect.timeoutOption(echoPatience))
        attempt += 1
        if (echo._tag === "None") continue
        // A long paste may arrive over several frames: what counts is what stands once all of it is drawn.
        pasted = draft(yield* terminal.settled)
      } else attempt += 1
      if (!(yield* write(keys.submit, ours))) continue
      const seen = yield* Effect.timeoutOption(evidence, evidencePatience)
      if (seen._tag === "Some") return
    }
    return yield* new PromptNotTaken({ attempts: attempt })
  })
  yield* Effect.raceFirst(type, options.taken)
})
