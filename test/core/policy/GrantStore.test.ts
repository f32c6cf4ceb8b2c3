import { describe, expect, it } from "@effect/vitest"
import type { SessionGrant } from "../../../src/core/policy/Grant.ts"
import * as GrantStore from "../../../src/core/policy/GrantStore.ts"
import { grant, permit, rule } from "./Fixtures.ts"

const caller = (agentName: string | null = null, sessionId: string | null = "s", mode = "default") => ({
  requester: { agentName, sessionId, forwarded: false },
  mode
})

const given = (over: Partial<SessionGrant> = {}): SessionGrant => ({
  rules: [grant("bash", "make-it *")],
  scope: "session",
  minutes: null,
  uses: null,
  ...over
})

const holding = (over: Partial<SessionGrant> = {}, by = caller()) =>
  GrantStore.add(GrantStore.empty, by, given(over), 0)

const covers = (store: GrantStore.GrantStore, by: ReturnType<typeof caller>, now = 0) =>
  GrantStore.covering(store, by, now).length > 0

describe("grants", () => {
  it("hold for whoever asked alone, or for the whole session, and in no other [L5.1]", () => {
    const own = holding({ scope: "requester" }, caller("explore"))
    expect(covers(own, caller("explore"))).toBe(true)
    expect(covers(own, caller())).toBe(false)
    expect(covers(own, caller("review"))).toBe(false)
    const all = holding({ scope: "session" }, caller("explore"))
    expect(covers(all, caller())).toBe(true)
    expect(covers(all, caller("review"))).toBe(true)
    expect(covers(all, caller("explore", "other"))).toBe(false)
    expect(covers(all, caller(null, null))).toBe(false)
  })

  it("are not given to a caller without a session: it could not be told from another [L5.2]", () => {
    expect(GrantStore.add(GrantStore.empty, caller(null, null), given(), 0)).toBe(GrantStore.empty)
  })

  it("end with their time [L5.1]", () => {
    const store = holding({ minutes: 10 })
    expect(covers(store, caller(), 10 * 60_000 - 1)).toBe(true)
    expect(covers(store, caller(), 10 * 60_000)).toBe(false)
  })

  it("end with another mode, and do not come back with the old one [L5.3]", () => {
    const store = holding()
    expect(covers(store, caller(null, "s", "plan"))).toBe(false)
    const after = GrantStore.settle(store, caller(null, "s", "plan"), 0)
    expect(covers(after, caller())).toBe(false)
    // A subagent in a mode of its own ends nobody's but its own.
    const other = GrantStore.settle(store, caller("explore", "s", "plan"), 0)
    expect(covers(other, caller())).toBe(true)
    expect(covers(other, caller("explore", "s", "plan"))).toBe(false)
    const elsewhere = GrantStore.settle(store, caller(null, "other", "plan"), 0)
    expect(covers(elsewhere, caller())).toBe(true)
  })

  it("end with the session, and with one that takes its place [L5.3]", () => {
    expect(covers(GrantStore.dropSession(holding(), "s"), caller())).toBe(false)
    expect(covers(GrantStore.dropSession(holding(), "other"), caller())).toBe(true)
    expect(covers(holding(), caller(null, "the next one"))).toBe(false)
  })

  it("are counted by calls, and gone with the last [L5.1]", () => {
    const policy = permit({})
    let store = holding({ uses: 2 })
    const ruling = () => {
      const grants = GrantStore.covering(store, caller(), 0)
      return rule(policy, "make-it a && make-it b", { grants })
    }
    for (let use = 0; use < 2; use++) {
      expect(ruling().action).toBe("allow")
      store = GrantStore.spend(store, caller(), ruling(), 0) ?? GrantStore.empty
    }
    expect(store.grants).toEqual([])
    expect(ruling().action).toBe("ask")
  })

  it("that are gone since the ruling cannot be spent [L5.1]", () => {
    const store = holding()
    const ruling = rule(permit({}), "make-it a", { grants: GrantStore.covering(store, caller(), 0) })
    expect(GrantStore.spend(store, caller(), ruling, 0)).toBe(store)
    expect(GrantStore.spend(GrantStore.empty, caller(), ruling, 0)).toBeNull()
    expect(GrantStore.spend(holding({ uses: 1 }), caller("x", "other"), ruling, 0)).toBeNull()
  })

  it("without a count are spent before those with one", () => {
    const both = GrantStore.add(holding({ uses: 1 }), caller(), given(), 0)
    const ruling = rule(permit({}), "make-it a", { grants: GrantStore.covering(both, caller(), 0) })
    expect(GrantStore.spend(both, caller(), ruling, 0)).toBe(both)
    expect(new Set(both.grants.map(({ id }) => id)).size).toBe(2)
  })
})
