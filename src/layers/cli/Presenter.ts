import * as CliConfig from "effect/cli/CliConfig"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Diagnostic from "./Diagnostic.ts"
import * as Output from "./Output.ts"

/** What to do instead, for mistakes whose cure the parser cannot know. */
const cure = (error: CliError.NonShowHelpErrors, commandPath: ReadonlyArray<string>): ReadonlyArray<string> =>
  // There is no bare `obstat "prompt"`: a mistyped command must not start an agent (C11).
  error._tag === "UnknownSubcommand" && commandPath.length === 1 && error.suggestions.length === 0
    ? ['To give an agent a prompt: obstat run "PROMPT"']
    : []

/**
 * Help and version that were asked for go to standard output; a wrong invocation is answered on standard error
 * alone, with the mistake, its cure and where the help is (C1).
 */
const presenter = Layer.effect(
  CliOutput.Presenter,
  Effect.gen(function* () {
    const output = yield* Output.Output
    const capabilities = yield* TerminalCapabilities.TerminalCapabilities
    const formatter = CliOutput.defaultFormatter({ colors: capabilities.canColor, globalFlags: "summary" })
    const print = (text: string) =>
      output.write(`${text}\n`).pipe(Effect.catchTag("OutputClosed", () => Effect.void))
    return {
      present: (event) => {
        switch (event._tag) {
          case "Version":
            return print(`${event.name} ${event.version}`)
          case "Help":
            return event.reason === "Requested"
              ? print(formatter.formatHelpDoc(event.helpDoc))
              : Console.error(formatter.formatHelpDoc(event.helpDoc))
          case "InvalidInvocation":
            return Diagnostic.print([
              ...event.errors.flatMap((error) => [error.message, ...cure(error, event.commandPath)]),
              `Usage: ${event.commandPath.join(" ")} --help`
            ])
        }
      }
    }
  })
)

/** What every `obstat` command has: `--help` and `--version`. */
export const layer = Layer.mergeAll(
  presenter,
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] })
)
