import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { existsSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import * as FilePathFacts from "../../src/adapters/files/FilePathFacts.ts"
import * as MemoryPersonSurface from "../../src/adapters/memory/MemoryPersonSurface.ts"
import * as UnixSocketHookBridge from "../../src/adapters/unix-socket/UnixSocketHookBridge.ts"
import * as GrantList from "../../src/core/ask/GrantList.ts"
import type { Ask, AskVerdict } from "../../src/core/authority/PersonSurface.ts"
import * as PolicyEngine from "../../src/core/policy/PolicyEngine.ts"
import { PolicySource } from "../../src/core/policy/PolicySource.ts"
import { Sessions } from "../../src/core/session/Sessions.ts"
import * as Standalone from "../../src/layers/Standalone.ts"
import * as AgentProgram from "../../src/layers/testing/AgentProgram.ts"
import * as Sandbox from "../../src/layers/testing/Sandbox.ts"
import * as Script from "../../src/layers/testing/Script.ts"

const source = Layer.succeed(PolicySource, {
  read: Effect.succeed([
    {
      scope: "user" as const,
      file: "/policy.jsonc",
      trusted: true,
      text: JSON.stringify({ permission: { "*": "ask", path: { "*": "allow" } } }),
      digest: "test",
      unreadable: null
    }
  ]),
  changes: Stream.never
})

/** One turn of the scripted agent under the real engine: what a person was asked, and where. */
const turn = Effect.fnUntraced(function* (
  [first, ...rest]: readonly [string, ...Array<string>],
  person: (ask: Ask, cwd: string) => AskVerdict
) {
  const sandbox = yield* Sandbox.make()
  writeFileSync(join(sandbox.cwd, "s.sh"), "mkdir harmless\n")
  const calling = (command: string, index: number) =>
    Script.reply(Script.tool("Bash", { command, description: "Work" }, `toolu_${index}`))
  const script = Script.sequence(
    calling(first, 0),
    ...rest.map((command, index) => calling(command, index + 1)),
    Script.reply(Script.text("Done."))
  )
  const program = yield* AgentProgram.install(sandbox.root, script)
  const path = `${dirname(program.file)}${delimiter}${sandbox.env["PATH"] ?? ""}`
  const asks: Array<Ask> = []
  const services = Standalone.layer({
    env: { ...sandbox.env, PATH: path },
    authority: { node: "test", chain: [] },
    hooks: UnixSocketHookBridge.layer({ parent: sandbox.runtime })
  }).pipe(
    Layer.provide(PolicyEngine.layer({ home: sandbox.home, projectRoot: sandbox.cwd })),
    Layer.provide(source),
    Layer.provide(FilePathFacts.layer({ searchPath: path.split(delimiter), projectRoot: sandbox.cwd })),
    Layer.provide(
      MemoryPersonSurface.layer({
        presence: Effect.succeed("present"),
        question: () => Effect.succeed(null),
        ask: (ask) =>
          Effect.sync(() => {
            asks.push(ask)
            return person(ask, sandbox.cwd)
          })
      })
    ),
    Layer.provide(NodeServices.layer)
  )
  const context = yield* Layer.build(services)
  const session = yield* Effect.provideContext(
    Sessions.use((service) => service.start({ agent: "claude", cwd: sandbox.cwd, trust: true })),
    context
  )
  yield* session.send("Work.")
  yield* session.stop
  return { asks, made: (name: string) => existsSync(join(sandbox.cwd, name)) }
})

const asked = (asks: ReadonlyArray<Ask>) => asks.map(({ payload }) => payload.request.units[0].value)

const forSession = ({ offers = [] }: Ask): AskVerdict => {
  const grant = GrantList.grantOf(GrantList.open(offers))
  return { _tag: "allow", channel: "test", ...(grant !== null && { grant }) }
}

describe("allowing for the session, with an agent in a real terminal", () => {
  it.live(
    "what was granted runs without another ask; what was not shown still asks [L5.1] [L5.2] [P6.2]",
    () =>
      Effect.gen(function* () {
        const { asks, made } = yield* turn(["mkdir one", "mkdir two", "mkdir three && rm -r one"], (ask) =>
          ask.payload.request.units[0].value === "rm -r one"
            ? { _tag: "deny", channel: "test", reason: null }
            : forSession(ask)
        )
        assert.deepStrictEqual(asked(asks), ["mkdir one", "rm -r one"])
        assert.deepStrictEqual(["one", "two", "three"].map(made), [true, true, false])
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("a script that was rewritten while it was asked about is asked about again [P1.4] [BUG-072]", () =>
    Effect.gen(function* () {
      const texts: Array<string> = []
      const { asks, made } = yield* turn(["sh s.sh"], ({ payload }, cwd) => {
        texts.push(payload.evidence[0]?.text ?? "")
        if (texts.length > 1) return { _tag: "deny", channel: "test", reason: "not that one" }
        writeFileSync(join(cwd, "s.sh"), "mkdir harmful\n")
        return { _tag: "allow", channel: "test" }
      })
      assert.deepStrictEqual(texts, ["mkdir harmless\n", "mkdir harmful\n"])
      assert.strictEqual(asks.length, 2)
      assert.isFalse(made("harmless") || made("harmful"))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
