import * as Schema from "effect/Schema"

/** What a grant covers, as a person was shown it (L5.1). */
export const GrantRule = Schema.Struct({
  surface: Schema.String,
  /** A rule's pattern; where `exact`, the very value, of which nothing is a wildcard. */
  pattern: Schema.String,
  exact: Schema.Boolean,
  /** For code: the line that it was shown in. It is covered nowhere else, since its words do not say all (L5.2). */
  line: Schema.NullOr(Schema.Struct({ command: Schema.String, cwd: Schema.String }))
})
export type GrantRule = typeof GrantRule.Type

const atLeastOne = Schema.Int.pipe(Schema.check(Schema.isGreaterThanOrEqualTo(1)))

/**
 * What a person allows beyond the one call (L5.1).
 *
 * - `scope`: whoever asked alone, or every agent of the session that asked.
 * - `minutes`, `uses`: how long, and for how many more calls; `null`: as long as the session.
 */
export const SessionGrant = Schema.Struct({
  rules: Schema.NonEmptyArray(GrantRule),
  scope: Schema.Literals(["requester", "session"]),
  minutes: Schema.NullOr(atLeastOne),
  uses: Schema.NullOr(atLeastOne)
})
export type SessionGrant = typeof SessionGrant.Type

/** A grant that holds (L5.1): exactly what a person was shown and allowed. In memory alone (L5.3). */
export const Grant = Schema.Struct({
  ...GrantRule.fields,
  id: Schema.String,
  /** The session that it was given in. */
  session: Schema.String,
  scope: Schema.Literals(["requester", "session"]),
  /** Who asked: a subagent's name, `null` for the session's main agent. */
  agentName: Schema.NullOr(Schema.String),
  /** The agent's own permission mode at that moment: another mode ends the grant (L5.3). */
  mode: Schema.NullOr(Schema.String),
  /** Milliseconds since the epoch. */
  expiresAt: Schema.NullOr(Schema.Int),
  /** How many more calls it is good for. */
  left: Schema.NullOr(Schema.Int)
})
export type Grant = typeof Grant.Type
