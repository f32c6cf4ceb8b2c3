import { assert, describe, it } from "@effect/vitest"
import * as Seal from "../../../src/core/ask/Seal.ts"
import type { ToolCall } from "../../../src/core/call/ToolCall.ts"
import { call } from "./Fixtures.ts"

const same = (left: Partial<ToolCall>, right: Partial<ToolCall>) =>
  Seal.isSame(Seal.of(call(left), []), Seal.of(call(right), []))

describe("Seal", () => {
  it("is the same for the same command in other words about it, and in another order [BUG-075] [P1.4]", () => {
    assert.isTrue(
      same(
        { input: { command: "ls", timeout: 5, description: "List" } },
        { input: { description: "Show what is here", timeout: 5, command: "ls" } }
      )
    )
    assert.isTrue(same({ callId: "1", mode: "plan" }, { callId: "2", mode: null }))
  })

  it("differs where anything differs that decides what runs, or for whom [P1.4]", () => {
    const base = { input: { command: "ls", timeout: 5 } }
    for (const other of [
      { input: { command: "ls -l", timeout: 5 } },
      { input: { command: "ls", timeout: 6 } },
      { input: { command: "ls" } },
      { ...base, cwd: "/" },
      { ...base, tool: "Other" },
      { ...base, requester: { agentName: "x", sessionId: "s-1", forwarded: false } }
    ]) {
      assert.isFalse(same(base, other))
    }
    // Of an unknown tool every field may decide.
    const issue = (description: string) => ({ tool: "mcp__tracker__create", input: { description } })
    assert.isFalse(same(issue("a"), issue("b")))
    assert.isTrue(same(issue("a"), issue("a")))
  })

  it("holds the scripts as they are [BUG-072]", () => {
    const of = (digest: string | null) => Seal.of(call(), [{ path: "/s", digest, text: null }])
    assert.isTrue(Seal.isSame(of("1"), of("1")))
    assert.isFalse(Seal.isSame(of("1"), of("2")))
    assert.isFalse(Seal.isSame(of(null), of("1")))
    assert.isFalse(Seal.isSame(of("1"), Seal.of(call(), [])))
  })

  it("of what is no JSON equals nothing, itself included [P1.4]", () => {
    const odd = { input: { command: new Date(0) } }
    assert.isFalse(same(odd, odd))
  })
})
