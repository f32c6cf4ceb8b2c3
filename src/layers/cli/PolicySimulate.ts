import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import * as Output from "./Output.ts"

const flags = {
  over: Flag.Path("over", { mustExist: true }).pipe(
    Flag.withMetavar("PATH"),
    Flag.withDescription("A recording, or a folder of them: transcripts of Claude Code, Codex and Pi"),
    Flag.atLeast(1)
  ),
  more: Argument.Path("PATH", { mustExist: true }).pipe(
    Argument.withDescription("Further recordings"),
    Argument.variadic()
  ),
  policy: Flag.File("policy").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("The candidate, in place of all that rules now; without it only that is looked at"),
    Flag.optional
  ),
  cwd: Flag.Directory("cwd", { mustExist: true }).pipe(
    Flag.withAlias("C"),
    Flag.withMetavar("DIR"),
    Flag.withDescription("Take this folder for the project, instead of where each recording was made"),
    Flag.optional
  ),
  output: Output.flag
}

/** What a person asked for on the command line. */
export type Asked = Command.Command.Config.Infer<typeof flags>

export const command = Command.make(
  "simulate",
  flags,
  Effect.fnUntraced(function* (asked) {
    // Loaded when it runs, so that no other command starts slower for it (V13).
    const { run } = yield* Effect.promise(() => import("./PolicySimulateCommand.ts"))
    return yield* run(asked)
  })
).pipe(
  Command.withDescription("Replay what agents did, and say how often a policy allows, asks and denies"),
  Command.withExamples([
    {
      command: "obstat policy simulate --over ~/.claude/projects",
      description: "How your policy would have ruled over your own sessions"
    },
    {
      command: "obstat policy simulate --policy candidate.jsonc --over session.jsonl",
      description: "What another policy would change"
    }
  ])
)
