import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as Output from "./Output.ts"

/** Shells that we write completions for (C29). */
const shells = ["bash", "zsh", "fish"] as const

/** `obstat completions SHELL`, for the tree that `root` gives. */
export const make = (root: () => Command.Command.Any) =>
  Command.make(
    "completions",
    { shell: Argument.Literals("SHELL", shells).pipe(Argument.withDescription("The shell to complete in")) },
    ({ shell }) =>
      Output.text(
        Completions.generate("obstat", shell, Completions.fromCommand(root()))
          // Effect's own spelling of the command that prints it.
          .replaceAll("obstat --completions", "obstat completions")
          .trimEnd()
      )
  ).pipe(
    Command.withDescription("Print a completion script"),
    Command.withExamples([
      { command: 'eval "$(obstat completions bash)"', description: "Complete in this shell" },
      { command: "obstat completions fish | source", description: "The same in fish" }
    ])
  )
