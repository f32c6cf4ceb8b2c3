import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Completions from "./Completions.ts"
import * as Demo from "./Demo.ts"
import * as Doctor from "./Doctor.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Failure from "./Failure.ts"
import * as Journal from "./Journal.ts"
import * as Manifest from "./Manifest.ts"
import * as Output from "./Output.ts"
import * as Policy from "./Policy.ts"
import * as Presenter from "./Presenter.ts"
import * as Run from "./Run.ts"

/** The command tree. A command is one file beside this one, and one entry here. */
const command = Command.make("obstat").pipe(
  Command.withDescription(
    [
      "Stands between coding agents and the machine until a policy, or a person, says so.",
      "",
      "  Exit status:",
      ...Object.values(ExitCode.table)
        .toSorted((a, b) => a.code - b.code)
        .map(({ code, meaning }) => `  ${`${code}`.padStart(5)}  ${meaning}`)
    ].join("\n")
  ),
  Command.withExamples([
    {
      command: "obstat policy explain 'git push --force'",
      description: "See what the policy says of a command, and why"
    }
  ]),
  Command.withSubcommands([
    Demo.command,
    Run.command,
    Policy.command,
    Doctor.command,
    Journal.command,
    Completions.make((): Command.Command.Any => command)
  ])
)

const services = Presenter.layer.pipe(
  Layer.provideMerge(Output.layer),
  Layer.provideMerge(NodeServices.layer)
)

/** Runs one command line. Never fails: it succeeds with the exit status, and has said on standard error why (C1). */
export const run = (args: ReadonlyArray<string>): Effect.Effect<number> =>
  Command.runWith(command, { version: Manifest.version })(args).pipe(
    Effect.as(ExitCode.of("ok")),
    Effect.catchTag("OutputClosed", () => Effect.succeed(ExitCode.of("ok"))),
    Effect.catchCause(Failure.report),
    Effect.provide(services)
  )
