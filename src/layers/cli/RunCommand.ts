import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import * as TtyPersonSurface from "../../adapters/tty/TtyPersonSurface.ts"
import * as AuthorizerChain from "../../core/authority/AuthorizerChain.ts"
import * as Nobody from "../../core/authority/Nobody.ts"
import { Agent } from "../../core/call/Agent.ts"
import * as PolicyEngine from "../../core/policy/PolicyEngine.ts"
import * as Standalone from "../Standalone.ts"
import * as AnswersFile from "./AnswersFile.ts"
import * as Diagnostic from "./Diagnostic.ts"
import * as ExitCode from "./ExitCode.ts"
import * as LocalPolicy from "./LocalPolicy.ts"
import type { Asked } from "./Run.ts"
import * as RunPrompt from "./RunPrompt.ts"
import * as RunReport from "./RunReport.ts"
import * as RunTurn from "./RunTurn.ts"

/** The run ended with a status of its own; its report is printed already. */
class RunEnded extends Schema.TaggedError<RunEnded>()("RunEnded", {
  message: Schema.String,
  status: Schema.Int
}) {
  override readonly [Runtime.errorExitCode] = this.status
}

/** `OBSTAT_AGENT` names no agent. */
class UnknownAgent extends Schema.TaggedError<UnknownAgent>()("UnknownAgent", { agent: Schema.String }) {
  override get message() {
    return `OBSTAT_AGENT is ${JSON.stringify(this.agent)}; it must be one of ${Agent.literals.join(", ")}`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

const isAgent = Schema.is(Agent)

/** `OBSTAT_AGENT`, else Claude Code (C6). */
const defaultAgent = Effect.suspend(() => {
  const agent = process.env["OBSTAT_AGENT"] ?? "claude"
  return isAgent(agent) ? Effect.succeed(agent) : Effect.fail(new UnknownAgent({ agent }))
})

/** What `obstat run` does. */
export const run = Effect.fnUntraced(
  function* (asked: Asked) {
    const agent = Option.isSome(asked.agent) ? asked.agent.value : yield* defaultAgent
    const answers = yield* Option.match(asked.answers, {
      onNone: () => Effect.succeed({ answers: [] }),
      onSome: AnswersFile.read
    })
    const prompt = yield* RunPrompt.read(asked.words)
    const places = LocalPolicy.environment(asked.cwd)
    const policy = yield* LocalPolicy.load(places)
    const person = asked.nonInteractive ? Nobody.layer : TtyPersonSurface.layer()
    const services = Standalone.layer({
      env: process.env,
      authority: { node: randomUUID(), chain: AuthorizerChain.of(policy) },
      onJournalFailed: (error) => Diagnostic.print([error.message])
    }).pipe(Layer.provide(person), Layer.provide(PolicyEngine.layer(places)))
    // From here on an interruption ends the turn, and what it ended is still printed (C4).
    return yield* Effect.uninterruptibleMask((restore) =>
      RunTurn.run(
        {
          prompt,
          agent,
          cwd: places.cwd,
          model: asked.model,
          trust: asked.trust,
          timeout: asked.timeout,
          answers,
          onAsk: asked.onAsk,
          failOnDenied: asked.failOnDenied
        },
        restore
      ).pipe(
        Effect.tap((report) => RunReport.print(report, asked.output)),
        Effect.flatMap(({ error }) =>
          error === null
            ? Effect.void
            : Effect.fail(new RunEnded({ message: error.message, status: error.exitCode }))
        )
      )
    ).pipe(Effect.provide(services))
  },
  (effect, { policy, cwd }) =>
    Effect.provide(effect, LocalPolicy.layer(policy, LocalPolicy.environment(cwd), "with-admin"))
)
