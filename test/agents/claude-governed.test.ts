import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Script from "../../src/layers/testing/Script.ts"
import * as GovernedClaude from "./lib/GovernedClaude.ts"

const policy = JSON.stringify({
  permission: {
    "*": "ask",
    bash: {
      "echo *": "allow",
      "touch allowed": "allow",
      "rm *": { action: "deny", reason: "nothing is removed here" }
    },
    path_write: { "*": "allow" }
  }
})

describe("the real Claude Code under the gate", () => {
  it.live("a call allowed by rule runs, and no dialog stays [S5.2, S5.6, S3.1]", () =>
    Effect.gen(function* () {
      const { model, session, sandbox } = yield* GovernedClaude.start({
        policy,
        script: Script.make({
          allowed: [
            Script.reply(
              Script.text("I make it."),
              Script.tool("Bash", { command: "touch allowed" }, "toolu_a")
            ),
            Script.reply(Script.text("Made."))
          ]
        })
      })
      const result = yield* session.send("Please. SCRIPT:allowed")
      assert.strictEqual(result.text, "Made.")
      assert.deepStrictEqual(
        result.messages.map(({ text }) => text),
        ["I make it.", "Made."]
      )
      assert.isTrue(existsSync(join(sandbox.cwd, "allowed")))
      assert.isFalse((yield* model.toolResult("toolu_a")).isError)
      assert.strictEqual(yield* session.status, "ready")
      yield* session.stop
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("a call denied by rule does not run, and the model gets our words [P3.1, P3.6, L1.1]", () =>
    Effect.gen(function* () {
      const { model, session, sandbox } = yield* GovernedClaude.start({
        policy,
        script: Script.make({
          denied: [
            Script.reply(Script.tool("Bash", { command: "touch x; rm -rf x; touch y" }, "toolu_d")),
            Script.reply(Script.text("Understood."))
          ]
        })
      })
      const result = yield* session.send("Please. SCRIPT:denied")
      assert.strictEqual(result.text, "Understood.")
      const told = yield* model.toolResult("toolu_d")
      assert.isTrue(told.isError)
      assert.include(told.text, "denied by policy")
      assert.include(told.text, "nothing is removed here")
      assert.notInclude(told.text, "touch y")
      assert.isFalse(existsSync(join(sandbox.cwd, "x")))
      assert.isFalse(existsSync(join(sandbox.cwd, "y")))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
