import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { ToolCall } from "../../../src/core/call/ToolCall.ts"
import * as CallRecord from "../../../src/core/journal/CallRecord.ts"
import * as JournalRow from "../../../src/core/journal/JournalRow.ts"
import * as KeptPolicy from "../../../src/core/journal/KeptPolicy.ts"
import * as Replay from "../../../src/core/journal/Replay.ts"
import * as Analysis from "../../../src/core/policy/Analysis.ts"
import type { Facts } from "../../../src/core/policy/PathFacts.ts"
import type * as Policy from "../../../src/core/policy/Policy.ts"
import * as PolicyGenerators from "../../../src/layers/testing/PolicyGenerators.ts"
import { compile, permit } from "../policy/Fixtures.ts"
import { call, decision, digests, places } from "./Fixtures.ts"

/** What a reader has: the row as it was written and read back, and the policy as it was kept. */
const written = (policy: Policy.Policy, of: ToolCall, facts?: Facts) => {
  const { line } = JournalRow.write(digests.sha256, JournalRow.start, 0, decision(policy, of, facts))
  const row = Result.getOrThrow(JournalRow.read(digests.sha256, null, line.slice(0, -1)))
  if (row.entry._tag !== "decision") throw new Error(row.entry._tag)
  return { row, entry: row.entry }
}

const kept =
  (policy: Policy.Policy | "changed"): Replay.Policies =>
  () =>
    policy === "changed" ? Option.some(policy) : KeptPolicy.read(KeptPolicy.print(policy))

const replay = (
  recordedUnder: Policy.Policy,
  of: ToolCall,
  policies = kept(recordedUnder),
  facts?: Facts
): Replay.Replay => {
  const { entry, row } = written(recordedUnder, of, facts)
  return Replay.replay(row, entry, policies)
}

const strict = permit({ bash: { "*": "ask", "ls *": "allow", "rm *": "deny" }, path: { "*": "ask" } })

describe("Replay", () => {
  it.each([
    call("Bash", { command: "ls -l && rm -rf build", description: "tidy" }),
    call("Bash", { command: "sh -c 'echo $X > out'" }),
    call("Bash", { command: 'unclosed "quote' }),
    call("Write", { file_path: "/project/a", content: "x".repeat(100_000) }),
    call("Grep", { pattern: "x" }),
    call("WebFetch", { url: "https://h/", prompt: "p" }),
    call("mcp__server__tool", { any: 1 }),
    call("Unknown", { a: [1, { b: null }] }),
    call("AskUserQuestion", { questions: [] }),
    call("Write", { file_path: 3 })
  ])("makes the same ruling again: $tool $input [A4.2]", (of) => {
    expect(replay(strict, of)).toEqual({ _tag: "equal" })
  })

  it("rests on the facts of then, not on the file system of now [A4.2]", () => {
    const linked: Facts = { canonical: () => "/etc/passwd", trusted: () => false }
    const policy = permit({ path: { "/etc/*": "deny" }, external_directory: "allow", bash: { "*": "allow" } })
    const of = call("Bash", { command: "cat innocent" })
    expect(written(policy, of, linked).entry.action).toBe("deny")
    expect(replay(policy, of, kept(policy), linked)).toEqual({ _tag: "equal" })
    const { entry, row } = written(policy, of, linked)
    const forgotten = { ...entry, basis: { ...entry.basis!, paths: [] } }
    expect(Replay.replay(row, forgotten, kept(policy))._tag).toBe("different")
  })

  it("tells a ruling that the recorded policy does not make [A4.2]", () => {
    const { entry, row } = written(strict, call("Bash", { command: "rm -rf x" }))
    const forged = { ...entry, ruling: { ...entry.ruling!, action: "allow" as const } }
    expect(Replay.replay(row, forged, kept(strict))).toEqual({
      _tag: "different",
      recorded: "allow",
      replayed: "deny"
    })
  })

  it("tells a kept policy that is another [A4.2]", () => {
    const of = call("Bash", { command: "ls" })
    expect(replay(strict, of, kept("changed"))).toEqual({ _tag: "policy_changed" })
    expect(replay(strict, of, kept(permit({ bash: "deny" })))).toEqual({ _tag: "policy_changed" })
  })

  it.each<[string, ToolCall, Replay.Obstacle]>([
    ["a masked row", call("Bash", { command: "TOKEN=hunter2 ls" }), "altered"],
    ["a cut row", call("Bash", { command: `echo ${"x".repeat(10_000)}` }), "altered"],
    [
      "an input that is too large",
      call(
        "Unknown",
        Array.from({ length: 5000 }, () => 1)
      ),
      "altered"
    ]
  ])("never counts as equal: %s [A4.5]", (_, of, obstacle) => {
    expect(replay(strict, of)).toEqual({ _tag: "not_replayable", obstacle })
  })

  it("never counts as equal: no policy, no basis, no ruling [A4.5]", () => {
    const of = call("Bash", { command: "ls" })
    const not = (obstacle: Replay.Obstacle) => ({ _tag: "not_replayable", obstacle })
    expect(replay(strict, of, () => Option.none())).toEqual(not("no_policy"))
    const { entry, row } = written(strict, of)
    expect(Replay.replay(row, { ...entry, policy: null }, kept(strict))).toEqual(not("no_policy"))
    expect(Replay.replay(row, { ...entry, basis: null }, kept(strict))).toEqual(not("no_basis"))
    expect(Replay.replay(row, { ...entry, ruling: null }, kept(strict))).toEqual(not("no_basis"))
  })

  it.prop(
    "of any command under any rules, the ruling that was written down is made again [A4.2]",
    [PolicyGenerators.shellText, PolicyGenerators.rules],
    ([command, rules]) => {
      const policy = compile(PolicyGenerators.policyText(rules))
      const made = replay(policy, call("Bash", { command, description: "d" }))
      expect(made._tag === "equal" || (made._tag === "not_replayable" && made.obstacle === "altered")).toBe(
        true
      )
    },
    { arbitrary: { runs: 500 } }
  )
})

