import type { ToolCall } from "../call/ToolCall.ts"
import type { Grant, SessionGrant } from "./Grant.ts"
import type { Ruling } from "./Ruling.ts"

/** The grants that hold, oldest first. Immutable. */
export interface GrantStore {
  readonly grants: ReadonlyArray<Grant>
  /** How many there have ever been. */
  readonly count: number
}

export const empty: GrantStore = { grants: [], count: 0 }

type Caller = Pick<ToolCall, "requester" | "mode">

const MINUTE = 60_000

/**
 * The store with what a person granted on an ask of `caller`. A caller without a session gets none: nobody could
 * tell its calls from another's.
 */
export const add = (store: GrantStore, caller: Caller, given: SessionGrant, now: number): GrantStore => {
  const { agentName, sessionId } = caller.requester
  if (sessionId === null) return store
  const added = given.rules.map((rule, index): Grant => ({
    ...rule,
    id: `g${store.count + index + 1}`,
    session: sessionId,
    scope: given.scope,
    agentName,
    mode: caller.mode,
    expiresAt: given.minutes === null ? null : now + given.minutes * MINUTE,
    left: given.uses
  }))
  return { grants: [...store.grants, ...added], count: store.count + added.length }
}

/** Without those whose time is over, or whose agent has come to another mode: neither comes back (L5.3). */
export const settle = (store: GrantStore, caller: Caller, now: number): GrantStore => {
  const { agentName, sessionId } = caller.requester
  const over = (grant: Grant): boolean =>
    (grant.expiresAt !== null && grant.expiresAt <= now) ||
    (grant.session === sessionId &&
      grant.mode !== caller.mode &&
      (agentName === null || agentName === grant.agentName))
  return store.grants.some(over) ? { ...store, grants: store.grants.filter((grant) => !over(grant)) } : store
}

/** Those that cover calls of `caller` now. Looking changes nothing. */
export const covering = (store: GrantStore, caller: Caller, now: number): ReadonlyArray<Grant> => {
  const { mode, requester } = caller
  return settle(store, caller, now).grants.filter(
    (grant) =>
      grant.session === requester.sessionId &&
      grant.mode === mode &&
      (grant.scope === "session" || grant.agentName === requester.agentName)
  )
}

/**
 * The store once a ruling is acted upon: without what is over, and with the grants used that the ruling rests on.
 * `null` where one of them is gone meanwhile, and the call has to be ruled again. A call uses a grant once,
 * whatever the number of its units.
 */
export const spend = (before: GrantStore, caller: Caller, ruling: Ruling, now: number): GrantStore | null => {
  const store = settle(before, caller, now)
  const held = covering(store, caller, now)
  const used = new Set<Grant>()
  for (const { surface, winner } of ruling.units) {
    if (winner.scope !== "grant") continue
    const matching = held.filter((grant) => grant.surface === surface && grant.pattern === winner.pattern)
    // One without a count is spent first: it costs nothing.
    const grant = matching.find(({ left }) => left === null) ?? matching[0]
    if (grant === undefined) return null
    used.add(grant)
  }
  const counted = [...used].filter(({ left }) => left !== null)
  if (counted.length === 0) return store
  return {
    ...store,
    grants: store.grants.flatMap((grant) => {
      if (!counted.includes(grant)) return [grant]
      const left = (grant.left ?? 0) - 1
      return left > 0 ? [{ ...grant, left }] : []
    })
  }
}

/** Without a session's grants: it has ended, or another has taken its place (L5.3). */
export const dropSession = (store: GrantStore, session: string): GrantStore => ({
  ...store,
  grants: store.grants.filter((grant) => grant.session !== session)
})
