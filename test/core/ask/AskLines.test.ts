import { assert, describe, it } from "@effect/vitest"
import * as AskBudget from "../../../src/core/ask/AskBudget.ts"
import * as AskLines from "../../../src/core/ask/AskLines.ts"
import { asking } from "./Fixtures.ts"

describe("AskLines", () => {
  it("shows the core whole and offers everything [P3.3] [P2.3]", () => {
    const command = Array.from({ length: 300 }, (_, index) => `echo ${index}`).join("\n")
    const text = AskLines.render(asking(command), AskBudget.defaults, 80).join("\n")
    assert.include(text, "echo 0\n")
    assert.include(text, "echo 299")
    assert.include(AskLines.instructions("417").join(" "), '"all"')
    assert.include(AskLines.renderAll(asking(command), AskBudget.defaults, 80).join("\n"), "in full:")
  })

  it.each<[string, AskLines.Reply]>([
    ["allow 417", { _tag: "allow" }],
    ["  deny 417  ", { _tag: "deny", reason: null }],
    ["deny 417  use   417 twice ", { _tag: "deny", reason: "use   417 twice" }],
    ["leave 417", { _tag: "cancelled" }],
    ["all", { _tag: "all" }]
  ])("reads %j", (line, reply) => {
    assert.deepStrictEqual(AskLines.read(line, "417"), reply)
  })

  it.each([
    "",
    "y",
    "yes",
    "allow",
    "deny",
    "leave",
    "allow 418",
    "allow 417 please",
    "417",
    "417 allow",
    "all 417"
  ])("takes %j for no answer: it may have been typed before the prompt [P6.1]", (line) => {
    assert.deepStrictEqual(AskLines.read(line, "417"), { _tag: "unclear" })
  })
})
