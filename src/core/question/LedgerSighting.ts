import type * as Arr from "effect/Array"
import type { Draft } from "./LedgerDraft.ts"
import { budget, fail, forget, owns, retire, set, update, withdraw } from "./LedgerDraft.ts"
import type { LedgerEvent } from "./LedgerEvent.ts"
import * as State from "./LedgerState.ts"
import type { Tracked, TrackedHook } from "./LedgerState.ts"
import * as NativeEvidence from "./NativeEvidence.ts"
import type { QuestionDefinition } from "./QuestionDefinition.ts"
import * as Request from "./QuestionRequest.ts"
import * as Utf8 from "./Utf8.ts"

type Sighted = Extract<LedgerEvent, { readonly _tag: "sighted" }>
type Settled = Extract<LedgerEvent, { readonly _tag: "hook_settled" }>

/** A question in the agent's record: a new one, a mirror, a changed one, or one that is over. */
export const sight = (draft: Draft, event: Sighted): void => {
  const { state } = draft
  if (state.automation !== "on") return set(draft, { disabledHold: true })
  if (event.nativeId !== null && state.retired.has(event.nativeId)) return
  const known = State.byNativeId(state, event.nativeId)
  if (known === null) {
    const mirrored = mirror(draft, event)
    return mirrored ? undefined : track(draft, event, null)
  }
  if (NativeEvidence.sameQuestions(known.definitions, event.definitions)) return attach(draft, known, event)
  if (withdraw(draft, known)) track(draft, event, known)
}

/** The caller's own decision on a hook: passed, or no question of a host's any more (Q5.1). */
export const settleHook = (draft: Draft, event: Settled): void => {
  const owners = draft.state.tracked.filter((one) =>
    one.hooks.some((hook) => hook.token === event.hook && hook.pending)
  )
  for (const one of owners) {
    const leads = one.hooks.some((hook) => hook.token === event.hook && hook.leads)
    update(draft, one, {
      hooks: one.hooks.map((hook) => (hook.token === event.hook ? { ...hook, pending: false } : hook)),
      presentable: true,
      after: leads ? Math.max(one.after, event.at) : one.after
    })
  }
  // A mirror shared by look-alikes does not tell which of them was decided: the agent's record will (Q5.6).
  const [one] = owners
  if (event.outcome === "passed" || one === undefined || owners.length > 1) return
  if (owns(draft.state, one)) fail(draft, "adapter")
  const now = State.find(draft.state, one.id)!
  if (now.phase === "candidate") forget(draft, now, event.at)
  else update(draft, now, { decided: event.outcome })
}

/** Whether the sighting is another view of a question that is known, or was, under another id or none. */
const mirror = (draft: Draft, event: Sighted): boolean => {
  const { tracked, ended } = draft.state
  const same = (one: { readonly definitions: ReadonlyArray<QuestionDefinition> }) =>
    NativeEvidence.sameQuestions(one.definitions, event.definitions)
  const alike = tracked.filter(same)
  if (event.source === "permission" || event.nativeId === null) {
    for (const one of mirrorOwners(alike, event)) attach(draft, one, event)
    return alike.length > 0 || (event.source !== "tool" && ended.some(same))
  }
  // The id that a question seen without one was missing.
  const nameless = alike.find((one) => one.nativeId === null)
  if (nameless !== undefined) {
    update(draft, nameless, { nativeId: event.nativeId })
    if (nameless.phase !== "reserved") attach(draft, State.find(draft.state, nameless.id)!, event)
    return true
  }
  const past = event.source === "record" && ended.some((one) => one.nativeId === null && same(one))
  if (past) retire(draft, event.nativeId)
  return past
}

/** The agent shows a dialog only after its pre-tool hook, and one mirror belongs to one dialog (Q5.6). */
const mirrorOwners = (alike: ReadonlyArray<Tracked>, event: Sighted): ReadonlyArray<Tracked> => {
  const live = alike.filter((one) => one.phase !== "reserved")
  if (event.source !== "permission") return live
  const free = live.filter(
    (one) => one.presentable && !one.hooks.some((hook) => hook.source === "permission")
  )
  return free.length === 1 ? free : live
}

const attach = (draft: Draft, one: Tracked, event: Sighted): void => {
  const own = hooksOf(event, false).filter(({ token }) => !one.hooks.some((hook) => hook.token === token))
  const hooks = [...one.hooks, ...own]
  const presentable =
    hooks.some(({ source }) => source === "permission") ||
    (one.presentable && !own.some(({ leads, pending }) => leads && pending))
  update(draft, one, { hooks, presentable: presentable || event.source === "permission" })
}

const hooksOf = ({ hook, source }: Sighted, discovers: boolean): ReadonlyArray<TrackedHook> =>
  hook === null ? [] : [{ ...hook, source, leads: discovers || source === "tool" }]

/** Tracks a new question in place of `former`, or beside all others. */
const track = (draft: Draft, event: Sighted, former: Tracked | null): void => {
  const { agent, ended } = draft.state
  const tracked = draft.state.tracked.filter((one) => one !== former)
  const bytes = metadataBytes(event.definitions)
  const pendingBytes = tracked.reduce((sum, one) => sum + one.bytes, bytes)
  if (
    event.definitions.length > budget.definitionsPerCall ||
    bytes > budget.bytesPerCall ||
    tracked.length >= budget.pending ||
    pendingBytes > budget.pendingBytes
  ) {
    return set(draft, { tracked, automation: "until_turn_end" })
  }
  const own = hooksOf(event, true)
  const waiting = (former?.hooks ?? []).filter(
    (hook) => hook.pending && !own.some(({ token }) => token === hook.token)
  )
  const one: Tracked = {
    id: event.freshId,
    nativeId: event.nativeId,
    definitions: event.definitions,
    request: Request.fromDefinitions(event.freshId, agent, event.delivery, event.definitions),
    phase: "candidate",
    hooks: [...waiting, ...own],
    presentable: event.source !== "tool" || event.hook?.pending !== true,
    decided: null,
    after: ended
      .filter((past) => NativeEvidence.sameQuestions(past.definitions, event.definitions))
      .reduce((latest, past) => Math.max(latest, past.at), -1),
    bytes
  }
  set(draft, { tracked: [...tracked, one] })
}

const metadataBytes = (definitions: Arr.NonEmptyReadonlyArray<QuestionDefinition>): number => {
  let total = 0
  for (const { prompt, header, options } of definitions) {
    total += Utf8.bytes(prompt) + Utf8.bytes(header ?? "")
    for (const option of options) {
      total +=
        Utf8.bytes(option.label) + Utf8.bytes(option.description ?? "") + Utf8.bytes(option.preview ?? "")
    }
  }
  return total
}
