import * as Schema from "effect/Schema"
import type { Verdict } from "./AuthorizerLink.ts"
import type { LinkDetails } from "./LinkDetails.ts"

/** What a model has to answer. Anything else is no verdict, and counts as `defer` (A3.6). */
export const Prediction = Schema.Struct({
  verdict: Schema.Literals(["allow", "deny", "defer"]),
  /** For the agent and the person; a model's words. */
  reason: Schema.String
})
export type Prediction = typeof Prediction.Type

/** Within what a judge may allow (A3.6). Nothing that is not named is inside. */
export interface JudgeBudget {
  /** By exact name; every unit that asks has to be on one of them. */
  readonly surfaces: ReadonlyArray<string>
  /** Within any 60 minutes. */
  readonly allowsPerHour: number
  /**
   * Names of the subagents whose forwarded asks may be allowed too; by default none, because the serving root's
   * conversation is not theirs.
   */
  readonly forwardedAgents?: ReadonlyArray<string>
}

/**
 * - `shadow`: predict and log, always defer.
 * - `enforce`: may deny; may allow within the budget.
 */
export type JudgeMode =
  | { readonly _tag: "shadow" }
  | { readonly _tag: "enforce"; readonly budget: JudgeBudget }

/**
 * Why a prediction does not count. `canary`: the model allows what must not be allowed. `count`: the hour's
 * allows are spent. `provenance`: the session changed while the model was thinking (A3.3).
 */
export const HeldBy = Schema.Literals(["shadow", "forwarded", "surface", "canary", "count", "provenance"])
export type HeldBy = typeof HeldBy.Type

/** The verdict that counts, and what held the prediction back, if something did. */
export interface Settled {
  readonly verdict: Verdict
  readonly heldBy: HeldBy | null
}

const DEFER: Verdict = { _tag: "defer" }

/** A prediction that does not count. */
export const held = (heldBy: HeldBy): Settled => ({ verdict: DEFER, heldBy })

/** Longest reason that goes on, in UTF-16 units: as long as a rule's may be (L1.1). */
const MAX_REASON = 500

const verdictOf = ({ reason, verdict }: Prediction): Verdict =>
  verdict === "deny" ? { _tag: "deny", reason: reason.slice(0, MAX_REASON) } : { _tag: verdict }

/** What a prediction amounts to under a mode, before allows are counted (A3.6). */
export const settle = (prediction: Prediction, mode: JudgeMode, details: LinkDetails): Settled => {
  if (prediction.verdict === "defer") return { verdict: DEFER, heldBy: null }
  if (mode._tag === "shadow") return held("shadow")
  if (prediction.verdict === "deny") return { verdict: verdictOf(prediction), heldBy: null }
  const { forwardedAgents = [], surfaces } = mode.budget
  if (details.origin === "forwarded_subagent") {
    const agent = details.forwarding?.requesterAgentName ?? null
    if (agent === null || !forwardedAgents.includes(agent)) return held("forwarded")
  }
  if (!details.units.every(({ surface }) => surfaces.includes(surface))) return held("surface")
  return { verdict: verdictOf(prediction), heldBy: null }
}

const HOUR_MILLIS = 3_600_000

/** One more allow at `now`, milliseconds of a clock that never goes back: the new record, or `null` if too many. */
export const take = (
  allowed: ReadonlyArray<number>,
  now: number,
  { allowsPerHour }: JudgeBudget
): ReadonlyArray<number> | null => {
  const recent = allowed.filter((at) => now - at < HOUR_MILLIS)
  return recent.length + 1 <= allowsPerHour ? [...recent, now] : null
}
