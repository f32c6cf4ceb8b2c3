import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import * as AgentProgram from "../../../src/layers/testing/AgentProgram.ts"
import * as Sandbox from "../../../src/layers/testing/Sandbox.ts"
import * as Script from "../../../src/layers/testing/Script.ts"
import * as ObstatProcess from "./ObstatProcess.ts"

/** What the trial's model would have the agent do: the scripted agent has its own copy of the script. */
const script = Script.make({
  trial: [
    Script.reply(Script.tool("Bash", { command: "touch mark" }, "toolu_trial")),
    Script.reply(Script.text("Refused."))
  ]
})

describe("obstat doctor", () => {
  it.live("says that an agent is missing, with how to install it, and keeps nothing [C1, C27]", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make()
      const env = { ...sandbox.env, PATH: dirname(process.execPath) }
      const ended = yield* Effect.promise(() => ObstatProcess.run(["doctor"], { env, cwd: sandbox.cwd }))
      assert.strictEqual(ended.status, 2)
      assert.include(ended.stderr, "npm install -g @anthropic-ai/claude-code")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it("says that an agent cannot be governed yet [C27]", async () => {
    const ended = await ObstatProcess.run(["doctor", "--agent", "codex"])
    assert.strictEqual(ended.status, 2)
    assert.include(ended.stderr, "codex cannot be governed yet")
  })

  it.live("an agent that never asks its model is no proof: nothing is kept [S5.2, C27]", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make()
      const agent = yield* AgentProgram.install(sandbox.root, script)
      const env = {
        ...sandbox.env,
        XDG_RUNTIME_DIR: sandbox.runtime,
        PATH: [dirname(agent.file), sandbox.env["PATH"]].join(delimiter)
      }
      const child = ObstatProcess.start(["doctor"], { env, cwd: sandbox.cwd })
      let stdout = ""
      yield* Effect.callback<void>((resume) => {
        child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
          stdout += chunk
          if (stdout.includes("hooks")) resume(Effect.void)
        })
      })
      child.kill("SIGINT")
      const status = yield* Effect.promise(
        () => new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)))
      )
      assert.strictEqual(status, 130)
      assert.notInclude(stdout, "gate")
      assert.throws(() => readdirSync(join(sandbox.home, ".local/state/obstat/gate")))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
