import * as Effect from "effect/Effect"
import type { FoundProgram } from "./AgentProgram.ts"
import * as Characterised from "./Characterised.ts"
import type { Dialect } from "./Dialect.ts"
import type { Events } from "./Events.ts"
import type { SessionWarning } from "./SessionEvent.ts"

/** What is known of a program beside its running: that it was measured (S4.4), and its gate proved here (S5.2). */
export const publish = (options: {
  readonly dialect: Dialect
  readonly program: FoundProgram
  readonly proved: Effect.Effect<boolean>
  readonly events: Events
}): Effect.Effect<void> => {
  const { dialect, events, program } = options
  const warn = (warning: SessionWarning) => events.publish("process", { _tag: "warning", warning })
  const proof = Effect.flatMap(options.proved, (proved) =>
    proved ? Effect.void : warn({ code: "gate_unproved", detail: "run: obstat doctor" })
  )
  const version = Effect.flatMap(program.version, (printed) =>
    Characterised.covers(dialect, printed)
      ? Effect.void
      : warn({ code: "cli_version_uncharacterised", detail: dialect.version(printed) ?? "unknown" })
  )
  return Effect.all([proof, version], { concurrency: "unbounded", discard: true })
}
