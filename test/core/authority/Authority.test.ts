import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as MemoryPersonSurface from "../../../src/adapters/memory/MemoryPersonSurface.ts"
import * as Authority from "../../../src/core/authority/Authority.ts"
import {
  DuplicateLink,
  type AuthorizerLink,
  type LinkInput
} from "../../../src/core/authority/AuthorizerLink.ts"
import { SurfaceLost } from "../../../src/core/authority/PersonSurface.ts"
import { PolicyEngine } from "../../../src/core/policy/PolicyEngine.ts"
import type { Ruling } from "../../../src/core/policy/Ruling.ts"
import { allowed, call, ruling, unit } from "../ask/Fixtures.ts"

interface Setup {
  readonly rule?: Effect.Effect<Ruling>
  readonly engine?: Partial<PolicyEngine["Service"]>
  readonly person?: Partial<MemoryPersonSurface.Person>
  readonly options?: Partial<Authority.Options>
}

const layer = ({ engine, options, person, rule }: Setup = {}) =>
  Authority.layer({ node: "s-1", chain: [], ...options }).pipe(
    Layer.provide(
      Layer.mock(PolicyEngine, {
        rule: () => rule ?? Effect.succeed(ruling()),
        spend: () => Effect.succeed(true),
        ...engine
      })
    ),
    Layer.provide(
      MemoryPersonSurface.layer({
        presence: Effect.succeed("present"),
        ask: () => Effect.succeed({ _tag: "allow", channel: "terminal" }),
        question: () => Effect.succeed(null),
        ...person
      })
    )
  )

const link = (name: string, authorize: AuthorizerLink["authorize"]): AuthorizerLink => ({
  name,
  modelGenerated: false,
  authorize
})

/** One decision with these links registered. */
const decide = (setup: Setup, ...links: ReadonlyArray<AuthorizerLink>) =>
  Effect.gen(function* () {
    const authority = yield* Authority.Authority
    for (const one of links) yield* authority.register(one)
    return yield* authority.decide(call())
  }).pipe(Effect.provide(layer(setup)), Effect.scoped)

/** An effect that never ends, and one that ends once it has begun and whoever waits for it has set a timer. */
const hanging = Effect.gen(function* () {
  const begun = yield* Deferred.make<void>()
  return {
    effect: Effect.andThen(Deferred.succeed(begun, undefined), Effect.never),
    hangs: Effect.andThen(Deferred.await(begun), Effect.repeat(Effect.yieldNow, { times: 20 }))
  }
})

const ALLOW = { _tag: "allow" } as const
const DENY = { _tag: "deny", reason: "too broad" } as const
const DEFER = { _tag: "defer" } as const

