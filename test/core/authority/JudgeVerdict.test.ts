import { assert, describe, it } from "@effect/vitest"
import * as JudgeVerdict from "../../../src/core/authority/JudgeVerdict.ts"
import { call, ruling, unit } from "../ask/Fixtures.ts"
import { child, detailsOf } from "./JudgeFixtures.ts"

const says = (verdict: JudgeVerdict.Prediction["verdict"]) => ({ verdict, reason: "because" })

const SHADOW = { _tag: "shadow" } as const
const enforce = (over: Partial<JudgeVerdict.JudgeBudget> = {}): JudgeVerdict.JudgeMode => ({
  _tag: "enforce",
  budget: { surfaces: ["bash"], allowsPerHour: 3, ...over }
})

const settle = (
  verdict: JudgeVerdict.Prediction["verdict"],
  mode: JudgeVerdict.JudgeMode,
  { details = detailsOf() } = {}
) => {
  const settled = JudgeVerdict.settle(says(verdict), mode, details)
  return [settled.verdict._tag, settled.heldBy]
}

const forwarded = detailsOf(call({ requester: child }))

describe("JudgeVerdict", () => {
  it("shadow predicts and always defers [A3.6]", () => {
    assert.deepStrictEqual(settle("allow", SHADOW), ["defer", "shadow"])
    assert.deepStrictEqual(settle("deny", SHADOW), ["defer", "shadow"])
    assert.deepStrictEqual(settle("defer", SHADOW), ["defer", null])
  })

  it("enforce may deny, and may allow only on the surfaces of its budget, in every unit [A3.6]", () => {
    assert.deepStrictEqual(settle("deny", enforce({ surfaces: [] })), ["deny", null])
    assert.deepStrictEqual(settle("allow", enforce()), ["allow", null])
    assert.deepStrictEqual(settle("allow", enforce({ surfaces: ["web"] })), ["defer", "surface"])
    assert.deepStrictEqual(settle("allow", enforce({ surfaces: ["*"] })), ["defer", "surface"])
    const details = detailsOf(
      call(),
      ruling({ units: [unit("a"), unit("/etc/x", { surface: "path_write" })] })
    )
    assert.deepStrictEqual(settle("allow", enforce(), { details }), ["defer", "surface"])
    const both = enforce({ surfaces: ["bash", "path_write"] })
    assert.deepStrictEqual(settle("allow", both, { details }), ["allow", null])
  })

  it("a forwarded ask may be denied, and allowed only for a subagent that was named [A3.6]", () => {
    const asked = { details: forwarded }
    assert.deepStrictEqual(settle("deny", enforce(), asked), ["deny", null])
    assert.deepStrictEqual(settle("allow", enforce(), asked), ["defer", "forwarded"])
    assert.deepStrictEqual(settle("allow", enforce({ forwardedAgents: ["*", "Reviewer"] }), asked), [
      "defer",
      "forwarded"
    ])
    assert.deepStrictEqual(settle("allow", enforce({ forwardedAgents: ["reviewer"] }), asked), [
      "allow",
      null
    ])
  })

  it("counts allows within any hour [A3.6]", () => {
    const budget = { surfaces: [], allowsPerHour: 2 }
    const minute = 60_000
    const one = JudgeVerdict.take([], 0, budget)
    const two = JudgeVerdict.take(one ?? [], 59 * minute, budget)
    assert.deepStrictEqual(two, [0, 59 * minute])
    assert.isNull(JudgeVerdict.take(two ?? [], 59 * minute, budget))
    assert.deepStrictEqual(JudgeVerdict.take(two ?? [], 60 * minute, budget), [59 * minute, 60 * minute])
    for (const allowsPerHour of [0, -1, Number.NaN, 0.5]) {
      assert.isNull(JudgeVerdict.take([], 0, { surfaces: [], allowsPerHour }))
    }
  })

  it("passes a reason on no longer than a rule's [L1.1]", () => {
    const { verdict } = JudgeVerdict.settle(
      { verdict: "deny", reason: "x".repeat(10_000) },
      enforce(),
      detailsOf()
    )
    assert.deepStrictEqual(verdict, { _tag: "deny", reason: "x".repeat(500) })
  })
})
