import * as Argument from "effect/cli/Argument"
import * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import * as Output from "./Output.ts"

const flags = {
  directory: Argument.Directory("DIR").pipe(
    Argument.withDescription("The project, without it this folder"),
    Argument.withDefault(".")
  ),
  list: Flag.Boolean("list").pipe(
    Flag.withDescription(
      "Show the projects that are trusted, and whether their files still are what was read"
    ),
    Flag.withDefault(false)
  ),
  revoke: Flag.Boolean("revoke").pipe(
    Flag.withDescription("Trust the project's file no longer"),
    Flag.withDefault(false)
  ),
  yes: Flag.Boolean("yes").pipe(
    Flag.withDescription("Trust it without being asked; for a file that you have read"),
    Flag.withDefault(false)
  ),
  output: Output.flag
}

/** What a person asked for on the command line. */
export type Asked = Command.Command.Config.Infer<typeof flags>

export const command = Command.make(
  "trust",
  flags,
  Effect.fnUntraced(function* (asked) {
    // Loaded when it runs, so that no other command starts slower for it (V13).
    const { run } = yield* Effect.promise(() => import("./PolicyTrustCommand.ts"))
    return yield* run(asked)
  })
).pipe(
  Command.validate(({ list, revoke, yes }) =>
    [list, revoke, yes].filter(Boolean).length > 1
      ? Effect.fail(
          new CliError.ValidationError({ message: "--list, --revoke and --yes exclude each other" })
        )
      : Effect.void
  ),
  Command.withDescription(
    "Accept a project's policy file as it is now, so that what it allows counts; a changed byte ends that"
  ),
  Command.withExamples([
    {
      command: "obstat policy trust",
      description: "Read the file of this folder's project, and accept it or not"
    },
    { command: "obstat policy trust --list", description: "What is trusted" },
    { command: "obstat policy trust --revoke ~/project", description: "Only its ask and deny count again" }
  ])
)
