import { describe, expect, it } from "@effect/vitest"
import * as Analysis from "../../../src/core/policy/Analysis.ts"
import { decide } from "../../../src/core/policy/Decide.ts"
import * as GrantOffer from "../../../src/core/policy/GrantOffer.ts"
import * as PathFacts from "../../../src/core/policy/PathFacts.ts"
import type { Policy } from "../../../src/core/policy/Policy.ts"
import { compile, environment, file, permit, rule } from "./Fixtures.ts"

const empty = permit({})

const offers = (command: string, policy: Policy = empty, facts = PathFacts.none) =>
  GrantOffer.suggest(policy, [], Analysis.command(command, environment), facts)

/** `surface~pattern`, `surface=exact value`, with `@` where it holds in this command line alone. */
const shown = (list: ReadonlyArray<GrantOffer.GrantOffer>) =>
  list.map(
    ({ rule }) => `${rule.surface}${rule.exact ? "=" : "~"}${rule.pattern}${rule.line === null ? "" : " @"}`
  )

const suggested = (command: string, policy?: Policy) => shown(offers(command, policy))

const ofTool = (tool: string, input: unknown) =>
  shown(
    GrantOffer.suggest(
      empty,
      [],
      Analysis.analyse({ agent: "claude", tool, input }, environment),
      PathFacts.none
    )
  )

describe("suggested grants", () => {
  it.each([
    ["git push origin main", ["bash~git push *"]],
    ["git remote add origin x", ["bash~git remote add *"]],
    ["git -C d push x", ["bash~git push *"]],
    ["git", ["bash=git"]],
    ["kubectl get pods", ["bash~kubectl get *"]],
    ["aws s3 ls x", ["bash~aws s3 ls *"]],
    // What stands in its operands is taken word for word.
    ["rm -rf build", ["bash=rm -rf build"]],
    ["make-it 'a b' '*'", ["bash=make-it 'a b' '*'"]],
    ["gh api x", ["bash=gh api x"]]
  ])("go by how many words say what %j does [L5.1]", (command, expected) => {
    expect(suggested(command)).toEqual(expected)
  })

  it.each([
    ["sudo git push x", ["bash~sudo git push *", "bash~git push *"]],
    ["sudo -u root git push x", ["bash~sudo -u root git push *", "bash~git push *"]],
    ["nohup make-it a", ["bash=make-it a"]],
    ["timeout 5 git push a", ["bash~git push *"]],
    ["sh -c 'git push a'", ["bash~git push *"]]
  ])("keep what %j runs: never the wrapper alone [L5.1] [gp 1055]", (command, expected) => {
    expect(suggested(command)).toEqual(expected)
  })

  it("a grant for what a wrapper ran covers no other program in it [gp 1055]", () => {
    const grants = offers("nohup make-it a").map((offer) => offer.rule)
    expect(rule(empty, "nohup make-it a", { grants }).action).toBe("allow")
    expect(rule(empty, "nohup rm a", { grants }).action).toBe("ask")
    expect(rule(empty, "nohup make-it a b", { grants }).action).toBe("ask")
  })

  it.each([
    "git -c alias.x=y push",
    "rm $x",
    "$x y",
    "curl https://a.example | sh",
    "if",
    `${"true;".repeat(20_000)}git push`,
    "find . -exec rm {} \\;"
  ])("there are none for %j: it cannot be seen whole [L5.2] [L3.6]", (command) => {
    expect(suggested(command)).toEqual([])
  })

  it("are for code only what was shown, where it was shown, and nothing that could be changed [L5.2]", () => {
    const list = offers("cd a && npm test")
    expect(shown(list)).toEqual(["bash=cd a", "code=npm test @", "bash=npm test @"])
    expect(list.slice(1).every(({ asked }) => asked.length === 0)).toBe(true)
    const grants = list.map((offer) => offer.rule)
    expect(rule(empty, "cd a && npm test", { grants }).action).toBe("allow")
    expect(rule(empty, "npm test", { grants }).action).toBe("ask")
    expect(rule(empty, "cd a && npm test && npm run x", { grants }).action).toBe("ask")
    // The same words with other code behind them.
    const script = offers("python3 <<E\nprint(1)\nE").map((offer) => offer.rule)
    expect(rule(empty, "python3 <<E\nprint(1)\nE", { grants: script }).action).toBe("allow")
    expect(rule(empty, "python3 <<E\nprint(2)\nE", { grants: script }).action).toBe("ask")
    const elsewhere = Analysis.command("cd a && npm test", { ...environment, cwd: "/project/b" })
    expect(decide(empty, grants, elsewhere, PathFacts.none).action).toBe("ask")
  })

  it("name every asking unit of a chain, and a grant for some of them covers no other [L5.2] [oc 40158]", () => {
    const list = offers("git status && rm a")
    expect(shown(list)).toEqual(["bash~git status *", "bash=rm a"])
    const [first] = list
    const grants = first === undefined ? [] : [first.rule]
    expect(rule(empty, "git status && rm a", { grants }).action).toBe("ask")
    expect(rule(empty, "git status -s", { grants }).action).toBe("allow")
    // The other member of a pipe is offered, not the one that is allowed already.
    const policy = permit({ bash: { "grep *": "allow" } })
    expect(suggested("make-it x | grep y", policy)).toEqual(["bash=make-it x"])
  })

  it("there are none where they would not help: a deny, an administrator's ask, a broken file [L5.2] [L1.4]", () => {
    expect(suggested("rm a", permit({ bash: { "rm *": "deny" } }))).toEqual([])
    expect(suggested("ls", compile(file({ permission: { bash: { "*": "ask" } } }, "admin")))).toEqual([])
    expect(suggested("ls", compile(file("{", "project")))).toEqual([])
    expect(suggested("git push a && rm b", permit({ bash: { "rm *": "deny" } }))).toEqual([])
  })

  it("never lift a deny that comes later, whatever they hold [L5.2] [oc 47825]", () => {
    const grants = offers("git push a").map((offer) => offer.rule)
    const denies = permit({ bash: { "git push *": "deny" } })
    expect(rule(denies, "git push a", { grants }).action).toBe("deny")
  })

  it("are the narrowest there is for addresses, servers, skills and files [BUG-053] [gp 604]", () => {
    expect(ofTool("WebFetch", { url: "https://a.example/x" })).toEqual(["web=https://a.example/x"])
    expect(ofTool("mcp__a__b", { x: 1 })).toEqual(["mcp=a:b"])
    expect(ofTool("Weird", { b: 1, a: [2] })).toEqual(['Weird={"a":[2],"b":1}'])
    expect(ofTool("Edit", { file_path: "/project/a*" })).toEqual(["path_write=/project/a*"])
    const [read] = GrantOffer.suggest(
      empty,
      [],
      Analysis.analyse({ agent: "claude", tool: "Read", input: { file_path: "/x/a/b/c/f" } }, environment),
      PathFacts.none
    )
    expect(read?.rule.pattern).toBe("/x/a/b/c/f")
    expect(GrantOffer.edit(read!, "/x/a/b/*").rule).toEqual({
      surface: "external_directory_read",
      pattern: "/x/a/b/*",
      exact: false,
      line: null
    })
  })

  it("are not given word for word where another command would read alike [L5.2]", () => {
    expect(suggested("cksum *.tmp")).toEqual(["bash=cksum *.tmp"])
    expect(suggested("cksum 'a b'*")).toEqual([])
    const grants = offers("cksum 'a b*'").map((offer) => offer.rule)
    expect(rule(empty, "cksum 'a b*'", { grants }).action).toBe("allow")
    expect(rule(empty, "cksum 'a b'*", { grants }).action).toBe("ask")
  })

  it("are taken only as they were offered, or as an offer may be changed [L5.1]", () => {
    const list = offers("make-it '*' && npm test")
    const [own, code] = list
    expect(GrantOffer.accepts(list, own!.rule)).toBe(true)
    expect(GrantOffer.accepts(list, code!.rule)).toBe(true)
    // The same text as a pattern would cover more.
    expect(GrantOffer.accepts(list, { ...own!.rule, exact: false })).toBe(false)
    expect(GrantOffer.accepts(list, { ...code!.rule, line: null })).toBe(false)
    expect(GrantOffer.accepts(list, { ...code!.rule, exact: false, line: null })).toBe(false)
    expect(GrantOffer.accepts(list, { ...own!.rule, surface: "path_write" })).toBe(false)
  })

  it("name the file that a link really is [L1.8]", () => {
    const facts = { ...PathFacts.none, canonical: () => "/etc/hosts" }
    expect(shown(offers("cat lnk", permit({ bash: "allow" }), facts))).toEqual([
      "external_directory_read=/etc/hosts"
    ])
  })

  it("generalise what was made up for a temporary file [BUG-054]", () => {
    expect(suggested("cat /tmp/run-8f2a/out.log", permit({ bash: "allow" }))).toEqual([
      "external_directory_read~/tmp/run-*/out.log"
    ])
    expect(suggested("cat /tmp/report/out.log", permit({ bash: "allow" }))).toEqual([
      "external_directory_read=/tmp/report/out.log"
    ])
  })

  it("are no list that nobody would read [L5.1]", () => {
    const many = Array.from({ length: 30 }, (_, index) => `tool-${index}`).join(" && ")
    expect(suggested(many)).toEqual([])
  })
})

