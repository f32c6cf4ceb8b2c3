import type { Draft } from "./LedgerDraft.ts"
import {
  closeAll,
  fail,
  finish,
  forget,
  lateness,
  owns,
  retire,
  set,
  update,
  withdraw
} from "./LedgerDraft.ts"
import type { LedgerEvent, LedgerOutput } from "./LedgerEvent.ts"
import * as Sighting from "./LedgerSighting.ts"
import * as State from "./LedgerState.ts"
import type { LedgerState, Tracked } from "./LedgerState.ts"
import * as NativeEvidence from "./NativeEvidence.ts"
import type { Closure } from "./QuestionEvent.ts"

type Of<Tag extends LedgerEvent["_tag"]> = Extract<LedgerEvent, { readonly _tag: Tag }>

/**
 * The life of a session's questions (Q3): candidate → raised → (answering → raised | closed) | closed. Total
 * and pure: what an event makes of the state, and what follows for everybody else, in order.
 */
export const transition = (
  state: LedgerState,
  event: LedgerEvent
): { readonly state: LedgerState; readonly outputs: ReadonlyArray<LedgerOutput> } => {
  const draft: Draft = { state, outputs: [] }
  // A shut ledger only waits for the last physical write.
  if (!state.shut || event._tag === "write_settled") apply(draft, event)
  if (state.automation === "on" && draft.state.automation !== "on") disable(draft, event)
  raise(draft)
  const held = State.isHeld(draft.state)
  if (held !== draft.state.held) {
    set(draft, { held })
    draft.outputs.push({ _tag: "hold", held })
  }
  return draft
}

const apply = (draft: Draft, event: LedgerEvent): void => {
  const { state } = draft
  switch (event._tag) {
    case "sighted":
      return Sighting.sight(draft, event)
    case "hook_settled":
      return Sighting.settleHook(draft, event)
    case "opaque":
      return obscure(draft, event)
    case "painted":
      return set(draft, { view: { shown: event.shown, editor: event.editor, at: event.at } })
    case "completed":
    case "dismissed":
    case "withdrawn":
      return conclude(draft, event)
    case "begun":
      return begin(draft, event)
    case "write":
      return write(draft, event)
    case "write_settled":
      return state.writing === event.attempt ? set(draft, { writing: null }) : undefined
    case "failed":
      return state.attempt?.attempt === event.attempt ? fail(draft, event.category) : undefined
    case "timed_out":
      return state.attempt?.attempt === event.attempt ? fail(draft, lateness(state)) : undefined
    case "intervened":
      // A hook's answer types nothing: the person and the host race fairly (Q5.4).
      return state.attempt?.way === "editor" || event.what === "interrupt"
        ? fail(draft, "aborted")
        : undefined
    case "released": {
      const one = State.find(state, event.request)
      return one?.phase === "reserved" ? forget(draft, one, state.view.at) : undefined
    }
    case "turn_ended":
      closeAll(draft, lateness(state), event.at)
      return set(draft, {
        ended: [],
        opaque: false,
        disabledHold: false,
        automation: draft.state.automation === "until_turn_end" ? "on" : draft.state.automation
      })
    case "shut":
      closeAll(draft, "aborted", state.view.at)
      return set(draft, { shut: true })
  }
}

/** Raises what the newest frame shows beyond doubt, once the callers' own decisions have passed (Q5.1). */
const raise = (draft: Draft): void => {
  const one = State.inFront(draft.state)
  if (one === null || one.phase !== "candidate" || State.isPending(one)) return
  update(draft, one, { phase: "raised" })
  draft.outputs.push({ _tag: "raised", request: one.request })
}

/** A budget is full: nothing is exposed any more, and input waits for the turn's end (Q6.3). */
const disable = (draft: Draft, event: LedgerEvent): void => {
  const first = !draft.state.warnedDisabled
  closeAll(draft, "adapter", draft.state.view.at)
  set(draft, { disabledHold: event._tag !== "turn_ended", warnedDisabled: true })
  if (first) draft.outputs.push({ _tag: "warning", code: "question_automation_disabled" })
}