describe("Authority", () => {
  it.effect("policy's allow and deny end it, and nobody is asked [A1]", () =>
    Effect.gen(function* () {
      const person = { presence: Effect.die("asked"), ask: () => Effect.die("asked") }
      const allow = yield* decide({
        person,
        rule: Effect.succeed(ruling({ action: "allow", units: [allowed("ls")] }))
      })
      assert.deepInclude(allow, { action: "allow", by: { _tag: "rule" }, denial: null })
      const denied = unit("rm", { winner: { ...unit("").winner, action: "deny", reason: "never" } })
      const deny = yield* decide({
        person,
        rule: Effect.succeed(ruling({ action: "deny", units: [denied] }))
      })
      assert.deepInclude(deny, { action: "deny", by: { _tag: "rule" }, denial: "policy", reason: "never" })
    })
  )

  it.effect("an allow that rests on a grant says so [A1.1]", () =>
    Effect.gen(function* () {
      const granted = unit("git push", { winner: { ...unit("").winner, action: "allow", scope: "grant" } })
      const decision = yield* decide({
        rule: Effect.succeed(ruling({ action: "allow", units: [allowed("ls"), granted] }))
      })
      assert.deepStrictEqual(decision.by, { _tag: "grant" })
    })
  )

  it.effect(
    "asks a person about the whole call, and says who decided where and how long each step took [A1] [A1.1]",
    () =>
      Effect.gen(function* () {
        const asked = yield* Deferred.make<string>()
        const decision = yield* decide({
          person: {
            ask: (ask) =>
              Effect.as(Deferred.succeed(asked, ask.payload.request.units[0].value), {
                _tag: "allow",
                channel: "terminal"
              } as const)
          }
        })
        assert.strictEqual(yield* Deferred.await(asked), "git push --force")
        assert.deepInclude(decision, {
          action: "allow",
          by: { _tag: "person", channel: "terminal" },
          denial: null,
          node: "s-1"
        })
        assert.deepStrictEqual(
          decision.steps.map(({ name, verdict }) => [name, verdict]),
          [
            ["policy", "ask"],
            ["presence", "present"],
            ["person", "allow"],
            ["approval", "stands"]
          ]
        )
        assert.isTrue(decision.steps.every(({ latencyMs }) => latencyMs >= 0))
      })
  )

  it.effect("a person's reason is theirs, but for outer blanks; a blank one is none [A1.3]", () =>
    Effect.gen(function* () {
      const deny = (reason: string) =>
        decide({ person: { ask: () => Effect.succeed({ _tag: "deny", reason, channel: "terminal" }) } })
      assert.strictEqual((yield* deny("  use\n  a  branch ")).reason, "use\n  a  branch")
      assert.strictEqual((yield* deny("  ")).reason, null)
    })
  )

  it.effect("tells the ends of an ask apart: cancelled, lost, absent, timed out [P3.1] [A2.5]", () =>
    Effect.gen(function* () {
      const cancelled = yield* decide({
        person: { ask: () => Effect.succeed({ _tag: "cancelled", channel: "terminal" }) }
      })
      assert.deepInclude(cancelled, { action: "deny", denial: "cancelled", reason: null })
      const lost = yield* decide({
        person: { ask: () => Effect.fail(new SurfaceLost({ surface: "terminal" })) }
      })
      assert.deepInclude(lost, { action: "deny", by: { _tag: "unavailable" }, denial: "unavailable" })
      const absent = yield* decide({
        person: { presence: Effect.succeed("absent"), ask: () => Effect.die("asked") }
      })
      assert.deepInclude(absent, { action: "deny", by: { _tag: "unavailable" }, denial: "unavailable" })
      const person = yield* hanging
      const late = yield* Effect.forkChild(
        decide({ person: { ask: () => person.effect }, options: { askTimeout: "10 minutes" } })
      )
      yield* person.hangs
      yield* TestClock.adjust("10 minutes")
      assert.deepInclude(yield* Fiber.join(late), { action: "deny", denial: "timed_out" })
    })
  )

  it.effect("looks for the person anew for each ask [A1]", () =>
    Effect.gen(function* () {
      const presence = yield* Ref.make<"present" | "absent">("absent")
      yield* Effect.gen(function* () {
        const authority = yield* Authority.Authority
        assert.strictEqual((yield* authority.decide(call())).denial, "unavailable")
        yield* Ref.set(presence, "present")
        assert.strictEqual((yield* authority.decide(call())).action, "allow")
      }).pipe(Effect.provide(layer({ person: { presence: Ref.get(presence) } })))
    })
  )

  it.effect("whatever breaks inside denies with gate_error and never allows [A1.2]", () =>
    Effect.gen(function* () {
      const ask = () => Effect.succeed({ _tag: "allow", channel: "terminal" } as const)
      for (const setup of [
        { rule: Effect.die(new Error("boom")) },
        { rule: Effect.interrupt },
        { rule: Effect.sync((): Ruling => JSON.parse("{}")) },
        { person: { ask: () => Effect.die("boom") } },
        { person: { ask: () => Effect.interrupt } },
        { person: { ask: (): ReturnType<typeof ask> => JSON.parse("1") } }
      ]) {
        const decision = yield* decide(setup)
        assert.deepInclude(decision, { action: "deny", by: { _tag: "gate_error" }, denial: "gate_error" })
      }
    })
  )

  it.effect("a presence that breaks or hangs reaches nobody [A1.2] [A2.5]", () =>
    Effect.gen(function* () {
      const broken = yield* decide({ person: { presence: Effect.die("boom") } })
      assert.strictEqual(broken.denial, "unavailable")
      const presence = yield* hanging
      const hung = yield* Effect.forkChild(
        decide({ person: { presence: Effect.uninterruptible(presence.effect) } })
      )
      yield* presence.hangs
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(hung)).denial, "unavailable")
    })
  )

  it.effect("never hangs on policy, not even on one that resists interruption [A1.2]", () =>
    Effect.gen(function* () {
      const policy = yield* hanging
      const fiber = yield* Effect.forkChild(decide({ rule: Effect.uninterruptible(policy.effect) }))
      yield* policy.hangs
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(fiber)).denial, "gate_error")
    })
  )

  it.effect(
    "links run in the configured order; allow and deny end the chain, defer goes on [A2.1] [A2.2]",
    () =>
      Effect.gen(function* () {
        const ran: Array<string> = []
        const says = (name: string, verdict: unknown) =>
          link(name, () =>
            Effect.sync(() => {
              ran.push(name)
              return verdict
            })
          )
        const options = { chain: ["a", "b", "c"] }
        const decision = yield* decide(
          { options },
          says("c", ALLOW),
          says("b", DENY),
          says("a", DEFER),
          says("d", ALLOW)
        )
        assert.deepStrictEqual(ran, ["a", "b"])
        assert.deepInclude(decision, {
          action: "deny",
          by: { _tag: "link", name: "b", modelGenerated: false },
          denial: "link",
          reason: "too broad"
        })
        const allow = yield* decide({ options, person: { ask: () => Effect.die("asked") } }, says("a", ALLOW))
        assert.deepInclude(allow, { action: "allow", by: { _tag: "link", name: "a", modelGenerated: false } })
      })
  )

  it.effect("a link that the chain names twice is asked once [A3.4]", () =>
    Effect.gen(function* () {
      let asked = 0
      const judge = link("a", () =>
        Effect.sync(() => {
          asked += 1
          return DEFER
        })
      )
      yield* decide({ options: { chain: ["a", "b", "a"] } }, judge)
      assert.strictEqual(asked, 1)
    })
  )

  it.effect("registering alone grants nothing; a missing name is skipped and reported once [A2.2]", () =>
    Effect.gen(function* () {
      const rows: Array<Authority.LinkRow> = []
      const log = (row: Authority.LinkRow) => Effect.sync(() => void rows.push(row))
      yield* Effect.gen(function* () {
        const authority = yield* Authority.Authority
        yield* authority.register(link("unlisted", () => Effect.die("ran")))
        for (let turn = 0; turn < 3; turn++) {
          assert.strictEqual((yield* authority.decide(call())).by._tag, "person")
        }
      }).pipe(Effect.provide(layer({ options: { chain: ["judge"], log } })), Effect.scoped)
      assert.deepStrictEqual(
        rows.map(({ link }) => link),
        ["judge"]
      )
    })
  )

  it.effect("a name is taken for its scope's life, and refused to a second link [A2.2]", () =>
    Effect.gen(function* () {
      const authority = yield* Authority.Authority
      const scope = yield* Scope.make()
      const judge = link("judge", () => Effect.succeed(DEFER))
      yield* Scope.provide(authority.register(judge), scope)
      const failure = yield* Effect.flip(authority.register(judge))
      assert.instanceOf(failure, DuplicateLink)
      assert.strictEqual(failure.name, "judge")
      yield* Scope.close(scope, Exit.void)
      yield* authority.register(judge)
    }).pipe(Effect.provide(layer()), Effect.scoped)
  )

  it.effect("a link that fails, dies, interrupts itself or returns junk defers, with a row [A2.3]", () =>
    Effect.gen(function* () {
      for (const authorize of [
        () => Effect.fail("no"),
        () => Effect.die("boom"),
        () => Effect.interrupt,
        () => Effect.succeed({ _tag: "allow", forever: true }),
        () => Effect.succeed({ _tag: "unavailable" }),
        () => Effect.succeed("allow"),
        () => Effect.void,
        () => {
          throw new Error("boom")
        }
      ] satisfies ReadonlyArray<AuthorizerLink["authorize"]>) {
        const rows: Array<Authority.LinkRow> = []
        const decision = yield* decide(
          { options: { chain: ["a"], log: (row) => Effect.sync(() => void rows.push(row)) } },
          link("a", authorize)
        )
        assert.strictEqual(decision.by._tag, "person")
        assert.strictEqual(rows.length, 1)
      }
    })
  )

  it.effect(
    "a link that overruns defers after its time-out, even one that resists interruption [A2.3] [A1.2]",
    () =>
      Effect.gen(function* () {
        for (const wrap of [Effect.interruptible, Effect.uninterruptible]) {
          const judge = yield* hanging
          const hung = link("a", () => wrap(judge.effect))
          const fiber = yield* Effect.forkChild(decide({ options: { chain: ["a"] } }, hung))
          yield* judge.hangs
          yield* TestClock.adjust("29 seconds")
          assert.isUndefined(fiber.pollUnsafe())
          yield* TestClock.adjust("1 second")
          const decision = yield* Fiber.join(fiber)
          assert.strictEqual(decision.by._tag, "person")
          assert.deepInclude(decision.steps[1], { name: "link a", verdict: "defer", latencyMs: 30_000 })
        }
      })
  )

  it.effect("a link sees the projection, may ask policy, may log; nothing else [A2.1] [A2.6]", () =>
    Effect.gen(function* () {
      const rows: Array<Authority.LinkRow> = []
      const inputs: Array<LinkInput> = []
      yield* decide(
        { options: { chain: ["a"], log: (row) => Effect.sync(() => void rows.push(row)) } },
        link("a", (input) =>
          Effect.gen(function* () {
            inputs.push(input)
            assert.strictEqual((yield* input.query(call())).action, "ask")
            yield* input.log("looked at it")
            return DEFER
          })
        )
      )
      assert.deepStrictEqual(Object.keys(inputs[0] ?? {}).toSorted(), ["details", "log", "query"])
      assert.strictEqual(inputs[0]?.details.fullCommand, "git push --force")
      assert.notInclude(JSON.stringify(inputs[0]?.details), "Push it")
      assert.deepStrictEqual(
        rows.map(({ link, note }) => [link, note]),
        [["a", "looked at it"]]
      )
    })
  )

  it.effect("a link's rows name the decision that they belong to [A4.1]", () =>
    Effect.gen(function* () {
      const rows: Array<Authority.LinkRow> = []
      const decided: Array<string> = []
      yield* decide(
        {
          options: {
            chain: ["a", "missing"],
            log: (row) => Effect.sync(() => void rows.push(row)),
            record: ({ id }) => Effect.sync(() => decided.push(id) > 0)
          }
        },
        link("a", ({ log }) => Effect.as(log("looked at it"), DEFER))
      )
      assert.lengthOf(rows, 2)
      assert.deepStrictEqual([...new Set(rows.map(({ ask }) => ask))], decided)
    })
  )

  it.effect("a journal that fails does not change a decision [A1.2]", () =>
    Effect.gen(function* () {
      const decision = yield* decide(
        { options: { chain: ["a", "missing"], log: () => Effect.die("disk") } },
        link("a", () => Effect.fail("no"))
      )
      assert.strictEqual(decision.by._tag, "person")
    })
  )

  it.effect("a journal that hangs does not hold a decision [A1.2]", () =>
    Effect.gen(function* () {
      const journal = yield* hanging
      const fiber = yield* Effect.forkChild(
        decide({ options: { chain: ["missing"], log: () => Effect.uninterruptible(journal.effect) } })
      )
      yield* journal.hangs
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).by._tag, "person")
    })
  )

  it.effect("a link's allow outside the envelope goes on to the person [A2.4]", () =>
    Effect.gen(function* () {
      const decision = yield* decide(
        {
          rule: Effect.succeed(ruling({ units: [unit("/etc/x", { surface: "external_directory_write" })] })),
          options: { chain: ["a"] }
        },
        link("a", () => Effect.succeed(ALLOW))
      )
      assert.strictEqual(decision.by._tag, "person")
    })
  )

  it.effect("interruption withdraws the ask, and waits until it has left the screen [A1]", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const up = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        decide({
          person: {
            ask: () =>
              Deferred.succeed(up, undefined).pipe(
                Effect.andThen(Effect.never),
                Effect.onInterrupt(() => Effect.sync(() => events.push("withdrawn")))
              )
          }
        })
      )
      yield* Deferred.await(up)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(events, ["withdrawn"])
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    })
  )

  it.effect("several asks wait for one another and each gets its own answer [BUG-058] [BUG-059]", () =>
    Effect.gen(function* () {
      const authority = yield* Authority.Authority
      const decisions = yield* Effect.forEach(["a", "b", "c"], (tool) => authority.decide(call({ tool })), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        decisions.map(({ reason }) => reason),
        ["a", "b", "c"]
      )
    }).pipe(
      Effect.provide(
        layer({
          person: {
            ask: ({ payload }) =>
              Effect.succeed({ _tag: "deny", reason: payload.request.toolName, channel: "terminal" })
          }
        })
      )
    )
  )

  it.effect("every decision is broadcast with its call and payload [A1.1]", () =>
    Effect.gen(function* () {
      const authority = yield* Authority.Authority
      const seen = yield* Effect.forkChild(Stream.runCollect(Stream.take(authority.decisions, 1)), {
        startImmediately: true
      })
      yield* Effect.yieldNow
      const decision = yield* authority.decide(call())
      const [decided] = yield* Fiber.join(seen)
      assert.deepStrictEqual(decided?.decision, decision)
      assert.deepStrictEqual(decided?.call, call())
      assert.strictEqual(decided?.payload?.request.toolName, "Bash")
    }).pipe(Effect.provide(layer()))
  )
})
