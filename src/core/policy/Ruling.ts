import * as Schema from "effect/Schema"
import { Basis } from "./Basis.ts"

/** What a rule says (L1.1). Ordered: `deny` is stricter than `ask`, `ask` stricter than `allow`. */
export const Action = Schema.Literals(["allow", "ask", "deny"])
export type Action = typeof Action.Type

/** Where a rule stands, weakest first (L1.4). */
export const Scope = Schema.Literals(["builtin", "admin", "default", "user", "project", "agent", "grant"])
export type Scope = typeof Scope.Type

/**
 * What cannot be seen from the command text (L3.3): `unresolved` the command itself, `code` what a known
 * interpreter runs, `open` only the operands.
 */
export const Indirect = Schema.Literals(["unresolved", "code", "open"])
export type Indirect = typeof Indirect.Type

/** Where a rule is written: a file and its 1-based line, or `null` for what ships with Obstat. */
export const RuleSource = Schema.Struct({
  file: Schema.NullOr(Schema.String),
  line: Schema.NullOr(Schema.Int)
})
export type RuleSource = typeof RuleSource.Type

/** The rule behind a ruling (L1.5). `pattern` is the rule's own text, or a sentinel such as `<no-rule>`. */
export const Provenance = Schema.Struct({
  action: Action,
  surface: Schema.String,
  pattern: Schema.String,
  scope: Schema.NullOr(Scope),
  source: Schema.NullOr(RuleSource),
  /** A deny's reason, at most 500 characters (L1.1). */
  reason: Schema.NullOr(Schema.String),
  /** `person`: no link may allow it (L1.4). */
  by: Schema.NullOr(Schema.Literal("person"))
})
export type Provenance = typeof Provenance.Type

/**
 * One thing that a call would do: a command unit, a file access, an MCP target, a skill.
 *
 * - `value`: the decisive command, path, target or name, whole.
 * - `executedUnit`: what will really run (inside wrappers too); for `code` the code text itself; else `null`.
 */
export const UnitRuling = Schema.Struct({
  surface: Schema.String,
  value: Schema.String,
  executedUnit: Schema.NullOr(Schema.String),
  indirect: Schema.NullOr(Indirect),
  winner: Provenance,
  runnerUp: Schema.NullOr(Provenance)
})
export type UnitRuling = typeof UnitRuling.Type

/** Policy's one answer for one call (L4.3): the most restrictive unit first. Total: every call has one. */
export const Ruling = Schema.Struct({
  action: Action,
  /** Never empty; the decisive unit first, then the others that are not allowed, then the rest. */
  units: Schema.NonEmptyArray(UnitRuling),
  /** The whole original shell text of a command call, `null` for other tools. */
  command: Schema.NullOr(Schema.String),
  /** Text that the analysis could not understand (L3.5), `null` if there was none. */
  residue: Schema.NullOr(Schema.String),
  /** Digest of the policy that ruled, so that a journal row can be replayed. */
  policyDigest: Schema.String,
  /** What it rested on, where it was made from looked-up facts; the decision on the same basis is the same (A4.2). */
  basis: Schema.optionalKey(Basis)
})
export type Ruling = typeof Ruling.Type