const obscure = (draft: Draft, event: Of<"opaque">): void => {
  set(draft, { opaque: true })
  const one = State.byNativeId(draft.state, event.nativeId)
  if (one !== null && withdraw(draft, one)) forget(draft, one, event.at)
}

const begin = (draft: Draft, event: Of<"begun">): void => {
  const { attempt, expected, request, way } = event
  const one = State.find(draft.state, request)
  if (State.laneTaken(draft.state) || one?.phase !== "raised" || one.decided !== null) {
    draft.outputs.push({ _tag: "settled", attempt, outcome: "adapter" })
    return
  }
  set(draft, { attempt: { attempt, request, way, stage: "open", expected } })
}

const write = (draft: Draft, event: Of<"write">): void => {
  const { attempt } = draft.state
  if (attempt === null || !State.mayWrite(draft.state, event.attempt)) return
  set(draft, {
    attempt: { ...attempt, stage: event.submits ? "submitted" : "written" },
    writing: event.attempt
  })
  draft.outputs.push({ _tag: "granted", attempt: event.attempt })
}

/** The agent's own record of a call's end. */
const conclude = (draft: Draft, event: Of<"completed"> | Of<"dismissed" | "withdrawn">): void => {
  const one = owner(draft.state, event)
  if (one === null) {
    // An end seen before its beginning: the beginning comes too late. Only a question's id is kept.
    if (event.definitions !== null) retire(draft, event.nativeId)
    return
  }
  const { closure, accepted } = verdict(draft.state, one, event)
  finish(draft, one, closure, accepted ? "accepted" : "native_acceptance", event.at)
  retire(draft, event.nativeId)
  const answered = closure.reason === "answered" || one.phase === "reserved"
  if (event._tag === "completed" && !answered && !NativeEvidence.isComplete(one.definitions, event.answers)) {
    draft.outputs.push({ _tag: "warning", code: "question_completed_without_answers" })
  }
}

/** By id; without one by a unique match of the definitions; never by a guess (Q5.2, Q5.6). */
const owner = (
  state: LedgerState,
  event: Of<"completed"> | Of<"dismissed" | "withdrawn">
): Tracked | null => {
  const { definitions, nativeId } = event
  const known = State.byNativeId(state, nativeId)
  if (known !== null || definitions === null) return known
  if (nativeId !== null && state.retired.has(nativeId)) return null
  const alike = state.tracked.filter(
    (one) =>
      (nativeId === null || one.nativeId === null) &&
      NativeEvidence.sameQuestions(one.definitions, definitions)
  )
  return alike.length === 1 ? alike[0]! : null
}

/** What the agent's record proves (Q3.2, Q4.5). */
const verdict = (
  state: LedgerState,
  one: Tracked,
  event: Of<"completed"> | Of<"dismissed" | "withdrawn">
): { readonly closure: Closure; readonly accepted: boolean } => {
  const unavailable = { closure: { reason: "unavailable" }, accepted: false } as const
  if (event._tag !== "completed") {
    return event._tag === "withdrawn" ? unavailable : { closure: { reason: "cancelled" }, accepted: false }
  }
  const attempt = owns(state, one) ? state.attempt : null
  if (attempt !== null) {
    if (!NativeEvidence.sameAnswers(attempt.expected, event.answers)) return unavailable
    // Equal, though nothing of ours was written: the person at the terminal chose the same.
    const ours = attempt.stage !== "open"
    return { closure: { reason: "answered", by: ours ? "host" : "terminal" }, accepted: ours }
  }
  if (!NativeEvidence.isComplete(one.definitions, event.answers)) return unavailable
  return {
    closure: { reason: "answered", by: one.decided === "answered" ? "hook" : "terminal" },
    accepted: false
  }
}
