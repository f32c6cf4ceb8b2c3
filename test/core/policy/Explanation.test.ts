import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Explanation from "../../../src/core/policy/Explanation.ts"
import * as PathFacts from "../../../src/core/policy/PathFacts.ts"
import { compile, environment, file, permit } from "./Fixtures.ts"

const decode = Schema.decodeUnknownSync(Explanation.Explanation, { onExcessProperty: "error" })

describe("an explanation", () => {
  const policy = permit({ bash: { "git *": "allow", "git push *": { action: "deny", reason: "by hand" } } })

  it("has the stable machine form [L6.3]", () => {
    const explanation = Explanation.explain(policy, "git -C sub push 'a b' > out", environment)
    const deny = {
      action: "deny",
      surface: "bash",
      pattern: "git push *",
      scope: "user",
      source: { file: "user.jsonc", line: 1 },
      reason: "by hand",
      runnerUp: {
        action: "allow",
        surface: "bash",
        pattern: "git *",
        scope: "user",
        source: { file: "user.jsonc", line: 1 },
        reason: null
      }
    }
    expect(explanation).toEqual({
      schemaVersion: 1,
      command: "git -C sub push 'a b' > out",
      cwd: "/project",
      units: [
        {
          text: "git -C sub push 'a b'",
          argv: ["git", "-C", "sub", "push", "a b"],
          via: [],
          indirect: false,
          ruling: deny
        }
      ],
      accesses: [
        { direction: "write", path: "/project/out", surface: "path_write" },
        { direction: "read", path: "/project/sub", surface: "path_read" }
      ],
      indirect: false,
      residue: null,
      ruling: deny
    })
    expect(decode(JSON.parse(JSON.stringify(explanation)))).toEqual(explanation)
  })

  it("shows words from elsewhere by name, and marks [L6.3]", () => {
    const units = (command: string) =>
      Explanation.explain(policy, command, environment).units.map(({ argv, indirect }) => [
        argv.join(" "),
        indirect
      ])
    expect(units("xargs -a list rm")).toEqual([
      ["xargs -a list rm", false],
      ["rm <list>", "open"]
    ])
    expect(units("find . -exec rm {} +")[1]).toEqual(["rm <found>", "open"])
    expect(units("x | xargs -I% sh -c 'rm %'").at(-1)).toEqual(["rm <stdin>", "unresolved"])
  })

  it("names the text that was not understood [L6.3, L3.5]", () => {
    expect(Explanation.explain(policy, "if", environment)).toMatchObject({ indirect: true, residue: "if" })
  })

  it("shows where a link leads when it is told [L3.4]", () => {
    const facts = { ...PathFacts.none, canonical: (path: string) => path.replace("/project/lnk", "/etc") }
    expect(Explanation.explain(policy, "cat lnk/hosts", environment, facts).accesses[0]?.path).toBe(
      "/etc/hosts"
    )
  })

  it("says to people what answers, what would answer else, and where each stands [L6.1, L1.5]", () => {
    const starter = compile(file({ extends: ["starter"], permission: { bash: { "rm *": "deny" } } }))
    expect(Explanation.render(Explanation.explain(starter, "sudo rm x > out", environment))).toBe(
      [
        "deny  sudo rm x > out",
        '  deny  bash "rm *" (user policy, user.jsonc:1)',
        "",
        "Commands",
        "  sudo rm x",
        "    ask  <no-rule>",
        "  rm x  (inside sudo)",
        '    deny  bash "rm *" (user policy, user.jsonc:1)',
        "",
        "Files",
        "  write /project/out",
        "  write /project/x"
      ].join("\n")
    )
  })
})
