import { describe, expect, it } from "@effect/vitest"
import type { Agent } from "../../../src/core/call/Agent.ts"
import * as PatchText from "../../../src/core/call/PatchText.ts"
import * as Tools from "../../../src/core/call/Tools.ts"
import * as Analysis from "../../../src/core/policy/Analysis.ts"
import { decide } from "../../../src/core/policy/Decide.ts"
import * as PathFacts from "../../../src/core/policy/PathFacts.ts"
import { compile, environment, permit, rule as ruleCommand } from "../policy/Fixtures.ts"

const of = (agent: Agent, policy: Parameters<typeof decide>[0], tool: string, input: unknown) =>
  decide(policy, [], Analysis.analyse({ agent, tool, input }, environment), PathFacts.none)

const nothing = permit({})
const about = (agent: Agent, tool: string, input: unknown) =>
  of(agent, nothing, tool, input).units.map(({ surface, value }) => `${surface} ${value}`)

const PATCH = `*** Begin Patch
*** Add File: src/new.ts
+export const a = 1
+ *** not a file
*** Update File: src/old.ts
*** Move to: ../outside.ts
@@ -1,2 +1,2 @@
-a
+b
*** End of File
*** Delete File: /etc/gone
*** End Patch
`

describe("Codex", () => {
  it.for([
    ["Bash", { command: "ls" }, ["bash ls"]],
    ["exec_command", { cmd: "ls" }, ["bash ls"]],
    ["exec_command", { cmd: "cat a", workdir: "/etc" }, ["bash cat a", "external_directory_read /etc/a"]],
    ["shell", { command: ["bash", "-lc", "ls -a; pwd"] }, ["bash ls -a", "bash pwd"]],
    ["shell", { command: ["rm", "-rf", "a b"] }, ["bash rm -rf 'a b'", "path_write /project/a b"]],
    ["view_image", { path: "/x/a.png" }, ["external_directory_read /x/a.png"]],
    ["mcp__lab__echo", { a: 1 }, ["mcp lab:echo"]],
    ["update_plan", { plan: [] }, ["update_plan update_plan"]]
  ] as const)("%s is what it does [L4.1]", ([tool, input, expected]) => {
    const policy = permit({ path_write: "ask" })
    const units = of("codex", policy, tool, input).units.map(({ surface, value }) => `${surface} ${value}`)
    expect(units.toSorted()).toEqual([...expected].toSorted())
  })

  it.for([
    ["exec_command", { cmd: "ls", workdir: 3 }],
    ["exec_command", { cmd: "" }],
    ["shell", { command: ["ls", 3] }],
    ["Bash", {}]
  ] as const)("%s with %j is asked about, whatever is allowed [L4.1]", ([tool, input]) => {
    const all = permit({ "*": "allow", bash: "allow", code: "allow" })
    expect(of("codex", all, tool, input).action).toBe("ask")
  })

  it("names every file of a patch, both ends of a move [L4.1]", () => {
    const policy = permit({ path_write: "ask" })
    const { units } = of("codex", policy, "apply_patch", { command: PATCH })
    expect(units.map(({ surface, value }) => `${surface} ${value}`).toSorted()).toEqual([
      "external_directory_write /etc/gone",
      "external_directory_write /outside.ts",
      "path_write /etc/gone",
      "path_write /outside.ts",
      "path_write /project/src/new.ts",
      "path_write /project/src/old.ts"
    ])
  })

  it("lets no part of a patch pass a deny, and allows it only as a whole [L4.1, L4.3]", () => {
    const allow = { external_directory: "allow", path: { "*": "allow" } }
    const deny = (path: string) => permit({ ...allow, path: { "*": "allow", [path]: "deny" } })
    expect(of("codex", permit(allow), "apply_patch", { command: PATCH }).action).toBe("allow")
    for (const path of ["src/new.ts", "src/old.ts", "/outside.ts", "/etc/gone"]) {
      expect(of("codex", deny(path), "apply_patch", { command: PATCH }).action).toBe("deny")
    }
    expect(of("codex", permit({ path: allow.path }), "apply_patch", { command: PATCH }).action).toBe("ask")
    const guarded = "*** Begin Patch\n*** Update File: .obstat/obstat.jsonc\n*** End Patch"
    expect(of("codex", permit(allow), "apply_patch", { command: guarded }).action).toBe("deny")
  })

  it.for([
    "",
    "no patch",
    "*** Begin Patch\n*** End Patch",
    "*** Begin Patch\n*** Rename File: a\n*** Add File: b\n*** End Patch",
    "*** Begin Patch\n*** Add File: a\0b\n*** End Patch"
  ])("asks about a patch that is not understood, wherever patches may go: %j [L4.1]", (text) => {
    const policy = permit({ path: "allow", external_directory: { "/project/*": "allow" } })
    expect(of("codex", policy, "apply_patch", { command: text }).action).toBe("ask")
  })

  it("sees the patch that a shell command applies [L4.1, L3.4]", () => {
    const policy = permit({ "*": "allow", path_write: { "*": "allow", "src/old.ts": "deny" } })
    expect(ruleCommand(policy, `apply_patch <<'E'\n${PATCH}\nE`).action).toBe("deny")
    expect(ruleCommand(policy, `apply_patch '${PATCH}'`).action).toBe("deny")
    expect(ruleCommand(policy, "apply_patch < file").action).toBe("ask")
  })

  it("types text into a program only as code, and as what a shell would make of it [L4.1, L1.2]", () => {
    const all = permit({ "*": "allow", bash: { "*": "allow", "rm *": "deny" } })
    const typed = (policy: typeof all, chars: unknown) => of("codex", policy, "write_stdin", { chars })
    expect(typed(all, "ls\n").units[0]).toMatchObject({ surface: "code", winner: { action: "ask" } })
    expect(typed(all, "rm x\n").action).toBe("deny")
    expect(typed(permit({ "*": "allow", code: { "ls *": "allow" } }), "ls -a\n").action).toBe("allow")
    expect(typed(compile(), "").action).toBe("allow")
    expect(of("codex", compile(), "write_stdin", { session_id: 1 }).action).toBe("allow")
    expect(typed(compile(), ["rm x"]).action).toBe("ask")
  })

  it.for(["request_user_input", "request_user_input_async"])("asks a person by %s [Q3.7]", (tool) => {
    expect(of("codex", permit({ "*": "allow" }), tool, {}).units[0].winner.pattern).toBe("<question-tool>")
  })
})

