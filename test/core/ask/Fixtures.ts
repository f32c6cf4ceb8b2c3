import * as AskPayload from "../../../src/core/ask/AskPayload.ts"
import type { Key, NamedKey } from "../../../src/core/ask/Keys.ts"
import * as TerminalView from "../../../src/core/ask/TerminalView.ts"
import type { ToolCall } from "../../../src/core/call/ToolCall.ts"
import type { GrantOffer } from "../../../src/core/policy/GrantOffer.ts"
import type { Ruling, UnitRuling } from "../../../src/core/policy/Ruling.ts"

export const unit = (value: string, over: Partial<UnitRuling> = {}): UnitRuling => ({
  surface: "bash",
  value,
  executedUnit: null,
  indirect: null,
  winner: {
    action: "ask",
    surface: "bash",
    pattern: "git push *",
    scope: "user",
    source: null,
    reason: null,
    by: null
  },
  runnerUp: null,
  ...over
})

export const allowed = (value: string): UnitRuling =>
  unit(value, { winner: { ...unit("").winner, action: "allow", pattern: `${value}*` } })

export const ruling = (over: Partial<Ruling> = {}): Ruling => ({
  action: "ask",
  units: [unit("git push --force")],
  command: "git push --force",
  residue: null,
  policyDigest: "digest",
  ...over
})

export const call = (over: Partial<ToolCall> = {}): ToolCall => ({
  agent: "claude",
  tool: "Bash",
  input: { command: "git push --force", description: "Push it" },
  callId: "toolu_1",
  cwd: "/home/me/project",
  mode: "default",
  requester: { agentName: null, sessionId: "s-1", forwarded: false },
  ...over
})

/** The payload of one command that asks as a whole. */
export const asking = (command: string): AskPayload.AskPayload =>
  AskPayload.make(call({ input: { command } }), ruling({ units: [unit(command)], command }))

/** What may be allowed for the session besides this command: every command that begins as it does. */
export const offerOf = (command: string, { exact = false } = {}): GrantOffer => ({
  rule: { surface: "bash", pattern: exact ? command : `${command} *`, exact, line: null },
  surface: "bash",
  value: command,
  asked: [`${command} origin main`.replaceAll(" ", "\0")],
  places: { home: "/home/me", projectRoot: "/home/me/project" }
})

export const named = (name: NamedKey): Key => ({ _tag: "named", name })

export const chars = (text: string): ReadonlyArray<Key> =>
  Array.from(text, (char): Key => ({ _tag: "char", char }))

export const screen = (view: TerminalView.View): ReadonlyArray<string> => view.rows.map(TerminalView.text)
