import { assert, describe, it } from "@effect/vitest"
import type { DecidedBy, DenialKind } from "../../../src/core/authority/Decision.ts"
import * as JudgeRow from "../../../src/core/authority/JudgeRow.ts"
import type { JournalEntry } from "../../../src/core/journal/JournalEntry.ts"
import * as JudgeAgreement from "../../../src/core/journal/JudgeAgreement.ts"
import * as Redaction from "../../../src/core/journal/Redaction.ts"

const row = (over: Partial<JudgeRow.JudgeRow> = {}): JudgeRow.JudgeRow => ({
  judge: "shadow",
  origin: "local",
  surfaces: ["bash"],
  model: "judge-1",
  provider: "https://api.example.com",
  prediction: "allow",
  absence: null,
  verdict: "defer",
  heldBy: "shadow",
  promptHash: "ab12".repeat(16),
  evidenceIds: ["m-1"],
  latencyMs: 12.5,
  ...over
})

const link = (ask: string, prediction: JudgeRow.JudgeRow["prediction"], surface = "bash"): JournalEntry => ({
  _tag: "link",
  ask,
  link: "judge",
  note: JudgeRow.write(row({ prediction, surfaces: [surface] }))
})

const decision = (
  ask: string,
  action: "allow" | "deny",
  by: DecidedBy = { _tag: "person", channel: "terminal" },
  denial: DenialKind | null = action === "deny" ? "person" : null
): JournalEntry => ({
  _tag: "decision",
  ask,
  call: {
    agent: "claude",
    tool: "Bash",
    input: null,
    complete: false,
    callId: null,
    cwd: "/",
    mode: null,
    requester: { agentName: null, sessionId: null, forwarded: false }
  },
  input: "",
  action,
  by,
  denial,
  reason: null,
  granted: null,
  steps: [],
  node: "s-1",
  ruling: null,
  basis: null,
  policy: null,
  payload: null
})

describe("JudgeAgreement", () => {
  it("counts predictions against what people decided, per judge and surface, also where asks overlap [A3.6]", () => {
    const measured = JudgeAgreement.measure([
      link("1", "allow"),
      link("2", "allow"),
      decision("2", "deny"),
      decision("1", "allow"),
      link("3", "deny", "web"),
      decision("3", "deny"),
      link("4", "unavailable"),
      decision("4", "allow")
    ])
    const none = { allow: 0, deny: 0, defer: 0, unavailable: 0, none: 0 }
    assert.deepStrictEqual(measured, [
      {
        link: "judge",
        model: "judge-1",
        surface: "bash",
        personAllowed: { ...none, allow: 1, unavailable: 1 },
        personDenied: { ...none, allow: 1 }
      },
      {
        link: "judge",
        model: "judge-1",
        surface: "web",
        personAllowed: none,
        personDenied: { ...none, deny: 1 }
      }
    ])
    assert.deepStrictEqual(measured.map(JudgeAgreement.share), [0.5, 1])
  })

  it("leaves out what no person decided, and rows that are no judge's [A3.6]", () => {
    const left = JudgeAgreement.measure([
      link("1", "allow"),
      decision("1", "allow", { _tag: "link", name: "judge", modelGenerated: true }),
      link("2", "allow"),
      decision("2", "deny", { _tag: "unavailable" }, "unavailable"),
      link("3", "allow"),
      decision("3", "deny", { _tag: "person", channel: "terminal" }, "cancelled"),
      { _tag: "link", ask: "4", link: "company", note: '{"prediction":"allow"}' },
      decision("4", "allow"),
      link("5", "deny")
    ])
    assert.deepStrictEqual(left, [])
  })

  it("compares the last judgement of an ask that was asked about anew", () => {
    const [agreement] = JudgeAgreement.measure([link("1", "allow"), link("1", "deny"), decision("1", "deny")])
    assert.strictEqual(agreement && JudgeAgreement.share(agreement), 1)
  })

  it("a row passes a journal's redaction whole, however much evidence it names [A3.6] [A4.1]", () => {
    const evidenceIds = Array.from({ length: 40 }, (_, index) => `${index} ${"x".repeat(500)}`)
    const note = JudgeRow.write(row({ evidenceIds, model: "m".repeat(5_000), provider: "p".repeat(5_000) }))
    assert.deepStrictEqual(Redaction.redact(note), { value: note, altered: [] })
    const plain = row({ evidenceIds: ["msg_01XyZ", "0193-uuid-4a"] })
    const read = JudgeRow.read(Redaction.redact(JudgeRow.write(plain)).value)
    assert.deepStrictEqual(read, JudgeRow.read(JudgeRow.write(plain)))
    assert.strictEqual(read._tag, "Some")
  })
})
