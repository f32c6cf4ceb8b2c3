import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Simulation } from "../../../src/core/policy/Simulation.ts"
import * as Turns from "../../fixtures/Turns.ts"
import * as ObstatProcess from "./ObstatProcess.ts"

const decode = Schema.decodeSync(Schema.fromJsonString(Simulation), { onExcessProperty: "error" })

const claude = fileURLToPath(Turns.files.claude)
const codex = fileURLToPath(Turns.files.codex)
const pi = fileURLToPath(Turns.files.pi)

const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
  const at = (path: string) => join(root, path)
  const simulate = (...args: ReadonlyArray<string>) =>
    Effect.promise(() =>
      ObstatProcess.run(["policy", "simulate", ...args], { cwd: root, env: { HOME: root } })
    )
  return { fs, at, simulate }
})

describe("obstat policy simulate", () => {
  it.live("says how often a turn would ask, and what [L6.1, C24, C1]", () =>
    Effect.gen(function* () {
      const { simulate } = yield* place
      const { status, stderr, stdout } = yield* simulate("--over", claude)
      assert.deepStrictEqual([status, stderr], [0, ""])
      assert.match(stdout, /^25 calls\n/)
      assert.match(stdout, /\nnow +13 +12 +0 +10 different asks\n/)
      assert.match(stdout, /\n {2}2× {2}Edit: \/home\/dev\/project\/src\/pages\.js\n/)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("compares a candidate over Claude Code, Codex and Pi at once [L6.1, L6.3]", () =>
    Effect.gen(function* () {
      const { at, fs, simulate } = yield* place
      const file = at("candidate.jsonc")
      yield* fs.writeFileString(
        file,
        `{ "extends": ["starter"], "permission": {
          "bash": { "git add *": "allow", "git commit *": "deny", "make *": "allow" },
          "path_write": { "./*": "allow" } } }`
      )
      const replay = (format: string) =>
        simulate("--policy", file, "--output", format, "--over", claude, codex, pi)
      const { status, stdout } = yield* replay("json")
      assert.strictEqual(status, 0)
      const report = decode(stdout)
      assert.deepStrictEqual([report.calls, report.questions, report.candidate?.deny], [47, 1, 3])
      assert.isTrue(
        report.changes.some(
          ({ first, to, tool }) => tool === "edit" && to === "allow" && first.file === pi && first.line > 1
        )
      )
      assert.deepStrictEqual(
        report.unmatched.map(({ line, pattern }) => [pattern, line]),
        [["make *", 2]]
      )
      assert.deepStrictEqual(decode((yield* replay("jsonl")).stdout), report)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("takes folders, passes over what is no recording, and half a line at the end [L6.1]", () =>
    Effect.gen(function* () {
      const { at, fs, simulate } = yield* place
      yield* fs.makeDirectory(at("sessions/deep"), { recursive: true })
      yield* fs.copyFile(claude, at("sessions/deep/a.jsonl"))
      const half = `${yield* fs.readFileString(claude)}{"type":"assist`
      yield* fs.writeFileString(at("sessions/b.jsonl"), half)
      yield* fs.writeFileString(at("sessions/other.jsonl"), '{"x": 1}\nnothing\n')
      yield* fs.writeFileString(at("sessions/notes.txt"), "")
      const { status, stderr, stdout } = yield* simulate("--output", "json", "--over", at("sessions"))
      assert.deepStrictEqual([status, stderr], [0, ""])
      assert.strictEqual(decode(stdout).calls, 50)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("is a usage error without anything to replay, and names what it knows [C1]", () =>
    Effect.gen(function* () {
      const { at, fs, simulate } = yield* place
      yield* fs.writeFileString(at("x.jsonl"), "{}\n")
      const nothing = yield* simulate("--over", at("x.jsonl"))
      assert.deepStrictEqual([nothing.status, nothing.stdout], [2, ""])
      assert.include(nothing.stderr, "Claude Code transcript, Codex rollout, Pi session")
      assert.strictEqual((yield* simulate("--over", at("none.jsonl"))).status, 2)
      assert.strictEqual((yield* simulate()).status, 2)
      yield* fs.writeFileString(at("broken.jsonc"), "{")
      assert.strictEqual((yield* simulate("--policy", at("broken.jsonc"), "--over", claude)).status, 2)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("reads relative rules from where a recording was made, or from the folder named [L1.8]", () =>
    Effect.gen(function* () {
      const { at, fs, simulate } = yield* place
      yield* fs.writeFileString(at("p.jsonc"), '{ "permission": { "path_write": { "src/*": "deny" } } }')
      const denied = (...args: ReadonlyArray<string>) =>
        Effect.map(
          simulate("--output", "json", "--policy", at("p.jsonc"), "--over", claude, ...args),
          ({ stdout }) =>
            decode(stdout).changes.filter(({ to, tool }) => to === "deny" && tool === "Edit").length
        )
      assert.deepStrictEqual([yield* denied(), yield* denied("-C", at("."))], [1, 0])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
