import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { existsSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import * as FilePathFacts from "../../../src/adapters/files/FilePathFacts.ts"
import * as UnixSocketHookBridge from "../../../src/adapters/unix-socket/UnixSocketHookBridge.ts"
import { PersonSurface } from "../../../src/core/authority/PersonSurface.ts"
import * as PolicyEngine from "../../../src/core/policy/PolicyEngine.ts"
import { PolicySource } from "../../../src/core/policy/PolicySource.ts"
import type { QuestionRequest } from "../../../src/core/question/QuestionRequest.ts"
import { Sessions } from "../../../src/core/session/Sessions.ts"
import * as Standalone from "../../../src/layers/Standalone.ts"
import type { AgentFaults } from "../../../src/layers/testing/AgentFaults.ts"
import * as AgentProgram from "../../../src/layers/testing/AgentProgram.ts"
import * as Sandbox from "../../../src/layers/testing/Sandbox.ts"
import * as Script from "../../../src/layers/testing/Script.ts"
import * as Raised from "../../fixtures/Raised.ts"

const POLICY = JSON.stringify({
  permission: {
    "*": "ask",
    bash: { "touch made": "allow", "rm *": { action: "deny", reason: "nothing is removed" } },
    path_write: { "*": "allow" }
  }
})

const policySource = Layer.succeed(PolicySource, {
  read: Effect.succeed([
    {
      scope: "user" as const,
      file: "/policy.jsonc",
      trusted: true,
      text: POLICY,
      digest: "test",
      unreadable: null
    }
  ]),
  changes: Stream.never
})

const nobody = Layer.succeed(PersonSurface, {
  presence: Effect.succeed<"present" | "absent">("absent"),
  ask: () => Effect.never,
  question: () => Effect.never
})

/** The scripted agent, started by `Sessions` as Claude Code, under a policy. */
const start = Effect.fnUntraced(function* (
  script: Script.Script,
  options: { readonly faults?: AgentFaults; readonly answerThrough?: "hook" | "editor" } = {}
) {
  const sandbox = yield* Sandbox.make()
  const program = yield* AgentProgram.install(sandbox.root, script, options.faults)
  const path = `${dirname(program.file)}${delimiter}${sandbox.env["PATH"] ?? ""}`
  const services = Standalone.layer({
    env: { ...sandbox.env, PATH: path },
    authority: { node: "test", chain: [] },
    hooks: UnixSocketHookBridge.layer({ parent: sandbox.runtime })
  }).pipe(
    Layer.provide(PolicyEngine.layer({ home: sandbox.home, projectRoot: sandbox.cwd })),
    Layer.provide(policySource),
    Layer.provide(FilePathFacts.layer({ searchPath: path.split(delimiter), projectRoot: sandbox.cwd })),
    Layer.provide(nobody),
    Layer.provide(NodeServices.layer)
  )
  const sessions = yield* Layer.build(services)
  const session = yield* Effect.provideContext(
    Sessions.use((service) =>
      service.start({
        agent: "claude",
        cwd: sandbox.cwd,
        trust: true,
        ...(options.answerThrough === undefined ? {} : { answerThrough: options.answerThrough })
      })
    ),
    sessions
  )
  return { sandbox, program, session }
})

const run = (
  name: string,
  body: () => Effect.Effect<unknown, unknown, FileSystem.FileSystem | Scope.Scope>
) => it.live(name, () => Effect.scoped(body()).pipe(Effect.provide(NodeServices.layer)))

const working = Script.sequence(
  Script.reply(
    Script.text("I try."),
    Script.tool("Bash", { command: "touch made" }, "toolu_1"),
    Script.tool("Bash", { command: "rm -rf made" }, "toolu_2")
  ),
  Script.reply(Script.text("Both tried."))
)

const form = {
  questions: [
    {
      question: "Which colour?",
      header: "Colour",
      multiSelect: false,
      options: [{ label: "Green" }, { label: "Red" }]
    },
    {
      question: "Which toppings?",
      header: "Toppings",
      multiSelect: true,
      options: [{ label: "Cheese" }, { label: "Basil" }]
    }
  ]
}
const asking = Script.sequence(
  Script.reply(Script.tool("AskUserQuestion", form, "toolu_ask")),
  Script.reply(Script.text("Thank you."))
)

/** A text of one's own, and both options. */
const answersTo = ({ questions }: QuestionRequest) =>
  questions.map(({ id, options }, index) =>
    index === 0
      ? { questionId: id, text: "neither,\r\nbut ünï 漢字" }
      : { questionId: id, optionIds: options.map((option) => option.id) }
  )

describe("the scripted agent under the real engine, as Claude Code", () => {
  run("warns once that its gate was never proved here [S5.2]", () =>
    Effect.gen(function* () {
      const { session } = yield* start(working)
      const warning = yield* session.events.pipe(
        Stream.filter((event) => event._tag === "warning"),
        Stream.runHead,
        Effect.flatMap(Effect.fromOption)
      )
      assert.deepInclude(warning, {
        warning: { code: "gate_unproved", detail: "run: obstat doctor" }
      })
    })
  )

  run("runs an allowed call and blocks a denied one [S3.1, S5.6]", () =>
    Effect.gen(function* () {
      const { sandbox, session } = yield* start(working)
      const result = yield* session.send("Go")
      assert.strictEqual(result.text, "Both tried.")
      assert.isTrue(existsSync(join(sandbox.cwd, "made")))
      yield* session.stop
    })
  )

  for (const way of ["hook", "editor"] as const) {
    run(`has a grouped form answered through its ${way} [Q4.5, Q5.2, Q5.4]`, () =>
      Effect.gen(function* () {
        const { session } = yield* start(asking, { answerThrough: way })
        const turn = yield* Effect.forkScoped(session.send("Ask me"))
        const request = yield* Raised.first(session)
        yield* session.questions.answer(request.id, answersTo(request))
        assert.strictEqual((yield* Fiber.join(turn)).text, "Thank you.")
        yield* session.stop
      })
    )
  }

  run("never takes an empty completion for an answer [Q3.2]", () =>
    Effect.gen(function* () {
      const { session } = yield* start(asking, { faults: { emptyAnswers: true } })
      yield* Effect.forkScoped(Effect.exit(session.send("Ask me")))
      const request = yield* Raised.first(session)
      const failed = yield* Effect.flip(session.questions.answer(request.id, answersTo(request)))
      assert.strictEqual(failed.code, "question_answer_failed")
      yield* session.stop
    })
  )

  run("is prompted again when it swallows a prompt [S3.3]", () =>
    Effect.gen(function* () {
      const { session } = yield* start(working, { faults: { swallowPrompts: 1 } })
      assert.strictEqual((yield* session.send("Go")).text, "Both tried.")
      yield* session.stop
    })
  )

  run("fails the turn when it dies in the middle of a question, and leaves nothing [S2.3, X8, X9]", () =>
    Effect.gen(function* () {
      const { session } = yield* start(asking, { faults: { crashInQuestion: 0 }, answerThrough: "editor" })
      const turn = yield* Effect.forkScoped(Effect.exit(session.send("Ask me")))
      const request = yield* Raised.first(session)
      yield* Effect.flip(session.questions.answer(request.id, answersTo(request)))
      assert.isTrue(Exit.isFailure(yield* Fiber.join(turn)))
    })
  )

  run("is ended though it ignores the signal to end [S2.3, X8]", () =>
    Effect.gen(function* () {
      const { session } = yield* start(working, { faults: { ignoreSignals: true } })
      assert.strictEqual((yield* session.stop).signal, 9)
    })
  )
})
