import * as JournalDigests from "../../../src/adapters/files/JournalDigests.ts"
import type { Decided } from "../../../src/core/authority/Authority.ts"
import type { ToolCall } from "../../../src/core/call/ToolCall.ts"
import type { JournalEntry } from "../../../src/core/journal/JournalEntry.ts"
import * as JournalRow from "../../../src/core/journal/JournalRow.ts"
import * as Recording from "../../../src/core/journal/Recording.ts"
import * as Analysis from "../../../src/core/policy/Analysis.ts"
import * as Basis from "../../../src/core/policy/Basis.ts"
import { decide } from "../../../src/core/policy/Decide.ts"
import * as PathFacts from "../../../src/core/policy/PathFacts.ts"
import type * as Policy from "../../../src/core/policy/Policy.ts"

export const digests = JournalDigests.make("00".repeat(32))

export const places = { cwd: "/project", home: "/home/u", projectRoot: "/project" }

export const call = (tool: string, input: unknown, over: Partial<ToolCall> = {}): ToolCall => ({
  agent: "claude",
  tool,
  input,
  callId: "toolu_1",
  cwd: places.cwd,
  mode: "default",
  requester: { agentName: null, sessionId: "s-1", forwarded: false },
  ...over
})

/** What an authority would make of a call that policy alone decides. */
const decided = (policy: Policy.Policy, of: ToolCall, facts: PathFacts.Facts = PathFacts.none): Decided => {
  const analysis = Analysis.analyse(of, places)
  const ruling = { ...decide(policy, [], analysis, facts), basis: Basis.take(analysis, facts, []) }
  return {
    id: "ask-1",
    call: of,
    payload: null,
    decision: {
      action: ruling.action === "allow" ? "allow" : "deny",
      by: { _tag: "rule" },
      denial: ruling.action === "allow" ? null : "policy",
      reason: null,
      ruling,
      steps: [{ name: "policy", verdict: ruling.action, latencyMs: 1 }],
      node: "node"
    }
  }
}

export const decision = (policy: Policy.Policy, of: ToolCall, facts?: PathFacts.Facts) =>
  Recording.decision(decided(policy, of, facts), "policy", digests.fingerprint)

/** The lines of a chain, each with its line feed. */
export const chain = (
  entries: ReadonlyArray<JournalEntry>,
  from: JournalRow.Position = JournalRow.start
): ReadonlyArray<string> => {
  let position = from
  return entries.map((entry, index) => {
    const row = JournalRow.write(digests.sha256, position, 1000 + index, entry)
    position = row.position
    return row.line
  })
}

export const opened = (part = 1): JournalEntry => ({ _tag: "opened", host: "host", part, version: "0" })
export const status = (status: string): JournalEntry => ({ _tag: "status", session: "s-1", status })
