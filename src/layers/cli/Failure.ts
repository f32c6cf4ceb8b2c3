import * as Cause from "effect/Cause"
import * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Diagnostic from "./Diagnostic.ts"
import * as ExitCode from "./ExitCode.ts"

/**
 * The status that a failure ends with. A command's error names its own through `Runtime.errorExitCode`; a wrong
 * command line is always `usage`; anything else is `failure`.
 */
const status = (error: unknown): number =>
  CliError.isCliError(error) ? ExitCode.of("usage") : Runtime.getErrorExitCode(error)

/** Where a defect came from, without its message, which may hold what a person or an agent wrote (X3). */
const origin = (defect: unknown): ReadonlyArray<string> =>
  defect instanceof Error
    ? [defect.name, ...(defect.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line))]
    : [typeof defect]

/** Says on standard error why a command ended, once, and gives the status to exit with (C1). */
export const report = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
  if (Cause.hasInterruptsOnly(cause)) return ExitCode.of("interrupted")
  const failure = cause.reasons.find(Cause.isFailReason)
  if (failure === undefined) {
    yield* Diagnostic.print(["internal error, please report it", ...origin(Cause.squash(cause))])
    return ExitCode.of("failure")
  }
  const { error } = failure
  // The presenter has already said what is wrong with the command line.
  if (!CliError.isCliError(error)) {
    yield* Diagnostic.print([error instanceof Error && error.message !== "" ? error.message : String(error)])
  }
  return status(error)
})
