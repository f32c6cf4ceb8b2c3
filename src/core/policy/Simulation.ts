import * as Schema from "effect/Schema"
import type { RecordedCall } from "../call/Recording.ts"
import type { Unit } from "../shell/Site.ts"
import type { Analysis } from "./Analysis.ts"
import { decide } from "./Decide.ts"
import type { Facts } from "./PathFacts.ts"
import * as Policy from "./Policy.ts"
import * as Rule from "./Rule.ts"
import { Action, Provenance, type Ruling, Scope } from "./Ruling.ts"
import * as Subject from "./Subject.ts"

/** One recorded call, taken apart, and the policies that rule over the place where it was made. */
export interface Case {
  readonly file: string
  readonly recorded: RecordedCall
  readonly analysis: Analysis
  readonly facts: Facts
  /** What rules there today. */
  readonly current: Policy.Policy
  /** What would, `null` where only the current one is looked at. */
  readonly candidate: Policy.Policy | null
}

/** How the calls of a replay are ruled. `differentAsks`: what is asked twice counts once. */
const Tally = Schema.Struct({
  allow: Schema.Int,
  ask: Schema.Int,
  deny: Schema.Int,
  differentAsks: Schema.Int
})
type Tally = typeof Tally.Type

/** What the calls of a kind would do on one surface; `byNoRule`: of the asks, those that no rule speaks of. */
const Coverage = Schema.Struct({
  surface: Schema.String,
  allow: Schema.Int,
  ask: Schema.Int,
  deny: Schema.Int,
  byNoRule: Schema.Int
})

const At = Schema.Struct({ file: Schema.String, line: Schema.Int })

/** What a person would be asked, most often first. */
const Asked = Schema.Struct({
  tool: Schema.String,
  /** The whole command, or what the asking unit is about. */
  value: Schema.String,
  surface: Schema.String,
  pattern: Schema.String,
  times: Schema.Int,
  first: At
})

const Change = Schema.Struct({
  tool: Schema.String,
  value: Schema.String,
  from: Action,
  to: Action,
  /** The rule, or the want of one, that decides under the candidate. */
  by: Provenance,
  times: Schema.Int,
  first: At
})

const Unmatched = Schema.Struct({
  scope: Scope,
  file: Schema.NullOr(Schema.String),
  line: Schema.NullOr(Schema.Int),
  action: Action,
  surface: Schema.String,
  pattern: Schema.String
})

/** What `policy simulate` finds (L6.1). The lists are those of the candidate, or of the current policy without one. */
export const Simulation = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  calls: Schema.Int,
  /** The agents' own questions among them, which policy has no say in (Q3.7). */
  questions: Schema.Int,
  current: Tally,
  candidate: Schema.NullOr(Tally),
  surfaces: Schema.Array(Coverage),
  asks: Schema.Array(Asked),
  changes: Schema.Array(Change),
  /** Rules of files that nothing in the recordings has to do with. */
  unmatched: Schema.Array(Unmatched)
})
export type Simulation = typeof Simulation.Type

interface Ruled {
  readonly item: Case
  readonly current: Ruling
  readonly candidate: Ruling | null
}

/** Replays recorded calls. Pure; each is ruled exactly as it would be in a session without grants. */
export const simulate = (cases: ReadonlyArray<Case>): Simulation => {
  const asking = cases.filter(({ analysis }) => !analysis.question)
  const ruled = asking.map((item): Ruled => {
    const { analysis, candidate, current, facts } = item
    return {
      item,
      current: decide(current, [], analysis, facts),
      candidate: candidate === null ? null : decide(candidate, [], analysis, facts)
    }
  })
  const candidates = ruled.flatMap(({ candidate }) => (candidate === null ? [] : [candidate]))
  return {
    schemaVersion: 1,
    calls: cases.length,
    questions: cases.length - asking.length,
    current: tally(ruled.map(({ current }) => current)),
    candidate: cases.some(({ candidate }) => candidate !== null) ? tally(candidates) : null,
    surfaces: coverage(ruled.map(({ candidate, current }) => candidate ?? current)),
    asks: asks(ruled),
    changes: changes(ruled),
    unmatched: unmatched(ruled)
  }
}

