import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import type { SessionGrant } from "../../../src/core/policy/Grant.ts"
import { Grants } from "../../../src/core/policy/Grants.ts"
import * as PathFacts from "../../../src/core/policy/PathFacts.ts"
import * as PolicyEngine from "../../../src/core/policy/PolicyEngine.ts"
import { PolicySource } from "../../../src/core/policy/PolicySource.ts"
import { call } from "../ask/Fixtures.ts"
import { environment, file } from "./Fixtures.ts"

const layer = PolicyEngine.layer(environment).pipe(
  Layer.provide(
    Layer.succeed(
      PolicySource,
      PolicySource.of({ read: Effect.succeed([file({ permission: {} })]), changes: Stream.empty })
    )
  ),
  Layer.provide(
    Layer.succeed(
      PathFacts.PathFacts,
      PathFacts.PathFacts.of({
        resolve: () => Effect.succeed(PathFacts.none),
        scripts: (paths) =>
          Effect.succeed(paths.map((path) => ({ path, digest: "1", text: `text of ${path}` })))
      })
    )
  )
)

const bash = (command: string, over = {}) => call({ input: { command }, cwd: "/project", ...over })

/** Grants all that is offered for a command. */
const grantAll = Effect.fnUntraced(function* (command: string, over: Partial<SessionGrant> = {}) {
  const engine = yield* PolicyEngine.PolicyEngine
  const [first, ...rest] = (yield* engine.offers(bash(command))).map(({ rule }) => rule)
  if (first === undefined) return assert.fail("nothing is offered")
  yield* engine.grant(bash(command), {
    rules: [first, ...rest],
    scope: "requester",
    minutes: null,
    uses: null,
    ...over
  })
})

const action = (command: string, over = {}) =>
  Effect.flatMap(PolicyEngine.PolicyEngine, (engine) =>
    Effect.map(engine.rule(bash(command, over)), (ruling) => ruling.action)
  )

describe("grants of a policy engine", () => {
  it.effect(
    "hold for what was shown, until the session ends, and are written down with a ruling [L5.1] [L5.3]",
    () =>
      Effect.gen(function* () {
        const engine = yield* PolicyEngine.PolicyEngine
        assert.strictEqual(yield* action("git push a"), "ask")
        yield* grantAll("git push a")
        assert.strictEqual(yield* action("git push b"), "allow")
        assert.strictEqual(yield* action("git push b && rm x"), "ask")
        assert.strictEqual(
          yield* action("git push b", { requester: { agentName: "x", sessionId: "s-1", forwarded: false } }),
          "ask"
        )
        const ruling = yield* engine.rule(bash("git push b"))
        assert.deepStrictEqual(
          ruling.basis?.grants.map(({ pattern }) => pattern),
          ["git push *"]
        )
        yield* engine.endSession("s-1")
        assert.strictEqual(yield* action("git push b"), "ask")
        assert.deepStrictEqual(yield* Effect.flatMap(Grants, ({ list }) => list), [])
      }).pipe(Effect.provide(layer))
  )

  it.effect("end by their clock and by their count [L5.1]", () =>
    Effect.gen(function* () {
      const engine = yield* PolicyEngine.PolicyEngine
      yield* grantAll("git push a", { minutes: 10 })
      yield* TestClock.adjust("9 minutes")
      assert.strictEqual(yield* action("git push b"), "allow")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* action("git push b"), "ask")

      yield* grantAll("git push a", { uses: 1 })
      const ruling = yield* engine.rule(bash("git push b"))
      // Asking changes nothing; only a use does.
      assert.strictEqual(yield* action("git push b"), "allow")
      assert.isTrue(yield* engine.spend(bash("git push b"), ruling))
      assert.isFalse(yield* engine.spend(bash("git push b"), ruling))
      assert.strictEqual(yield* action("git push b"), "ask")
    }).pipe(Effect.provide(layer))
  )

  it.effect(
    "end with a call in another mode that is acted upon; one that is only asked about ends nothing [L5.3]",
    () =>
      Effect.gen(function* () {
        const engine = yield* PolicyEngine.PolicyEngine
        yield* grantAll("git push a")
        const planned = bash("git push b", { mode: "plan" })
        const ruling = yield* engine.rule(planned)
        assert.strictEqual(ruling.action, "ask")
        assert.strictEqual(yield* action("git push b"), "allow")
        yield* engine.spend(planned, ruling)
        assert.strictEqual(yield* action("git push b"), "ask")
      }).pipe(Effect.provide(layer))
  )

  it.effect("are not offered to a call without a session [L5.2]", () =>
    Effect.gen(function* () {
      const engine = yield* PolicyEngine.PolicyEngine
      const nobody = { requester: { agentName: null, sessionId: null, forwarded: false } }
      assert.deepStrictEqual(yield* engine.offers(bash("git push", nobody)), [])
    }).pipe(Effect.provide(layer))
  )

  it.effect("the scripts of a call are those that its commands run as code [P1.4] [BUG-072]", () =>
    Effect.gen(function* () {
      const engine = yield* PolicyEngine.PolicyEngine
      const paths = (command: string) =>
        Effect.map(engine.scripts(bash(command)), (scripts) => scripts.map(({ path }) => path))
      assert.deepStrictEqual(yield* paths("sh s.sh a.txt"), ["/project/s.sh"])
      assert.deepStrictEqual(yield* paths("cd sub && ./run && python3 ../x.py"), [
        "/project/sub/run",
        "/project/x.py"
      ])
      assert.deepStrictEqual(yield* paths("cat s.sh"), [])
    }).pipe(Effect.provide(layer))
  )
})
