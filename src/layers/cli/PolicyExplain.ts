import * as Argument from "effect/cli/Argument"
import * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as TerminalText from "../../core/ask/TerminalText.ts"
import * as Analysis from "../../core/policy/Analysis.ts"
import * as Explanation from "../../core/policy/Explanation.ts"
import { PathFacts } from "../../core/policy/PathFacts.ts"
import type * as Policy from "../../core/policy/Policy.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Output from "./Output.ts"
import * as PolicyFlags from "./PolicyFlags.ts"

/** A line of standard input is no JSON string. The documents of the lines before it are printed. */
class MalformedLine extends Schema.TaggedError<MalformedLine>()("MalformedLine", { line: Schema.Int }) {
  override get message() {
    return `line ${this.line} of the input is not a JSON string, such as "git status"`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

/** In place of a command: read commands from standard input. */
const FROM_INPUT = "-"

const flags = {
  command: Argument.String("CMD").pipe(
    Argument.withDescription("The shell command as one word, or - for one JSON string per line of input")
  ),
  output: Output.flag,
  policy: PolicyFlags.policy,
  cwd: PolicyFlags.cwd
}

/** Explains one command, with what the file system says about its paths. */
const explain = Effect.fnUntraced(function* (
  policy: Policy.Policy,
  text: string,
  environment: Analysis.Environment
) {
  const { paths, programs } = Analysis.command(text, environment)
  const facts = yield* PathFacts.use((service) => service.resolve(paths, programs))
  return Explanation.explain(policy, text, environment, facts)
})

const decodeLine = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.String))

/** The commands of standard input, as they come. */
const commandsFromInput = Stream.unwrap(Stdio.Stdio.useSync(({ stdin }) => stdin)).pipe(
  Stream.decodeText,
  Stream.splitLines,
  Stream.zipWithIndex,
  Stream.mapEffect(([line, index]) =>
    decodeLine(line).pipe(Effect.mapError(() => new MalformedLine({ line: index + 1 })))
  )
)

export const command = Command.make(
  "explain",
  flags,
  Effect.fnUntraced(function* ({ command: text, output, cwd }) {
    const environment = PolicyFlags.environment(cwd)
    const policy = yield* PolicyFlags.load(environment)
    if (output === "jsonl") {
      const commands = text === FROM_INPUT ? commandsFromInput : Stream.make(text)
      return yield* commands.pipe(
        Stream.mapEffect((each) => explain(policy, each, environment)),
        Output.jsonl(Explanation.Explanation)
      )
    }
    const explanation = yield* explain(policy, text, environment)
    return yield* output === "json"
      ? Output.json(Explanation.Explanation)(explanation)
      : Output.text(TerminalText.visible(Explanation.render(explanation)).lines.join("\n"))
  })
).pipe(
  Command.validate(({ command: text, output }) =>
    text === FROM_INPUT && output !== "jsonl"
      ? Effect.fail(
          new CliError.ValidationError({ message: "Commands from standard input need --output jsonl" })
        )
      : Effect.void
  ),
  Command.provide(({ policy, cwd }) => PolicyFlags.layer(policy, PolicyFlags.environment(cwd))),
  Command.withDescription(
    "Show what the policy says of a shell command: its parts, the rule that decides, and why"
  ),
  Command.withExamples([
    { command: "obstat policy explain 'git push --force'", description: "For reading" },
    {
      command: "obstat policy explain --policy strict.jsonc -C ~/project --output json 'rm -rf build'",
      description: "One document, under a policy of your own, as if run in ~/project"
    },
    {
      command: `echo '"true && rm -rf x"' | obstat policy explain --output jsonl -`,
      description: "One document per line; thousands can be checked in one process"
    }
  ])
)
