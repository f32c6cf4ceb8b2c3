import * as Argument from "effect/cli/Argument"
import * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Output from "./Output.ts"
import * as PolicyFlags from "./PolicyFlags.ts"

/** In place of a command: read commands from standard input. */
const FROM_INPUT = "-"

export const command = Command.make(
  "explain",
  {
    command: Argument.String("CMD").pipe(
      Argument.withDescription("The shell command as one word, or - for one JSON string per line of input")
    ),
    output: Output.flag,
    policy: PolicyFlags.policy,
    cwd: PolicyFlags.cwd
  },
  Effect.fnUntraced(function* (asked) {
    // Loaded when it runs, so that no other command starts slower for it (V13).
    const explanations = yield* Effect.promise(() => import("./PolicyExplanations.ts"))
    return yield* explanations.print({
      ...asked,
      command: asked.command === FROM_INPUT ? null : asked.command
    })
  })
).pipe(
  Command.validate(({ command: text, output }) =>
    text === FROM_INPUT && output !== "jsonl"
      ? Effect.fail(
          new CliError.ValidationError({ message: "Commands from standard input need --output jsonl" })
        )
      : Effect.void
  ),
  Command.withDescription(
    "Show what the policy says of a shell command: its parts, the rule that decides, and why"
  ),
  Command.withExamples([
    { command: "obstat policy explain 'git push --force'", description: "For reading" },
    {
      command: "obstat policy explain --policy strict.jsonc -C ~/project --output json 'rm -rf build'",
      description: "One document, under a policy of your own, as if run in ~/project"
    },
    {
      command: `echo '"true && rm -rf x"' | obstat policy explain --output jsonl -`,
      description: "One document per line; thousands can be checked in one process"
    }
  ])
)
