import { cut } from "../shell/Residue.ts"
import * as ShellAnalysis from "../shell/ShellAnalysis.ts"
import type { Touch, Unit } from "../shell/Site.ts"
import type { Analysis } from "./Analysis.ts"
import type { Grant } from "./Grant.ts"
import type { Facts } from "./PathFacts.ts"
import * as Pattern from "./Pattern.ts"
import * as Policy from "./Policy.ts"
import * as Rule from "./Rule.ts"
import type { Provenance, Ruling, UnitRuling } from "./Ruling.ts"
import * as Subject from "./Subject.ts"

const RANK = { allow: 0, ask: 1, deny: 2 } as const

/** What stands for a pattern where no rule does. */
export const SENTINEL = {
  noRule: "<no-rule>",
  inner: "<inner-command-decides>",
  broken: "<configuration-error>",
  residue: "<not-understood>",
  tooLong: "<too-long-to-analyse>",
  question: "<question-tool>",
  nothing: "<nothing-to-run>"
} as const

const sentinel = (action: Provenance["action"], surface: string, pattern: string): Provenance => ({
  action,
  surface,
  pattern,
  scope: null,
  source: null,
  reason: null,
  by: null
})

interface Outcome {
  readonly winner: Provenance
  readonly runnerUp: Provenance | null
}

interface Question {
  readonly policy: Policy.Policy
  readonly grants: ReadonlyArray<Grant>
  readonly surface: string
  readonly subject: Rule.Subject
}

/**
 * What the rules of a surface say about one subject, `null` where none matches (L1.4): any deny; else an ask
 * of the admin; else the most specific scope.
 */
const ask = ({ policy, grants, surface, subject }: Question): Outcome | null => {
  const scopes = [...Policy.rulesFor(policy, surface), ...grantRules(policy, grants, surface)]
  const verdicts = scopes.flatMap((ranked) => {
    const verdict = Rule.matchIn(ranked, subject)
    return verdict === null ? [] : [verdict]
  })
  if (verdicts.length === 0) return null
  const actionOf = (verdict: Rule.Verdict): Provenance["action"] =>
    verdict.certainty === "possible" ? "ask" : verdict.rule.action
  const decisive =
    verdicts.find((verdict) => actionOf(verdict) === "deny") ??
    verdicts.find((verdict) => verdict.rule.scope === "admin" && actionOf(verdict) === "ask") ??
    verdicts.at(-1)!
  const possible = verdicts.find(
    (verdict) => verdict.certainty === "possible" && verdict.rule.action === "deny"
  )
  // A deny that may apply is stricter than any allow of a more specific scope.
  const chosen = actionOf(decisive) === "allow" && possible !== undefined ? possible : decisive
  const winner = { ...Rule.provenance(chosen.rule), action: actionOf(chosen) }
  const others = verdicts.filter((verdict) => verdict !== chosen)
  const runnerUp = others.at(-1)?.rule ?? chosen.next
  return {
    winner:
      policy.broken && winner.action === "allow"
        ? { ...winner, action: "ask", pattern: SENTINEL.broken }
        : winner,
    runnerUp: runnerUp === null || runnerUp === undefined ? null : Rule.provenance(runnerUp)
  }
}

const grantRules = (
  policy: Policy.Policy,
  grants: ReadonlyArray<Grant>,
  surface: string
): ReadonlyArray<Rule.Ranked> => {
  const rules = grants
    .filter((grant) => grant.surface === surface)
    .map((grant): Rule.Rule => ({
      action: "allow",
      surface,
      pattern: Pattern.make(grant.pattern, Policy.kindOf(surface), policy.places),
      scope: "grant",
      source: { file: null, line: null },
      reason: null,
      by: null,
      options: null
    }))
  return rules.length === 0 ? [] : [Rule.rank("grant", rules)]
}

/** The stricter of two outcomes; the first where they are alike. */
const stricter = (left: Outcome, right: Outcome | null): Outcome =>
  right !== null && RANK[right.winner.action] > RANK[left.winner.action]
    ? { winner: right.winner, runnerUp: left.winner }
    : left

/**
 * Policy's answer on one call (L1, L4.3). Pure and total: the same policy, grants, analysis and facts give the
 * same ruling, and every call has one.
 */
export const decide = (
  policy: Policy.Policy,
  grants: ReadonlyArray<Grant>,
  analysis: Analysis,
  facts: Facts
): Ruling => {
  const units = [
    ...residueRulings(policy, analysis),
    ...analysis.units.map((unit) => unitRuling(policy, grants, unit, facts)),
    ...touchRulings(policy, grants, analysis, facts),
    ...analysis.targets.flatMap((target) => {
      const subject = Subject.ofText(target.matched)
      const outcome = ask({ policy, grants, surface: target.surface, subject })
      // A file tool's own name may be left to the path that it opens.
      if (outcome === null && analysis.touches.length > 0) return []
      return [ruling(target.surface, target.value, null, null, outcome ?? none(target.surface))]
    })
  ].toSorted((left, right) => RANK[right.winner.action] - RANK[left.winner.action])
  const [first, ...rest] = units
  const value = analysis.command ?? analysis.touches[0]?.target.path ?? ""
  const decisive = first ?? ruling(surfaceOf(analysis), value, null, null, nothing(analysis))
  return {
    action: decisive.winner.action,
    units: [decisive, ...rest],
    command: analysis.command,
    residue: analysis.flaw === null ? null : analysis.command,
    policyDigest: policy.digest
  }
}

const surfaceOf = (analysis: Analysis): string =>
  analysis.command !== null
    ? "bash"
    : analysis.touches[0] === undefined
      ? "question"
      : `path_${analysis.touches[0].direction}`

