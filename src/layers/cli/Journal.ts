import * as Argument from "effect/cli/Argument"
import * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Output from "./Output.ts"

/** Loaded when one of them runs, so that no other command starts slower for them (V13). */
const commands = Effect.promise(() => import("./JournalCommands.ts"))

const journal = Argument.String("JOURNAL").pipe(
  Argument.withDescription("A journal's file, or the beginning of a session's or host's id")
)

const output = Flag.Literals("output", ["text", "json"]).pipe(
  Flag.withDefault("text" as const),
  Flag.withDescription("How to print the result")
)

const show = Command.make(
  "show",
  {
    journal: journal.pipe(
      Argument.withDescription(
        "A journal's file, or the beginning of a session's or host's id; without it the newest journal"
      ),
      Argument.optional
    ),
    kind: Flag.String("kind").pipe(
      Flag.withDescription("Only rows of this kind, such as decision, asked, human or question"),
      Flag.optional
    ),
    action: Flag.Literals("action", ["allow", "deny"]).pipe(
      Flag.withDescription("Only decisions that came out so"),
      Flag.optional
    ),
    tool: Flag.String("tool").pipe(Flag.withDescription("Only rows about this tool"), Flag.optional),
    by: Flag.Literals("by", ["rule", "grant", "link", "person", "unavailable", "gate_error"]).pipe(
      Flag.withDescription("Only decisions that were made so"),
      Flag.optional
    ),
    output: Output.flag
  },
  (asked) => Effect.flatMap(commands, ({ show }) => show(asked))
).pipe(
  Command.withDescription("Show who decided what, when and why"),
  Command.withExamples([
    { command: "obstat journal show", description: "The newest journal" },
    { command: "obstat journal show 3f2a --action deny", description: "What a session was denied" },
    {
      command: "obstat journal show --kind decision --output jsonl",
      description: "For other programs, one row per line"
    }
  ])
)

const verify = Command.make(
  "verify",
  {
    journal,
    ended: Flag.Boolean("ended").pipe(
      Flag.withDescription("Demand that the host wrote its end: else rows may be missing after the last"),
      Flag.withDefault(false)
    ),
    output
  },
  (asked) => Effect.flatMap(commands, ({ verify }) => verify(asked))
).pipe(
  Command.withDescription("Follow the hash chain; status 1 and the place of the first broken link"),
  Command.withExamples([
    { command: "obstat journal verify 3f2a", description: "All files of a session's host" },
    { command: "obstat journal verify ./copy.0001.jsonl", description: "One file, wherever it is" }
  ])
)

const replay = Command.make("replay", { journal, output }, (asked) =>
  Effect.flatMap(commands, ({ replay }) => replay(asked))
).pipe(
  Command.withDescription("Make the decisions of policy again on what was recorded; status 1 if one differs"),
  Command.withExamples([{ command: "obstat journal replay 3f2a", description: "Needs no agent and no file" }])
)

const exported = Command.make(
  "export",
  {
    journal,
    redacted: Flag.Boolean("redacted").pipe(
      Flag.withDescription("Texts of people, agents and files as keyed fingerprints; has to be given"),
      Flag.withDefault(false)
    )
  },
  (asked) => Effect.flatMap(commands, ({ exported }) => exported(asked))
).pipe(
  Command.validate(({ redacted }) =>
    redacted
      ? Effect.void
      : Effect.fail(
          new CliError.ValidationError({
            message: "Only a redacted export can be made (--redacted); the whole journal is its files"
          })
        )
  ),
  Command.withDescription("Print a journal to be given away, one row per line"),
  Command.withExamples([
    {
      command: "obstat journal export --redacted 3f2a > session.jsonl",
      description: "Without any text of it"
    }
  ])
)

export const command = Command.make("journal").pipe(
  Command.withDescription("Who decided what: read, checked and replayed"),
  Command.withSubcommands([show, verify, replay, exported])
)
