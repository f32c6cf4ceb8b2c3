import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import * as AskBudget from "../../../src/core/ask/AskBudget.ts"
import * as AskDialog from "../../../src/core/ask/AskDialog.ts"
import * as AskPayload from "../../../src/core/ask/AskPayload.ts"
import * as TerminalView from "../../../src/core/ask/TerminalView.ts"
import * as PolicyFixtures from "../policy/Fixtures.ts"
import * as Fixtures from "./Fixtures.ts"

/** A call of each kind, and what of it the person has to see. */
const SOURCES = {
  bash: { tool: "Bash", input: { command: "git push" }, shows: "git push" },
  mcp: { tool: "mcp__files__drop", input: { name: "all" }, shows: "files:drop" },
  "file tool": { tool: "Write", input: { file_path: "/project/a", content: "text" }, shows: "/project/a" },
  "other tool": { tool: "Launch", input: { what: "rocket" }, shows: "Launch" },
  path: { tool: "Bash", input: { command: "cat a > b" }, shows: "/project/b" },
  "external directory": { tool: "Read", input: { file_path: "/etc/hosts" }, shows: "/etc/hosts" },
  skill: { tool: "Skill", input: { skill: "release" }, shows: "release" },
  web: { tool: "WebFetch", input: { url: "https://example.com/x" }, shows: "https://example.com/x" }
} as const

const policy = PolicyFixtures.permit({ "*": "ask", bash: { "cat *": "allow" } })

describe("every source of asks", () => {
  for (const [name, { tool, input, shows }] of Object.entries(SOURCES)) {
    for (const forwarded of [false, true]) {
      it(`gives one payload that stands alone: ${name}${forwarded ? ", forwarded" : ""} [P2.0, P4.4]`, () => {
        const requester = { agentName: "helper", sessionId: "child", forwarded }
        const call = Fixtures.call({ tool, input, requester })
        const payload = AskPayload.make(call, PolicyFixtures.call(policy, tool, input))
        const text = AskDialog.renderAll(payload, AskBudget.defaults, 200).map(TerminalView.text).join("\n")
        assert.include(text, shows)
        assert.include(text, tool)
        if (forwarded) assert.include(text, "child")
      })
    }
  }
})

it("a forwarded ask is rendered by whoever serves it, under their own budget [P5.2, P4.4]", () => {
  const command = Array.from({ length: 60 }, (_, line) => `echo ${line}`).join("\n")
  const requester = { agentName: "helper", sessionId: "child", forwarded: true }
  const call = Fixtures.call({ tool: "Bash", input: { command: "git push", notes: command }, requester })
  const payload = AskPayload.make(call, PolicyFixtures.call(policy, "Bash", { command: "git push" }))
  const sent: unknown = JSON.parse(JSON.stringify(payload))
  const served = Schema.decodeUnknownSync(AskPayload.AskPayload, { onExcessProperty: "error" })(sent)
  const rows = (budget: AskBudget.AskBudget) => AskDialog.render(served, budget, 60).map(TerminalView.text)
  const small = rows({ ...AskBudget.defaults, rows: 12 })
  const large = rows({ ...AskBudget.defaults, rows: 40 })
  assert.isAtMost(small.length, 12)
  assert.isAbove(large.length, small.length)
  for (const shown of [small, large]) assert.include(shown.join("\n"), "child")
})

describe("docs/reference/asks.md", () => {
  it("names what stands in for each old use of message [P5.3]", () => {
    const text = readFileSync(new URL("../../../docs/reference/asks.md", import.meta.url), "utf8")
    for (const use of ["forwarded request file", "`ui_prompt` broadcast", "link's details"]) {
      assert.match(text, new RegExp(`^\\| .*${use} \\| .+ \\|$`, "m"))
    }
  })
})
