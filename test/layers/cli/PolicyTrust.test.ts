import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { join, resolve } from "node:path"
import { Accepted, Listed, Revoked } from "../../../src/layers/cli/PolicyTrustCommand.ts"
import * as TestTerminal from "../../fixtures/TestTerminal.ts"
import * as ObstatProcess from "./ObstatProcess.ts"

const bin = resolve(import.meta.dirname, "../../../src/layers/bin/obstat.ts")

const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, text: string): S["Type"] =>
  Schema.decodeSync(Schema.fromJsonString(schema), { onExcessProperty: "error" })(text)

const policy = `{
  // A repository's own rules.
  "permission": { "bash": { "deploy *": "allow", "rm *": "deny" } }
}`

/** A home without anything, and a project with a policy. */
const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
  const project = join(root, "project")
  const file = join(project, ".obstat", "obstat.jsonc")
  yield* fs.makeDirectory(join(project, ".obstat"), { recursive: true })
  yield* fs.makeDirectory(join(root, "home"))
  yield* fs.makeDirectory(join(root, "bin"))
  yield* fs.writeFileString(join(root, "bin", "deploy"), "#!/bin/sh\n", { mode: 0o755 })
  yield* fs.writeFileString(file, policy)
  const env = { HOME: join(root, "home"), PATH: `${join(root, "bin")}:${process.env["PATH"]}` }
  const obstat = (...args: ReadonlyArray<string>) =>
    Effect.promise(() => ObstatProcess.run(["policy", ...args], { cwd: project, env }))
  const action = (command: string) =>
    Effect.map(obstat("explain", command), ({ stdout }) => /^\w+/.exec(stdout)?.[0])
  return { fs, root, project, file, env, obstat, action }
})

describe("obstat policy trust", () => {
  it.live("an untrusted project only tightens, and what it would allow is listed [L2.1, X7]", () =>
    Effect.gen(function* () {
      const { action, file, obstat } = yield* place
      const { stderr, stdout } = yield* obstat("explain", "deploy it")
      assert.match(stdout, /^ask {2}deploy it/)
      assert.include(stderr, `${file}:3:1: allow bash "deploy *" ignored: the file is not trusted`)
      assert.strictEqual(yield* action("rm x"), "deny")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("accepts the file's content, a changed byte ends it, and it can be revoked [L2.1, C24, C1]", () =>
    Effect.gen(function* () {
      const { action, file, fs, obstat, project } = yield* place
      const accepted = yield* obstat("trust", "--yes", "--output", "json")
      assert.deepStrictEqual([accepted.status, accepted.stderr], [0, ""])
      const document = decode(Accepted, accepted.stdout)
      assert.strictEqual(document.file, file)
      assert.deepStrictEqual(document.allows, [{ surface: "bash", pattern: "deploy *", line: 3 }])
      assert.strictEqual(yield* action("deploy it"), "allow")

      const states = Effect.map(obstat("trust", "--list", "--output", "json"), ({ stdout }) =>
        decode(Listed, stdout).projects.map((project) => [project.file, project.state])
      )
      assert.deepStrictEqual(yield* states, [[file, "trusted"]])
      yield* fs.writeFileString(file, `${policy} `)
      assert.deepStrictEqual(yield* states, [[file, "changed"]])
      assert.strictEqual(yield* action("deploy it"), "ask")
      yield* fs.writeFileString(file, policy)
      assert.strictEqual(yield* action("deploy it"), "allow")

      const revoked = yield* obstat("trust", "--revoke", "--output", "json", project)
      assert.isTrue(decode(Revoked, revoked.stdout).revoked)
      assert.strictEqual(yield* action("deploy it"), "ask")
      const again = yield* obstat("trust", "--revoke", project)
      assert.deepStrictEqual([again.status, again.stdout], [0, `was not trusted: ${file}\n`])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("without a terminal a person is needed, and nothing is trusted [C5, C1]", () =>
    Effect.gen(function* () {
      const { action, file, obstat } = yield* place
      const { status, stderr, stdout } = yield* obstat("trust")
      assert.deepStrictEqual([status, stdout], [4, ""])
      assert.include(stderr, `a person has to read ${file} first`)
      assert.strictEqual(yield* action("deploy it"), "ask")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("a missing or broken file cannot be trusted [L2.2, C1]", () =>
    Effect.gen(function* () {
      const { file, fs, obstat } = yield* place
      yield* fs.writeFileString(file, '{ "permission": { "bash": { "a": "alow" } } }')
      const broken = yield* obstat("trust", "--yes")
      assert.strictEqual(broken.status, 2)
      assert.include(broken.stderr, 'did you mean "allow"?')
      yield* fs.remove(file)
      const missing = yield* obstat("trust", "--yes")
      assert.strictEqual(missing.status, 2)
      assert.include(missing.stderr, "obstat policy init --project")
      assert.strictEqual((yield* obstat("trust", "--yes", "--list")).status, 2)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live(
    "at a terminal shows the file and what it allows, and waits for the code on the screen [L2.1, P6.1]",
    () =>
      Effect.gen(function* () {
        const { action, env, file, fs, project } = yield* place
        yield* fs.writeFileString(file, policy.replace("own rules", "own \u001b[2Jrules"))
        const open = TestTerminal.open({
          file: process.execPath,
          args: [bin, "policy", "trust"],
          cwd: project,
          env
        })
        const typed = Effect.fnUntraced(function* (answer: (code: string) => string) {
          const terminal = yield* open
          const screen = yield* terminal.until((screen) => /type \d{3} and Enter/.test(screen))
          assert.include(screen, 'line 3: bash "deploy *"')
          assert.include(screen, "own \\u{1b}[2Jrules")
          terminal.write(`${answer(/type (\d{3})/.exec(screen)![1]!)}\r`)
          return (yield* terminal.exit).exitCode
        })
        assert.strictEqual(yield* typed(() => "y"), 1)
        assert.strictEqual(yield* action("deploy it"), "ask")
        assert.strictEqual(yield* typed((code) => code), 0)
        assert.strictEqual(yield* action("deploy it"), "allow")
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
