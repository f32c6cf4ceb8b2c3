import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"

const native = fileURLToPath(new URL("../../native", import.meta.url))

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "obstat-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Runs the build in a copy of the sources, so that the real programs are not touched. */
const build = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>) {
  const copy = join(yield* temporary, "native")
  cpSync(native, copy, { recursive: true, filter: (path) => !path.includes(`native${sep}build${sep}`) })
  rmSync(join(copy, "build"), { recursive: true, force: true })
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(copy, "build.mjs")], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    encoding: "utf8"
  })
  const built = existsSync(join(copy, "build")) ? readdirSync(join(copy, "build")) : []
  return { status, stdout, stderr, built }
})

describe("native/build.mjs", () => {
  it.effect("builds the hook client without a word, and leaves nothing unfinished [S5.7]", () =>
    Effect.gen(function* () {
      const { built, ...said } = yield* build({})
      assert.deepStrictEqual(said, { status: 0, stdout: "", stderr: "" })
      assert.include(built, "hook-client")
      assert.deepStrictEqual(
        built.filter((name) => name.includes(".")),
        []
      )
    })
  )

  it.effect("without a working compiler it says what stands in, and the install goes on [S5.7]", () =>
    Effect.gen(function* () {
      for (const CC of ["no-such-compiler", "false"]) {
        const { status, stdout, stderr, built } = yield* build({ CC })
        assert.deepStrictEqual([status, stderr, built], [0, "", []])
        assert.match(stdout, /^obstat: [^\n]*hook-client[^\n]*Node client$/m)
      }
    })
  )
})
