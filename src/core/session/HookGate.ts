import * as HashSet from "effect/HashSet"
import * as Option from "effect/Option"
import type { DenialKind } from "../authority/Decision.ts"
import * as CanonicalJson from "../call/CanonicalJson.ts"
import type { ToolCall } from "../call/ToolCall.ts"

/** After this long a parked ask is denied as unavailable (S5.6): half of the agents' own time-out, 86,400 s. */
export const PARK_LIMIT_HOURS = 12
/** At most this long a person's keys are held for a dialog that our reply takes away (S5.6). */
export const KEY_HOLD_LIMIT_MS = 1000

/** The agents' own name of the mode in which nothing may be written, and which a release would override. */
const PLAN_MODE = "plan"

/** What was decided about one parked ask. */
export type Verdict =
  | { readonly _tag: "allow" }
  | { readonly _tag: "deny"; readonly kind: DenialKind; readonly reason: string | null }

/**
 * How a tool's result stands to the gate; the dialect knows the forms (S5.5).
 *
 * - `gated`: its tool has a PreToolUse event.
 * - `refused_before_hooks`: an error that the agent gives before it calls any hook.
 * - `hookless_harmless`: a tool without hooks, with no input, or input to a program that may read it.
 * - `hookless`: any other result of a tool without hooks.
 */
export type ResultForm = "gated" | "refused_before_hooks" | "hookless_harmless" | "hookless"

/** What happens around the gate. `hook` names one hook event, once; it is the caller's own id. */
export type GateEvent =
  /** A PreToolUse event: the call is put to the authority, and waits. */
  | {
      readonly _tag: "tool_requested"
      readonly hook: string
      readonly call: ToolCall
      readonly agentId: string | null
    }
  /** A question tool's PreToolUse event: it is no permission, but its result will come (Q3.7). */
  | { readonly _tag: "question_requested"; readonly callId: string }
  /** A PermissionRequest event. `writes`: whether the call may write; `true` where that is not known. */
  | {
      readonly _tag: "permission_requested"
      readonly hook: string
      readonly call: ToolCall
      readonly agentId: string | null
      readonly writes: boolean
    }
  | { readonly _tag: "decided"; readonly hook: string; readonly verdict: Verdict }
  /** The agent ended the hook process. */
  | { readonly _tag: "withdrawn"; readonly hook: string }
  /** The ask waited `PARK_LIMIT_HOURS`. */
  | { readonly _tag: "expired"; readonly hook: string }
  /** The dialog is gone from the screen, or `KEY_HOLD_LIMIT_MS` have passed. */
  | { readonly _tag: "dialog_settled"; readonly hook: string }
  | {
      readonly _tag: "result"
      readonly callId: string
      readonly tool: string
      readonly form: ResultForm
    }
  /** A turn ended, or was interrupted: no permission outlives it. */
  | { readonly _tag: "turn_over" }
  /** The session closes, or the host goes. */
  | { readonly _tag: "closed" }

/** What the caller has to do, in order. */
export type GateOutput =
  | {
      readonly _tag: "ask"
      readonly hook: string
      readonly call: ToolCall
      readonly place: "tool" | "permission"
    }
  /** The ask needs no answer any more; one in flight is void. */
  | { readonly _tag: "withdraw"; readonly hook: string }
  /** PreToolUse: no objection, and no release either. A silent reply. */
  | { readonly _tag: "pass"; readonly hook: string }
  /** PreToolUse: the dialect's `deny`. */
  | { readonly _tag: "deny"; readonly hook: string; readonly verdict: Denial }
  /** PermissionRequest: the dialect's `release`. */
  | { readonly _tag: "release"; readonly hook: string }
  /** PermissionRequest: the dialect's `refuse`. */
  | { readonly _tag: "refuse"; readonly hook: string; readonly verdict: Denial }
  /** PermissionRequest: a silent reply; the agent's own dialog stands. */
  | { readonly _tag: "withhold"; readonly hook: string }
  /** A failed reply: a block in PreToolUse, the agent's own dialog in PermissionRequest. */
  | { readonly _tag: "fail"; readonly hook: string }
  | { readonly _tag: "hold_keys"; readonly hook: string }
  | { readonly _tag: "free_keys"; readonly hook: string }
  /** A tool ran that the gate never saw. The gate is shut; the session must stop (S5.5). */
  | { readonly _tag: "ungated_call"; readonly callId: string; readonly tool: string }
  /** To be journaled (S5.5). */
  | { readonly _tag: "hookless_result"; readonly callId: string; readonly tool: string }
  /** The turn must be interrupted (S5.5). */
  | { readonly _tag: "hookless_call"; readonly callId: string; readonly tool: string }

