import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import * as TtyPersonSurface from "../../adapters/tty/TtyPersonSurface.ts"
import * as Nobody from "../../core/authority/Nobody.ts"
import { Agent } from "../../core/call/Agent.ts"
import * as PolicyEngine from "../../core/policy/PolicyEngine.ts"
import * as Standalone from "../Standalone.ts"
import * as AnswersFile from "./AnswersFile.ts"
import * as ExitCode from "./ExitCode.ts"
import * as LocalPolicy from "./LocalPolicy.ts"
import * as PolicyFlags from "./PolicyFlags.ts"
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

const flags = {
  words: Argument.String("PROMPT").pipe(
    Argument.withDescription("The prompt, words joined by blanks; what is piped in follows it"),
    Argument.variadic()
  ),
  agent: Flag.Literals("agent", Agent.literals).pipe(
    Flag.withDescription("Which agent to run; without it OBSTAT_AGENT, else claude"),
    Flag.optional
  ),
  model: Flag.String("model").pipe(Flag.withDescription("The agent's own name of a model"), Flag.optional),
  cwd: PolicyFlags.cwd,
  policy: PolicyFlags.policy,
  answers: Flag.File("answers", { mustExist: true }).pipe(
    Flag.withDescription("Prepared answers to the agent's questions (JSON)"),
    Flag.optional
  ),
  timeout: Flag.String("timeout").pipe(
    Flag.withDescription('How long the turn may take, such as "10 minutes"; without it as long as it needs'),
    Flag.withSchema(Schema.DurationFromString),
    Flag.optional
  ),
  trust: Flag.Boolean("trust").pipe(
    Flag.withDescription("Answer the agent's own folder and extension trust dialogs"),
    Flag.withDefault(true)
  ),
  onAsk: Flag.Literals("on-ask", ["stop", "deny"]).pipe(
    Flag.withDescription(
      "When a call needs a person and none is there: stop with status 4, or deny it and go on"
    ),
    Flag.withDefault("stop" as const)
  ),
  nonInteractive: Flag.Boolean("non-interactive").pipe(
    Flag.withDescription("Never ask at the terminal"),
    Flag.withDefault(false)
  ),
  failOnDenied: Flag.Boolean("fail-on-denied").pipe(
    Flag.withDescription("Status 3 if any call was denied, even if the turn completed"),
    Flag.withDefault(false)
  ),
  output: Flag.Literals("output", RunReport.formats).pipe(
    Flag.withDescription("How to print the result"),
    Flag.withDefault("text" as const)
  )
}

export const command = Command.make(
  "run",
  flags,
  Effect.fnUntraced(function* (asked) {
    const agent = Option.isSome(asked.agent) ? asked.agent.value : yield* defaultAgent
    const answers = yield* Option.match(asked.answers, {
      onNone: () => Effect.succeed({ answers: [] }),
      onSome: AnswersFile.read
    })
    const prompt = yield* RunPrompt.read(asked.words)
    const places = LocalPolicy.environment(asked.cwd)
    yield* LocalPolicy.load(places)
    const person = asked.nonInteractive ? Nobody.layer : TtyPersonSurface.layer()
    const services = Standalone.layer({
      env: process.env,
      authority: { node: randomUUID(), chain: [] }
    }).pipe(Layer.provideMerge(person), Layer.provide(PolicyEngine.layer(places)))
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
  })
).pipe(
  Command.provide(({ policy, cwd }) => LocalPolicy.layer(policy, LocalPolicy.environment(cwd), "with-admin")),
  Command.withDescription("Gives an agent one prompt, under the policy, and prints what it answers"),
  Command.withExamples([
    { command: 'obstat run "Fix the failing test"', description: "One turn of the real CLI in this folder" },
    {
      command: "obstat run --output json --answers answers.json < prompt.txt",
      description: "Headless: questions are answered from a file, asks that need a person end the run"
    }
  ])
)