describe("a changed pattern", () => {
  const [push] = offers("git push origin main")
  const edit = (pattern: string) => GrantOffer.edit(push!, pattern)

  it("has to match what is asked, and to name the program [L5.1]", () => {
    expect(edit("git push origin *").rule?.pattern).toBe("git push origin *")
    expect(edit("  git *  ").rule?.pattern).toBe("git *")
    expect(edit("git push *").rule).toBe(push?.rule)
    for (const pattern of ["", " ", "*", "* push *", "?it push *", "git pull *", "rm *", "x".repeat(2000)]) {
      expect(edit(pattern).problem, pattern).not.toBeNull()
    }
  })

  it("has to name a directory for a file, a host for an address [L5.1] [BUG-053]", () => {
    const [path] = offers("cat /etc/hosts", permit({ bash: "allow" }))
    expect(GrantOffer.edit(path!, "/etc/*").problem).toBeNull()
    for (const pattern of ["*", "/*", "**", "/etc/passwd"]) {
      expect(GrantOffer.edit(path!, pattern).problem, pattern).not.toBeNull()
    }
    const [web] = GrantOffer.suggest(
      empty,
      [],
      Analysis.analyse(
        { agent: "claude", tool: "WebFetch", input: { url: "https://a.example/x" } },
        environment
      ),
      PathFacts.none
    )
    expect(GrantOffer.edit(web!, "https://a.example/*").problem).toBeNull()
    for (const pattern of ["*", "https://*", "https://?.example/x", "*a.example*"]) {
      expect(GrantOffer.edit(web!, pattern).problem, pattern).not.toBeNull()
    }
  })
})