export type Denial = Extract<Verdict, { readonly _tag: "deny" }>

interface Parked {
  readonly hook: string
  readonly place: "tool" | "permission"
  readonly callId: string | null
  readonly identity: string | null
}

/** A call that PreToolUse has decided, until its result or the turn's end. */
interface Decided {
  readonly hook: string
  readonly callId: string | null
  readonly identity: string | null
  readonly standing: "allowed" | "released" | Denial
}

export interface GateState {
  readonly parked: ReadonlyArray<Parked>
  readonly decided: ReadonlyArray<Decided>
  /** Every call id that a PreToolUse event brought. Kept for good: its result may come late, and twice. */
  readonly seen: HashSet.HashSet<string>
  /** Hooks whose reply is taking a dialog away. */
  readonly holding: ReadonlyArray<string>
  readonly shut: boolean
}

export const initial: GateState = {
  parked: [],
  decided: [],
  seen: HashSet.empty(),
  holding: [],
  shut: false
}

export interface Transition {
  readonly state: GateState
  readonly outputs: ReadonlyArray<GateOutput>
}

const unavailable: Denial = { _tag: "deny", kind: "unavailable", reason: null }

/**
 * Two calls are equal if subagent, tool and the whole input are, key order aside. `null` where the input has
 * no canonical text: such a call equals none, itself included, and so is never released.
 */
const identify = (call: ToolCall, agentId: string | null): string | null =>
  Option.getOrNull(CanonicalJson.print([agentId, call.tool, call.input]))

const same = (state: GateState, ...outputs: ReadonlyArray<GateOutput>): Transition => ({ state, outputs })

/**
 * The gate between an agent's hooks and the authority (S5.6). A call is decided, and parks, in PreToolUse;
 * PermissionRequest releases only what an equal PreToolUse was allowed, each once, and asks anew for anything
 * else. Total and pure. Every hook gets exactly one reply unless it is withdrawn first; once shut, none gets
 * anything but `fail`.
 */
export const transition = (state: GateState, event: GateEvent): Transition => {
  switch (event._tag) {
    case "tool_requested":
      return toolRequested(state, event)
    case "question_requested":
      return same(see(state, event.callId))
    case "permission_requested":
      return permissionRequested(state, event)
    case "decided":
      return settle(state, event.hook, event.verdict)
    case "withdrawn":
      return withdrawn(state, event.hook)
    case "expired":
      return expired(state, event.hook)
    case "dialog_settled":
      return state.holding.includes(event.hook)
        ? same(
            { ...state, holding: state.holding.filter((hook) => hook !== event.hook) },
            { _tag: "free_keys", hook: event.hook }
          )
        : same(state)
    case "result":
      return result(state, event)
    case "turn_over":
      return same({ ...state, decided: [] })
    case "closed":
      return shut(state)
  }
}

type Of<Tag extends GateEvent["_tag"]> = Extract<GateEvent, { readonly _tag: Tag }>

const see = (state: GateState, callId: string | null): GateState =>
  callId === null ? state : { ...state, seen: HashSet.add(state.seen, callId) }

const park = (state: GateState, call: ToolCall, parked: Parked): Transition =>
  same(
    { ...state, parked: [...state.parked, parked] },
    { _tag: "ask", hook: parked.hook, call, place: parked.place }
  )

