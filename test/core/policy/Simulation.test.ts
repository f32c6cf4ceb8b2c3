import { describe, expect, it } from "@effect/vitest"
import * as ClaudeRecording from "../../../src/adapters/claude/ClaudeRecording.ts"
import * as Analysis from "../../../src/core/policy/Analysis.ts"
import * as PathFacts from "../../../src/core/policy/PathFacts.ts"
import * as Policy from "../../../src/core/policy/Policy.ts"
import * as PolicyTemplate from "../../../src/core/policy/PolicyTemplate.ts"
import * as Simulation from "../../../src/core/policy/Simulation.ts"
import * as Turns from "../../fixtures/Turns.ts"
import { environment, file } from "./Fixtures.ts"

const starter = file({ extends: ["starter"] })

interface Given {
  readonly tool: string
  readonly input: unknown
}

const bash = (command: string): Given => ({ tool: "Bash", input: { command } })

const simulate = (
  calls: ReadonlyArray<Given>,
  current: Policy.Policy,
  candidate: Policy.Policy | null = null
): Simulation.Simulation =>
  Simulation.simulate(
    calls.map(({ input, tool }, index) => ({
      file: "s.jsonl",
      recorded: {
        line: index + 1,
        call: { agent: "claude", tool, input, callId: null, cwd: environment.cwd }
      },
      analysis: Analysis.analyse({ agent: "claude", tool, input }, environment),
      facts: PathFacts.none,
      current,
      candidate
    }))
  )

const policy = (permission: object): Policy.Policy =>
  Policy.compile([file({ extends: ["starter"], permission })], environment)

describe("a simulation", () => {
  it("counts calls, questions and how each policy rules, and what is asked twice once [L6.1]", () => {
    const report = simulate(
      [
        bash("ls"),
        bash("make it"),
        bash("make it"),
        bash("rm -rf ~"),
        { tool: "AskUserQuestion", input: { questions: [] } },
        { tool: "WebFetch", input: { url: "https://example.org/" } }
      ],
      policy({}),
      policy({ bash: { "make *": "allow" }, code: { "make *": "allow" }, web: { "*": "deny" } })
    )
    expect([report.calls, report.questions]).toEqual([6, 1])
    expect(report.current).toEqual({ allow: 1, ask: 3, deny: 1, differentAsks: 2 })
    expect(report.candidate).toEqual({ allow: 3, ask: 0, deny: 2, differentAsks: 0 })
  })

  it("says what would change, by which rule, how often and where first [L6.1]", () => {
    const report = simulate(
      [bash("ls"), bash("deploy a"), bash("deploy a"), bash("cat x")],
      policy({}),
      policy({ bash: { "deploy *": "allow", "cat *": { action: "deny", reason: "no" } } })
    )
    expect(report.changes).toMatchObject([
      { value: "deploy a", from: "ask", to: "allow", times: 2, first: { file: "s.jsonl", line: 2 } },
      { value: "cat x", from: "allow", to: "deny", times: 1, by: { pattern: "cat *", reason: "no" } }
    ])
  })

  it("lists the rules of files that nothing has to do with, and no others [L6.1]", () => {
    const candidate = policy({
      bash: {
        "*": "ask",
        "git *": "allow",
        "git status *": "ask",
        "npm *": "allow",
        "rm *": "deny"
      },
      code: { "python *": "allow" },
      path_write: { "src/*": "allow", "docs/*": "allow" },
      external_directory: { "*": "ask", "/data/*": "allow" },
      mcp: { "jira:*": "allow" }
    })
    const report = simulate(
      [
        bash("git status"),
        bash("/bin/rm x"),
        { tool: "Write", input: { file_path: "/project/src/a", content: "" } },
        { tool: "Read", input: { file_path: "/etc/hosts" } }
      ],
      policy({}),
      candidate
    )
    expect(report.unmatched.map(({ pattern, surface }) => `${surface} ${pattern}`)).toEqual([
      "bash npm *",
      "code python *",
      "path_write docs/*",
      "external_directory /data/*",
      "mcp jira:*"
    ])
  })

  it("does not take a rule about places outside for matched by one inside [L6.1]", () => {
    const report = simulate(
      [{ tool: "Read", input: { file_path: "/project/a" } }],
      policy({ external_directory: { "*": "deny" } })
    )
    expect(report.unmatched).toHaveLength(1)
  })

  it("covers each surface, and tells asks by a rule from asks by none [L6.1]", () => {
    const report = simulate([bash("ls"), bash("deploy"), bash("rm x")], policy({ bash: { "rm *": "ask" } }))
    expect(report.surfaces.find(({ surface }) => surface === "bash")).toEqual({
      surface: "bash",
      allow: 1,
      ask: 2,
      deny: 0,
      byNoRule: 1
    })
  })

  it("is read in one screen: tallies, surfaces, changes, asks and idle rules [L6.1]", () => {
    const text = Simulation.render(
      simulate([bash("deploy\nnow")], policy({}), policy({ bash: { "x *": "deny", "deploy *": "deny" } }))
    )
    expect(text).toMatch(/now +0 +1 +0 +1 different asks/)
    expect(text).toMatch(/candidate +0 +0 +1/)
    expect(text).toContain("ask → deny  1×  Bash: deploy ⏎ now")
    expect(text).toContain('deny bash "x *"')
  })

  it("shows the first of many idle rules to a person, says how many more, and all of them to a program [L6.1]", () => {
    const rules = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`idle-${index} *`, "ask"]))
    const report = simulate([bash("ls")], policy({ bash: rules }))
    expect(report.unmatched).toHaveLength(30)
    const text = Simulation.render(report)
    expect(text.match(/idle-/g)).toHaveLength(20)
    expect(text).toContain("… and 10 more, all of them with --output json")
  })
})

describe("an ordinary coding turn of Claude Code", () => {
  const { calls, projectRoot } = Turns.read(ClaudeRecording.format, "claude")
  const places = { ...environment, cwd: projectRoot, projectRoot, home: "/home/dev" }
  const tally = (text: string) => {
    const current = Policy.compile([file(text)], places)
    const { candidate: _, ...report } = Simulation.simulate(
      calls.map((recorded) => ({
        file: "claude.jsonl",
        recorded,
        analysis: Analysis.analyse(recorded.call, places),
        facts: PathFacts.none,
        current,
        candidate: null
      }))
    )
    return report.current
  }

  it("asks 12 times in 25 calls under the starter, for edits, tests and the commit [L2.6]", () => {
    expect(tally(starter.text)).toEqual({ allow: 13, ask: 12, deny: 0, differentAsks: 10 })
  })

  it("asks no more often under the starter written out, and less with what that offers [L2.6]", () => {
    const written = PolicyTemplate.user()
    expect(tally(written)).toEqual(tally(starter.text))
    const takenOn = written.replaceAll(/^(\s*)\/\/ (".*|\},)$/gm, "$1$2")
    expect(tally(takenOn)).toEqual({ allow: 23, ask: 2, deny: 0, differentAsks: 2 })
  })
})
