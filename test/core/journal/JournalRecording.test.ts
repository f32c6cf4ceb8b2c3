import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import type { JournalEntry } from "../../../src/core/journal/JournalEntry.ts"
import * as JournalRecording from "../../../src/core/journal/JournalRecording.ts"
import * as JournalRow from "../../../src/core/journal/JournalRow.ts"

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const decision = (command: string, over: { readonly complete?: boolean } = {}): JournalEntry => ({
  _tag: "decision",
  ask: command,
  call: {
    agent: "claude",
    tool: "Bash",
    input: { command },
    complete: over.complete ?? true,
    callId: `toolu ${command}`,
    cwd: "/project/sub",
    mode: "default",
    requester: { agentName: null, sessionId: "s", forwarded: false }
  },
  input: "0a",
  action: "deny",
  by: { _tag: "unavailable" },
  denial: "unavailable",
  reason: null,
  granted: null,
  steps: [],
  node: "s",
  ruling: null,
  basis: { home: "/home/u", projectRoot: "/project", temporary: null, paths: [], trusted: [], grants: [] },
  policy: null,
  payload: null
})

const journal = (...entries: ReadonlyArray<JournalEntry>) => {
  let position = JournalRow.start
  return entries.map((entry, index) => {
    const written = JournalRow.write(sha256, position, 0, entry)
    position = written.position
    return { line: index + 1, value: JSON.parse(written.line) as unknown }
  })
}

describe("JournalRecording", () => {
  it("gives each call that was kept whole, once, in its project [L6.1, A4.5]", () => {
    const recording = JournalRecording.format.read(
      journal(
        { _tag: "opened", host: "h", part: 1, version: "1" },
        decision("ls"),
        decision("cut", { complete: false }),
        decision("TOKEN=hunter2secret deploy"),
        decision("ls"),
        decision("git push"),
        { _tag: "closed" }
      )
    )
    assert.strictEqual(recording?.projectRoot, "/project")
    assert.deepStrictEqual(
      recording?.calls.map(({ line, call }) => [line, call.input, call.cwd]),
      [
        [2, { command: "ls" }, "/project/sub"],
        [6, { command: "git push" }, "/project/sub"]
      ]
    )
  })

  it("is not what another file holds [L6.1]", () => {
    assert.isNull(JournalRecording.format.read([{ line: 1, value: { type: "user" } }]))
  })
})
