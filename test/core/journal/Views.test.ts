import { describe, expect, it } from "@effect/vitest"
import * as Export from "../../../src/core/journal/Export.ts"
import * as JournalLines from "../../../src/core/journal/JournalLines.ts"
import type { JournalEntry } from "../../../src/core/journal/JournalEntry.ts"
import * as JournalMode from "../../../src/core/journal/JournalMode.ts"
import * as Verification from "../../../src/core/journal/Verification.ts"
import { compile, file, permit } from "../policy/Fixtures.ts"
import { call, chain, decision, digests, opened } from "./Fixtures.ts"

const MARKER = "marker-4711"

/** One of each kind, with a marker in every text that somebody else writes. */
const entries: ReadonlyArray<JournalEntry> = [
  opened(),
  { _tag: "lost", rows: 3 },
  { _tag: "policy", digest: "builtin", kept: "00".repeat(32) },
  { _tag: "session_started", session: "s-1", agent: "claude", cwd: `/work/${MARKER}` },
  {
    _tag: "asked",
    ask: "a-1",
    agent: "claude",
    tool: "Bash",
    requester: { agentName: MARKER, sessionId: "s-1", forwarded: true },
    surface: "bash",
    value: `rm ${MARKER}`,
    payload: "f0"
  },
  { _tag: "human", ask: "a-1", act: "deny", channel: "terminal", shown: "f0", answers: null },
  {
    ...decision(
      permit({ bash: { [`rm *${MARKER}*`]: { action: "deny", reason: MARKER } } }),
      call("Bash", { command: `rm ${MARKER}` }, { cwd: `/project/${MARKER}` })
    ),
    reason: MARKER
  },
  { _tag: "link", link: "judge", note: MARKER },
  {
    _tag: "question",
    session: "s-1",
    agent: "claude",
    request: "q-1",
    phase: "closed",
    questions: 2,
    content: "f1",
    closure: { reason: "answered", by: "host" }
  },
  { _tag: "delivery", session: "s-1", callId: "toolu_1", tool: "Bash", reply: "deny" },
  { _tag: "outcome", session: "s-1", callId: "toolu_1", isError: true },
  { _tag: "status", session: "s-1", status: "ready" },
  { _tag: "warning", session: "s-1", code: "hook_fault" },
  { _tag: "exit", session: "s-1", code: 0, signal: null },
  { _tag: "session_ended", session: "s-1", status: "stopped" },
  { _tag: "closed" }
]

const { broken, rows } = Verification.verify(digests.sha256, {
  whole: true,
  parts: [{ file: "f", text: chain(entries).join("") }]
})

describe("the review log", () => {
  it("has one line for every kind of row, which tells who, what and why [P3.4]", () => {
    expect(broken).toBeNull()
    const lines = rows.map(JournalLines.line)
    expect(lines).toHaveLength(entries.length)
    expect(lines[6]).toBe(
      `    7  1970-01-01T00:00:01.006Z  deny (policy) Bash: rm ${MARKER}; by a rule; policy deny [bash rm *${MARKER}*, user.jsonc:1]; reason: ${MARKER}`
    )
    expect(lines[8]).toContain("question closed q-1 (2), answered by host")
  })

  it("is bounded, and shows no control or invisible character of a text [P3.4, X4]", () => {
    const nasty = `\u001b[31m\u009b2J\u202e\u200b\n${"x".repeat(5000)}`
    const line = JournalLines.line({
      v: 1,
      seq: 1,
      at: 0,
      altered: [],
      entry: { _tag: "link", link: nasty, note: nasty },
      previous: null,
      hash: ""
    })
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(line.length).toBeLessThan(500)
  })
})

describe("an export", () => {
  const exported = rows.map((row) => Export.row(digests.fingerprint, row))

  it("holds no text of a person, an agent or a file, and no preview of one [X3]", () => {
    expect(rows.map((row) => JSON.stringify(row)).join("\n")).toContain(MARKER)
    const text = JSON.stringify(exported)
    expect(text).not.toContain(MARKER)
    expect(text).not.toContain("user.jsonc")
    expect(text).not.toContain("rm ")
  })

  it("still says who did what, when and by whom, and which texts are equal [C25]", () => {
    expect(exported.map(({ entry }) => entry._tag)).toEqual(entries.map(({ _tag }) => _tag))
    expect(exported[6]).toMatchObject({
      seq: 7,
      hash: rows[6]!.hash,
      entry: { action: "deny", by: { _tag: "rule" }, denial: "policy", call: { tool: "Bash" } }
    })
    const asked = exported[4]!.entry
    const decided = exported[6]!.entry
    if (asked._tag !== "asked" || decided._tag !== "decision") throw new Error()
    expect(decided.ruling?.units[0].value).toBe(asked.value)
    expect(asked.value).toMatch(/^fp:[0-9a-f]{32}$/)
  })

  it("has fingerprints that nobody makes without the key [X3]", () => {
    const other = Export.row((text) => digests.sha256(text), rows[4]!).entry
    expect(other).not.toEqual(exported[4]!.entry)
  })
})

describe("the mode", () => {
  it("is the strictest that a trusted file asks for, and on where none does [A4.3, X7]", () => {
    const mode = (...texts: ReadonlyArray<ReturnType<typeof file>>) => JournalMode.of(compile(...texts))
    expect(mode()).toBe("on")
    expect(mode(file({ journal: "off" }))).toBe("off")
    expect(mode(file({ journal: "required" }, "admin"), file({ journal: "off" }))).toBe("required")
    expect(mode(file({ journal: "off" }, "admin"), file({ journal: "on" }))).toBe("on")
    expect(mode(file({ journal: "off" }, "project", false))).toBe("on")
  })
})
