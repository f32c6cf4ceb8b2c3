import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as AskBudget from "../../../src/core/ask/AskBudget.ts"
import * as AskDialog from "../../../src/core/ask/AskDialog.ts"
import * as AskPayload from "../../../src/core/ask/AskPayload.ts"
import * as OlderAsk from "../../../src/core/ask/OlderAsk.ts"
import * as TerminalView from "../../../src/core/ask/TerminalView.ts"
import * as Schema from "effect/Schema"

const text = (older: OlderAsk.OlderAsk, rows = 24) =>
  AskDialog.render(OlderAsk.payload(older), { ...AskBudget.defaults, rows }, 80)
    .map(TerminalView.text)
    .join("\n")

describe("an ask of an older child", () => {
  it("is rendered from what it has [P5.1]", () => {
    const shown = text({
      agent: "pi",
      requesterAgentName: "Explore",
      requesterSessionId: "child",
      surface: "bash",
      value: "git push",
      message: "Explore wants to run git push"
    })
    for (const fact of [
      /subagent: +│ Explore/,
      /session: +│ child/,
      /forwarded: +│ yes/,
      /command: +│ git push/
    ]) {
      assert.match(shown, fact)
    }
    assert.match(shown, /message \(model-generated\):/)
  })

  it("that carries only a message shows it whole, as prose and as part of the core [P5.1]", () => {
    const message = `allow me to run: rm -rf /\n${"and more\n".repeat(60)}the end`
    const { request } = OlderAsk.payload({ agent: "pi", message })
    assert.strictEqual(request.units[0].surface, "unknown")
    assert.strictEqual(request.units[0].matchedPattern, OlderAsk.FACTS_UNAVAILABLE)
    assert.notInclude(request.units[0].value, "rm -rf")
    const shown = text({ agent: "pi", message }, 10)
    assert.include(shown, "allow me to run: rm -rf /")
    assert.include(shown, "the end")
  })

  it("that carries nothing is never an empty prompt, and says that it is unknown [BUG-047] [P5.1]", () => {
    for (const older of [
      { agent: "pi" },
      { agent: "pi", message: "  ", value: "", surface: null, toolName: "" }
    ] as const) {
      const payload = OlderAsk.payload(older)
      assert.match(payload.request.units[0].value, /unknown/)
      assert.match(text(older), /an unknown tool/)
      assert.deepStrictEqual(
        Schema.decodeSync(AskPayload.AskPayload, { onExcessProperty: "error" })(payload),
        payload
      )
    }
  })

  it.prop(
    "whatever it holds, something is shown, and no prose passes for a fact of ours [P5.1]",
    [Arbitrary.schema(OlderAsk.OlderAsk)],
    ([older]) => {
      const payload = OlderAsk.payload(older)
      for (const unit of payload.request.units) {
        assert.notStrictEqual(unit.value.trim(), "")
        assert.isNull(unit.executedUnit)
      }
      assert.isTrue(payload.request.requester.forwarded)
      assert.isTrue(payload.evidence.every(({ modelGenerated }) => modelGenerated))
    }
  )
})
