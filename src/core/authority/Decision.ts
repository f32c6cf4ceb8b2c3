import * as Schema from "effect/Schema"
import { SessionGrant } from "../policy/Grant.ts"
import { Ruling } from "../policy/Ruling.ts"

/** Who made a decision (A1.1). Only a terminal may say `unavailable` (A2.5). */
export const DecidedBy = Schema.Union([
  Schema.TaggedStruct("rule", {}),
  Schema.TaggedStruct("grant", {}),
  /** `modelGenerated`: a model wrote the link's words (P3.9). */
  Schema.TaggedStruct("link", { name: Schema.String, modelGenerated: Schema.Boolean }),
  Schema.TaggedStruct("person", { channel: Schema.String }),
  Schema.TaggedStruct("unavailable", {}),
  Schema.TaggedStruct("gate_error", {})
])
export type DecidedBy = typeof DecidedBy.Type

/** Why a call was not allowed (P3.1): none of these claims a human act that did not happen. */
export const DenialKind = Schema.Literals([
  "policy",
  "link",
  "person",
  "unavailable",
  "timed_out",
  "cancelled",
  "gate_error"
])
export type DenialKind = typeof DenialKind.Type

/** One step on the way to a decision, with how long it took. */
export const DecisionStep = Schema.Struct({
  name: Schema.String,
  verdict: Schema.String,
  /** Milliseconds. */
  latencyMs: Schema.Finite
})
export type DecisionStep = typeof DecisionStep.Type

/** What happens to one call. Never a failure: whatever breaks is a denial with `gate_error` (A1.2). */
export const Decision = Schema.Struct({
  action: Schema.Literals(["allow", "deny"]),
  by: DecidedBy,
  /** `null` for an allow. */
  denial: Schema.NullOr(DenialKind),
  /** A rule's, link's or person's words; a person's are unchanged but for outer blanks (A1.3). */
  reason: Schema.NullOr(Schema.String),
  /** What the person allowed for the session besides (L5.1); absent where it was this call alone. */
  granted: Schema.optionalKey(SessionGrant),
  /** `null` only where the gate broke before policy could rule. */
  ruling: Schema.NullOr(Ruling),
  steps: Schema.Array(DecisionStep),
  /** The node that decided: this session's id. */
  node: Schema.String
})
export type Decision = typeof Decision.Type