const count = (rulings: ReadonlyArray<Ruling>, action: Ruling["action"]): number =>
  rulings.filter((ruling) => ruling.action === action).length

/** What an ask is about, so that the same ask is known again. */
const aboutOf = ({ command, units: [decisive] }: Ruling): string => command ?? decisive.value

const tally = (rulings: ReadonlyArray<Ruling>): Tally => ({
  allow: count(rulings, "allow"),
  ask: count(rulings, "ask"),
  deny: count(rulings, "deny"),
  differentAsks: new Set(
    rulings
      .filter(({ action }) => action === "ask")
      .map((ruling) => `${ruling.units[0].surface}\0${aboutOf(ruling)}`)
  ).size
})

const coverage = (rulings: ReadonlyArray<Ruling>): Simulation["surfaces"] => {
  const units = rulings.flatMap((ruling) => ruling.units)
  const surfaces = [...new Set(units.map(({ surface }) => surface))].toSorted()
  return surfaces.map((surface) => {
    const here = units.filter((unit) => unit.surface === surface)
    const of = (action: Ruling["action"]): number =>
      here.filter(({ winner }) => winner.action === action).length
    const byNoRule = here.filter(({ winner }) => winner.action === "ask" && winner.scope === null).length
    return { surface, allow: of("allow"), ask: of("ask"), deny: of("deny"), byNoRule }
  })
}

/** Joins what is alike, most often first, and keeps where it was first seen. */
const counted = <A>(
  items: ReadonlyArray<{ readonly key: string; readonly at: Case; readonly value: A }>
): ReadonlyArray<A & { readonly times: number; readonly first: typeof At.Type }> => {
  const found = new Map<string, { value: A; at: Case; times: number }>()
  for (const { at, key, value } of items) {
    const known = found.get(key)
    if (known === undefined) found.set(key, { value, at, times: 1 })
    else known.times += 1
  }
  return [...found.values()]
    .toSorted((left, right) => right.times - left.times)
    .map(({ at, times, value }) => ({ ...value, times, first: { file: at.file, line: at.recorded.line } }))
}

const asks = (ruled: ReadonlyArray<Ruled>): Simulation["asks"] =>
  counted(
    ruled.flatMap(({ candidate, item, current }) => {
      const ruling = candidate ?? current
      if (ruling.action !== "ask") return []
      const { surface, winner } = ruling.units[0]
      const value = {
        tool: item.recorded.call.tool,
        value: aboutOf(ruling),
        surface,
        pattern: winner.pattern
      }
      return [{ key: Object.values(value).join("\0"), at: item, value }]
    })
  )

const changes = (ruled: ReadonlyArray<Ruled>): Simulation["changes"] =>
  counted(
    ruled.flatMap(({ candidate, item, current }) => {
      if (candidate === null || candidate.action === current.action) return []
      const value = {
        tool: item.recorded.call.tool,
        value: aboutOf(candidate),
        from: current.action,
        to: candidate.action,
        by: candidate.units[0].winner
      }
      return [{ key: [value.tool, value.value, value.from, value.to].join("\0"), at: item, value }]
    })
  )

const keyOf = ({ line, pattern, scope, surface, file }: typeof Unmatched.Type): string =>
  [scope, file, line, surface, pattern].join("\0")

const unmatched = (ruled: ReadonlyArray<Ruled>): Simulation["unmatched"] => {
  const rules = new Map<string, typeof Unmatched.Type>()
  const policies = new Set(ruled.map(({ item }) => item.candidate ?? item.current))
  for (const { written } of policies) {
    for (const { file, rules: own, scope } of written) {
      if (file === null) continue
      for (const { line, pattern, surface, value } of own) {
        const rule = { scope, file, line, action: value.action, surface, pattern }
        rules.set(keyOf(rule), rule)
      }
    }
  }
  for (const { candidate, current, item } of ruled) {
    const policy = item.candidate ?? item.current
    for (const [surface, subject] of subjects(item, policy, candidate ?? current)) {
      for (const { action, pattern, scope, source, surface: key } of matching(policy, surface, subject)) {
        rules.delete(keyOf({ scope, ...source, action, surface: key, pattern: pattern.text }))
      }
    }
    if (rules.size === 0) break
  }
  return [...rules.values()]
}

