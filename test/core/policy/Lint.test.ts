import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as Cover from "../../../src/core/policy/Cover.ts"
import * as Lint from "../../../src/core/policy/Lint.ts"
import * as Pattern from "../../../src/core/policy/Pattern.ts"
import type { PolicyText } from "../../../src/core/policy/PolicyDocument.ts"
import * as PolicyTemplate from "../../../src/core/policy/PolicyTemplate.ts"
import { Action } from "../../../src/core/policy/Ruling.ts"
import { call, compile, environment, file, rule } from "./Fixtures.ts"

const lint = (...texts: ReadonlyArray<PolicyText>): ReadonlyArray<Lint.Finding> =>
  Lint.lint(texts, environment)

/** `check surface pattern` of everything found in a user policy of these permissions. */
const found = (permission: object, ...others: ReadonlyArray<PolicyText>): ReadonlyArray<string> =>
  lint(file({ extends: ["starter"], permission }), ...others).map(
    ({ check, path: [, surface, pattern] }) => `${check} ${surface} ${pattern}`
  )

describe("a lint", () => {
  it("names the file, the line and the place in the document, and what to write [L2.5]", () => {
    const [finding, ...more] = lint(
      file('{"permission": {\n"bash": {\n"git status *": "allow",\n"git *": "ask"}}}')
    )
    expect(more).toEqual([])
    expect(finding).toEqual({
      check: "shadowed",
      scope: "user",
      file: "user.jsonc",
      line: 3,
      path: ["permission", "bash", "git status *"],
      message: 'never decides: "git *": ask in line 4 comes later and matches all of it',
      suggestion: "the last rule that matches decides: put the wider one first, or take this one out"
    })
    expect(Lint.render([finding!])).toBe(
      `user.jsonc:3: shadowed: bash "git status *" ${finding!.message}\n    ${finding!.suggestion}`
    )
  })

  it("is silent on the starter written out, and on the project's file to begin with [L2.5, L2.6]", () => {
    expect(lint(file(PolicyTemplate.user()))).toEqual([])
    expect(lint(file(PolicyTemplate.user()), file(PolicyTemplate.project(), "project"))).toEqual([])
  })

  it.for([
    // The catch-all written last (report 109).
    [{ bash: { "git log *": "allow", "*": "ask" } }, ["shadowed bash git log *", "outranks-starter bash *"]],
    [{ bash: { "rm -rf *": "deny", "rm *": "deny" } }, ["shadowed bash rm -rf *"]],
    [{ bash: { "a ?": "ask", "a *": "deny" } }, ["shadowed bash a ?"]],
    [
      { path_read: { "src/*": "deny" }, path: { "*": "ask" } },
      ["shadowed path_read src/*", "outranks-starter path *"]
    ],
    // On one of its two surfaces it still decides.
    [{ path: { "src/*": "deny" }, path_write: { "*": "ask" } }, []],
    [{ bash: { "a *": "deny", "a b": "allow" } }, []],
    [{ bash: { "a *": "deny" }, "b*": { "a *": "allow" } }, ["shadowed bash a *"]]
  ] as const)("finds rules that a later one hides: %j [L2.5]", ([permission, expected]) => {
    expect(found(permission)).toEqual(expected)
  })

  it.for([
    [{ path: { "~/.ssh/config": "allow" } }, "ineffective path ~/.ssh/config"],
    [{ path_read: { "~/.aws/*": "ask" } }, "ineffective path_read ~/.aws/*"],
    [{ path_write: { ".obstat/*": "allow" } }, "ineffective path_write .obstat/*"],
    [{ bash: { "obstat policy trust": "allow" } }, "ineffective bash obstat policy trust"]
  ] as const)("finds rules that a deny elsewhere overrules: %j [L2.5, L1.4]", ([permission, expected]) => {
    expect(found(permission)).toEqual([expected])
  })

  it("finds an allow under the administrator's ask [L2.5, L1.4]", () => {
    const admin = file({ permission: { bash: { "git push *": "ask" } } }, "admin")
    expect(found({ bash: { "git push origin *": "allow" } }, admin)).toEqual([
      "ineffective bash git push origin *"
    ])
    expect(found({ bash: { "git push origin *": "ask" } }, admin)).toEqual([])
  })

  it("finds an ask for everything, which outranks what the starter allows [L2.5, L2.6]", () => {
    expect(found({ "*": "ask" })).toEqual(["outranks-starter * *"])
    expect(found({ bash: "ask" })).toEqual(["outranks-starter bash *"])
    expect(found({ web: "ask" })).toEqual([])
    expect(lint(file({ permission: { "*": "ask" } }))).toEqual([])
    expect(lint(file({ permission: { "*": "ask" } }, "project"))).toHaveLength(1)
  })

  it.for([
    [{ bash: { "*": "allow" } }, true],
    [{ "*": "allow" }, true],
    [{ bash: { "git *": "allow" } }, true],
    [{ bash: { "git *": "allow", "git push *": "ask", "git reset *": "ask", "git clean *": "ask" } }, false],
    [{ bash: { "git push *": "allow" } }, true],
    [{ bash: { "git push *--force*": "allow" } }, false],
    [{ bash: { "npm publish *": "allow" } }, false],
    [{ bash: { "npm *": "allow", "node *": "allow" }, code: { "*": "allow" } }, true],
    [{ path_write: { "./*": "allow" } }, true],
    [{ path_write: { "./*": "allow", "*/.git/*": "ask", "*/.github/*": "ask" } }, false],
    [{ path_write: { "src/*": "allow" } }, false],
    [{ path_write: { "/*": "allow" }, external_directory_write: { "/*": "allow" } }, true]
  ] as const)(
    "finds an allow that lets through what it does not name: %j, %s [L2.5]",
    ([permission, wide]) => {
      expect(found(permission).some((finding) => finding.startsWith("too-wide"))).toBe(wide)
    }
  )

  it.for([
    [{ path_read: { "src/": "deny" } }, "never-matches path_read src/"],
    [{ path_read: { "../x": "deny" } }, "never-matches path_read ../x"],
    [{ path_read: { "a/./b": "deny" } }, "never-matches path_read a/./b"],
    [{ path: { "$WORK/x": "deny" } }, "never-matches path $WORK/x"],
    [{ external_directory: { "src/*": "allow" } }, "never-matches external_directory src/*"],
    [{ Read: { "src/*": "deny" } }, "never-matches Read src/*"],
    [{ edit: { "~/x": "deny" } }, "never-matches edit ~/x"],
    [{ bash: { "a && b *": "deny" } }, "never-matches bash a && b *"],
    [{ bash: { 'say "x"': "deny" } }, 'never-matches bash say "x"'],
    [{ bash: { "A=1 make *": "deny" } }, "never-matches bash A=1 make *"],
    [{ bash: { "cat * > out": "deny" } }, "never-matches bash cat * > out"],
    [{ Bash: { "a *": "deny" } }, "never-matches Bash a *"],
    [{ mcp__jira__get: "deny" }, "never-matches mcp__jira__get *"],
    [{ mcp: { jira: "deny" } }, "never-matches mcp jira"],
    [{ web: { "example.org/*": "deny" } }, "never-matches web example.org/*"],
    [{ pathread: { x: "deny" } }, "never-matches pathread x"]
  ] as const)("finds what can never match: %j [L2.5]", ([permission, expected]) => {
    expect(found(permission)).toEqual([expected])
  })

  it("its advice matches what the rule was meant for [L2.5]", () => {
    const denies = (permission: object, command: string) =>
      rule(compile(file({ permission })), command).action === "deny"
    expect(denies({ bash: { "A=1 make *": "deny" } }, "A=1 make x")).toBe(false)
    expect(denies({ bash: { "make *": "deny" } }, "A=1 make x")).toBe(true)
    expect(denies({ bash: { 'say "x"': "deny" } }, 'say "x"')).toBe(false)
    expect(denies({ bash: { "say x": "deny" } }, 'say "x"')).toBe(true)
    const reads = (permission: object) =>
      call(compile(file({ permission })), "Read", { file_path: "/project/src/a" }).action === "deny"
    expect(reads({ Read: { "src/*": "deny" } })).toBe(false)
    expect(reads({ path_read: { "src/": "deny" } })).toBe(false)
    expect(reads({ path_read: { "src/*": "deny" } })).toBe(true)
  })

  it("finds a bare name that is denied without its arguments (report 110) [L2.5]", () => {
    expect(found({ bash: { yarn: "deny" } })).toEqual(["bare-command bash yarn"])
    expect(found({ bash: { yarn: "deny", "yarn *": "ask" } })).toEqual(["shadowed bash yarn"])
    expect(found({ bash: { yarn: "allow" } })).toEqual([])
  })

  it("finds code that is allowed while its command is not [L2.5, L3.3]", () => {
    expect(found({ code: { "npm test *": "allow" } })).toEqual(["half-allowed code npm test *"])
    expect(found({ bash: { "npm test *": "allow" }, code: { "npm test *": "allow" } })).toEqual([])
  })

  it("looks at an untrusted project's file as its author means it [L2.5, L2.1]", () => {
    const project = file({ permission: { bash: { "a b": "allow", "a *": "allow" } } }, "project", false)
    expect(lint(project).map(({ check }) => check)).toEqual(["shadowed"])
  })
})

