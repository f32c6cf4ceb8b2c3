import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import * as ConfigIssue from "../../core/policy/ConfigIssue.ts"
import { PathFacts } from "../../core/policy/PathFacts.ts"
import * as PolicyCases from "../../core/policy/PolicyCases.ts"
import * as ExitCode from "./ExitCode.ts"
import * as LocalPolicy from "./LocalPolicy.ts"
import * as Output from "./Output.ts"
import type { Asked } from "./PolicyTest.ts"

/** The file of cases cannot be used. */
class BrokenCases extends Schema.TaggedError<BrokenCases>()("BrokenCases", {
  issues: Schema.Array(ConfigIssue.ConfigIssue)
}) {
  override get message() {
    return ["the cases are broken", ...this.issues.map(ConfigIssue.show)].join("\n")
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

/** It is no text, or may not be read. */
class UnreadableCases extends Schema.TaggedError<UnreadableCases>()("UnreadableCases", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.file} cannot be read: ${this.reason}`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

/** The policy rules otherwise than a case says; what differs has been printed. */
class CasesDiffer extends Schema.TaggedError<CasesDiffer>()("CasesDiffer", { count: Schema.Int }) {
  override get message() {
    return `${this.count} ${this.count === 1 ? "case does" : "cases do"} not hold`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("failure")
}

/** What `obstat policy test` does. */
export const run = Effect.fnUntraced(
  function* ({ cwd, file, output }: Asked) {
    const fs = yield* FileSystem.FileSystem
    const text = yield* fs
      .readFileString(file)
      .pipe(Effect.mapError(({ reason }) => new UnreadableCases({ file, reason: reason._tag })))
    const cases = yield* Effect.mapError(
      Effect.fromResult(PolicyCases.read(file, text)),
      (issues) => new BrokenCases({ issues })
    )
    const places = LocalPolicy.environment(cwd)
    const policy = yield* LocalPolicy.load(places)
    const analysed = cases.map((placed) => ({
      ...placed,
      analysis: PolicyCases.analyse(placed.item, places)
    }))
    const facts = yield* PathFacts.use((service) =>
      service.resolve(
        [...new Set(analysed.flatMap(({ analysis }) => analysis.paths))],
        [...new Set(analysed.flatMap(({ analysis }) => analysis.programs))]
      )
    )
    const outcomes = PolicyCases.run(file, analysed, policy, facts)
    yield* Output.result(PolicyCases.Outcomes)(output, outcomes, PolicyCases.render)
    const count = outcomes.cases.filter(({ holds }) => !holds).length
    if (count > 0) return yield* new CasesDiffer({ count })
  },
  (effect, { cwd, policy }) =>
    Effect.provide(effect, LocalPolicy.layer(policy, LocalPolicy.environment(cwd), "alone"))
)
