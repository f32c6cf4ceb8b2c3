import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Broadcast from "../../../src/core/ask/Broadcast.ts"
import type { Decision } from "../../../src/core/authority/Decision.ts"
import * as AskGenerators from "../../../src/layers/testing/AskGenerators.ts"
import { asking, call, ruling } from "./Fixtures.ts"

const decision = (over: Partial<Decision> = {}): Decision => ({
  action: "deny",
  by: { _tag: "person", channel: "terminal" },
  denial: "person",
  reason: "BODY",
  ruling: ruling(),
  steps: [],
  node: "root",
  ...over
})

const forwarded = { agentName: "Explore", sessionId: "child", forwarded: true }

describe("Broadcast", () => {
  it("has these channels and these fields: a public contract [P3.8]", () => {
    assert.deepStrictEqual(Broadcast.CHANNELS, {
      ready: "obstat:ready",
      uiPrompt: "obstat:ui_prompt",
      decision: "obstat:decision"
    })
    assert.deepStrictEqual(Broadcast.ready, { protocolVersion: 1 })
    assert.deepStrictEqual(Broadcast.uiPrompt("r-1", asking("git push")), {
      requestId: "r-1",
      surface: "bash",
      value: "git push",
      agentName: null,
      request: asking("git push").request,
      forwarding: null
    })
    assert.deepStrictEqual(Broadcast.decisionMade("r-1", call(), decision()), {
      requestId: "r-1",
      surface: "bash",
      value: "git push --force",
      result: "deny",
      resolution: "user_denied",
      origin: "user",
      agentName: null,
      matchedPattern: "git push *",
      forwarding: null
    })
  })

  it("keeps who asked of a forwarded ask, in the prompt and in the verdict that follows [P3.5]", () => {
    const { request } = asking("ls")
    const prompt = Broadcast.uiPrompt("r", {
      ...asking("ls"),
      request: { ...request, requester: forwarded }
    })
    const expected = { requesterAgentName: "Explore", requesterSessionId: "child" }
    assert.deepStrictEqual(prompt.forwarding, expected)
    assert.strictEqual(prompt.agentName, "Explore")
    const made = Broadcast.decisionMade("r", call({ requester: forwarded }), decision())
    assert.deepStrictEqual(made.forwarding, expected)
    assert.strictEqual(made.requestId, prompt.requestId)
  })

  it.prop("never holds evidence, annotations or a body [P3.5]", [AskGenerators.payload], ([payload]) => {
    const marked = {
      ...payload,
      evidence: [{ label: "content", text: "BODY", modelGenerated: false }],
      annotations: [{ source: "explainer", text: "BODY" }]
    }
    const prompt = Broadcast.uiPrompt("r", marked)
    assert.notInclude(JSON.stringify(prompt), "BODY")
    assert.deepStrictEqual(
      Schema.decodeSync(Broadcast.UiPrompt, { onExcessProperty: "error" })(prompt),
      prompt
    )
  })

  it("tells every way a decision comes about apart, and holds no reason [P3.5] [P3.1]", () => {
    const kinds = ["policy", "link", "person", "unavailable", "timed_out", "cancelled", "gate_error"] as const
    const denied = kinds.map((denial) => Broadcast.decisionMade("r", call(), decision({ denial })))
    assert.strictEqual(new Set(denied.map(({ resolution }) => resolution)).size, kinds.length)
    assert.notInclude(JSON.stringify(denied), "BODY")
    const by = [{ _tag: "rule" }, { _tag: "grant" }, { _tag: "person", channel: "web" }] as const
    assert.deepStrictEqual(
      by.map(
        (one) =>
          Broadcast.decisionMade("r", call(), decision({ action: "allow", denial: null, by: one })).resolution
      ),
      ["policy_allow", "session_approved", "user_approved"]
    )
    const broken = decision({ denial: "gate_error", by: { _tag: "gate_error" }, ruling: null })
    assert.deepInclude(Broadcast.decisionMade("r", call(), broken), { surface: "Bash", origin: null })
  })
})