/** Every rule that has to do with the subject, whichever decides. */
const matching = (policy: Policy.Policy, surface: string, subject: Rule.Subject): ReadonlyArray<Rule.Rule> =>
  Policy.rulesFor(policy, surface).flatMap(({ rules, scope }) =>
    rules.filter((rule) => Rule.matchIn(Rule.rank(scope, [rule]), subject) !== null)
  )

const CODE = "code"

const surfacesOf = ({ mark }: Unit): ReadonlyArray<string> =>
  mark?.indirect === CODE ? ["bash", CODE] : ["bash"]

/** What rules are matched against, by surface. */
const subjects = (
  { analysis, facts }: Case,
  { places }: Policy.Policy,
  ruling: Ruling
): ReadonlyArray<readonly [string, Rule.Subject]> => [
  ...analysis.units.flatMap((unit) => {
    const subject = Subject.ofUnit(unit, places.home, facts)
    return surfacesOf(unit).map((surface) => [surface, subject] as const)
  }),
  ...analysis.touches.flatMap((touch) => {
    const subject = Subject.ofPath(touch, facts)
    const outside = `external_directory_${touch.direction}`
    const isOutside = ruling.units.some(
      ({ surface, value }) => surface === outside && value === touch.target.path
    )
    return [`path_${touch.direction}`, ...(isOutside ? [outside] : [])].map(
      (surface) => [surface, subject] as const
    )
  }),
  ...analysis.targets.map(({ matched, surface }) => [surface, Subject.ofText(matched)] as const)
]

const row = (name: string, { allow, ask, deny, differentAsks }: Tally): string =>
  `${name.padEnd(12)}${[allow, ask, deny].map((number) => String(number).padStart(7)).join("")}   ${differentAsks} different asks`

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ⏎ ")

/** A file with many rules has many that one recording does not meet: a person reads the first, a program all. */
const MAX_UNMATCHED = 20

/** The same for people. Text from recordings is as given: whoever prints it makes it safe for a terminal. */
export const render = (simulation: Simulation): string => {
  const { asks, calls, candidate, changes, current, questions, surfaces, unmatched } = simulation
  const lines = [
    `${calls} calls${questions === 0 ? "" : `, ${questions} of them questions of the agent's own`}`,
    "",
    `${"".padEnd(12)}${["allow", "ask", "deny"].map((name) => name.padStart(7)).join("")}`,
    row("now", current),
    ...(candidate === null ? [] : [row("candidate", candidate)])
  ]
  if (surfaces.length > 0) {
    lines.push("", `By surface${candidate === null ? "" : ", under the candidate"}`)
    for (const { allow, ask, byNoRule, deny, surface } of surfaces) {
      const numbers = [allow, ask, deny].map((number) => String(number).padStart(7)).join("")
      lines.push(`  ${surface.padEnd(26)}${numbers}${byNoRule === 0 ? "" : `   ${byNoRule} by no rule`}`)
    }
  }
  if (changes.length > 0) {
    lines.push("", "What would change")
    for (const { by, from, times, to, tool, value } of changes) {
      lines.push(`  ${from} → ${to}  ${times}×  ${tool}: ${oneLine(value)}`)
      lines.push(`      by ${by.surface} "${by.pattern}"`)
    }
  }
  if (asks.length > 0) {
    lines.push("", "What would be asked")
    for (const { pattern, surface, times, tool, value } of asks) {
      lines.push(`  ${times}×  ${tool}: ${oneLine(value)}`, `      by ${surface} "${pattern}"`)
    }
  }
  if (unmatched.length > 0) {
    lines.push("", "Rules that nothing had to do with")
    for (const { action, file, line, pattern, surface } of unmatched.slice(0, MAX_UNMATCHED)) {
      lines.push(`  ${file ?? ""}:${line ?? ""}  ${action} ${surface} "${pattern}"`)
    }
    const more = unmatched.length - MAX_UNMATCHED
    if (more > 0) lines.push(`  … and ${more} more, all of them with --output json`)
  }
  return lines.join("\n")
}