describe("what is written down of a call", () => {
  it.each([
    "tool --token hunter2MARKER",
    'export K=hunter2MARKER; cat "$K" > $K',
    "K='rm hunter2MARKER'; $K",
    "env T=hunter2MARKER sh -c 'rm $T'",
    "curl -u bob:hunter2MARKER u > out",
    "rm --password hunter2MARKER other"
  ])("holds no word that was taken out of a secret's context: %s [X3]", (command) => {
    const policy = permit({ bash: "deny", path: "deny", external_directory: "deny" })
    const { entry } = written(policy, call("Bash", { command }))
    expect(JSON.stringify(entry)).not.toContain("hunter2MARKER")
    expect(entry.ruling?.units.length).toBeGreaterThan(0)
  })

  it("is what its tool is about, and no more [A4.5, P3.4]", () => {
    const input = (tool: string, value: unknown) => written(strict, call(tool, value)).entry.call.input
    expect(input("Write", { file_path: "/project/a", content: "a private letter" })).toEqual({
      file_path: "/project/a"
    })
    for (const command of ["ls", "echo hi", "TOKEN=$(cat x) y | z > out", "unclosed '"]) {
      expect(input("Bash", { command, description: "why" })).toEqual({ command: expect.anything() })
    }
    expect(input("mcp__server__tool", { any: "text" })).toEqual({})
    expect(input("Unknown", { any: "text" })).toEqual({ any: "text" })
    expect(input("Write", { content: "x" })).toEqual({ content: "x" })
  })

  const inputs = Arbitrary.map(PolicyGenerators.shellText, (text) => [
    { command: text, description: text },
    { file_path: text, content: text },
    { path: text, pattern: text },
    { url: text, prompt: text },
    { skill: text },
    text,
    null,
    { command: [text] }
  ])
  const tools = ["Bash", "Write", "Read", "Grep", "LS", "WebFetch", "Skill", "mcp__a__b", "Other"] as const

  it.prop(
    "of any input has the analysis of the whole [A4.5]",
    [inputs],
    ([inputs]) => {
      for (const tool of tools) {
        for (const input of inputs) {
          const of = call(tool, input)
          const basis = decision(strict, of).basis
          const reduced = { ...of, input: CallRecord.facts(of, basis).input }
          expect(Analysis.analyse(reduced, places)).toEqual(Analysis.analyse(of, places))
        }
      }
    },
    { arbitrary: { runs: 100 } }
  )
})
