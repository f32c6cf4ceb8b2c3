import { cut } from "../shell/Residue.ts"
import * as ShellAnalysis from "../shell/ShellAnalysis.ts"
import { constant, type Piece, show, type Word } from "../shell/ShellTree.ts"
import { CODE, type Touch, type Unit } from "../shell/Site.ts"
import type { Analysis } from "./Analysis.ts"
import type { GrantRule } from "./Grant.ts"
import type { Facts } from "./PathFacts.ts"
import * as Pattern from "./Pattern.ts"
import * as Policy from "./Policy.ts"
import * as Rule from "./Rule.ts"
import type { Provenance, Ruling, UnitRuling } from "./Ruling.ts"
import * as Subject from "./Subject.ts"
import * as Surfaces from "./Surfaces.ts"

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
  readonly grants: ReadonlyArray<GrantRule>
  readonly surface: string
  readonly subject: Rule.Subject
  /** For a command: its text, where that is all there is to it. */
  readonly text?: string | null
}

/** One ruling and what it was made of, from which grants are suggested (L5.1). */
export interface Judged {
  readonly ruling: UnitRuling
  readonly subject: Rule.Subject
  /** The command that it is about, `null` for a file or a target. */
  readonly unit: Unit | null
}

/**
 * What the rules of a surface say about one subject, `null` where none matches (L1.4): any deny; else an ask
 * of the admin; else the most specific scope.
 */
const ask = (question: Question): Outcome | null => {
  const { policy, subject, surface } = question
  const verdicts: Array<Rule.Verdict> = []
  for (const scopes of [Policy.rulesFor(policy, surface), grantRules(question)]) {
    for (const ranked of scopes) {
      const verdict = Rule.matchIn(ranked, subject)
      if (verdict !== null) verdicts.push(verdict)
    }
  }
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

const grantRules = ({ grants, policy, subject, surface, text }: Question): ReadonlyArray<Rule.Ranked> => {
  if (grants.length === 0) return []
  const covers = (grant: GrantRule): boolean =>
    grant.surface === surface &&
    (!grant.exact || (text === undefined ? subject.allow.includes(grant.pattern) : text === grant.pattern))
  const rules = grants.filter(covers).map((grant): Rule.Rule => ({
    action: "allow",
    surface,
    // An exact one has been compared already: what is left is that the subject may be allowed at all.
    pattern: grant.exact
      ? { ...EVERYTHING, text: grant.pattern }
      : Pattern.make(grant.pattern, Surfaces.kindOf(surface), policy.places),
    scope: "grant",
    source: { file: null, line: null },
    reason: null,
    by: null,
    options: null
  }))
  return rules.length === 0 ? [] : [Rule.rank("grant", rules)]
}

const EVERYTHING = Pattern.make("*", "text", { home: "/", projectRoot: "/" })

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
  grants: ReadonlyArray<GrantRule>,
  analysis: Analysis,
  facts: Facts
): Ruling => {
  const units = judge(policy, grants, analysis, facts)
    .map(({ ruling }) => ruling)
    .toSorted((left, right) => RANK[right.winner.action] - RANK[left.winner.action])
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

/** The rulings of which the answer is made, in the order of the analysis. */
export const judge = (
  policy: Policy.Policy,
  grants: ReadonlyArray<GrantRule>,
  analysis: Analysis,
  facts: Facts
): ReadonlyArray<Judged> => {
  const { command, environment } = analysis
  // Code is covered only in the very line that it was shown in (L5.2).
  const here = grants.filter(
    ({ line }) => line === null || (line.command === command && line.cwd === environment.cwd)
  )
  return [
    ...residueRulings(policy, analysis),
    ...analysis.units.map((unit) => judgeUnit(policy, here, unit, facts)),
    ...touchRulings(policy, here, analysis, facts),
    ...analysis.targets.flatMap((target): ReadonlyArray<Judged> => {
      const subject = Subject.ofText(target.matched)
      const outcome = ask({ policy, grants: here, surface: target.surface, subject })
      // A file tool's own name may be left to the path that it opens, of which a rule for everything speaks too.
      if (target.abstains === true && (outcome === null || outcome.winner.surface === ANY_SURFACE)) return []
      const found = ruling(target.surface, target.value, null, null, outcome ?? none(target.surface))
      return [{ ruling: found, subject, unit: null }]
    })
  ]
}

/** The key that stands for every surface. */
const ANY_SURFACE = "*"

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
  grants: ReadonlyArray<GrantRule>,
  unit: Unit,
  facts: Facts
): UnitRuling => judgeUnit(policy, grants, unit, facts).ruling

