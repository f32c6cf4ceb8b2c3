import type { LedgerOutput } from "./LedgerEvent.ts"
import * as State from "./LedgerState.ts"
import type { LedgerState, Tracked } from "./LedgerState.ts"
import * as NativeEvidence from "./NativeEvidence.ts"
import type { Closure } from "./QuestionEvent.ts"
import type { FailureCategory } from "./QuestionFailure.ts"
import * as Utf8 from "./Utf8.ts"

/**
 * What a session's questions may take (Q6.3). One more disables automation: the agent is flooding, and a
 * ledger that forgets would raise a retired question again.
 */
export const budget = {
  pending: 256,
  pendingBytes: 1024 * 1024,
  definitionsPerCall: 256,
  bytesPerCall: 1024 * 1024,
  retired: 4096,
  retiredBytes: 1024 * 1024
} as const

/** One transition under way: the state so far, and what follows for everybody else. */
export interface Draft {
  state: LedgerState
  readonly outputs: Array<LedgerOutput>
}

export const set = (draft: Draft, change: Partial<LedgerState>): void => {
  draft.state = { ...draft.state, ...change }
}

export const update = (draft: Draft, one: Tracked, change: Partial<Tracked>): void =>
  set(draft, {
    tracked: draft.state.tracked.map((each) => (each.id === one.id ? { ...each, ...change } : each))
  })

/** A native id that is over for good. When the memory for them is full, automation ends with it (Q6.3). */
export const retire = (draft: Draft, nativeId: string | null): void => {
  const { retired, retiredBytes } = draft.state
  if (nativeId === null || retired.has(nativeId)) return
  const total = retiredBytes + Utf8.bytes(nativeId)
  if (retired.size >= budget.retired || total > budget.retiredBytes) return set(draft, { automation: "off" })
  set(draft, { retired: new Set(retired).add(nativeId), retiredBytes: total })
}

/** Ends the tracking of a native question; its look-alikes need a later paint to be seen (Q5.1). */
export const forget = (draft: Draft, one: Tracked, at: number): void => {
  const { tracked, ended } = draft.state
  set(draft, {
    tracked: tracked
      .filter((each) => each.id !== one.id)
      .map((each) =>
        NativeEvidence.sameQuestions(each.definitions, one.definitions)
          ? { ...each, after: Math.max(each.after, at) }
          : each
      ),
    ended: [...ended, { definitions: one.definitions, nativeId: one.nativeId, at }].slice(-budget.pending)
  })
  retire(draft, one.nativeId)
}

const close = (draft: Draft, one: Tracked, closure: Closure): void => {
  if (one.phase === "raised") draft.outputs.push({ _tag: "closed", request: one.request, closure })
}

/** Ends the attempt, if there is one, and with it every further write of its delivery. */
const settle = (draft: Draft, outcome: "accepted" | FailureCategory): void => {
  const current = draft.state.attempt
  if (current === null) return
  set(draft, { attempt: null })
  draft.outputs.push({ _tag: "settled", attempt: current.attempt, outcome })
}

export const owns = (state: LedgerState, one: Tracked): boolean => state.attempt?.request === one.id

/**
 * Ends the attempt without the agent's word. Nothing written: the request stays answerable. Else it closes,
 * and its native identity stays reserved (Q4.7).
 */
export const fail = (draft: Draft, category: FailureCategory): void => {
  const current = draft.state.attempt
  if (current === null) return
  const one = State.find(draft.state, current.request)
  settle(draft, category)
  if (one === null || current.stage === "open") return
  close(draft, one, { reason: "unavailable" })
  update(draft, one, { phase: "reserved" })
}

/** Ends a question by the agent's own record; a reserved one silently (Q4.7). */
export const finish = (
  draft: Draft,
  one: Tracked,
  closure: Closure,
  outcome: "accepted" | FailureCategory,
  at: number
): void => {
  close(draft, one, closure)
  if (owns(draft.state, one)) settle(draft, outcome)
  forget(draft, one, at)
}

/**
 * Ends a request whose native call goes on as something else. `false`: something may have been typed into
 * it, so the native identity stays reserved and raises nothing more (Q4.7).
 */
export const withdraw = (draft: Draft, one: Tracked): boolean => {
  if (owns(draft.state, one)) fail(draft, "frame_wait")
  const now = State.find(draft.state, one.id)!
  if (now.phase === "reserved") return false
  close(draft, now, { reason: "unavailable" })
  return true
}

/** Why an attempt that ran out of time, or of turn, did not succeed. */
export const lateness = (state: LedgerState): FailureCategory =>
  state.attempt?.stage === "submitted"
    ? "native_acceptance"
    : state.attempt?.way === "hook"
      ? "adapter"
      : "frame_wait"

/** Everything ends at once: turn end, overflow, shutdown. */
export const closeAll = (draft: Draft, outcome: FailureCategory, at: number): void => {
  const all = draft.state.tracked
  for (const one of all) close(draft, one, { reason: "unavailable" })
  settle(draft, outcome)
  for (const one of all) forget(draft, one, at)
}
