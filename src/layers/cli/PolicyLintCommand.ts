import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Lint from "../../core/policy/Lint.ts"
import * as TerminalText from "../../core/ask/TerminalText.ts"
import * as ExitCode from "./ExitCode.ts"
import * as LocalPolicy from "./LocalPolicy.ts"
import * as Output from "./Output.ts"
import type { Asked } from "./PolicyLint.ts"

/** There are findings; they have been printed. */
class RulesToMend extends Schema.TaggedError<RulesToMend>()("RulesToMend", { count: Schema.Int }) {
  override get message() {
    return `${this.count} ${this.count === 1 ? "rule" : "rules"} to look at`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("failure")
}

/** What `policy lint --output json` prints; `jsonl` prints a finding a line. */
export const Linted = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  findings: Schema.Array(Lint.Finding)
})

/** What `obstat policy lint` does. */
export const run = Effect.fnUntraced(
  function* ({ cwd, output }: Asked) {
    const places = LocalPolicy.environment(cwd)
    const findings = Lint.lint(yield* LocalPolicy.texts(places), places)
    switch (output) {
      case "text":
        yield* Output.text(TerminalText.visible(Lint.render(findings)).lines.join("\n"))
        break
      case "json":
        yield* Output.json(Linted)({ schemaVersion: 1, findings })
        break
      case "jsonl":
        yield* Output.jsonl(Lint.Finding)(Stream.fromIterable(findings))
        break
    }
    if (findings.length > 0) return yield* new RulesToMend({ count: findings.length })
  },
  (effect, { cwd, policy }) =>
    Effect.provide(effect, LocalPolicy.layer(policy, LocalPolicy.environment(cwd), "alone"))
)
