import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Analysis from "../../core/policy/Analysis.ts"
import * as Explanation from "../../core/policy/Explanation.ts"
import { PathFacts } from "../../core/policy/PathFacts.ts"
import type * as Policy from "../../core/policy/Policy.ts"
import * as ExitCode from "./ExitCode.ts"
import * as LocalPolicy from "./LocalPolicy.ts"
import * as Output from "./Output.ts"

/** A line of standard input is no JSON string. The documents of the lines before it are printed. */
class MalformedLine extends Schema.TaggedError<MalformedLine>()("MalformedLine", { line: Schema.Int }) {
  override get message() {
    return `line ${this.line} of the input is not a JSON string, such as "git status"`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

/** What explains these commands: the file system is asked once, about all of their paths and programs. */
const explainer = Effect.fnUntraced(function* (
  policy: Policy.Policy,
  environment: Analysis.Environment,
  commands: ReadonlyArray<string>
) {
  const analyses = commands.map((command) => Analysis.command(command, environment))
  const facts = yield* PathFacts.use((service) =>
    service.resolve(
      Array.from(new Set(analyses.flatMap(({ paths }) => paths))),
      Array.from(new Set(analyses.flatMap(({ programs }) => programs)))
    )
  )
  return (command: string) => Explanation.explain(policy, command, environment, facts)
})

const decodeLine = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.String))

/** Explains the commands of standard input as they come, one JSON string per line. */
const explainInput = (policy: Policy.Policy, environment: Analysis.Environment) =>
  Stream.unwrap(Stdio.Stdio.useSync(({ stdin }) => stdin)).pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.zipWithIndex,
    Stream.mapArrayEffect(
      Effect.fnUntraced(function* (lines) {
        const decoded = Arr.map(lines, ([line, index]) =>
          Result.mapError(decodeLine(line), () => new MalformedLine({ line: index + 1 }))
        )
        const explain = yield* explainer(policy, environment, Arr.getSuccesses(decoded))
        return Arr.map(decoded, (command) => Result.map(command, explain))
      })
    ),
    Stream.mapEffect((explained) => Effect.fromResult(explained))
  )

export interface Options {
  /** `null`: those of standard input, which only `jsonl` can print. */
  readonly command: string | null
  readonly output: Output.Format
  readonly policy: Option.Option<string>
  readonly cwd: string
}

/** What `obstat policy explain` does. */
export const print = Effect.fnUntraced(
  function* ({ command, output, cwd }: Options) {
    const environment = LocalPolicy.environment(cwd)
    const policy = yield* LocalPolicy.load(environment)
    const printLines = Output.jsonl(Explanation.Explanation)
    if (command === null) return yield* printLines(explainInput(policy, environment))
    const explain = yield* explainer(policy, environment, [command])
    const explanation = explain(command)
    return yield* Output.result(Explanation.Explanation)(output, explanation, Explanation.render)
  },
  (effect, { policy, cwd }) =>
    Effect.provide(effect, LocalPolicy.layer(policy, LocalPolicy.environment(cwd), "alone"))
)
