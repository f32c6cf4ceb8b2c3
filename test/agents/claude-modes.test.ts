import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Script from "../../src/layers/testing/Script.ts"
import * as GovernedClaude from "./lib/GovernedClaude.ts"

const policy = '{"permission": {"*": "allow", "bash": {"*": "allow"}, "path": {"*": "allow"}}}'
const script = Script.make(
  {
    touch: [
      Script.reply(Script.tool("Bash", { command: "touch made", description: "Make it" }, "toolu_touch")),
      Script.reply(Script.text("Done."))
    ]
  },
  { otherwise: [Script.reply(Script.text("Taken as text."))] }
)

describe("the real Claude Code, however it is set up", () => {
  for (const [name, options] of Object.entries({
    "a model of the person's own": { model: "some-model-of-ours" },
    "accepting edits": { args: ["--permission-mode", "acceptEdits"] }
  })) {
    it.live(`${name}: the same states are read, and the gate holds [S2.8, S5.2]`, () =>
      Effect.gen(function* () {
        const { session, sandbox } = yield* GovernedClaude.start({ policy, script, ...options })
        assert.strictEqual((yield* session.send("Please. SCRIPT:touch")).text, "Done.")
        assert.isTrue(existsSync(join(sandbox.cwd, "made")))
        assert.strictEqual(yield* session.status, "ready")
        yield* session.stop
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )
  }

  it.live("a prompt is text, whatever it begins with: it runs nothing by itself [S3.4, S3.2]", () =>
    Effect.gen(function* () {
      const { session, sandbox, model } = yield* GovernedClaude.start({ policy, script })
      const result = yield* session.send("!touch escaped")
      assert.strictEqual(result.text, "Taken as text.")
      const request = yield* model.until(({ kind }) => kind === "main")
      assert.include(JSON.stringify(request.body), "!touch escaped")
      assert.isFalse(existsSync(join(sandbox.cwd, "escaped")))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("a command of the agent's own is given once, and says that no turn came of it [S3.3]", () =>
    Effect.gen(function* () {
      const { session } = yield* GovernedClaude.start({ policy, script })
      const error = yield* Effect.flip(session.send("/clear"))
      assert.include(error, { _tag: "PromptNotTaken", attempts: 1 })
      assert.strictEqual((yield* session.send("Go on.")).text, "Taken as text.")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
