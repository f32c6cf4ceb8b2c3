import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/* The programs in the guides are run as they stand, against the sources, and print what the guides say. */

const PROJECT = fileURLToPath(new URL("../..", import.meta.url))

const ENTRY_POINTS: Readonly<Record<string, string>> = {
  obstat: "src/index.ts",
  "obstat/node": "src/layers/node.ts",
  "obstat/testing": "src/layers/testing/index.ts"
}

interface Program {
  readonly name: string
  readonly text: string
  /** What stands in the guide under `$ node NAME`, `null` where nothing does. */
  readonly prints: string | null
}

/** Every block that begins with its file's name. */
const programsOf = (guide: string): ReadonlyArray<Program> => {
  const text = readFileSync(join(PROJECT, "docs/guide", guide), "utf8")
  return Array.from(text.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g), ([, name = "", body = ""]) => {
    const shown = new RegExp(`^ {4}\\$ node ${name.replaceAll(".", "\\.")}\n((?: {4}.*\n)+)`, "m").exec(text)
    return { name, text: body, prints: shown?.[1]?.replaceAll(/^ {4}/gm, "") ?? null }
  })
}

/** A folder with the program in it, which finds the packages of the project and Obstat's sources. */
const install = Effect.fnUntraced(function* ({ name, text }: Program) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  yield* fs.symlink(join(PROJECT, "node_modules"), join(folder, "node_modules"))
  yield* fs.writeFileString(join(folder, "package.json"), '{ "type": "module" }')
  const fromSources = text.replaceAll(/from "(obstat[^"]*)"/g, (_, entry: string) => {
    const source = ENTRY_POINTS[entry]
    assert.isDefined(source, `no entry point ${entry}`)
    return `from "${pathToFileURL(join(PROJECT, source ?? "")).href}"`
  })
  yield* fs.writeFileString(join(folder, name), fromSources)
  return folder
})

const run = (folder: string, args: ReadonlyArray<string>) =>
  Effect.callback<{ readonly status: number; readonly output: string; readonly errors: string }>((resume) => {
    const child = execFile(process.execPath, args, { cwd: folder }, (error, output, errors) =>
      resume(Effect.succeed({ status: error === null ? 0 : Number(error.code ?? 1), output, errors }))
    )
    return Effect.sync(() => child.kill())
  })

describe.each(["embedding.md", "testing-policies.md"])("docs/guide/%s", (guide) => {
  it("has programs", () => assert.isNotEmpty(programsOf(guide)))

  it.live.each(programsOf(guide))("$name does what the guide says [L6.2]", (program) =>
    Effect.gen(function* () {
      const folder = yield* install(program)
      const asTest = program.name.endsWith(".test.ts") ? ["--test"] : []
      const { errors, output, status } = yield* run(folder, [...asTest, program.name])
      assert.strictEqual(status, 0, errors + output)
      if (program.prints !== null) assert.strictEqual(output, program.prints)
      else assert.match(output, /^ℹ fail 0$/m)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
