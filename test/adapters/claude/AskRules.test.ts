import { describe, expect, it } from "@effect/vitest"
import * as AskRules from "../../../src/adapters/claude/AskRules.ts"

/** As Claude matches a rule without parentheses: a literal name, `*` any run. */
const asks = (name: string) =>
  AskRules.rules.some((rule) =>
    rule.startsWith("*") ? name.endsWith(rule.slice(1)) : name.startsWith(rule.replace(/\*$/, ""))
  )

describe("AskRules", () => {
  it("every tool is asked for, and the question tool is not [S5.2, Q5.4]", () => {
    for (const name of [
      "Bash",
      "Read",
      "Agent",
      "A",
      "Ask",
      "AskUser",
      "AskUserQuestions",
      "AskUserQuestion2"
    ]) {
      expect(asks(name), name).toBe(true)
    }
    for (const name of ["Zzz", "ListAgents", "Askew", "AskuserQuestion", "mcp__server__AskUserQuestion"]) {
      expect(asks(name), name).toBe(true)
    }
    expect(asks("AskUserQuestion")).toBe(false)
  })
})
