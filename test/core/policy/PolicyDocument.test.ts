import { describe, expect, it } from "@effect/vitest"
import * as PolicyDocument from "../../../src/core/policy/PolicyDocument.ts"
import { call, compile, file, permit, rule } from "./Fixtures.ts"

const read = (text: string) => PolicyDocument.read(file(text))
const firstIssue = (text: string) => {
  const [issue] = read(text).issues
  return issue === undefined ? null : [issue.line, issue.column, issue.path.join("."), issue.message]
}

describe("a policy file", () => {
  it("may hold settings that are deprecated: they are ignored, and told so [P4.3]", () => {
    const document = read(`{
      "permission": {"bash": {"ls *": "allow"}},
      "toolInputPreviewMaxLength": 200,
      "toolTextSummaryMaxLength": 80
    }`)
    expect(document.broken).toBe(false)
    expect(document.rules).toHaveLength(1)
    expect(document.issues.map(({ severity, line, path }) => [severity, line, path])).toEqual([
      ["notice", 3, ["toolInputPreviewMaxLength"]],
      ["notice", 4, ["toolTextSummaryMaxLength"]]
    ])
    expect(read(`{"toolInputPreviewMaxLenght": 200}`).broken).toBe(true)
  })

  it("is read with comments, trailing commas and every key that there is [L2.1, L2.2]", () => {
    const document = read(`{
      // the starter, then ours
      "extends": ["starter", {"starter": {"without": ["shell-startup"]}}],
      "permission": {
        "*": "ask",
        "bash": {"git status *": "allow", "rm *": {"action": "deny", "reason": "use trash"}},
        "path_write": {"src/*": {"action": "ask", "by": "person"}},
      },
      "authorizerChain": [], "journal": "on", "notify": {}, "agent": "claude",
    }`)
    expect(document.issues).toEqual([])
    expect(document.broken).toBe(false)
    expect(document.rules).toEqual([
      { surface: "*", pattern: "*", value: { action: "ask" }, line: 5 },
      { surface: "bash", pattern: "git status *", value: { action: "allow" }, line: 6 },
      { surface: "bash", pattern: "rm *", value: { action: "deny", reason: "use trash" }, line: 6 },
      { surface: "path_write", pattern: "src/*", value: { action: "ask", by: "person" }, line: 7 }
    ])
  })

  it("keeps the order of keys that objects would reorder [L2.2]", () => {
    const document = read(`{"permission": {"bash": {"b": "allow", "2": "ask", "1": "deny"}}}`)
    expect(document.rules.map(({ pattern }) => pattern)).toEqual(["b", "2", "1"])
  })

  it.for([
    ["an unknown key", `{\n "permision": {}}`, [2, 2, "permision", `unknown key "permision"`]],
    [
      "a bad action",
      `{"permission": {"bash": {"a": "alow"}}}`,
      [
        1,
        26,
        "permission.bash.a",
        `the rule for "a" is none of "allow", "ask", "deny", and no object with an action`
      ]
    ],
    ["a wrong type", `{"journal": 3}`, [1, 2, "journal", `"journal": Expected "on" | "off" | "required"`]],
    [
      "a doubled key",
      `{"permission": {"bash": {"a": "ask",\n "a": "deny"}}}`,
      [2, 2, "permission.bash.a", `the key "a" stands twice`]
    ],
    ["broken syntax", `{"permission": `, [1, 16, "", "broken syntax: a value is expected"]],
    ["a byte order mark", `\uFEFF{}`, [1, 1, "", "the file starts with a byte order mark"]],
    ["nothing", ``, [1, 1, "", "broken syntax: a value is expected"]],
    ["a key of objects", `{"__proto__": {}}`, [1, 2, "__proto__", `the key "__proto__" is not allowed`]]
  ] as const)("with %s says where and what [L2.2]", ([, text, expected]) => {
    expect(firstIssue(text)).toEqual(expected)
    expect(read(text).broken).toBe(true)
  })

  it("suggests what was meant [L2.2]", () => {
    expect(read(`{"permision": {}}`).issues[0]?.suggestion).toBe(`did you mean "permission"?`)
    expect(read(`{"permission": {"bash": {"a": "dney"}}}`).issues[0]?.suggestion).toBe(`did you mean "deny"?`)
  })

  it.for([
    `{"permission": {"bash": {"a": {"action": "deny", "reason": "${"x".repeat(501)}"}}}}`,
    `{"permission": {"bash": {"a": {"action": "allow", "reason": "x"}}}}`,
    `{"permission": {"bash": {"a": {"action": "deny", "by": "person"}}}}`,
    `{"permission": {"bash": ["a"]}}`,
    `{"permission": {"bash": {"a": null}}}`,
    `{"extends": ["stater"]}`,
    `{"extends": [{"starter": {"without": ["nothing"]}}]}`,
    `{"agent": "other"}`,
    `[]`,
    `null`,
    "[".repeat(100_000)
  ])("is refused: %s [L1.1, L2.2]", (text) => {
    expect(read(text).broken).toBe(true)
  })

  it("that is broken keeps its denies, and every allow of anybody asks [L2.2]", () => {
    const broken = file(
      `{"permission": {"bash": {"rm *": "deny", "ls": "allow", "x *": {"action": "deny", "reson": ""}}}, "nope": 1}`,
      "project"
    )
    const policy = compile(file({ permission: { bash: { "git *": "allow" } } }), broken)
    expect(policy.broken).toBe(true)
    expect(rule(policy, "rm x").action).toBe("deny")
    expect(rule(policy, "x y").action).toBe("deny")
    expect(rule(policy, "ls").action).toBe("ask")
    expect(rule(policy, "git log").units[0].winner).toMatchObject({
      action: "ask",
      pattern: "<configuration-error>"
    })
  })

  it("that cannot be read is a broken one [L2.2]", () => {
    const policy = compile(
      { ...file(""), unreadable: "PermissionDenied" },
      file({ permission: { bash: { ls: "allow" } } })
    )
    expect(policy.broken).toBe(true)
    expect(policy.issues[0]?.message).toContain("PermissionDenied")
    expect(rule(policy, "ls").action).toBe("ask")
  })

  it("of a project that nobody has trusted only tightens, and says so [L2.1]", () => {
    const policy = compile(
      file({ permission: { bash: { "git *": "allow", ls: "allow" } } }),
      file(
        { extends: ["starter"], permission: { bash: { "*": "allow", "git push *": "deny", ls: "ask" } } },
        "project",
        false
      )
    )
    expect(rule(policy, "make").action).toBe("ask")
    expect(rule(policy, "cat a").action).toBe("ask")
    expect(rule(policy, "git push").action).toBe("deny")
    expect(rule(policy, "ls").action).toBe("ask")
    expect(rule(policy, "git log").action).toBe("allow")
    expect(policy.broken).toBe(false)
    expect(policy.issues.map(({ message, path, severity }) => [severity, path.join("."), message])).toEqual([
      ["notice", "permission.bash.*", 'allow bash "*" ignored: the file is not trusted'],
      ["notice", "extends", '"extends" ignored: the file is not trusted']
    ])
    expect(policy.settings).toHaveLength(1)
  })

  it("of a project, once trusted, allows what it says and sets what it sets [L2.1]", () => {
    const project = { journal: "off", permission: { bash: { "deploy *": "allow" } } }
    const user = file({ permission: { bash: { "*": "ask" } } })
    const before = compile(user, file(project, "project", false))
    const after = compile(user, file(project, "project", true))
    expect([rule(before, "deploy").action, rule(after, "deploy").action]).toEqual(["ask", "allow"])
    expect(before.settings.some((settings) => "journal" in settings)).toBe(false)
    expect(after.settings.at(-1)).toEqual({ journal: "off" })
    expect(after.issues).toEqual([])
    expect(after.digest).not.toBe(before.digest)
  })

  it("may ask for everything and still allow a path to the tools that open it [L2.2, L1.4]", () => {
    const policy = permit({ "*": "ask", path_write: { "src/*": "allow" }, Edit: { "*/src/locked": "ask" } })
    const write = (path: string, tool = "Write") =>
      call(policy, tool, { file_path: `/project/${path}` }).action
    expect([write("src/a"), write("a"), write("src/locked", "Edit")]).toEqual(["allow", "ask", "ask"])
    expect(call(permit({ "*": "deny" }), "Read", { file_path: "/project/a" }).action).toBe("deny")
    expect(call(permit({ "*": "deny" }), "Unheard", {}).action).toBe("deny")
    const project = file({ permission: { "*": "deny" } }, "project", false)
    const both = compile(file({ permission: { path_write: { "src/*": "allow" } } }), project)
    expect(call(both, "Write", { file_path: "/project/src/a" }).action).toBe("deny")
  })

  it("says which file and line a rule stands in [L1.5]", () => {
    const policy = compile(file(`{"permission": {\n"bash": {\n"ls": "allow"}}}`))
    expect(rule(policy, "ls").units[0].winner.source).toEqual({ file: "user.jsonc", line: 3 })
    expect(permit({}).written[0]?.scope).toBe("builtin")
  })
})
