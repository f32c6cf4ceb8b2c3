import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as FrontMatter from "../../../src/adapters/pi/FrontMatter.ts"
import * as PolicyDocument from "../../../src/core/policy/PolicyDocument.ts"
import { compile, file, rule } from "../../core/policy/Fixtures.ts"

const read = (text: string, trusted = true) =>
  FrontMatter.read({ file: "reviewer.md", digest: "d", text, trusted })

const agent = (permission: string) => `---\nname: reviewer\n${permission}---\n\nYou review.\n`

const document = (text: string) => {
  const policy = read(text)
  if (policy === null) throw new Error("no policy")
  return PolicyDocument.read(policy)
}

describe("the front matter of a Pi agent", () => {
  it("is a policy of the agent's, every rule in its own line [L2.1, L1.5]", () => {
    const { broken, rules, source } = document(
      agent(`# what it may do
permission:
  "*": ask
  bash: { git log *: allow, 2: ask }

  path_write:
    # nothing
    "*":
      action: deny
      reason: reviewers write nothing
  read: allow
`)
    )
    expect([broken, source.scope, source.file]).toEqual([false, "agent", "reviewer.md"])
    expect(rules).toEqual([
      { surface: "*", pattern: "*", value: { action: "ask" }, line: 5 },
      { surface: "bash", pattern: "git log *", value: { action: "allow" }, line: 6 },
      { surface: "bash", pattern: "2", value: { action: "ask" }, line: 6 },
      {
        surface: "path_write",
        pattern: "*",
        value: { action: "deny", reason: "reviewers write nothing" },
        line: 10
      },
      { surface: "read", pattern: "*", value: { action: "allow" }, line: 13 }
    ])
  })

  it("rules above the user's, and only tightens where nobody trusts it [L1.4, X7]", () => {
    const user = file({ permission: { bash: { "*": "ask" } } })
    const text = agent("permission:\n  bash:\n    deploy *: allow\n    ls *: deny\n")
    expect(rule(compile(user, read(text)!), "deploy x").action).toBe("allow")
    const untrusted = compile(user, read(text, false)!)
    expect(["deploy x", "ls"].map((command) => rule(untrusted, command).action)).toEqual(["ask", "deny"])
  })

  it.for([
    ["", "nothing"],
    ["You review.\n---\npermission:\n  bash: allow\n---\n", "dashes later"],
    ["---\nname: x\n---\npermission: y\n", "no such key"],
    ["---\nname: x\n", "no end"],
    ["---\n- permission\n---\n", "no map"],
    ["---\nname: [\n---\n", "broken, and without the key"]
  ] as const)("is none in %j: %s [L2.1]", ([text]) => {
    expect(read(text)).toBeNull()
  })

  it.for([
    ["permission:\n  bash:\n    *: allow\n", 5],
    ["permission: [\n", 4],
    ["base: &b allow\npermission:\n  bash: *b\n", 5],
    ["permission:\n  bash:\n    ? [a]\n    : allow\n", 5],
    ["permission: !policy\n  bash: allow\n", 3]
  ] as const)("that cannot be understood fails closed: %j [L2.2]", ([permission, line]) => {
    const policy = compile(file({ permission: { bash: { ls: "allow" } } }), read(agent(permission))!)
    expect(policy.broken).toBe(true)
    expect(policy.issues[0]?.message).toMatch(new RegExp(`cannot be read: line ${line}:`))
    expect(rule(policy, "ls").action).toBe("ask")
  })

  it.for([
    ["permission:\n  bash:\n    ls: alow\n", 5, 'did you mean "allow"?'],
    ["permission:\n  bash:\n    ls: ask\n    ls: deny\n", 6, "keep one of them"],
    ["permission:\n  bash: yes\n", 4, null]
  ] as const)(
    "that is wrong names the line in the Markdown file: %j [L2.2]",
    ([permission, line, advice]) => {
      const { broken, issues } = document(agent(permission))
      expect([broken, issues[0]?.line]).toEqual([true, line])
      if (advice !== null) expect(issues[0]?.suggestion).toBe(advice)
    }
  )

  it("is refused where it nests without end [L2.2]", () => {
    const deep = `permission: ${"[".repeat(200)}${"]".repeat(200)}\n`
    expect(read(agent(deep))?.unreadable).toContain("line 3")
    expect(read(agent(`permission: ${"[".repeat(100_000)}\n`))?.unreadable).not.toBeNull()
    expect(read(agent(`permission:\n${"- ".repeat(100_000)}\n`))?.unreadable).not.toBeNull()
  })

  it.prop(
    "is total: whatever stands there is a policy, a broken one, or none [L2.2]",
    [
      Arbitrary.array(
        Arbitrary.schema(
          Schema.Literals([
            "permission:",
            "\n",
            "  ",
            "bash: ",
            '"*": ',
            "allow",
            "deny",
            "&a ",
            "*a",
            "- ",
            "{",
            "}",
            "[",
            "'",
            "? ",
            "!x ",
            "|\n",
            "#",
            "---\n",
            "\t",
            "1"
          ])
        ),
        { minLength: 0, maxLength: 16 }
      )
    ],
    ([parts]) => {
      const policy = read(agent(`${parts.join("")}\n`))
      if (policy === null || policy.unreadable !== null) return
      expect(
        PolicyDocument.read(policy).issues.every(({ message }) => !message.startsWith("broken syntax"))
      ).toBe(true)
    },
    { arbitrary: { runs: 2_000 } }
  )
})
