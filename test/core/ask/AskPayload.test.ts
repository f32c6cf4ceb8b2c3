import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as AskPayload from "../../../src/core/ask/AskPayload.ts"
import { allowed, call, ruling, unit } from "./Fixtures.ts"

const evidence = (payload: AskPayload.AskPayload, label: string) =>
  payload.evidence.find((entry) => entry.label === label)

describe("AskPayload", () => {
  it("holds every asking unit, the decisive one first, with what will really run [P1.1]", () => {
    const payload = AskPayload.make(
      call(),
      ruling({
        units: [
          unit("bash -c 'rm -rf x'", { surface: "code", executedUnit: "rm -rf x", indirect: "code" }),
          unit("git push"),
          allowed("ls")
        ]
      })
    )
    assert.deepStrictEqual(payload.request, {
      agent: "claude",
      requester: { agentName: null, sessionId: "s-1", forwarded: false },
      toolName: "Bash",
      invokedToolName: null,
      units: [
        {
          surface: "code",
          value: "bash -c 'rm -rf x'",
          matchedPattern: "git push *",
          executedUnit: "rm -rf x"
        },
        { surface: "bash", value: "git push", matchedPattern: "git push *", executedUnit: null }
      ]
    })
  })

  it("holds the whole command when one unit of it asks [BUG-043] [P1.3]", () => {
    const command = `${"cd /a && ".repeat(500)}rm -rf b`
    const payload = AskPayload.make(
      call({ input: { command, timeout: 5000 } }),
      ruling({ units: [unit("rm -rf b"), allowed("cd /a")], command })
    )
    assert.strictEqual(payload.request.units.length, 1)
    assert.strictEqual(evidence(payload, "in full")?.text, command)
    assert.strictEqual(evidence(payload, "timeout")?.text, "5000")
  })

  it("holds every field of another tool's input, pretty-printed, and what could not be read [P1.2] [P1.3]", () => {
    const content = "x\n".repeat(10_000)
    const payload = AskPayload.make(
      call({ tool: "Write", input: { file_path: "/a", content, options: { mode: 1 } } }),
      ruling({ command: null, residue: "$(" })
    )
    assert.strictEqual(evidence(payload, "content")?.text, content)
    assert.strictEqual(evidence(payload, "options")?.text, '{\n  "mode": 1\n}')
    assert.strictEqual(evidence(payload, "unclear")?.text, "$(")
    assert.strictEqual(evidence(payload, "directory")?.text, "/home/me/project")
  })

  it("marks a model's own words, also where they are nested, and puts them last [P1.2]", () => {
    const payload = AskPayload.make(
      call({
        input: { description: "harmless", plan: [{ reason: "because" }], command: "git push --force", a: 1 }
      }),
      ruling()
    )
    assert.deepStrictEqual(
      payload.evidence.filter(({ modelGenerated }) => modelGenerated).map(({ label }) => label),
      ["description", "plan"]
    )
    assert.isTrue(payload.evidence.at(-1)?.modelGenerated)
  })

  it("shows a command that was not understood once, not twice [P1.3]", () => {
    const payload = AskPayload.make(call(), ruling({ residue: "git push --force" }))
    assert.strictEqual(evidence(payload, "in full")?.text, "git push --force")
    assert.isUndefined(evidence(payload, "unclear"))
  })

  it("says that an agent gave no arguments [BUG-047] [P1.3]", () => {
    const payload = AskPayload.make(call({ input: undefined }), ruling({ command: null }))
    assert.strictEqual(evidence(payload, "input")?.text, "not given by the agent")
  })

  it("is a value of its schema", () => {
    const payload = AskPayload.make(call(), ruling())
    assert.deepStrictEqual(
      Schema.decodeSync(AskPayload.AskPayload, { onExcessProperty: "error" })(payload),
      payload
    )
  })

  it("names the tool as invoked, where an alias stands for another [P1.1]", () => {
    assert.isNull(AskPayload.make(call(), ruling()).request.invokedToolName)
    assert.strictEqual(
      AskPayload.make(call({ invokedTool: "exec_command" }), ruling()).request.invokedToolName,
      "exec_command"
    )
  })

  it("shows the scripts of a call by their text, or says why it cannot [P1.4]", () => {
    assert.deepStrictEqual(
      AskPayload.scriptEvidence([
        { path: "/a", digest: "1", text: "echo a" },
        { path: "/b", digest: "2", text: null },
        { path: "/c", digest: null, text: null }
      ]).map(({ label, text }) => [label, text]),
      [
        ["script /a", "echo a"],
        ["script /b", "sha256 2"],
        ["script /c", "there is no such file, or it cannot be read"]
      ]
    )
  })
})
