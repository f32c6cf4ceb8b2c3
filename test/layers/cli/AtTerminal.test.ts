import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join, resolve } from "node:path"
import * as AgentProgram from "../../../src/layers/testing/AgentProgram.ts"
import * as Sandbox from "../../../src/layers/testing/Sandbox.ts"
import * as Script from "../../../src/layers/testing/Script.ts"
import * as TestTerminal from "../../fixtures/TestTerminal.ts"
import * as ObstatProcess from "./ObstatProcess.ts"

const bin = resolve(import.meta.dirname, "../../../src/layers/bin/obstat.ts")
const right = "\u001B[C"
const enter = "\r"

const script = Script.make({
  asked: [
    Script.reply(Script.tool("Bash", { command: "touch made" }, "toolu_touch")),
    Script.reply(Script.text("All done."))
  ]
})

/** The command at a terminal of its own, with the scripted agent on the path. */
const atTerminal = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const sandbox = yield* Sandbox.make()
  const agent = yield* AgentProgram.install(sandbox.root, script)
  const policyFile = join(sandbox.root, "policy.jsonc")
  writeFileSync(policyFile, '{"permission": {"*": "ask"}}')
  const terminal = yield* TestTerminal.open({
    file: process.execPath,
    args: [bin, "run", "--policy", policyFile, ...args],
    cwd: sandbox.cwd,
    env: {
      ...sandbox.env,
      XDG_RUNTIME_DIR: sandbox.runtime,
      PATH: [dirname(agent.file), sandbox.env["PATH"]].join(delimiter)
    }
  })
  return { sandbox, terminal }
})

describe("obstat at a terminal", () => {
  it.live("an ask comes up there, and what the person allows runs [C5, P6.2]", () =>
    Effect.gen(function* () {
      const { sandbox, terminal } = yield* atTerminal("SCRIPT:asked")
      yield* terminal.until((screen) => screen.includes("touch made") && screen.includes("Allow once"))
      terminal.write(right + right + enter)
      const screen = yield* terminal.until((screen) => screen.includes("All done."))
      assert.strictEqual((yield* terminal.exit).exitCode, 0)
      assert.include(screen, "Obstat: you allowed once: Bash: touch made")
      assert.isTrue(existsSync(join(sandbox.cwd, "made")))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("Enter alone denies, and the agent goes on with that [C5, P6.2]", () =>
    Effect.gen(function* () {
      const { sandbox, terminal } = yield* atTerminal("SCRIPT:asked")
      yield* terminal.until((screen) => screen.includes("touch made") && screen.includes("Allow once"))
      terminal.write(enter)
      const screen = yield* terminal.until((screen) => screen.includes("All done."))
      assert.strictEqual((yield* terminal.exit).exitCode, 0)
      assert.include(screen, "not allowed (person)")
      assert.isFalse(existsSync(join(sandbox.cwd, "made")))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})

describe("obstat demo", () => {
  it("plays the main job with a recorded person: question, rulings, asks and answers [C28]", async () => {
    const ended = await ObstatProcess.run(["demo", "--auto"])
    assert.strictEqual(ended.stderr, "")
    assert.strictEqual(ended.status, 0)
    for (const told of [
      "allowed by the rule bash: ls *",
      "Which channel is this release for?",
      "❯ Submit",
      '"Which channel is this release for?"="Preview", "What goes into the notes?"="Fixes, Features"',
      "❯ Deny   Deny with a reason   Allow once",
      "allowed by the person at the terminal",
      "denied by the rule bash: rm *",
      "reason: not before the review",
      "denied by a person, who wrote: not before the review"
    ]) {
      assert.include(ended.stdout, told)
    }
    assert.notInclude(ended.stdout, "\u001B")
  })

  it("without a terminal and without --auto it says what to do, with status 4 [C1, C28]", async () => {
    const ended = await ObstatProcess.run(["demo"])
    assert.deepStrictEqual([ended.status, ended.stdout], [4, ""])
    assert.include(ended.stderr, "obstat demo --auto")
  })
})
