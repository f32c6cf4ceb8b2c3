import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Analysis from "../../../src/core/policy/Analysis.ts"
import { decide } from "../../../src/core/policy/Decide.ts"
import * as PathFacts from "../../../src/core/policy/PathFacts.ts"
import * as PolicyDocument from "../../../src/core/policy/PolicyDocument.ts"
import * as PolicyTemplate from "../../../src/core/policy/PolicyTemplate.ts"
import * as StarterPolicy from "../../../src/core/policy/StarterPolicy.ts"
import { call, compile, environment, file, rule } from "./Fixtures.ts"

const decodeLine = Schema.decodeSync(Schema.fromJsonString(Schema.Struct({ command: Schema.String })))

const corpus = readFileSync(new URL("../../corpus/bash.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => decodeLine(line).command)

/** What a person gets who takes on all that is offered. */
const takenOn = PolicyTemplate.user().replaceAll(/^(\s*)\/\/ (".*|\},)$/gm, "$1$2")

describe("the starter written out", () => {
  it("is read without a fault, and says what each part is for [L2.6]", () => {
    const document = PolicyDocument.read(file(PolicyTemplate.user()))
    expect(document.issues).toEqual([])
    for (const { title } of [...StarterPolicy.SECTIONS, ...StarterPolicy.OFFERS]) {
      expect(PolicyTemplate.user()).toContain(`// ${title}`)
    }
  })

  it("rules exactly as the starter does [L2.6]", () => {
    const starter = compile(file({ extends: ["starter"] }))
    const written = compile(file(PolicyTemplate.user()))
    expect(corpus.length).toBeGreaterThan(150)
    for (const command of corpus) {
      expect([command, rule(written, command).action]).toEqual([command, rule(starter, command).action])
    }
    const calls = [
      ["Read", { file_path: "/project/a" }],
      ["Read", { file_path: "/etc/passwd" }],
      ["Read", { file_path: "/home/u/.ssh/id" }],
      ["Write", { file_path: "/project/a" }],
      ["Write", { file_path: "/home/u/.bashrc" }],
      ["TodoWrite", {}],
      ["Unheard", {}]
    ] as const
    for (const [tool, input] of calls) {
      expect([tool, call(written, tool, input).action]).toEqual([tool, call(starter, tool, input).action])
    }
  })

  it("offers rules that work once their comment marks are gone, and open nothing else [L2.6]", () => {
    const policy = compile(file(takenOn))
    expect(policy.issues).toEqual([])
    expect(StarterPolicy.OFFERS.flatMap(({ rules }) => rules).length).toBe(
      PolicyDocument.read(file(takenOn)).rules.length -
        PolicyDocument.read(file(PolicyTemplate.user())).rules.length
    )
    const actions = (...commands: ReadonlyArray<string>) => commands.map((text) => rule(policy, text).action)
    expect(actions("git add src", "git commit -m x", "npm test", "echo x > src/a")).toEqual([
      "allow",
      "allow",
      "allow",
      "allow"
    ])
    expect(actions("git push", "npm publish", "echo x > .git/hooks/pre-commit", "echo x > a/.envrc")).toEqual(
      ["ask", "ask", "ask", "ask"]
    )
    expect(actions("echo x > ~/.bashrc", "echo x > .obstat/obstat.jsonc", "rm -rf .")).toEqual([
      "deny",
      "deny",
      "deny"
    ])
  })

  it("has a project's file that says nothing yet, until its comment marks are gone [L2.6]", () => {
    expect(PolicyDocument.read(file(PolicyTemplate.project(), "project"))).toMatchObject({
      issues: [],
      rules: []
    })
    const uncommented = PolicyTemplate.project().replaceAll(/^(\s*)\/\/ (\s*".*|\},)$/gm, "$1$2")
    const document = PolicyDocument.read(file(uncommented, "project"))
    expect(document.issues).toEqual([])
    expect(document.rules.map(({ value }) => value.action)).toEqual(["deny", "ask", "ask"])
  })

  it("leaves groups out by name [L1.4]", () => {
    const without = compile(file({ extends: [{ starter: { without: ["shell-startup"] } }] }))
    const analysis = Analysis.command("echo x >> ~/.bashrc", environment)
    expect(decide(without, [], analysis, PathFacts.none).action).toBe("ask")
    expect(rule(without, "cat ~/.ssh/id").action).toBe("deny")
  })
})
