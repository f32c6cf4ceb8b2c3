import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as AskPayload from "../../../src/core/ask/AskPayload.ts"
import * as LinkDetails from "../../../src/core/authority/LinkDetails.ts"
import { call, ruling, unit } from "../ask/Fixtures.ts"

const project = (asked = call(), ruled = ruling()) =>
  LinkDetails.project(asked, ruled, AskPayload.make(asked, ruled))

describe("LinkDetails", () => {
  it("projects a local command: the asking unit, all units, the whole text [A2.6]", () => {
    const ruled = ruling({
      units: [unit("sudo rm x", { executedUnit: "rm x" }), unit("git push")],
      command: "cd a && sudo rm x && git push"
    })
    assert.deepStrictEqual(project(call(), ruled), {
      origin: "local",
      agentName: null,
      surface: "bash",
      value: "sudo rm x",
      accessIntent: { surface: "bash", matchValues: ["sudo rm x", "rm x"], boundaryValue: null },
      command: "sudo rm x",
      units: AskPayload.make(call(), ruled).request.units,
      fullCommand: "cd a && sudo rm x && git push"
    })
  })

  it("names the path of a path ask, and the boundary of an outer one [A2.6]", () => {
    const details = project(
      call({ tool: "Read" }),
      ruling({ command: null, units: [unit("/etc/x", { surface: "external_directory_read" })] })
    )
    assert.strictEqual(details.path, "/etc/x")
    assert.strictEqual(details.accessIntent.boundaryValue, "/etc/x")
    assert.isNull(details.fullCommand)
    assert.notProperty(details, "command")
  })

  it("carries a forwarded ask's requester, null where it was lost, and no command [A2.6]", () => {
    const details = project(call({ requester: { agentName: "reviewer", sessionId: null, forwarded: true } }))
    assert.strictEqual(details.origin, "forwarded_subagent")
    assert.deepStrictEqual(details.forwarding, { requesterSessionId: null, requesterAgentName: "reviewer" })
    assert.strictEqual(details.agentName, "reviewer")
    assert.notProperty(details, "command")
    assert.strictEqual(details.fullCommand, "git push --force")
  })

  it("holds no prose, no raw input, no directory of the requester [A2.1] [A2.6]", () => {
    const details = project(
      call({ input: { command: "git push --force", description: "MARKER" }, cwd: "/MARKER" })
    )
    assert.notInclude(JSON.stringify(details), "MARKER")
    assert.deepStrictEqual(
      Schema.decodeSync(LinkDetails.LinkDetails, { onExcessProperty: "error" })(details),
      details
    )
  })
})
