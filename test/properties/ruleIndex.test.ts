import { expect, it } from "@effect/vitest"
import * as Analysis from "../../src/core/policy/Analysis.ts"
import * as PathFacts from "../../src/core/policy/PathFacts.ts"
import * as Policy from "../../src/core/policy/Policy.ts"
import * as Rule from "../../src/core/policy/Rule.ts"
import * as RuleIndex from "../../src/core/policy/RuleIndex.ts"
import * as Subject from "../../src/core/policy/Subject.ts"
import * as Generators from "../../src/layers/testing/PolicyGenerators.ts"

const environment = { cwd: "/project", home: "/home/u", projectRoot: "/project" }

it.prop(
  "the index leaves out no rule that matches [L1.4, V7]",
  [Generators.rules, Generators.shellText],
  ([rules, text]) => {
    const policy = Policy.compile([Generators.policyText(rules)], environment)
    const analysis = Analysis.command(text, environment)
    const subjects = [
      ...analysis.units.map(
        (unit) => ["bash", Subject.ofUnit(unit, environment.home, PathFacts.none)] as const
      ),
      ...analysis.touches.map(
        (touch) => [`path_${touch.direction}`, Subject.ofPath(touch, PathFacts.none)] as const
      )
    ]
    for (const [surface, subject] of subjects) {
      for (const ranked of Policy.rulesFor(policy, surface)) {
        const all = { ...subject, keys: RuleIndex.ANY }
        expect(Rule.matchIn(ranked, subject)).toEqual(Rule.matchIn(ranked, all))
      }
    }
  },
  { arbitrary: { runs: 2_000 } }
)