const judgeUnit = (
  policy: Policy.Policy,
  grants: ReadonlyArray<GrantRule>,
  unit: Unit,
  facts: Facts
): Judged => {
  const indirect = unit.mark?.indirect ?? null
  const subject = Subject.ofUnit(unit, policy.places.home, facts)
  const shown = ShellAnalysis.textOf(unit)
  const text = isCertain(unit) ? shown : null
  const own = ask({ policy, grants, surface: "bash", subject, text })
  const leaves = unit.transparent && (unit.wraps || unit.hidden)
  let outcome = own ?? none("bash")
  if (leaves && (own === null || (own.winner.action === "ask" && isCatchAll(own.winner)))) {
    outcome = { winner: sentinel("allow", "bash", SENTINEL.inner), runnerUp: own?.winner ?? null }
  }
  if (indirect === "code") {
    // A grant covers code only exactly as it was shown (L5.2).
    const exact = grants.filter((grant) => grant.exact && grant.line !== null)
    const code = ask({ policy, grants: exact, surface: "code", subject, text }) ?? none("code")
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
  return {
    ruling: ruling(
      outcome.winner.surface === "code" ? "code" : "bash",
      shown,
      unit.code ?? shown,
      indirect,
      outcome
    ),
    subject,
    unit
  }
}

/**
 * Whether the words of a command say what it is each time: none of them is made by an expansion, or read from
 * elsewhere, no other word is shown alike, and no program of its standard input is unseen. Only such a one can be
 * granted word for word.
 */
export const isCertain = (unit: Unit): boolean =>
  unit.words.every(isWritten) && !(unit.mark?.cause === CODE.stdin.cause && unit.code === null)

/** Quoted for reading, a pattern of files would look like its letters. */
const isWritten = (word: Word): boolean =>
  constant(word) !== null || (word.pieces.every(({ _tag }) => WRITTEN.has(_tag)) && show(word) === word.value)

const WRITTEN: ReadonlySet<Piece["_tag"]> = new Set(["literal", "glob", "tilde"])

const named = (outcome: Outcome, cause: string | undefined): Outcome => ({
  ...outcome,
  winner: { ...outcome.winner, pattern: cause ?? outcome.winner.pattern }
})

/** A rule for everything says nothing about a wrapper in particular. */
const isCatchAll = (winner: Provenance): boolean => winner.pattern === "*" && winner.by === null

const touchRulings = (
  policy: Policy.Policy,
  grants: ReadonlyArray<GrantRule>,
  analysis: Analysis,
  facts: Facts
): ReadonlyArray<Judged> => {
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
  grants: ReadonlyArray<GrantRule>,
  touch: Touch,
  analysis: Analysis,
  facts: Facts
): ReadonlyArray<Judged> => {
  const found = Subject.ofPath(touch, facts)
  const subject = touch.certain ? found : { ...found, allow: [], particular: true }
  const unit = touch.unit === null ? undefined : analysis.units[touch.unit]
  const surfaces = [
    `path_${touch.direction}`,
    ...(external(touch, analysis, facts) ? [`external_directory_${touch.direction}`] : [])
  ]
  return surfaces.flatMap((surface) => {
    const outcome = ask({ policy, grants, surface, subject })
    const judged = (outcome: Outcome): Judged => ({
      ruling: ruling(
        surface,
        touch.target.path,
        unit === undefined ? null : ShellAnalysis.textOf(unit),
        null,
        outcome
      ),
      subject,
      unit: null
    })
    if (outcome !== null) return [judged(outcome)]
    // Outside the project nothing is silent; inside, a surface without a rule abstains.
    return touch.certain && surface.startsWith("external") ? [judged(none(surface))] : []
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
const residueRulings = (policy: Policy.Policy, analysis: Analysis): ReadonlyArray<Judged> => {
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
  return [
    {
      ruling: ruling("bash", analysis.command, null, "unresolved", outcome),
      subject: Subject.ofNothing,
      unit: null
    }
  ]
}
