import * as Schema from "effect/Schema"
import * as ShellAnalysis from "../shell/ShellAnalysis.ts"
import * as Analysis from "./Analysis.ts"
import { decide, unitRuling } from "./Decide.ts"
import * as PathFacts from "./PathFacts.ts"
import type { Policy } from "./Policy.ts"
import { Action, Indirect, type Provenance, type Ruling, RuleSource, Scope } from "./Ruling.ts"

/** The rule behind an answer, in the machine form. */
const Rule = Schema.Struct({
  action: Action,
  surface: Schema.String,
  pattern: Schema.String,
  scope: Schema.NullOr(Scope),
  source: Schema.NullOr(RuleSource),
  reason: Schema.NullOr(Schema.String)
})

const Answer = Schema.Struct({ ...Rule.fields, runnerUp: Schema.NullOr(Rule) })

/**
 * What `policy explain` prints for machines (L6.3). Stable: a field is only ever added, and the version
 * counts up when one changes its meaning.
 */
export const Explanation = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  command: Schema.String,
  /** Absolute. */
  cwd: Schema.String,
  /** Every command that would run, wrappers and what they run apart, outer first. */
  units: Schema.Array(
    Schema.Struct({
      /** The words for reading, those with blanks or shell characters single-quoted. */
      text: Schema.String,
      /** The words after quote removal; expansions as written; `<stdin>`, `<found>`, `<FILE>` from elsewhere. */
      argv: Schema.Array(Schema.String),
      /** The wrappers that it runs inside, outermost first. */
      via: Schema.Array(Schema.String),
      indirect: Schema.Union([Indirect, Schema.Literal(false)]),
      ruling: Answer
    })
  ),
  accesses: Schema.Array(
    Schema.Struct({
      direction: Schema.Literals(["read", "write"]),
      /** Absolute, links resolved where the file system was asked; a pattern or the words as written where it is not one known path. */
      path: Schema.String,
      surface: Schema.Literals(["path_read", "path_write"])
    })
  ),
  /** Whether anything of it cannot be seen. */
  indirect: Schema.Boolean,
  /** The text that was not understood, `null` if all of it was. */
  residue: Schema.NullOr(Schema.String),
  ruling: Answer
})
export type Explanation = typeof Explanation.Type

const ruleOf = (rule: Provenance): typeof Rule.Type => ({
  action: rule.action,
  surface: rule.surface,
  pattern: rule.pattern,
  scope: rule.scope,
  source: rule.source,
  reason: rule.reason
})

const answerOf = (unit: Pick<Ruling["units"][number], "winner" | "runnerUp">): typeof Answer.Type => ({
  ...ruleOf(unit.winner),
  runnerUp: unit.runnerUp === null ? null : ruleOf(unit.runnerUp)
})

/**
 * How a policy answers a shell text, and why (L6.1). Pure; the very decision that a call would get. `facts`
 * comes from a `PathFacts` that was asked about `Analysis.command(text, environment)`; without it paths count
 * as written.
 */
export const explain = (
  policy: Policy,
  text: string,
  environment: Analysis.Environment,
  facts: PathFacts.Facts = PathFacts.none
): Explanation => {
  const analysis = Analysis.command(text, environment)
  const ruling = decide(policy, [], analysis, facts)
  const units = analysis.units.map((unit) => ({
    text: ShellAnalysis.textOf(unit),
    argv: ShellAnalysis.argvOf(unit),
    via: unit.via,
    indirect: unit.mark?.indirect ?? (false as const),
    ruling: answerOf(unitRuling(policy, [], unit, facts))
  }))
  return {
    schemaVersion: 1,
    command: text,
    cwd: environment.cwd,
    units,
    accesses: accessesOf(analysis, facts),
    indirect: analysis.flaw !== null || units.some((unit) => unit.indirect !== false),
    residue: ruling.residue,
    ruling: answerOf(ruling.units[0])
  }
}

const accessesOf = (analysis: Analysis.Analysis, facts: PathFacts.Facts): Explanation["accesses"] => {
  const seen = new Set<string>()
  return analysis.touches.flatMap(({ certain, direction, target }) => {
    const path = (target.kind === "exact" ? facts.canonical(target.raw) : null) ?? target.path
    const key = `${direction} ${path}`
    if (!certain || seen.has(key)) return []
    seen.add(key)
    return [{ direction, path, surface: `path_${direction}` as const }]
  })
}

/** A rule and where it stands, for reading. */
export const place = (rule: typeof Rule.Type): string => {
  if (rule.scope === null) return rule.pattern
  const where =
    rule.source?.file === null || rule.source?.file === undefined
      ? `${rule.scope} policy`
      : `${rule.scope} policy, ${rule.source.file}${rule.source.line === null ? "" : `:${rule.source.line}`}`
  return `${rule.surface} "${rule.pattern}" (${where})`
}

const answerLine = (answer: typeof Answer.Type): ReadonlyArray<string> => [
  `${answer.action}  ${place(answer)}`,
  ...(answer.reason === null ? [] : [`       ${answer.reason}`]),
  ...(answer.runnerUp === null ? [] : [`       else ${answer.runnerUp.action}: ${place(answer.runnerUp)}`])
]

const INDIRECT = {
  unresolved: "what runs cannot be seen",
  code: "its code is not in the command",
  open: "some of its operands come from elsewhere"
} as const

/** The same for people. Text from the command is as given: whoever prints it makes it safe for a terminal. */
export const render = (explanation: Explanation): string => {
  const lines = [
    `${explanation.ruling.action}  ${explanation.command}`,
    ...answerLine(explanation.ruling).map((line) => `  ${line}`),
    ""
  ]
  if (explanation.residue !== null) lines.push("Not understood as a whole; nothing lifts it above ask.", "")
  if (explanation.units.length > 0) lines.push("Commands")
  for (const unit of explanation.units) {
    const via = unit.via.length === 0 ? "" : `  (inside ${unit.via.join(", ")})`
    lines.push(`  ${unit.text}${via}`)
    if (unit.indirect !== false) lines.push(`    ${INDIRECT[unit.indirect]}`)
    lines.push(...answerLine(unit.ruling).map((line) => `    ${line}`))
  }
  if (explanation.accesses.length > 0) {
    lines.push("", "Files")
    for (const access of explanation.accesses) lines.push(`  ${access.direction.padEnd(5)} ${access.path}`)
  }
  return lines.join("\n")
}
