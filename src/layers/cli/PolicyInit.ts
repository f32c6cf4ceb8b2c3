import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import * as Output from "./Output.ts"
import * as PolicyFlags from "./PolicyFlags.ts"

const flags = {
  project: Flag.Boolean("project").pipe(
    Flag.withDescription("Write the file of the project in this folder instead of your own"),
    Flag.withDefault(false)
  ),
  cwd: PolicyFlags.cwd,
  output: Output.flag
}

/** What a person asked for on the command line. */
export type Asked = Command.Command.Config.Infer<typeof flags>

export const command = Command.make(
  "init",
  flags,
  Effect.fnUntraced(function* (asked) {
    // Loaded when it runs, so that no other command starts slower for it (V13).
    const { run } = yield* Effect.promise(() => import("./PolicyInitCommand.ts"))
    return yield* run(asked)
  })
).pipe(
  Command.withDescription(
    "Write the starter policy out, with comments, for you to change; never over a file"
  ),
  Command.withExamples([
    { command: "obstat policy init", description: "Your own rules, the starter's to begin with" },
    { command: "obstat policy init --project", description: "Rules for everybody who works on this project" }
  ])
)
