import * as Schema from "effect/Schema"
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

/** One file that imports one thing, or does it in `code`, and whether the layout allows it. */
interface Example {
  readonly file: string
  readonly from?: string
  readonly code?: string
  readonly legal: boolean
}

const core = "src/core/policy/Example.ts"
const deepCore = "src/core/policy/starter/Example.ts"
const adapter = "src/adapters/xterm/Example.ts"
const layer = "src/layers/cli/Example.ts"

const examples: ReadonlyArray<Example> = [
  { file: core, from: "./Ruling.ts", legal: true },
  { file: core, from: "../call/ToolCall.ts", legal: true },
  { file: core, from: "effect/Effect", legal: true },
  { file: core, from: "effect/Schema", legal: true },
  { file: core, from: "effect/encoding/Base64", legal: true },
  { file: core, from: "effect/crypto/Digest", legal: true },
  { file: core, from: "unbash", legal: true },
  { file: core, from: "string-width", legal: true },
  { file: core, from: "jsonc-parser", legal: true },
  { file: deepCore, from: "../Ruling.ts", legal: true },

  { file: core, from: "../../adapters/xterm/XtermScreen.ts", legal: false },
  { file: core, from: "../../layers/cli/Output.ts", legal: false },
  { file: deepCore, from: "../../../adapters/xterm/XtermScreen.ts", legal: false },
  { file: deepCore, from: "../../../layers/cli/Output.ts", legal: false },
  { file: core, from: "node:fs", legal: false },
  { file: core, from: "node:path", legal: false },
  { file: core, from: "fs", legal: false },
  { file: core, from: "node-pty", legal: false },
  { file: core, from: "@xterm/headless", legal: false },
  { file: core, from: "@effect/platform-node/NodeServices", legal: false },
  { file: core, from: "left-pad", legal: false },
  { file: core, from: "effect", legal: false },
  { file: core, from: "effect/FileSystem", legal: false },
  { file: core, from: "effect/Stdio", legal: false },
  { file: core, from: "effect/Terminal", legal: false },
  { file: core, from: "effect/http/HttpClient", legal: false },
  { file: core, from: "effect/cli/Command", legal: false },
  { file: core, from: "effect/process/ChildProcess", legal: false },
  { file: core, from: "effect/testing/TestClock", legal: false },

  { file: core, code: `export * from "node:fs"`, legal: false },
  { file: core, code: `export const load = () => import("node:fs")`, legal: false },
  { file: core, code: `export const home = process.env`, legal: false },
  { file: core, code: `export const now = Date.now()`, legal: false },
  { file: core, code: `export const dice = Math.random()`, legal: false },
  { file: core, code: `setTimeout(() => undefined, 1)`, legal: false },
  { file: core, code: `export const size = Buffer.byteLength("text")`, legal: false },

  { file: adapter, from: "./XtermFrame.ts", legal: true },
  { file: adapter, from: "../../core/session/Screen.ts", legal: true },
  { file: adapter, from: "@xterm/headless", legal: true },
  { file: adapter, from: "node:fs", legal: true },
  { file: adapter, from: "../node-pty/NodePty.ts", legal: false },
  { file: adapter, from: "../claude/Claude.ts", legal: false },
  { file: adapter, from: "../codex/Codex.ts", legal: false },
  { file: adapter, from: "../../layers/cli/Output.ts", legal: false },
  { file: adapter, from: "../../adapters/node-pty/NodePty.ts", legal: false },
  { file: adapter, from: "../../../test/contracts/Screen.ts", legal: false },

  { file: layer, from: "../../core/policy/Ruling.ts", legal: true },
  { file: layer, from: "../../adapters/xterm/XtermScreen.ts", legal: true },
  { file: layer, from: "node:fs", legal: true }
]

const root = resolve(import.meta.dirname, "../..")

const source = ({ from, code }: Example): string =>
  `${code ?? `import * as Imported from "${from}"\n\nexport const example = Imported`}\n`

const decodeReport = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      diagnostics: Schema.Array(Schema.Struct({ code: Schema.String, filename: Schema.String }))
    })
  )
)

/** Lints a tree of its own with this repository's configuration; gives the files that break a boundary. */
const restricted = async (directory: string): Promise<ReadonlySet<string>> => {
  const output = await new Promise<string>((done, failed) => {
    execFile(
      join(root, "node_modules/.bin/oxlint"),
      ["--format", "json", "src"],
      { cwd: directory, maxBuffer: 16 * 1024 * 1024 },
      // The linter exits with 1 when it finds something: that is an answer.
      (error, stdout) => (error !== null && error.code !== 1 ? failed(error) : done(stdout))
    )
  })
  const { diagnostics } = decodeReport(output)
  return new Set(
    diagnostics.filter(({ code }) => code.includes("(no-restricted-")).map(({ filename }) => filename)
  )
}

/** A file of its own for each example, beside the path that it names. */
const place = (example: Example, index: number): string => example.file.replace("Example", `Example${index}`)

describe("the boundary lint", () => {
  let directory: string
  let reported: ReadonlySet<string>

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "obstat-lint-"))
    await cp(join(root, ".oxlintrc.json"), join(directory, ".oxlintrc.json"))
    for (const [index, example] of examples.entries()) {
      const path = join(directory, place(example, index))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, source(example))
    }
    reported = await restricted(directory)
  })

  afterAll(() => rm(directory, { recursive: true, force: true }))

  for (const [index, example] of examples.entries()) {
    const verb = example.legal ? "allows" : "reports"
    it(`${verb} ${example.from ?? example.code} in ${dirname(example.file)}`, () => {
      expect(reported.has(place(example, index))).toBe(!example.legal)
    })
  }
})
