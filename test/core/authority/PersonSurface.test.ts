import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import {
  PersonSurface,
  race,
  SurfaceLost,
  type Ask,
  type AskVerdict
} from "../../../src/core/authority/PersonSurface.ts"
import { asking } from "../ask/Fixtures.ts"

const ask: Ask = { id: "a", payload: asking("git push"), since: 0 }

/** A surface whose person answers when told, and that notes what it is told when it has to close. */
const make = Effect.fnUntraced(function* (channel: string, present = true) {
  const answer = yield* Deferred.make<AskVerdict, SurfaceLost>()
  const shown = yield* Deferred.make<void>()
  const closed: Array<string | null> = []
  const surface = PersonSurface.of({
    presence: Effect.succeed(present ? "present" : "absent"),
    ask: (ask) =>
      Deferred.succeed(shown, undefined).pipe(
        Effect.andThen(Deferred.await(answer)),
        Effect.onInterrupt(() => Effect.sync(() => void closed.push(ask.answeredBy?.() ?? null)))
      ),
    question: () => Effect.fail(new SurfaceLost({ surface: channel }))
  })
  const says = (verdict: AskVerdict) => Deferred.succeed(answer, verdict)
  return {
    surface,
    shown: Deferred.await(shown),
    closed,
    allow: says({ _tag: "allow", channel }),
    deny: says({ _tag: "deny", channel, reason: "no" }),
    leave: says({ _tag: "cancelled", channel }),
    lose: Deferred.fail(answer, new SurfaceLost({ surface: channel })),
    breakDown: Deferred.die(answer, new Error("broken"))
  }
})

const both = Effect.gen(function* () {
  const here = yield* make("terminal")
  const there = yield* make("web")
  const fiber = yield* Effect.forkChild(race([here.surface, there.surface]).ask(ask))
  yield* here.shown
  yield* there.shown
  return { here, there, fiber }
})

describe("race", () => {
  it.effect("the first answer wins, the other closes and can say who answered [P6.3] [BUG-061]", () =>
    Effect.gen(function* () {
      const { fiber, here, there } = yield* both
      yield* there.deny
      assert.deepStrictEqual(yield* Fiber.join(fiber), { _tag: "deny", channel: "web", reason: "no" })
      assert.deepStrictEqual(here.closed, ["denied by somebody at the web"])
      // An answer that comes later finds nothing to answer.
      yield* here.allow
      assert.deepStrictEqual(there.closed, [])
    })
  )

  it.effect("leaving it on one surface decides nothing while another shows it [P6.3] [P6.2]", () =>
    Effect.gen(function* () {
      const { fiber, here, there } = yield* both
      yield* here.leave
      yield* Effect.repeat(Effect.yieldNow, { times: 20 })
      assert.isUndefined(fiber.pollUnsafe())
      yield* there.allow
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "allow")

      const left = yield* both
      yield* left.here.leave
      yield* left.there.leave
      assert.strictEqual((yield* Fiber.join(left.fiber))._tag, "cancelled")
    })
  )

  it.effect("a surface that is lost or breaks drops out; with none left nobody was reached [A2.5]", () =>
    Effect.gen(function* () {
      const { fiber, here, there } = yield* both
      yield* here.lose
      yield* there.allow
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "allow")

      const gone = yield* both
      yield* gone.here.breakDown
      yield* gone.there.lose
      assert.instanceOf(yield* Effect.flip(Fiber.join(gone.fiber)), SurfaceLost)
    })
  )

  it.effect("shows it where a person is, and withdraws it everywhere at once [A1]", () =>
    Effect.gen(function* () {
      const absent = yield* make("terminal", false)
      const there = yield* make("web")
      const joined = race([absent.surface, there.surface])
      assert.strictEqual(yield* joined.presence, "present")
      const fiber = yield* Effect.forkChild(joined.ask(ask))
      yield* there.shown
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(there.closed, [null])
      assert.strictEqual(yield* race([absent.surface]).presence, "absent")
      assert.instanceOf(yield* Effect.flip(race([absent.surface]).ask(ask)), SurfaceLost)
      const broken = PersonSurface.of({ ...absent.surface, presence: Effect.die("broken") })
      assert.strictEqual(yield* race([broken]).presence, "absent")
    })
  )

  it.effect("races inside races still say who answered [P6.3]", () =>
    Effect.gen(function* () {
      const a = yield* make("terminal")
      const b = yield* make("web")
      const c = yield* make("phone")
      const fiber = yield* Effect.forkChild(race([race([a.surface, b.surface]), c.surface]).ask(ask))
      for (const one of [a, b, c]) yield* one.shown
      yield* c.allow
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(a.closed, ["allowed by somebody at the phone"])
      assert.deepStrictEqual(b.closed, ["allowed by somebody at the phone"])
    })
  )
})