const toolRequested = (state: GateState, event: Of<"tool_requested">): Transition => {
  const { hook, call } = event
  const known = see(state, call.callId)
  if (state.shut) return same(known, { _tag: "fail", hook })
  return park(known, call, {
    hook,
    place: "tool",
    callId: call.callId,
    identity: identify(call, event.agentId)
  })
}

const permissionRequested = (state: GateState, event: Of<"permission_requested">): Transition => {
  const { hook, call } = event
  if (state.shut) return same(state, { _tag: "fail", hook })
  // The agents let a release override their own plan mode: there the dialog has to stand.
  if (event.writes && call.mode === PLAN_MODE) return same(state, { _tag: "withhold", hook })
  const identity = identify(call, event.agentId)
  const equal = identity === null ? [] : state.decided.filter((one) => one.identity === identity)
  const allowed = equal.find(({ standing }) => standing === "allowed")
  if (allowed !== undefined) {
    const decided = state.decided.map((one) =>
      one === allowed ? { ...one, standing: "released" as const } : one
    )
    return reply({ ...state, decided }, { _tag: "release", hook })
  }
  for (const { standing } of equal) {
    if (typeof standing === "object") return reply(state, { _tag: "refuse", hook, verdict: standing })
  }
  return park(state, call, { hook, place: "permission", callId: null, identity })
}

/** A reply that takes the agent's dialog away, if it is up: a key typed meanwhile must not land elsewhere. */
const reply = (state: GateState, output: GateOutput & { readonly hook: string }): Transition =>
  same({ ...state, holding: [...state.holding, output.hook] }, output, {
    _tag: "hold_keys",
    hook: output.hook
  })

const unpark = (state: GateState, hook: string): readonly [Parked | undefined, GateState] => {
  const parked = state.parked.find((one) => one.hook === hook)
  return [parked, parked ? { ...state, parked: state.parked.filter((one) => one !== parked) } : state]
}

const settle = (state: GateState, hook: string, verdict: Verdict): Transition => {
  const [parked, next] = unpark(state, hook)
  if (parked === undefined) return same(state)
  const allowed = verdict._tag === "allow"
  if (parked.place === "permission") {
    return reply(next, allowed ? { _tag: "release", hook } : { _tag: "refuse", hook, verdict })
  }
  const { callId, identity } = parked
  const decided: Decided = { hook, callId, identity, standing: allowed ? "allowed" : verdict }
  return same(
    { ...next, decided: [...next.decided, decided] },
    allowed ? { _tag: "pass", hook } : { _tag: "deny", hook, verdict }
  )
}

const withdrawn = (state: GateState, hook: string): Transition => {
  const [parked, next] = unpark(state, hook)
  return parked === undefined ? same(state) : same(next, { _tag: "withdraw", hook })
}

const expired = (state: GateState, hook: string): Transition => {
  const { state: next, outputs } = settle(state, hook, unavailable)
  return outputs.length === 0 ? same(state) : same(next, { _tag: "withdraw", hook }, ...outputs)
}

const result = (state: GateState, event: Of<"result">): Transition => {
  const { callId, tool } = event
  if (HashSet.has(state.seen, callId)) {
    return same({ ...state, decided: state.decided.filter((one) => one.callId !== callId) })
  }
  switch (event.form) {
    case "refused_before_hooks":
      return same(state)
    case "hookless_harmless":
      return same(state, { _tag: "hookless_result", callId, tool })
    case "hookless":
      return same(state, { _tag: "hookless_call", callId, tool })
    case "gated": {
      const { state: next, outputs } = shut(state)
      return same(next, { _tag: "ungated_call", callId, tool }, ...outputs)
    }
  }
}

const shut = (state: GateState): Transition =>
  same(
    { ...state, parked: [], decided: [], holding: [], shut: true },
    ...state.parked.flatMap(({ hook }): ReadonlyArray<GateOutput> => [
      { _tag: "withdraw", hook },
      { _tag: "fail", hook }
    ]),
    ...state.holding.map((hook): GateOutput => ({ _tag: "free_keys", hook }))
  )
