import * as Option from "effect/Option"
import * as Analysis from "../policy/Analysis.ts"
import * as Basis from "../policy/Basis.ts"
import { decide } from "../policy/Decide.ts"
import type * as Policy from "../policy/Policy.ts"
import type { Action } from "../policy/Ruling.ts"
import * as CallRecord from "./CallRecord.ts"
import type { Of } from "./JournalEntry.ts"
import type { JournalRow } from "./JournalRow.ts"

/** Why a ruling cannot be made again. Such a row is never counted as equal (A4.5). */
export type Obstacle =
  /** Redaction or a limit has taken something of the row. */
  | "altered"
  /** The gate broke before there was a ruling, or nothing says what the ruling rested on. */
  | "no_basis"
  /** The policy was not kept, or is not there any more. */
  | "no_policy"

export type Replay =
  | { readonly _tag: "equal" }
  | { readonly _tag: "different"; readonly recorded: Action; readonly replayed: Action }
  /** What is kept under a policy's digest is not that policy. */
  | { readonly _tag: "policy_changed" }
  | { readonly _tag: "not_replayable"; readonly obstacle: Obstacle }

/** A policy by the digest under which it is kept; `changed` where its content is another. */
export type Policies = (kept: string) => Option.Option<Policy.Policy | "changed">

const not = (obstacle: Obstacle): Replay => ({ _tag: "not_replayable", obstacle })

/** Makes the decision of policy again on what was written down, and compares all of it (A4.2). */
export const replay = (
  row: Pick<JournalRow, "altered">,
  { basis, call, policy, ruling }: Of<"decision">,
  policies: Policies
): Replay => {
  if (row.altered.length > 0 || !call.complete) return not("altered")
  if (ruling === null || basis === null) return not("no_basis")
  const found = policy === null ? Option.none() : policies(policy)
  if (Option.isNone(found)) return not("no_policy")
  const kept = found.value
  if (kept === "changed" || kept.digest !== ruling.policyDigest) return { _tag: "policy_changed" }
  const analysis = Analysis.analyse(call, CallRecord.environment(call, basis))
  const again = decide(kept, basis.grants, analysis, Basis.facts(basis))
  return CallRecord.text(again) === CallRecord.text(ruling)
    ? { _tag: "equal" }
    : { _tag: "different", recorded: ruling.action, replayed: again.action }
}
