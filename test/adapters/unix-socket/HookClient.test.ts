import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HookClient from "../../../src/adapters/unix-socket/HookClient.ts"

/** What a shell makes of the words of a command: each as it arrives, ended by NUL. */
const words = (command: string): ReadonlyArray<string> =>
  spawnSync("sh", ["-c", command], { encoding: "utf8" }).stdout.split("\0").slice(0, -1)

describe("HookClient", () => {
  it("finds the compiled client and the Node one in the package [S5.7]", () => {
    const native = Option.getOrThrow(HookClient.find())
    assert.strictEqual(native.kind, "native")
    assert.match(native.program[0] ?? "", /\/native\/build\/hook-client$/)
    const node = Option.getOrThrow(HookClient.find("node"))
    assert.strictEqual(node.program[0], process.execPath)
    assert.match(node.program[1] ?? "", /\/native\/hook-client\.mjs$/)
  })

  it.prop(
    "every word reaches the client as it is, whatever a shell would make of it [S5.7]",
    [Schema.String],
    ([text]) => {
      // No argument can hold a NUL, nor half a surrogate pair.
      const path = `/tmp/it's $(x) \`y\` "z" ${text.replaceAll("\0", "").toWellFormed()}`
      const client = { kind: "native" as const, program: ["printf", String.raw`%s\0`] }
      assert.deepStrictEqual(words(HookClient.command(client, path, 60)), [path, "60"])
    },
    { arbitrary: { runs: 30 } }
  )

  it("the blocking command is exit 2 with a word, for any failure of the client [S5.2]", () => {
    for (const failing of ["false", "exit_is_not_a_command", "sh -c 'kill -9 $$'", "exec false"]) {
      const { status, stderr } = spawnSync("sh", ["-c", HookClient.blockingCommand(`(${failing})`)], {
        encoding: "utf8"
      })
      assert.strictEqual(status, 2)
      assert.match(stderr, /Obstat cannot be reached: refused\n$/)
    }
    assert.strictEqual(spawnSync("sh", ["-c", HookClient.blockingCommand("true")]).status, 0)
  })
})
