import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { join } from "node:path"
import { Finding } from "../../../src/core/policy/Lint.ts"
import { Linted } from "../../../src/layers/cli/PolicyLintCommand.ts"
import * as ObstatProcess from "./ObstatProcess.ts"

const decode = Schema.decodeSync(Schema.fromJsonString(Linted), { onExcessProperty: "error" })
const decodeLine = Schema.decodeSync(Schema.fromJsonString(Finding), { onExcessProperty: "error" })

const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
  const at = (path: string) => join(root, path)
  yield* fs.makeDirectory(at("project/.obstat"), { recursive: true })
  yield* fs.makeDirectory(at(".config/obstat"), { recursive: true })
  const lint = (...args: ReadonlyArray<string>) =>
    Effect.promise(() =>
      ObstatProcess.run(["policy", "lint", ...args], { cwd: at("project"), env: { HOME: root } })
    )
  return { fs, at, lint }
})

const shadowed = '{ "permission": {\n  "bash": { "git status *": "allow",\n  "git *": "ask" } } }'

describe("obstat policy lint", () => {
  it.live("is status 0 and silent where every rule does what it says [L2.5, C24, C1]", () =>
    Effect.gen(function* () {
      const { lint } = yield* place
      assert.deepStrictEqual(yield* lint(), { status: 0, stdout: "", stderr: "" })
      const { stdout } = yield* lint("--output", "json")
      assert.deepStrictEqual(decode(stdout), { schemaVersion: 1, findings: [] })
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live(
    "looks at the user's file and the project's, trusted or not, and is status 1 [L2.5, L2.1, C1]",
    () =>
      Effect.gen(function* () {
        const { at, fs, lint } = yield* place
        const own = at(".config/obstat/obstat.jsonc")
        const project = at("project/.obstat/obstat.jsonc")
        yield* fs.writeFileString(own, shadowed)
        yield* fs.writeFileString(project, '{ "permission": { "mcp": { "jira": "allow" } } }')
        const { status, stderr, stdout } = yield* lint()
        assert.deepStrictEqual([status, stderr], [1, "obstat: 2 rules to look at\n"])
        assert.include(stdout, `${own}:2: shadowed: bash "git status *" never decides`)
        assert.include(stdout, `${project}:1: never-matches: mcp "jira" never matches`)
        const { findings } = decode((yield* lint("--output", "json")).stdout)
        assert.deepStrictEqual(
          findings.map(({ check, file, line }) => [check, file, line]),
          [
            ["shadowed", own, 2],
            ["never-matches", project, 1]
          ]
        )
        const lines = (yield* lint("--output", "jsonl")).stdout.trimEnd().split("\n")
        assert.deepStrictEqual(
          lines.map((line) => decodeLine(line)),
          findings
        )
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("looks at one file by itself with --policy, and shows no control sequence of it [L6.3, X4]", () =>
    Effect.gen(function* () {
      const { at, fs, lint } = yield* place
      yield* fs.writeFileString(at(".config/obstat/obstat.jsonc"), shadowed)
      yield* fs.writeFileString(at("p.jsonc"), '{ "permission": { "mcp": { "\\u001b[2J": "allow" } } }')
      const { status, stdout } = yield* lint("--policy", at("p.jsonc"))
      assert.strictEqual(status, 1)
      assert.include(stdout, 'never-matches: mcp "\\u{1b}[2J"')
      assert.notInclude(stdout, "shadowed")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("does not start on a broken file [L2.2, C1]", () =>
    Effect.gen(function* () {
      const { at, fs, lint } = yield* place
      yield* fs.writeFileString(at("p.jsonc"), '{ "permission": { "bash": { "a": "alow" } } }')
      const { status, stderr, stdout } = yield* lint("--policy", at("p.jsonc"))
      assert.deepStrictEqual([status, stdout], [2, ""])
      assert.include(stderr, 'did you mean "allow"?')
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
