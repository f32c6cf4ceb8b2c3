import * as Effect from "effect/Effect"
import type { Dialect } from "./Dialect.ts"
import type { Frame } from "./Frame.ts"
import type { StartupGate } from "./ScreenFact.ts"
import { BlockedPrompt } from "./SessionError.ts"
import type { Terminal } from "./Terminal.ts"

/** A recognised gate that is not cleared within this time is left to a person (S6.2). */
const gatePatience = "5 seconds"

export interface StartupOptions {
  readonly terminal: Terminal
  readonly dialect: Dialect
  /** Whether trust gates may be answered for the person (S6.2). Offers are declined either way (S6.4). */
  readonly trust: boolean
  /** True once closing began: then nothing is written any more (S2.4). */
  readonly closing: Effect.Effect<boolean>
  readonly onGate: (gate: StartupGate) => Effect.Effect<void>
  readonly onWriteFailed: (gate: StartupGate) => Effect.Effect<void>
}

const gateOf = (dialect: Dialect, frame: Frame): StartupGate | null => {
  const fact = dialect.screen.read(frame)
  return fact._tag === "startup" ? fact.gate : null
}

/**
 * Answers one gate: brings the wanted row under the cursor, sees it there on the screen, and only then
 * commits, once.
 */
const clear = Effect.fnUntraced(function* (options: StartupOptions, gate: StartupGate) {
  const { terminal, dialect } = options
  const stands = (frame: Frame) => gateOf(dialect, frame)?.label === gate.label
  const write = Effect.fnUntraced(function* (keys: string) {
    if (yield* options.closing) return false
    return yield* terminal.write(keys).pipe(
      Effect.as(true),
      Effect.catch(() => Effect.as(options.onWriteFailed(gate), false))
    )
  })

  if (gate.move !== "") {
    if (!(yield* write(gate.move))) return false
    const frame = yield* terminal.until((frame) => {
      const now = gateOf(dialect, frame)
      return now?.label !== gate.label || now.move === ""
    })
    if (!stands(frame)) return true
  }
  if (!(yield* write(gate.commit))) return false
  yield* terminal.until((frame) => !stands(frame))
  return true
})

/**
 * Watches a starting agent until its prompt field is there, answering the gates that may be answered and
 * nothing else (S6.2, S6.4).
 */
export const awaitComposer = Effect.fnUntraced(function* (options: StartupOptions) {
  const { terminal, dialect } = options
  for (;;) {
    const frame = yield* terminal.until((frame) => {
      const tag = dialect.screen.read(frame)._tag
      return tag === "composer" || tag === "startup"
    })
    const gate = gateOf(dialect, frame)
    if (gate === null) return frame
    if (gate.kind === "blocked" || (gate.kind === "trust" && !options.trust)) {
      return yield* new BlockedPrompt({ label: gate.label })
    }
    const cleared = yield* clear(options, gate).pipe(Effect.timeoutOption(gatePatience))
    if (cleared._tag === "None") return yield* new BlockedPrompt({ label: gate.label })
    if (cleared.value) yield* options.onGate(gate)
    else return yield* new BlockedPrompt({ label: gate.label })
  }
})