const words = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Literals(["a", "b", "*", "?", " ", " *"])), {
    minLength: 1,
    maxLength: 6
  }),
  (parts) => parts.join("").trim() || "a"
)
const text = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Literals(["a", "b", " "])), { minLength: 1, maxLength: 6 }),
  (parts) => parts.join("").trim() || "a"
)
const rules = Arbitrary.array(Arbitrary.all([words, Arbitrary.schema(Action)]), {
  minLength: 2,
  maxLength: 4
})

describe("lint properties", () => {
  it.prop(
    "what one pattern covers, it matches [L2.5]",
    [words, words, text],
    ([wide, narrow, subject]) => {
      const [left, right] = [wide, narrow].map((pattern) => Pattern.make(pattern, "words", environment))
      const joined = subject.split(/ +/).join(Pattern.SEPARATOR)
      if (Cover.covers(left!, right!) && Pattern.matches(right!, joined)) {
        expect(Pattern.matches(left!, joined)).toBe(true)
      }
    },
    { arbitrary: { runs: 2_000 } }
  )

  it.prop(
    "a rule that is shadowed can go, and no command is ruled otherwise [L2.5]",
    [rules, text],
    ([rules, command]) => {
      const bash = Object.fromEntries(rules)
      const source = file({ permission: { bash } })
      const hidden = new Set(
        lint(source)
          .filter(({ check }) => check === "shadowed")
          .map(({ path }) => path[2])
      )
      const kept = Object.fromEntries(Object.entries(bash).filter(([pattern]) => !hidden.has(pattern)))
      expect(rule(compile(file({ permission: { bash: kept } })), command).action).toBe(
        rule(compile(source), command).action
      )
    },
    { arbitrary: { runs: 500 } }
  )
})
