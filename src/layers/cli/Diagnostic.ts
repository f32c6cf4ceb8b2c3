import * as Console from "effect/Console"
import * as TerminalText from "../../core/ask/TerminalText.ts"

/** Says something on standard error, the first line under our name. Arguments and file names show no controls. */
export const print = (lines: ReadonlyArray<string>) =>
  Console.error(TerminalText.visible(`obstat: ${lines.join("\n")}`).lines.join("\n"))