const nothing = (analysis: Analysis): Outcome => ({
  winner: sentinel(
    "ask",
    surfaceOf(analysis),
    analysis.question ? SENTINEL.question : analysis.command !== null ? SENTINEL.nothing : SENTINEL.noRule
  ),
  runnerUp: null
})

const none = (surface: string): Outcome => ({
  winner: sentinel("ask", surface, SENTINEL.noRule),
  runnerUp: null
})

const ruling = (
  surface: string,
  value: string,
  executedUnit: string | null,
  indirect: UnitRuling["indirect"],
  outcome: Outcome
): UnitRuling => ({ surface, value, executedUnit, indirect, ...outcome })

/** The ruling on one command: its own rule, and for code that cannot be seen the `code` surface too. */
export const unitRuling = (
  policy: Policy.Policy,
  grants: ReadonlyArray<Grant>,
  unit: Unit,
  facts: Facts
): UnitRuling => {
  const indirect = unit.mark?.indirect ?? null
  const subject = Subject.ofUnit(unit, policy.places.home, facts)
  const own = ask({ policy, grants, surface: "bash", subject })
  const leaves = unit.transparent && (unit.wraps || unit.hidden)
  let outcome = own ?? none("bash")
  if (leaves && (own === null || (own.winner.action === "ask" && isCatchAll(own.winner)))) {
    outcome = { winner: sentinel("allow", "bash", SENTINEL.inner), runnerUp: own?.winner ?? null }
  }
  if (indirect === "code") {
    // A grant covers code only exactly as it was shown (L5.2).
    const exact = grants.filter((grant) => !/[*?]/.test(grant.pattern))
    const code = ask({ policy, grants: exact, surface: "code", subject }) ?? none("code")
    const rule = code.winner.scope === null ? named(code, unit.mark?.cause) : code
    outcome = RANK[rule.winner.action] >= RANK[outcome.winner.action] ? rule : stricter(outcome, rule)
  }
  // No rule, grant or link lifts it (L3.3, L5.2).
  if (indirect === "unresolved" && outcome.winner.action !== "deny") {
    outcome = {
      winner: sentinel("ask", outcome.winner.surface, unit.mark?.cause ?? SENTINEL.residue),
      runnerUp: outcome.winner.scope === null ? outcome.runnerUp : outcome.winner
    }
  }
  const text = ShellAnalysis.textOf(unit)
  return ruling(
    outcome.winner.surface === "code" ? "code" : "bash",
    text,
    unit.code ?? text,
    indirect,
    outcome
  )
}

const named = (outcome: Outcome, cause: string | undefined): Outcome => ({
  ...outcome,
  winner: { ...outcome.winner, pattern: cause ?? outcome.winner.pattern }
})

/** A rule for everything says nothing about a wrapper in particular. */
const isCatchAll = (winner: Provenance): boolean => winner.pattern === "*" && winner.by === null

const touchRulings = (
  policy: Policy.Policy,
  grants: ReadonlyArray<Grant>,
  analysis: Analysis,
  facts: Facts
): ReadonlyArray<UnitRuling> => {
  const seen = new Set<string>()
  return analysis.touches.flatMap((touch) => {
    const key = `${touch.direction} ${touch.certain} ${touch.recursive} ${touch.target.kind} ${touch.target.raw}`
    if (seen.has(key)) return []
    seen.add(key)
    return touchRuling(policy, grants, touch, analysis, facts)
  })
}

const touchRuling = (
  policy: Policy.Policy,
  grants: ReadonlyArray<Grant>,
  touch: Touch,
  analysis: Analysis,
  facts: Facts
): ReadonlyArray<UnitRuling> => {
  const found = Subject.ofPath(touch, facts)
  const subject = touch.certain ? found : { ...found, allow: [], particular: true }
  const unit = touch.unit === null ? undefined : analysis.units[touch.unit]
  const executed = unit === undefined ? null : ShellAnalysis.textOf(unit)
  const surfaces = [
    `path_${touch.direction}`,
    ...(external(touch, analysis, facts) ? [`external_directory_${touch.direction}`] : [])
  ]
  return surfaces.flatMap((surface) => {
    const outcome = ask({ policy, grants, surface, subject })
    if (outcome !== null) return [ruling(surface, touch.target.path, executed, null, outcome)]
    // Outside the project nothing is silent; inside, a surface without a rule abstains.
    return touch.certain && surface.startsWith("external")
      ? [ruling(surface, touch.target.path, executed, null, none(surface))]
      : []
  })
}

const external = (touch: Touch, { environment }: Analysis, facts: Facts): boolean => {
  if (touch.target.kind === "any") return true
  const path = touch.target.kind === "exact" ? touch.target.raw : Subject.directory(touch.target)
  const real = facts.canonical(path) ?? (touch.target.kind === "exact" ? touch.target.path : path)
  const roots = [
    environment.projectRoot,
    ...(environment.temporary === undefined ? [] : [environment.temporary])
  ]
  return !roots.some((root) => real === root || real.startsWith(root === "/" ? "/" : `${root}/`))
}

/** A text that was not understood is at least an ask that names it whole; a deny on any piece holds (L3.5). */
const residueRulings = (policy: Policy.Policy, analysis: Analysis): ReadonlyArray<UnitRuling> => {
  if (analysis.flaw === null || analysis.command === null) return []
  const pattern = analysis.flaw === "too_long" ? SENTINEL.tooLong : SENTINEL.residue
  let outcome: Outcome = { winner: sentinel("ask", "bash", pattern), runnerUp: null }
  for (const words of cut(analysis.command)) {
    const found = ask({ policy, grants: [], surface: "bash", subject: Subject.ofPiece(words) })
    if (found?.winner.action === "deny") {
      outcome = found
      break
    }
  }
  return [ruling("bash", analysis.command, null, "unresolved", outcome)]
}
