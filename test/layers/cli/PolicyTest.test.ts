import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { join } from "node:path"
import { Outcomes } from "../../../src/core/policy/PolicyCases.ts"
import * as ObstatProcess from "./ObstatProcess.ts"

const decode = Schema.decodeSync(Schema.fromJsonString(Outcomes), { onExcessProperty: "error" })

const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
  const file = join(root, "policy.jsonc")
  const cases = join(root, "cases.jsonc")
  yield* fs.writeFileString(file, '{ "permission": {\n "bash": { "ls *": "allow", "rm *": "deny" } } }')
  const test = Effect.fnUntraced(function* (text: string, ...args: ReadonlyArray<string>) {
    yield* fs.writeFileString(cases, text)
    return yield* Effect.promise(() =>
      ObstatProcess.run(["policy", "test", "--policy", file, ...args, cases], {
        cwd: root,
        env: { HOME: root }
      })
    )
  })
  return { fs, file, cases, test }
})

describe("obstat policy test", () => {
  it.live("is status 0 where every case holds [L6.1, L6.3, C24, C1]", () =>
    Effect.gen(function* () {
      const { test } = yield* place
      const text =
        '{ "cases": [{ "command": "ls", "expect": "allow" }, { "command": "rm x", "expect": "deny" }] }'
      assert.deepStrictEqual(yield* test(text), { status: 0, stdout: "2 of 2 cases hold\n", stderr: "" })
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("is status 1 where one does not, and shows the ruling with its provenance [L6.1, L1.5, C1]", () =>
    Effect.gen(function* () {
      const { cases, file, test } = yield* place
      const text =
        '{ "cases": [{ "command": "ls", "expect": "allow" },\n{ "command": "rm x", "expect": "ask" }] }'
      const { status, stderr, stdout } = yield* test(text)
      assert.deepStrictEqual([status, stderr], [1, "obstat: 1 case does not hold\n"])
      assert.include(
        stdout,
        `${cases}:2: rm x\n    expected ask\n    is deny by bash "rm *" (user policy, ${file}:2)`
      )
      for (const format of ["json", "jsonl"]) {
        const machine = yield* test(text, "--output", format)
        assert.strictEqual(machine.status, 1)
        assert.deepStrictEqual(
          decode(machine.stdout).cases.map(({ holds, ruling }) => [holds, ruling.pattern]),
          [
            [true, "ls *"],
            [false, "rm *"]
          ]
        )
      }
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("is status 2 with broken cases or a broken policy, and says where [L2.2, C1]", () =>
    Effect.gen(function* () {
      const { cases, file, fs, test } = yield* place
      const broken = yield* test('{ "cases": [{ "command": "ls",\n "expct": "allow" }] }')
      assert.deepStrictEqual([broken.status, broken.stdout], [2, ""])
      assert.include(broken.stderr, `${cases}:2:`)
      yield* fs.writeFileString(file, "{")
      assert.strictEqual((yield* test('{ "cases": [{ "command": "ls", "expect": "ask" }] }')).status, 2)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