describe("Pi", () => {
  it.for([
    ["bash", { command: "ls" }, ["bash ls"]],
    ["shell", { command: "cat a", cwd: "/etc" }, ["bash cat a", "external_directory_read /etc/a"]],
    ["exec_command", { cmd: "ls" }, ["bash ls"]],
    ["read", { path: "/etc/a" }, ["external_directory_read /etc/a"]],
    ["write", { path: "../a" }, ["external_directory_write /a"]],
    ["edit", { path: "/a" }, ["external_directory_write /a"]],
    ["find", { pattern: "*", path: "/a" }, ["external_directory_read /a"]],
    ["grep", { pattern: "x", path: "/a" }, ["external_directory_read /a"]],
    ["ls", { path: "/a" }, ["external_directory_read /a"]],
    ["ls", {}, ["path_read "]],
    ["mcp", { server: "lab", tool: "echo", args: {} }, ["mcp lab:echo"]],
    ["mcp__lab__echo", {}, ["mcp lab:echo"]],
    ["skill", { name: "s" }, ["skill s"]],
    ["subagent", { agent: "helper", task: "t" }, ["agent helper"]],
    ["made_up", { a: 1 }, ["made_up made_up"]]
  ] as const)("%s is what it does [L4.1]", ([tool, input, expected]) => {
    if (tool === "ls" && !("path" in input)) {
      const policy = permit({ path_read: { ".": "allow" } })
      expect(of("pi", policy, "ls", {}).action).toBe("allow")
    } else expect(about("pi", tool, input).toSorted()).toEqual([...expected].toSorted())
  })

  it("has a search read everything below [L4.1, L3.4]", () => {
    const policy = permit({ path: { "*": "allow", "src/secret": "deny" } })
    expect(of("pi", policy, "grep", { pattern: "x" }).action).toBe("ask")
    expect(of("pi", policy, "grep", { pattern: "x", path: "lib" }).action).toBe("allow")
    expect(of("pi", policy, "ls", { path: "src" }).action).toBe("allow")
  })

  it("gives no tool a surface by its name or by an input that does not fit [L4.2, L1.2]", () => {
    const policy = permit({ bash: "allow", code: "allow", mcp: "allow", web: "allow", path_read: "allow" })
    for (const tool of ["bash", "code", "mcp", "web", "path_read"]) {
      const { action, units } = of("pi", policy, tool, { command: 3 })
      expect([action, units.map(({ surface }) => surface)]).toEqual([
        "ask",
        expect.arrayContaining([`${tool} (tool)`])
      ])
    }
  })
})

describe("tools", () => {
  it("are read by their agent's own table, whatever their name [L4.1]", () => {
    for (const agent of ["claude", "codex", "pi"] as const) {
      expect(Tools.find(agent, "constructor")).toEqual({ _tag: "other" })
      expect(Tools.find(agent, "__proto__")).toEqual({ _tag: "other" })
    }
    expect(Tools.find("claude", "bash")).toEqual({ _tag: "other" })
  })
})

describe("a patch's files", () => {
  it("are found whatever the line ends and blanks [L4.1]", () => {
    expect(PatchText.files("*** Begin Patch\r\n  *** Update File:  a b.ts \r\n*** End Patch")).toEqual([
      "a b.ts"
    ])
    expect(PatchText.files("*** Begin Patch\n*** Add File: a\n*** Move to: b\n*** End Patch")).toEqual([
      "a",
      "b"
    ])
    expect(PatchText.files("*** Begin Patch\n*** Update File: a.md\n ***\n *** b\n*** End Patch")).toEqual([
      "a.md"
    ])
  })
})
