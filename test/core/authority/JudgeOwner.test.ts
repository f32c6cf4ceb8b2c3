import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as JudgeOwner from "../../../src/core/authority/JudgeOwner.ts"
import type { LinkDetails } from "../../../src/core/authority/LinkDetails.ts"
import { call } from "../ask/Fixtures.ts"
import { child, detailsOf, root } from "./JudgeFixtures.ts"

const NAMELESS = ["", "  ", "unknown", " Unknown "]

const ownerOf = (details: LinkDetails) => Option.getOrNull(JudgeOwner.conversationOwner(details))

const forwarded = (requesterSessionId: string | null, requesterAgentName: string | null): LinkDetails => ({
  ...detailsOf(call({ requester: child })),
  forwarding: { requesterSessionId, requesterAgentName }
})

describe("JudgeOwner", () => {
  it("is a root with a person in front of it and a session of its own, and nothing else [A3.1]", () => {
    assert.deepStrictEqual(Option.getOrNull(JudgeOwner.capture(root)), { sessionId: "s-1" })
    for (const other of [
      { ...root, hasUI: false },
      { ...root, subagent: true },
      { ...root, sessionId: null },
      ...NAMELESS.map((sessionId) => ({ ...root, sessionId }))
    ]) {
      assert.isTrue(Option.isNone(JudgeOwner.capture(other)), JSON.stringify(other))
    }
  })

  it("takes a fact that a host left out, or wrote as something else, for no root [A3.1]", () => {
    for (const text of [
      '{"hasUI":true,"sessionId":"s-1"}',
      '{"subagent":false,"sessionId":"s-1"}',
      '{"hasUI":"true","subagent":false,"sessionId":"s-1"}',
      '{"hasUI":true,"subagent":0,"sessionId":"s-1"}',
      '{"hasUI":true,"subagent":false,"sessionId":1}',
      '{"hasUI":true,"subagent":false}'
    ]) {
      assert.isTrue(Option.isNone(JudgeOwner.capture(JSON.parse(text))), text)
    }
  })

  it("remains only while the same session is such a root [A3.3]", () => {
    const owner = { sessionId: "s-1" }
    assert.isTrue(JudgeOwner.remains(owner, root))
    for (const now of [
      { ...root, sessionId: "s-9" },
      { ...root, sessionId: null },
      { ...root, hasUI: false },
      { ...root, subagent: true }
    ]) {
      assert.isFalse(JudgeOwner.remains(owner, now))
    }
  })

  it("has the requester's conversation without a forwarding mark, else the serving root's [A3.2]", () => {
    assert.strictEqual(ownerOf(detailsOf()), "requester")
    assert.strictEqual(ownerOf(detailsOf(call({ requester: child }))), "serving_root")
  })

  it("is nobody's where the provenance is missing, blank, unknown or contradicts itself [A3.3]", () => {
    for (const nameless of [null, ...NAMELESS]) {
      assert.isNull(ownerOf(forwarded(nameless, "reviewer")))
      assert.isNull(ownerOf(forwarded("s-2", nameless)))
    }
    const { forwarding, ...unmarked } = forwarded("s-2", "reviewer")
    assert.isNull(ownerOf(unmarked))
    assert.isNull(ownerOf({ ...detailsOf(), ...(forwarding !== undefined && { forwarding }) }))
  })
})
