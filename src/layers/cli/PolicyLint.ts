import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Output from "./Output.ts"
import * as PolicyFlags from "./PolicyFlags.ts"

const flags = { policy: PolicyFlags.policy, cwd: PolicyFlags.cwd, output: Output.flag }

/** What a person asked for on the command line. */
export type Asked = Command.Command.Config.Infer<typeof flags>

export const command = Command.make(
  "lint",
  flags,
  Effect.fnUntraced(function* (asked) {
    // Loaded when it runs, so that no other command starts slower for it (V13).
    const { run } = yield* Effect.promise(() => import("./PolicyLintCommand.ts"))
    return yield* run(asked)
  })
).pipe(
  Command.withDescription(
    "Find rules that cannot do what they say, or allow more than they seem to; status 1 if there are any"
  ),
  Command.withExamples([
    { command: "obstat policy lint", description: "Your own file and this project's" },
    { command: "obstat policy lint --policy candidate.jsonc", description: "One file by itself" }
  ])
)
