import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as Analysis from "../../src/core/policy/Analysis.ts"
import { decide } from "../../src/core/policy/Decide.ts"
import * as Explanation from "../../src/core/policy/Explanation.ts"
import * as PathFacts from "../../src/core/policy/PathFacts.ts"
import * as Pattern from "../../src/core/policy/Pattern.ts"
import * as Policy from "../../src/core/policy/Policy.ts"
import { Ruling } from "../../src/core/policy/Ruling.ts"
import * as Generators from "../../src/layers/testing/PolicyGenerators.ts"

const runs = { arbitrary: { runs: 2_000 } }
const environment = { cwd: "/project", home: "/home/u", projectRoot: "/project" }
const RANK = { allow: 0, ask: 1, deny: 2 } as const

const policyOf = (rules: ReadonlyArray<Generators.GeneratedRule>): Policy.Policy =>
  Policy.compile([Generators.policyText(rules)], environment)
const rule = (rules: ReadonlyArray<Generators.GeneratedRule>, text: string) =>
  decide(policyOf(rules), [], Analysis.command(text, environment), PathFacts.none)
const isRuling = Schema.is(Ruling)

describe("any text under any rules", () => {
  it.prop(
    "has one ruling, as strict as its strictest unit, and always the same [L3.6, L4.3]",
    [Generators.rules, Generators.shellText],
    ([rules, text]) => {
      const ruling = rule(rules, text)
      expect(isRuling(ruling)).toBe(true)
      const ranks = ruling.units.map(({ winner }) => RANK[winner.action])
      expect(RANK[ruling.action]).toBe(Math.max(...ranks))
      expect(ranks).toEqual(ranks.toSorted((left, right) => right - left))
      expect(rule(rules, text)).toEqual(ruling)
    },
    runs
  )

  it.prop(
    "is ruled no looser once a deny has come last [L1.4]",
    [Generators.rules, Generators.rule, Generators.shellText],
    ([rules, added, text]) => {
      const before = rule(rules, text).action
      const deny = Generators.policyText([{ ...added, action: "deny" }], "project")
      const policy = Policy.compile([Generators.policyText(rules), deny], environment)
      const after = decide(policy, [], Analysis.command(text, environment), PathFacts.none).action
      expect(RANK[after]).toBeGreaterThanOrEqual(RANK[before])
    },
    runs
  )

  it.prop(
    "is explained by the decision that a call would get [L6.1]",
    [Generators.rules, Generators.shellText],
    ([rules, text]) => {
      const ruling = rule(rules, text)
      const explanation = Explanation.explain(policyOf(rules), text, environment)
      const [{ runnerUp, winner }] = ruling.units
      expect(explanation.ruling).toMatchObject({
        action: ruling.action,
        pattern: winner.pattern,
        scope: winner.scope
      })
      expect(explanation.ruling.runnerUp?.pattern).toBe(runnerUp?.pattern)
      expect(explanation.residue).toBe(ruling.residue)
      expect(Schema.is(Explanation.Explanation)(explanation)).toBe(true)
      expect(Explanation.render(explanation)).toContain(text)
    },
    runs
  )

  it.prop(
    "that was not understood, or hides what runs, is never allowed by anything [L3.3, L3.5, L5.2]",
    [Generators.shellText],
    ([text]) => {
      const all = Policy.compile(
        [
          Generators.policyText(
            ["*", "code", "path", "external_directory"].map((surface) => ({
              surface,
              pattern: "*",
              action: "allow"
            }))
          )
        ],
        environment
      )
      const grants = ["bash", "code", "path_read", "path_write"].map((surface) => ({
        surface,
        pattern: "*",
        exact: false,
        line: null
      }))
      const analysis = Analysis.command(text, environment)
      const unseen =
        analysis.flaw !== null || analysis.units.some((unit) => unit.mark?.indirect === "unresolved")
      if (unseen) expect(decide(all, grants, analysis, PathFacts.none).action).not.toBe("allow")
    },
    runs
  )

  it.prop(
    "allows nothing while a scope is broken [L2.2]",
    [Generators.rules, Generators.shellText],
    ([rules, text]) => {
      const broken = { ...Generators.policyText([], "project"), text: "{" }
      const policy = Policy.compile([Generators.policyText(rules), broken], environment)
      const ruling = decide(policy, [], Analysis.command(text, environment), PathFacts.none)
      if (ruling.units.some(({ winner }) => winner.scope !== null)) expect(ruling.action).not.toBe("allow")
    },
    runs
  )
})

describe("a pattern", () => {
  const character = Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 }))),
    (index) => "ab*? "[index]!
  )
  const short = (maxLength: number) =>
    Arbitrary.map(Arbitrary.array(character, { minLength: 0, maxLength }), (parts) => parts.join(""))

  /** The plainest way to say it, far too slow to use. */
  const slow = (pattern: string, subject: string): boolean => {
    if (pattern === "") return subject === ""
    const rest = pattern.slice(1)
    if (pattern[0] === "*") return slow(rest, subject) || (subject !== "" && slow(pattern, subject.slice(1)))
    return subject !== "" && (pattern[0] === "?" || pattern[0] === subject[0]) && slow(rest, subject.slice(1))
  }

  it.prop(
    "matches what its definition says [L1.3]",
    [short(8), short(8)],
    ([pattern, subject]) => {
      const compiled = Pattern.make(pattern, "text", environment)
      const bare = pattern.endsWith(" *") && slow(pattern.slice(0, -2), subject)
      expect(Pattern.matches(compiled, subject)).toBe(slow(pattern, subject) || bare)
    },
    { arbitrary: { runs: 2_000 } }
  )

  it.prop(
    "may match a text with a hole exactly if it matches some filling of it [L1.4]",
    [short(5), short(3), short(3)],
    ([pattern, before, after]) => {
      const compiled = Pattern.make(pattern, "text", environment)
      const fillings = ["", "a", "b", " ", "ab", "ba", "aa", "bb", "a b", "x", "a*", "?"]
      const some = fillings.some((text) => Pattern.matches(compiled, before + text + after))
      if (some) expect(Pattern.mayMatch(compiled, before + Pattern.HOLE + after)).toBe(true)
    },
    { arbitrary: { runs: 1_000 } }
  )
})
