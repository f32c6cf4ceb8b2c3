import * as Effect from "effect/Effect"
import type { Dialect } from "./Dialect.ts"
import type { Frame } from "./Frame.ts"
import type { Terminal } from "./Terminal.ts"

/** A dialog that our own reply takes away, or that is being painted, is gone well within this time (S5.6). */
const grace = "2 seconds"

/** What stands in front that no request of ours covers, in words for a person; `null` if nothing does. */
const inFront = (dialect: Dialect, frame: Frame): string | null => {
  const fact = dialect.screen.read(frame)
  switch (fact._tag) {
    case "permission":
      return "permission dialog"
    case "question":
      return fact.recognised ? null : "question editor"
    case "startup":
      return fact.gate.label
    case "composer":
    case "unknown":
      return null
  }
}

/**
 * Says when something on the agent's screen needs a person, and when it is gone again (Q4.8). It only looks:
 * what is not recognised gets no key.
 */
export const watch = (options: {
  readonly terminal: Terminal
  readonly dialect: Dialect
  /** Whether a request of ours stands for what is in front: then a person is being asked already. */
  readonly covered: () => boolean
  readonly onRaised: (what: string) => Effect.Effect<void>
  readonly onGone: Effect.Effect<void>
}) =>
  Effect.gen(function* () {
    const { terminal, dialect } = options
    const needed = (frame: Frame) => (options.covered() ? null : inFront(dialect, frame))
    for (;;) {
      yield* terminal.until((frame) => needed(frame) !== null)
      yield* Effect.sleep(grace)
      const what = needed(yield* terminal.settled)
      if (what === null) continue
      yield* options.onRaised(what)
      yield* terminal.until((frame) => needed(frame) === null)
      yield* options.onGone
    }
  })
