import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import * as PolicyFlags from "./PolicyFlags.ts"

const flags = {
  file: Argument.File("FILE", { mustExist: true }).pipe(
    Argument.withDescription("The other gate's file: settings.json, config.json, opencode.json")
  ),
  from: Flag.Literals("from", ["claude", "opencode", "pi-permission-system"]).pipe(
    Flag.withDescription("Whose file it is")
  ),
  write: Flag.Boolean("write").pipe(
    Flag.withDescription("Add the rules to your own file, instead of printing a file of them"),
    Flag.withDefault(false)
  ),
  project: Flag.Boolean("project").pipe(
    Flag.withDescription("With --write: to the file of the project in this folder"),
    Flag.withDefault(false)
  ),
  cwd: PolicyFlags.cwd,
  output: Flag.Literals("output", ["text", "json"]).pipe(
    Flag.withDefault("text" as const),
    Flag.withDescription("How to print the result")
  )
}

/** What a person asked for on the command line. */
export type Asked = Command.Command.Config.Infer<typeof flags>

export const command = Command.make(
  "import",
  flags,
  Effect.fnUntraced(function* (asked) {
    // Loaded when it runs, so that no other command starts slower for it (V13).
    const { run } = yield* Effect.promise(() => import("./PolicyImportCommand.ts"))
    return yield* run(asked)
  })
).pipe(
  Command.withDescription(
    "Bring rules along from another gate; what has no form here is said on standard error"
  ),
  Command.withExamples([
    {
      command: "obstat policy import --from claude ~/.claude/settings.json > candidate.jsonc",
      description: "Look at what comes out of your settings"
    },
    {
      command: "obstat policy import --from claude --write --project .claude/settings.json",
      description: "Add a project's rules to its .obstat/obstat.jsonc, whose comments stay"
    }
  ])
)
