import { assert, describe, it } from "@effect/vitest"
import * as AskBudget from "../../../src/core/ask/AskBudget.ts"
import * as AskLines from "../../../src/core/ask/AskLines.ts"
import * as GrantList from "../../../src/core/ask/GrantList.ts"
import { asking, offerOf } from "./Fixtures.ts"

const none = GrantList.open([])

describe("AskLines", () => {
  it("shows the core whole and offers everything [P3.3] [P2.3]", () => {
    const command = Array.from({ length: 300 }, (_, index) => `echo ${index}`).join("\n")
    const text = AskLines.render(asking(command), AskBudget.defaults, 80).join("\n")
    assert.include(text, "echo 0\n")
    assert.include(text, "echo 299")
    assert.include(AskLines.instructions("417", none).join(" "), '"all"')
    assert.include(AskLines.renderAll(asking(command), AskBudget.defaults, 80).join("\n"), "in full:")
  })

  it.each<[string, AskLines.Reply]>([
    ["allow 417", { _tag: "allow" }],
    ["  deny 417  ", { _tag: "deny", reason: null }],
    ["deny 417  use   417 twice ", { _tag: "deny", reason: "use   417 twice" }],
    ["leave 417", { _tag: "cancelled" }],
    ["all", { _tag: "all" }]
  ])("reads %j", (line, reply) => {
    assert.deepStrictEqual(AskLines.read(line, "417", none), reply)
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
    assert.deepStrictEqual(AskLines.read(line, "417", none), { _tag: "unclear" })
  })

  it("lists what may be allowed for the session, to be changed line by line; the code alone decides [P6.2]", () => {
    let list = GrantList.open([offerOf("git push"), offerOf("rm -rf build", { exact: true })])
    assert.deepStrictEqual(AskLines.renderGrants(list, 60), [
      "Besides, for this agent only, until the session ends:",
      " bash 1: │ git push *",
      " bash 2, exactly:",
      "         │ rm -rf build"
    ])
    assert.include(AskLines.instructions("417", list).join(" "), '"session 417"')
    const change = (line: string) => {
      const reply = AskLines.read(line, "417", list)
      assert.strictEqual(reply._tag, "list", line)
      if (reply._tag === "list") list = reply.list
      return reply._tag === "list" ? reply.problem : null
    }
    assert.isNull(change("drop 2"))
    assert.strictEqual(change("change 1 *"), "It has to name the program.")
    assert.isNull(change("change 1 git push origin *"))
    assert.isNull(change("scope"))
    assert.isNull(change("until"))
    assert.deepStrictEqual(AskLines.read("session 418", "417", list), { _tag: "unclear" })
    assert.deepStrictEqual(AskLines.read("session 417", "417", list), {
      _tag: "allow",
      grant: {
        rules: [{ surface: "bash", pattern: "git push origin *", exact: false, line: null }],
        scope: "session",
        minutes: 10,
        uses: null
      }
    })
    assert.isNull(change("drop 1"))
    assert.deepStrictEqual(AskLines.renderGrants(list, 60), [])
    assert.deepStrictEqual(AskLines.read("session 417", "417", list), { _tag: "unclear" })
    assert.deepStrictEqual(AskLines.read("session 417", "417", none), { _tag: "unclear" })
  })
})
