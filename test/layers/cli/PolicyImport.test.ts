import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { statSync } from "node:fs"
import { join } from "node:path"
import { Report } from "../../../src/layers/cli/PolicyImportCommand.ts"
import * as ObstatProcess from "./ObstatProcess.ts"

const decode = Schema.decodeSync(Schema.fromJsonString(Report), { onExcessProperty: "error" })

const settings = `{
  "permissions": { "allow": ["Bash(deploy:*)", "Bash(a && b)"], "deny": ["Bash(rm:*)"] }
}`

const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
  const at = (path: string) => join(root, path)
  yield* fs.makeDirectory(at("project/.claude"), { recursive: true })
  yield* fs.makeDirectory(at(".config/obstat"), { recursive: true })
  yield* fs.writeFileString(at("settings.json"), settings)
  yield* fs.writeFileString(at("project/.claude/settings.json"), settings)
  const obstat = (...args: ReadonlyArray<string>) =>
    Effect.promise(() => ObstatProcess.run(["policy", ...args], { cwd: at("project"), env: { HOME: root } }))
  return { fs, at, obstat, own: at(".config/obstat/obstat.jsonc") }
})

const json = ["import", "--from", "claude", "--output", "json"]
const write = ["import", "--from", "claude", "--write", "--project"]

describe("obstat policy import", () => {
  it.live(
    "prints a policy file that can be used, and says on standard error what is missing [L2.4, C24, C1]",
    () =>
      Effect.gen(function* () {
        const { at, fs, obstat, own } = yield* place
        const { status, stderr, stdout } = yield* obstat("import", "--from", "claude", at("settings.json"))
        assert.strictEqual(status, 0)
        assert.include(stderr, "not carried: Bash(a && b): each command of a chain is ruled by itself here")
        yield* fs.writeFileString(at("p.jsonc"), stdout)
        const explained = yield* obstat("explain", "--policy", at("p.jsonc"), "rm x")
        assert.include(explained.stdout, `deny  bash "rm *" (user policy, ${at("p.jsonc")}:`)
        assert.isFalse(yield* fs.exists(own))
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("prints one document for machines [L2.4]", () =>
    Effect.gen(function* () {
      const { at, obstat } = yield* place
      const { stderr, stdout } = yield* obstat(...json, at("settings.json"))
      assert.strictEqual(stderr, "")
      const { carried, notes, written } = decode(stdout)
      assert.deepStrictEqual([carried, written], [2, null])
      assert.deepStrictEqual(
        notes.map(({ kind, rule }) => [kind, rule]),
        [["left", "Bash(a && b)"]]
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live(
    "writes only when asked to: a new file for this user alone, or into the one that is there [L2.4, X5]",
    () =>
      Effect.gen(function* () {
        const { at, fs, obstat, own } = yield* place
        const write = obstat("import", "--from", "claude", "--write", at("settings.json"))
        assert.deepStrictEqual((yield* write).stdout, `written: ${own}\n`)
        assert.strictEqual((statSync(own).mode & 0o777).toString(8), "600")

        yield* fs.writeFileString(own, '// mine\n{ "permission": { "bash": { "rm x": "allow" } } }\n')
        yield* fs.chmod(own, 0o640)
        assert.strictEqual((yield* write).status, 0)
        const text = yield* fs.readFileString(own)
        assert.match(text, /^\/\/ mine\n/)
        assert.strictEqual((statSync(own).mode & 0o777).toString(8), "640")
        assert.match((yield* obstat("explain", "rm x")).stdout, /^deny/)
        assert.strictEqual((yield* write).status, 0)
        assert.strictEqual(yield* fs.readFileString(own), text)

        yield* fs.rename(own, at("dotfile"))
        yield* fs.symlink(at("dotfile"), own)
        assert.strictEqual((yield* write).status, 2)
        assert.strictEqual(yield* fs.readFileString(at("dotfile")), text)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("takes a project's rules into the project's file alone [L2.4]", () =>
    Effect.gen(function* () {
      const { at, fs, obstat, own } = yield* place
      const refused = yield* obstat("import", "--from", "claude", "--write", ".claude/settings.json")
      assert.deepStrictEqual([refused.status, refused.stdout], [2, ""])
      assert.include(refused.stderr, "add --project")
      assert.isFalse(yield* fs.exists(own))
      const { status, stdout } = yield* obstat(...write, ".claude/settings.json")
      assert.deepStrictEqual([status, stdout], [0, `written: ${at("project/.obstat/obstat.jsonc")}\n`])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("leaves a broken file as it is, and refuses what it cannot read [L2.2, C1]", () =>
    Effect.gen(function* () {
      const { at, fs, obstat, own } = yield* place
      yield* fs.writeFileString(own, '{ "permision": {} }')
      const broken = yield* obstat("import", "--from", "claude", "--write", at("settings.json"))
      assert.strictEqual(broken.status, 2)
      assert.include(broken.stderr, 'did you mean "permission"?')
      assert.strictEqual(yield* fs.readFileString(own), '{ "permision": {} }')
      yield* fs.writeFileString(at("x.json"), '{ "permissions":\n')
      const unread = yield* obstat("import", "--from", "claude", at("x.json"))
      assert.deepStrictEqual([unread.status, unread.stdout], [2, ""])
      assert.include(unread.stderr, "broken syntax in line 2")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
