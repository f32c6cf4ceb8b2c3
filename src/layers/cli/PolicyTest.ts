import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Output from "./Output.ts"
import * as PolicyFlags from "./PolicyFlags.ts"

const flags = {
  file: Argument.File("FILE", { mustExist: true }).pipe(
    Argument.withDescription("Cases: commands or tool calls, and the ruling expected of each")
  ),
  policy: PolicyFlags.policy,
  cwd: PolicyFlags.cwd,
  output: Output.flag
}

/** What a person asked for on the command line. */
export type Asked = Command.Command.Config.Infer<typeof flags>

export const command = Command.make(
  "test",
  flags,
  Effect.fnUntraced(function* (asked) {
    // Loaded when it runs, so that no other command starts slower for it (V13).
    const { run } = yield* Effect.promise(() => import("./PolicyTestCommand.ts"))
    return yield* run(asked)
  })
).pipe(
  Command.withDescription("Check that the policy rules as a file of cases says; status 1 if it does not"),
  Command.withExamples([
    {
      command: "obstat policy test --policy .obstat/obstat.jsonc .obstat/cases.jsonc",
      description: 'In CI, with cases like { "command": "git push --force", "expect": "deny" }'
    },
    { command: "obstat policy schema --of cases", description: "The form of such a file" }
  ])
)
