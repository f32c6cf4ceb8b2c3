import { describe, expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as PolicyDocument from "../../../src/core/policy/PolicyDocument.ts"
import * as Explanation from "../../../src/core/policy/Explanation.ts"
import * as Policy from "../../../src/core/policy/Policy.ts"
import * as ShellWords from "./ShellWords.ts"

interface Row {
  readonly command: string
  readonly units: ReadonlyArray<string>
  readonly reads: ReadonlyArray<string>
  readonly writes: ReadonlyArray<string>
  readonly indirect: boolean
  readonly note: string
}

const rows: ReadonlyArray<Row> = readFileSync("test/corpus/bash.jsonl", "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line))

const environment = { cwd: "/project", home: "/home/u", projectRoot: "/project" }

const policy = (permission: object): Policy.Policy => {
  const text: PolicyDocument.PolicyText = {
    scope: "user",
    file: "policy.jsonc",
    text: JSON.stringify({ permission }),
    digest: "test",
    trusted: true,
    unreadable: null
  }
  return Policy.compile([text], environment)
}

const nothing = policy({})
const seen = rows.map((row) => {
  const { indirect, units } = Explanation.explain(nothing, row.command, environment)
  const ours = units.map((unit) => JSON.stringify(unit.argv)).toSorted()
  const theirs = row.units.map((unit) => JSON.stringify(ShellWords.split(unit))).toSorted()
  return { row, indirect, ours, missing: theirs.filter((unit) => !ours.includes(unit)), theirs }
})

describe("the corpus", () => {
  it("has no line of which a command runs that is neither listed nor marked [L3.7, L3.2, L3.3]", () => {
    const unsafe = seen.filter(({ indirect, missing }) => missing.length > 0 && !indirect)
    expect(unsafe.map(({ missing, row }) => [row.command, missing])).toEqual([])
  })

  it("is agreed with on words and marks but for one line, whose list is shorter than what runs [L3.7]", () => {
    const other = seen.filter(
      ({ indirect, ours, row, theirs }) =>
        indirect !== row.indirect || JSON.stringify(ours) !== JSON.stringify(theirs)
    )
    expect(other.map(({ row }) => row.command)).toEqual(["n='a[$(rm -rf x; echo 0)]'; echo $((n))"])
    expect(rows.length).toBe(195)
  })

  it("leaves no removal allowed under a deny, whatever it is wrapped in [L1.3, L3.3]", () => {
    const deny = policy({ "*": "allow", bash: { "*": "allow", "rm *": "deny" } })
    const removing = rows.filter((row) => row.units.some((unit) => ShellWords.split(unit)[0] === "rm"))
    const allowed = removing.filter(
      (row) => Explanation.explain(deny, row.command, environment).ruling.action !== "deny"
    )
    expect(removing.length).toBeGreaterThan(100)
    expect(allowed.map((row) => row.command)).toEqual([])
  })

  it("leaves no line allowed whose code comes from elsewhere, under a wildcard allow [L3.3]", () => {
    const open = policy({ "*": "allow" })
    const wanted = new Set(["code", "unresolved"])
    const lines = rows.filter((row) => row.indirect)
    const allowed = lines.filter((row) => {
      const { ruling, units } = Explanation.explain(open, row.command, environment)
      return ruling.action === "allow" && units.some(({ indirect }) => wanted.has(String(indirect)))
    })
    expect(lines.length).toBeGreaterThan(30)
    expect(allowed.map((row) => row.command)).toEqual([])
  })

  it("has every literal file governed by a deny on it [L3.4, L1.8]", () => {
    // `lnk` is a link; which file it is, only a file system says.
    const linked = new Set(["cat ./lnk/hostname"])
    const open: Array<string> = []
    for (const row of rows.filter(({ command }) => !linked.has(command))) {
      for (const [surface, paths] of [
        ["path_read", row.reads] as const,
        ["path_write", row.writes] as const
      ]) {
        for (const path of paths) {
          const deny = policy({ "*": "allow", code: "allow", [surface]: { "*": "allow", [path]: "deny" } })
          const { ruling } = Explanation.explain(deny, row.command, environment)
          if (ruling.action === "allow") open.push(`${surface} ${path}: ${row.command}`)
        }
      }
    }
    expect(open).toEqual([])
  })
})
