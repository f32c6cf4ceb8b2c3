import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { networkInterfaces } from "node:os"
import * as ClaudeHome from "../../src/layers/testing/ClaudeHome.ts"
import * as Sandbox from "../../src/layers/testing/Sandbox.ts"
import * as Script from "../../src/layers/testing/Script.ts"
import * as ScriptedModel from "../../src/layers/testing/ScriptedModel.ts"
import * as TestTerminal from "../fixtures/TestTerminal.ts"
import * as RealClaude from "./lib/RealClaude.ts"

const composer = (screen: string) => /^─+\n❯.*\n─+\n.*manual mode on/m.test(screen)

describe("the real Claude Code against the scripted model", () => {
  it("has loopback and no other network [X11]", () => {
    const outside = Object.values(networkInterfaces()).filter((all) => all?.some((one) => !one.internal))
    assert.deepStrictEqual(outside, [])
  })

  it.live("takes a prompt, runs the scripted tool call and shows the reply; nothing outlives it [X9]", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make()
      const model = yield* ScriptedModel.make(
        Script.make(
          {
            smoke: [
              Script.reply(
                Script.thinking("scripted thought"),
                Script.text("Looking around."),
                Script.tool("Bash", { command: "echo ran-$((40 + 2))", description: "Say it" }, "toolu_smoke")
              ),
              Script.reply(Script.gate("end"), Script.text("That was all."))
            ]
          },
          { title: "Smoke and mirrors" }
        )
      )
      const claude = yield* TestTerminal.open({
        file: RealClaude.file,
        args: [],
        cwd: sandbox.cwd,
        env: yield* ClaudeHome.make(sandbox, { baseUrl: model.url })
      })
      yield* claude.until(composer)
      claude.write("\u001b[200~Please go. SCRIPT:smoke\u001b[201~")
      yield* claude.until((screen) => screen.includes("Please go. SCRIPT:smoke"))
      claude.write("\r")

      const first = yield* model.until((request) => request.kind === "main")
      assert.strictEqual(first.headers["authorization"], ScriptedModel.MASK)
      assert.deepStrictEqual(yield* model.toolResult("toolu_smoke"), {
        id: "toolu_smoke",
        text: "ran-42",
        isError: false
      })
      yield* model.until((request) => request.kind === "title")
      assert.notInclude(claude.screen(), "That was all.")
      yield* model.release("end")
      yield* claude.until((screen) => screen.includes("That was all.") && composer(screen))
      yield* claude.until(() => claude.title().includes("Smoke and mirrors"))
      assert.deepStrictEqual(yield* model.unexpected, [])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
