import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Agent } from "../../core/call/Agent.ts"
import * as PolicyFlags from "./PolicyFlags.ts"
import * as RunReport from "./RunReport.ts"

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

/** What a person asked for on the command line. */
export type Asked = Command.Command.Config.Infer<typeof flags>

export const command = Command.make(
  "run",
  flags,
  Effect.fnUntraced(function* (asked) {
    // Loaded when it runs, so that no other command starts slower for it (V13).
    const { run } = yield* Effect.promise(() => import("./RunCommand.ts"))
    return yield* run(asked)
  })
).pipe(
  Command.withDescription("Gives an agent one prompt, under the policy, and prints what it answers"),
  Command.withExamples([
    { command: 'obstat run "Fix the failing test"', description: "One turn of the real CLI in this folder" },
    {
      command: "obstat run --output json --answers answers.json < prompt.txt",
      description: "Headless: questions are answered from a file, asks that need a person end the run"
    }
  ])
)
