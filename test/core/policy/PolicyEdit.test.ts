import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import type { CarriedRule } from "../../../src/core/policy/ImportedRules.ts"
import * as PolicyDocument from "../../../src/core/policy/PolicyDocument.ts"
import * as PolicyEdit from "../../../src/core/policy/PolicyEdit.ts"
import { Action } from "../../../src/core/policy/Ruling.ts"
import { compile, file, rule } from "./Fixtures.ts"

const bash = (pattern: string, action: Action): CarriedRule => ({
  surface: "bash",
  pattern,
  value: { action }
})

const own = `// mine
{
  // as shipped
  "extends": ["starter"],
  "permission": {
    "bash": {
      "*": "ask", // first
      /* never */ "git push *": "deny",
      "2": "ask"
    },
    "web": "ask" // all of it
  } // end
}
`

describe("adding rules to a policy file", () => {
  it("keeps comments, order and everything else that a person wrote [L2.1, L2.4, L5.3]", () => {
    const { notes, text } = PolicyEdit.add(own, [
      bash("git *", "allow"),
      bash("1", "allow"),
      bash("curl *", "deny"),
      { surface: "web", pattern: "https://docs.rs/*", value: { action: "allow" } },
      { surface: "mcp", pattern: "jira:*", value: { action: "ask", by: "person" } }
    ])
    expect(notes).toEqual([])
    expect(text).toBe(`// mine
{
  // as shipped
  "extends": ["starter"],
  "permission": {
    "bash": {
      "*": "ask", // first
      "git *": "allow",
      "1": "allow",
      /* never */ "git push *": "deny",
      "2": "ask",
      "curl *": "deny"
    },
    "web": {
      "*": "ask",
      "https://docs.rs/*": "allow"
    }, // all of it
    "mcp": {
      "jira:*": {
        "action": "ask",
        "by": "person"
      }
    }
  } // end
}
`)
    expect(PolicyDocument.read(file(text)).issues).toEqual([])
  })

  it("leaves the stricter of two words on one pattern, and says so [L2.4]", () => {
    const { notes, text } = PolicyEdit.add(own, [
      bash("*", "allow"),
      bash("git push *", "allow"),
      bash("2", "deny")
    ])
    expect(notes.map(({ rule, why }) => `${rule}: ${why}`)).toEqual([
      "bash *: allow: your file says ask",
      "bash git push *: allow: your file says deny"
    ])
    expect(text).toContain('/* never */ "git push *": "deny"')
    expect(text).toContain('"2": "deny"')
  })

  it("begins where a file has no rules yet, and before a wider key that denies [L2.4]", () => {
    const empty = PolicyEdit.add('{ "extends": ["starter"] } // x\n', [bash("ls", "allow")])
    expect(PolicyDocument.read(file(empty.text)).rules).toMatchObject([{ surface: "bash", pattern: "ls" }])
    expect(empty.text).toContain("// x")
    const denying = PolicyEdit.add('{ "permission": { "web": "ask", "*": "deny" } }', [bash("ls", "allow")])
    expect(PolicyDocument.read(file(denying.text)).rules.map(({ surface }) => surface)).toEqual([
      "web",
      "bash",
      "*"
    ])
    expect(rule(compile(file(denying.text)), "ls").action).toBe("deny")
  })
})

const RANK = { allow: 0, ask: 1, deny: 2 } as const

const pattern = Arbitrary.schema(Schema.Literals(["*", "a", "a *", "a b", "a b *", "b *", "? *", "1", "2"]))
const rules = Arbitrary.array(Arbitrary.all([pattern, Arbitrary.schema(Action)]), {
  minLength: 0,
  maxLength: 5
})
const command = Arbitrary.schema(Schema.Literals(["a", "a b", "a c", "b", "a b c", "1"]))

describe("added rules", () => {
  it.prop(
    "never lift a deny of the person's, nor what both ask for [L2.4]",
    [rules, rules, command],
    ([mine, theirs, subject]) => {
      const policyOf = (list: ReadonlyArray<readonly [string, Action]>) => {
        const last = list.filter(([text], index) => !list.slice(index + 1).some(([other]) => other === text))
        const lines = last.map(
          ([text, action], index) =>
            `${JSON.stringify(text)}: ${JSON.stringify(action)}${index === last.length - 1 ? "" : ","} // ${text}`
        )
        return `{ "permission": { "bash": {\n${lines.join("\n")}\n} } }`
      }
      const before = policyOf(mine)
      const { text } = PolicyEdit.add(
        before,
        theirs.map(([pattern, action]) => bash(pattern, action))
      )
      const rank = (source: string) => RANK[rule(compile(file(source)), subject).action]
      const [ours, added, both] = [before, policyOf(theirs), text].map(rank)
      if (ours === RANK.deny) expect(both).toBe(RANK.deny)
      expect(both).toBeGreaterThanOrEqual(Math.min(ours!, added!))
      for (const [name] of mine)
        expect(text).toMatch(
          new RegExp(
            `${JSON.stringify(name).replaceAll(/[*?]/g, "\\$&")}: "\\w+",? // ${name.replaceAll(/[*?]/g, "\\$&")}\n`
          )
        )
      expect(PolicyDocument.read(file(text)).issues).toEqual([])
    },
    { arbitrary: { runs: 1_000 } }
  )
})
