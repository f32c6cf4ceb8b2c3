import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { AskPayload } from "../../src/core/ask/AskPayload.ts"
import type { AskVerdict, PersonSurface } from "../../src/core/authority/PersonSurface.ts"
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

/** A person who decides as they are told, and remembers what they were asked. */
const person = (verdict: AskVerdict) => {
  const asked: Array<AskPayload> = []
  const surface: PersonSurface["Service"] = {
    ...GovernedClaude.nobody,
    presence: Effect.succeed("present"),
    ask: ({ payload }) =>
      Effect.sync(() => {
        asked.push(payload)
        return verdict
      })
  }
  return { asked, surface }
}

const asking = Script.make({
  ask: [
    Script.reply(Script.tool("Bash", { command: "sh -c 'touch made'", description: "Make it" }, "toolu_ask")),
    Script.reply(Script.text("Thank you."))
  ]
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

  it.live("a call at ask is shown to the person, and once allowed it runs [A1, P1.1, P1.3, S5.6]", () =>
    Effect.gen(function* () {
      const { asked, surface } = person({ _tag: "allow", channel: "test" })
      const { model, session, sandbox } = yield* GovernedClaude.start({
        policy,
        person: surface,
        script: asking
      })
      const result = yield* session.send("Please. SCRIPT:ask")
      assert.strictEqual(result.text, "Thank you.")
      assert.isFalse((yield* model.toolResult("toolu_ask")).isError)
      assert.isTrue(existsSync(join(sandbox.cwd, "made")))
      assert.strictEqual(asked.length, 1)
      const [payload] = asked
      assert.strictEqual(payload?.request.toolName, "Bash")
      assert.include(JSON.stringify(payload), "sh -c 'touch made'")
      const described = payload?.evidence.find(({ text }) => text === "Make it")
      assert.isTrue(described?.modelGenerated)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live(
    "a person's denial keeps the call from running, and their reason reaches the model [A1.3, P3.1]",
    () =>
      Effect.gen(function* () {
        const reason = "use the build script"
        const { asked, surface } = person({ _tag: "deny", channel: "test", reason })
        const { model, session, sandbox } = yield* GovernedClaude.start({
          policy,
          person: surface,
          script: asking
        })
        yield* session.send("Please. SCRIPT:ask")
        const told = yield* model.toolResult("toolu_ask")
        assert.isTrue(told.isError)
        assert.include(told.text, reason)
        assert.include(told.text, "denied by a person")
        assert.isFalse(existsSync(join(sandbox.cwd, "made")))
        assert.strictEqual(asked.length, 1)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("with nobody there a call at ask is unavailable, not denied by a person [A1, P3.1]", () =>
    Effect.gen(function* () {
      const { model, session, sandbox } = yield* GovernedClaude.start({ policy, script: asking })
      yield* session.send("Please. SCRIPT:ask")
      const told = yield* model.toolResult("toolu_ask")
      assert.include(told.text, "none could be reached")
      assert.notInclude(told.text, "denied by a person")
      assert.isFalse(existsSync(join(sandbox.cwd, "made")))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
