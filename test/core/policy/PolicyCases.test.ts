import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as PathFacts from "../../../src/core/policy/PathFacts.ts"
import * as PolicyCases from "../../../src/core/policy/PolicyCases.ts"
import { environment, permit } from "./Fixtures.ts"

const policy = permit({
  bash: { "git *": "allow", "git push *": { action: "deny", reason: "no" } },
  path_write: { "src/*": "allow" }
})

const run = (text: string): PolicyCases.Outcomes => {
  const cases = Result.getOrThrow(PolicyCases.read("c.jsonc", text))
  return PolicyCases.run(
    "c.jsonc",
    cases.map((placed) => ({ ...placed, analysis: PolicyCases.analyse(placed.item, environment) })),
    policy,
    PathFacts.none
  )
}

const issues = (text: string) =>
  Result.match(PolicyCases.read("c.jsonc", text), {
    onSuccess: () => [],
    onFailure: (found) => found.map(({ line, message, path }) => [line, path.join("."), message])
  })

describe("cases for a policy", () => {
  it("are commands and tool calls, and hold where action, surface and pattern are as expected [L6.1]", () => {
    const { cases } = run(`{
      // comments and a trailing comma are fine
      "cases": [
        { "command": "git status", "expect": "allow" },
        { "command": "git status && git push", "expect": "deny", "surface": "bash", "pattern": "git push *" },
        { "tool": "Write", "input": { "file_path": "src/a" }, "expect": "allow" },
        { "agent": "pi", "tool": "write", "input": { "path": "src/a" }, "expect": "allow" },
        { "tool": "Unheard", "expect": "ask" },
      ]
    }`)
    expect(cases.map(({ holds, line }) => [line, holds])).toEqual([4, 5, 6, 7, 8].map((line) => [line, true]))
  })

  it.for([
    ["action", { expect: "ask" }],
    ["surface", { expect: "deny", surface: "path_write" }],
    ["pattern", { expect: "deny", pattern: "git *" }]
  ] as const)("differ by %s, and say which rule decides instead [L6.1, L1.5]", ([, expected]) => {
    const outcomes = run(JSON.stringify({ cases: [{ name: "no push", command: "git push", ...expected }] }))
    expect(outcomes.cases[0]).toMatchObject({
      name: "no push",
      holds: false,
      ruling: { action: "deny", pattern: "git push *", source: { file: "user.jsonc", line: 1 } },
      runnerUp: { pattern: "git *" }
    })
    const text = PolicyCases.render(outcomes)
    expect(text).toContain("c.jsonc:1: no push")
    expect(text).toContain('is deny by bash "git push *" (user policy, user.jsonc:1)')
    expect(text).toContain('else allow by bash "git *"')
    expect(text).toContain("0 of 1 cases hold")
  })

  it.for([
    ["", [1, "", "broken syntax: ValueExpected"]],
    ['{ "cases": [] }', [1, "cases", expect.any(String)]],
    [
      '{\n "cases": [{ "expect": "allow" }] }',
      [2, "cases.0", 'a case has either a "command" or a "tool" with its "input"']
    ],
    [
      '{ "cases": [\n{ "command": "a", "tool": "b", "expect": "allow" }] }',
      [2, "cases.0", expect.any(String)]
    ],
    ['{ "cases": [\n{ "command": "a", "expect": "alow" }] }', [2, "cases.0.expect", expect.any(String)]],
    [
      '{ "cases": [{ "command": "a", "expect": "ask",\n "patern": "x" }] }',
      [2, "cases.0.patern", expect.any(String)]
    ]
  ] as const)("that are broken name the place: %j [L6.1, L2.2]", ([text, expected]) => {
    expect(issues(text)).toContainEqual(expected)
  })
})
