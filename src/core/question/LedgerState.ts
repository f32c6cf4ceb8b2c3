import type { Agent } from "../call/Agent.ts"
import type { NativeAnswers } from "../session/HookFact.ts"
import type { QuestionDefinition } from "./QuestionDefinition.ts"
import type { QuestionRequest, RequestId } from "./QuestionRequest.ts"

/** One hook invocation of a question. */
export interface TrackedHook {
  readonly token: string
  /** The caller's own decision is still awaited. */
  readonly pending: boolean
  /** The dialog comes after its decision, so that only a later paint shows the question (Q5.1). */
  readonly leads: boolean
  readonly source: "tool" | "permission" | "record"
}

/**
 * One native question that is not settled (Q3.1).
 *
 * - `candidate`: known from the agent's record, not raised.
 * - `raised`: listed, answerable.
 * - `reserved`: closed for the host, but what was typed is unconfirmed, so the native identity is kept and
 *   never raised again (Q4.7).
 */
export interface Tracked {
  readonly id: RequestId
  readonly nativeId: string | null
  readonly definitions: ReadonlyArray<QuestionDefinition>
  readonly request: QuestionRequest
  readonly phase: "candidate" | "raised" | "reserved"
  readonly hooks: ReadonlyArray<TrackedHook>
  /** Its dialog may be up: `false` while the agent itself still waits for the pre-tool hook. */
  readonly presentable: boolean
  /** What a caller's own hook decided after it was raised; then no host answers it any more. */
  readonly decided: "answered" | "denied" | null
  /** A frame shows it only if painted after this many bytes. */
  readonly after: number
  /** UTF-8 bytes of its metadata, for the budget. */
  readonly bytes: number
}

/** The one transaction of the question lane (Q4.1). */
export interface CurrentAttempt {
  readonly attempt: number
  readonly request: RequestId
  readonly way: "editor" | "hook"
  readonly stage: "open" | "written" | "submitted"
  readonly expected: NativeAnswers
}

/** A native question that ended in this turn, against stale panels and late mirrors of it. */
export interface Ended {
  readonly definitions: ReadonlyArray<QuestionDefinition>
  readonly nativeId: string | null
  readonly at: number
}

export interface LedgerState {
  readonly agent: Agent
  /** In the order of discovery. */
  readonly tracked: ReadonlyArray<Tracked>
  readonly attempt: CurrentAttempt | null
  /** The attempt whose physical write has not settled; it may outlive the attempt. */
  readonly writing: number | null
  readonly view: {
    readonly shown: ReadonlyArray<RequestId>
    readonly editor: boolean
    readonly at: number
  }
  /** Native ids that are over for good, and how many bytes they take. */
  readonly retired: ReadonlySet<string>
  readonly retiredBytes: number
  readonly ended: ReadonlyArray<Ended>
  /** A question that cannot be represented holds until the turn ends (Q6.2). */
  readonly opaque: boolean
  readonly automation: "on" | "until_turn_end" | "off"
  /** While disabled: held until the turn ends (Q6.3). */
  readonly disabledHold: boolean
  readonly warnedDisabled: boolean
  readonly held: boolean
  readonly shut: boolean
}

export const make = (agent: Agent): LedgerState => ({
  agent,
  tracked: [],
  attempt: null,
  writing: null,
  view: { shown: [], editor: false, at: 0 },
  retired: new Set(),
  retiredBytes: 0,
  ended: [],
  opaque: false,
  automation: "on",
  disabledHold: false,
  warnedDisabled: false,
  held: false,
  shut: false
})

/** Open requests in discovery order (Q3.4). */
export const open = (state: LedgerState): ReadonlyArray<QuestionRequest> =>
  state.tracked.filter((one) => one.phase === "raised").map((one) => one.request)

export const find = (state: LedgerState, id: RequestId): Tracked | null =>
  state.tracked.find((one) => one.id === id) ?? null

export const byNativeId = (state: LedgerState, nativeId: string | null): Tracked | null =>
  nativeId === null ? null : (state.tracked.find((one) => one.nativeId === nativeId) ?? null)

/** A caller's own decision on one of its hooks is awaited. */
export const isPending = (one: Tracked): boolean => one.hooks.some((hook) => hook.pending)

/** The hook invocations that belong to this question and to no look-alike of it, oldest first. */
export const ownHooks = (state: LedgerState, one: Tracked): ReadonlyArray<string> =>
  one.hooks
    .map(({ token }) => token)
    .filter((token) => !state.tracked.some((other) => other.id !== one.id && hasHook(other, token)))

const hasHook = (one: Tracked, token: string) => one.hooks.some((hook) => hook.token === token)

/** The one question whose editor the newest frame shows; `null` where none or several match (Q5.6). */
export const inFront = (state: LedgerState): Tracked | null => {
  const matching = state.tracked.filter((one) => one.presentable && state.view.shown.includes(one.id))
  const [one] = matching
  return one !== undefined && matching.length === 1 && state.view.at > one.after ? one : null
}

/** An attempt, or a physical write that outlives one, owns the question lane (Q4.1). */
export const laneTaken = (state: LedgerState): boolean => state.attempt !== null || state.writing !== null

/**
 * The re-check before every physical write (Q4.3): the attempt still owns a live request, nothing was
 * submitted, no write is in flight, no caller's own decision is out, and, for the editor, the newest frame shows
 * this question's editor and no other's.
 */
export const mayWrite = (state: LedgerState, attempt: number): boolean => {
  const current = state.attempt
  if (current === null || current.attempt !== attempt) return false
  if (current.stage === "submitted" || state.writing !== null) return false
  const one = find(state, current.request)
  return (
    one !== null &&
    one.phase === "raised" &&
    !isPending(one) &&
    (current.way === "hook" || inFront(state) === one)
  )
}

/** Whether ordinary input has to stay away from an editor that is up or may come up (Q4.7, Q4.8). */
export const isHeld = (state: LedgerState): boolean =>
  state.tracked.length > 0 ||
  state.writing !== null ||
  (!state.shut && (state.view.editor || state.opaque || state.disabledHold))
