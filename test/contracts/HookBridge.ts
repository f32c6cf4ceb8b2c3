import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { HookBridge, type HookFault, type HookReply } from "../../src/core/session/HookBridge.ts"

interface Adapter {
  readonly layer: Layer.Layer<HookBridge>
  /** The agent's half: runs a hook command with this text on stdin; interruption ends the process. */
  readonly fire: (
    command: string,
    event: string
  ) => Effect.Effect<{ readonly exitCode: number; readonly stdout: string }>
  /** How many events at once; a process each. */
  readonly burst: number
}

const MIB = 1024 * 1024
const event = (name: string): string => JSON.stringify({ name })

/** What every hook bridge guarantees, whatever carries it. */
export const contract = (adapter: Adapter): void => {
  const { fire } = adapter

  const open = Effect.fnUntraced(function* (handle: (payload: unknown) => Effect.Effect<HookReply>) {
    const bridge = yield* HookBridge
    const faults: Array<HookFault["reason"]> = []
    const endpoint = yield* bridge.open({ handle, onFault: (fault) => void faults.push(fault.reason) })
    return { endpoint, faults }
  })
  const never = () => Effect.never
  const echo = (payload: unknown) => Effect.succeed<HookReply>({ _tag: "json", value: { got: payload } })

  const provided = <A, E>(effect: Effect.Effect<A, E, HookBridge | Scope.Scope>) =>
    Effect.provide(effect, adapter.layer)

  describe("contract", () => {
    it.live("carries an event to the handler and its reply back to stdout [S5.1]", () =>
      Effect.gen(function* () {
        const { endpoint, faults } = yield* open(echo)
        for (const command of [endpoint.command, endpoint.blockingCommand]) {
          const run = yield* fire(command, '{"text":"é ✓ \\u0000","n":[1,2.5,null]}')
          assert.strictEqual(run.exitCode, 0)
          assert.deepStrictEqual(JSON.parse(run.stdout), { got: { text: "é ✓ \u0000", n: [1, 2.5, null] } })
        }
        assert.deepStrictEqual(faults, [])
      }).pipe(provided)
    )

    it.live("a silent reply is success without output [S5.7]", () =>
      Effect.gen(function* () {
        const { endpoint } = yield* open(() => Effect.succeed({ _tag: "silent" }))
        for (const command of [endpoint.command, endpoint.blockingCommand]) {
          const run = yield* fire(command, event("any"))
          assert.deepStrictEqual({ exitCode: run.exitCode, stdout: run.stdout }, { exitCode: 0, stdout: "" })
        }
      }).pipe(provided)
    )

    const circular: Array<unknown> = []
    circular.push(circular)
    const broken: ReadonlyArray<
      readonly [string, () => Effect.Effect<HookReply>, ReadonlyArray<HookFault["reason"]>]
    > = [
      ["a handler that gives no reply", () => Effect.succeed({ _tag: "failed" }), []],
      ["a handler that dies", () => Effect.die(new Error("broken")), ["handler_failed"]],
      [
        "a handler that throws",
        () => {
          throw new Error("broken")
        },
        ["handler_failed"]
      ],
      ["a handler that interrupts itself", () => Effect.interrupt, ["handler_failed"]],
      [
        "a reply that is no JSON",
        () => Effect.succeed({ _tag: "json", value: undefined }),
        ["handler_failed"]
      ],
      [
        "a reply that cannot be printed",
        () => Effect.succeed({ _tag: "json", value: circular }),
        ["handler_failed"]
      ],
      [
        "a reply over the envelope",
        () => Effect.succeed({ _tag: "json", value: "x".repeat(8 * MIB) }),
        ["oversized"]
      ]
    ]
    for (const [name, handle, expected] of broken) {
      it.live(`${name} is no decision, and a block where one is wanted [S5.2] [S5.3]`, () =>
        Effect.gen(function* () {
          const { endpoint, faults } = yield* open(handle)
          const plain = yield* fire(endpoint.command, event("any"))
          assert.deepStrictEqual([plain.exitCode, plain.stdout], [1, ""])
          assert.deepStrictEqual(faults, expected)
          const blocking = yield* fire(endpoint.blockingCommand, event("any"))
          assert.deepStrictEqual([blocking.exitCode, blocking.stdout], [2, ""])
        }).pipe(provided)
      )
    }

    const invalid: ReadonlyArray<readonly [string, string, HookFault["reason"]]> = [
      ["nothing", "", "malformed"],
      ["half an event", '{"name":"an', "malformed"],
      ["two events", "{} {}", "malformed"],
      ["an event over the envelope", `"${"x".repeat(8 * MIB)}"`, "oversized"]
    ]
    for (const [name, text, reason] of invalid) {
      it.live(`${name} reaches no handler and gives one fault without content [S5.3]`, () =>
        Effect.gen(function* () {
          let handled = 0
          const { endpoint, faults } = yield* open(() => {
            handled += 1
            return Effect.succeed({ _tag: "silent" })
          })
          const run = yield* fire(endpoint.command, text)
          assert.deepStrictEqual([run.exitCode, run.stdout], [1, ""])
          assert.deepStrictEqual(faults, [reason])
          assert.strictEqual(handled, 0)
        }).pipe(provided)
      )
    }

    it.live("a large event and a large reply pass whole [S5.1]", () =>
      Effect.gen(function* () {
        const { endpoint } = yield* open(echo)
        const text = "é".repeat(3 * MIB)
        const run = yield* fire(endpoint.command, JSON.stringify(text))
        assert.strictEqual(run.exitCode, 0)
        assert.isTrue(run.stdout === JSON.stringify({ got: text }))
      }).pipe(provided)
    )

    it.live("a fault listener that throws changes nothing for later events", () =>
      Effect.gen(function* () {
        const bridge = yield* HookBridge
        const endpoint = yield* bridge.open({
          handle: echo,
          onFault: () => {
            throw new Error("listener")
          }
        })
        assert.strictEqual((yield* fire(endpoint.command, "no json")).exitCode, 1)
        assert.strictEqual((yield* fire(endpoint.command, event("any"))).exitCode, 0)
      }).pipe(provided)
    )

    it.live("a hook process that goes away interrupts its handler, and that is no fault [S5.1]", () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const interrupted = yield* Deferred.make<void>()
        const { endpoint, faults } = yield* open(() =>
          Deferred.succeed(begun, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
          )
        )
        const hook = yield* Effect.forkChild(fire(endpoint.blockingCommand, event("parked")))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(hook)
        yield* Deferred.await(interrupted)
        assert.deepStrictEqual(faults, [])
      }).pipe(provided)
    )

    it.live("closing ends every parked hook without a decision, and later ones too [S5.2]", () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const begun = yield* Deferred.make<void>()
        let waiting = 0
        let interrupted = 0
        const { endpoint, faults } = yield* open(() => {
          waiting += 1
          return Effect.andThen(
            waiting === 4 ? Deferred.succeed(begun, undefined) : Effect.void,
            Effect.never
          ).pipe(Effect.onInterrupt(() => Effect.sync(() => void (interrupted += 1))))
        }).pipe(Scope.provide(scope))
        const { command, blockingCommand } = endpoint
        const hooks = yield* Effect.forkChild(
          Effect.forEach(
            [command, blockingCommand, command, blockingCommand],
            (line) => fire(line, event("parked")),
            { concurrency: "unbounded" }
          )
        )
        yield* Deferred.await(begun)
        yield* Scope.close(scope, Exit.void)
        const runs = yield* Fiber.join(hooks)
        assert.deepStrictEqual(
          runs.map(({ exitCode }) => exitCode),
          [1, 2, 1, 2]
        )
        assert.isTrue(runs.every(({ stdout }) => stdout === ""))
        assert.strictEqual(interrupted, 4)
        assert.deepStrictEqual(faults, [])
        assert.strictEqual((yield* fire(command, event("after"))).exitCode, 1)
        assert.strictEqual((yield* fire(blockingCommand, event("after"))).exitCode, 2)
      }).pipe(provided)
    )

    it.live("two launches never meet [S5.1]", () =>
      Effect.gen(function* () {
        const first = yield* open(() => Effect.succeed({ _tag: "json", value: "first" }))
        const second = yield* open(() => Effect.succeed({ _tag: "json", value: "second" }))
        assert.strictEqual((yield* fire(first.endpoint.command, "{}")).stdout, '"first"')
        assert.strictEqual((yield* fire(second.endpoint.command, "{}")).stdout, '"second"')
      }).pipe(provided)
    )

    it.live(`${adapter.burst} events at once each get their own reply [S5.1] [X8]`, () =>
      Effect.gen(function* () {
        const all = yield* Deferred.make<void>()
        let waiting = 0
        const { endpoint, faults } = yield* open((payload) => {
          waiting += 1
          return Effect.andThen(
            waiting === adapter.burst ? Deferred.succeed(all, undefined) : Deferred.await(all),
            echo(payload)
          )
        })
        const runs = yield* Effect.forEach(
          Array.from({ length: adapter.burst }, (_, index) => event(`event ${index}`)),
          (text) => fire(endpoint.command, text),
          { concurrency: "unbounded" }
        )
        for (const [index, run] of runs.entries()) {
          assert.deepStrictEqual(JSON.parse(run.stdout), { got: { name: `event ${index}` } })
        }
        assert.deepStrictEqual(faults, [])
      }).pipe(provided)
    )

    it.live("an interrupted opening leaves the bridge usable", () =>
      Effect.gen(function* () {
        const begun = yield* Effect.forkChild(Effect.scoped(Effect.andThen(open(never), Effect.never)))
        yield* Effect.yieldNow
        yield* Fiber.interrupt(begun)
        const { endpoint } = yield* open(echo)
        assert.strictEqual((yield* fire(endpoint.command, "{}")).exitCode, 0)
      }).pipe(provided)
    )
  })
}
