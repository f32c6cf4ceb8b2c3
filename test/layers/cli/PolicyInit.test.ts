import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { statSync } from "node:fs"
import { join } from "node:path"
import * as PolicyTemplate from "../../../src/core/policy/PolicyTemplate.ts"
import { Written } from "../../../src/layers/cli/PolicyInitCommand.ts"
import * as ObstatProcess from "./ObstatProcess.ts"

const decode = Schema.decodeSync(Schema.fromJsonString(Written), { onExcessProperty: "error" })
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
  const at = (path: string) => join(root, path)
  yield* fs.makeDirectory(at("project"))
  const obstat = (...args: ReadonlyArray<string>) =>
    Effect.promise(() =>
      ObstatProcess.run(["policy", ...args], {
        cwd: at("project"),
        env: { HOME: root, XDG_CONFIG_HOME: at("xdg") }
      })
    )
  return { fs, at, obstat }
})

describe("obstat policy init", () => {
  it.live("writes the starter out, for this user alone, and it rules [L2.6, X5, C24, C1]", () =>
    Effect.gen(function* () {
      const { at, fs, obstat } = yield* place
      const { status, stderr, stdout } = yield* obstat("init", "--output", "json")
      const { file } = decode(stdout)
      assert.deepStrictEqual([status, stderr, file], [0, "", at("xdg/obstat/obstat.jsonc")])
      assert.strictEqual(yield* fs.readFileString(file), PolicyTemplate.user())
      assert.deepStrictEqual([modeOf(at("xdg/obstat")), modeOf(file)], ["700", "600"])
      assert.include((yield* obstat("explain", "ls -la")).stdout, `bash "ls *" (user policy, ${file}:`)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("never writes over a file [L2.6, L2.2, C1]", () =>
    Effect.gen(function* () {
      const { at, fs, obstat } = yield* place
      yield* fs.makeDirectory(at("xdg/obstat"), { recursive: true })
      yield* fs.writeFileString(at("xdg/obstat/obstat.jsonc"), "// mine")
      const { status, stderr, stdout } = yield* obstat("init")
      assert.deepStrictEqual([status, stdout], [2, ""])
      assert.include(stderr, "is there already, and stays as it is")
      assert.strictEqual(yield* fs.readFileString(at("xdg/obstat/obstat.jsonc")), "// mine")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("writes a project's file with --project [L2.6, L2.1]", () =>
    Effect.gen(function* () {
      const { at, fs, obstat } = yield* place
      const { status, stdout } = yield* obstat("init", "--project")
      const file = at("project/.obstat/obstat.jsonc")
      assert.deepStrictEqual([status, stdout], [0, `written: ${file}\n`])
      assert.strictEqual(yield* fs.readFileString(file), PolicyTemplate.project())
      assert.strictEqual((yield* obstat("init", "--project")).status, 2)
      assert.strictEqual((yield* obstat("explain", "ls")).stderr, "")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
