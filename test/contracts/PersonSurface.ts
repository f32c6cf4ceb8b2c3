import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as PersonSurface from "../../src/core/authority/PersonSurface.ts"
import {
  OptionId,
  QuestionId,
  RequestId,
  type QuestionRequest
} from "../../src/core/question/QuestionRequest.ts"
import { asking, offerOf } from "../core/ask/Fixtures.ts"

/** A surface and the person in front of it. Each act is done on what is shown at that moment. */
export interface Harness {
  readonly surface: PersonSurface.PersonSurface["Service"]
  /** Waits until this text is in front of the person, and can be answered. */
  readonly shows: (text: string) => Effect.Effect<void>
  /** Waits until it no longer is. */
  readonly hides: (text: string) => Effect.Effect<void>
  readonly isShown: (text: string) => boolean
  readonly setPresent: (present: boolean) => void
  readonly allow: Effect.Effect<void>
  /** Allows, and for the session everything that is offered, for whoever asked alone. */
  readonly allowSession: Effect.Effect<void>
  readonly deny: Effect.Effect<void>
  readonly denyWith: (reason: string) => Effect.Effect<void>
  readonly leave: Effect.Effect<void>
  /** Answers a question with its first option. */
  readonly answerFirst: Effect.Effect<void>
  /** The surface is gone: a closed window. */
  readonly hangUp: Effect.Effect<void>
}

const ask = (command: string): PersonSurface.Ask => ({ id: command, payload: asking(command), since: 0 })

const request: QuestionRequest = {
  id: RequestId.make("r"),
  agent: "claude",
  delivery: "blocking",
  questions: [
    {
      id: QuestionId.make("q"),
      prompt: "Which colour?",
      options: [
        { id: OptionId.make("red"), label: "Red" },
        { id: OptionId.make("green"), label: "Green" }
      ],
      selection: "single",
      textMode: "none",
      supportsSecretInput: false
    }
  ]
}

/** What every surface guarantees, wherever the person sits. */
export const contract = (open: Effect.Effect<Harness, never, Scope.Scope>): void => {
  describe("contract", () => {
    it.live("says whether a person is there, each time anew [A1]", () =>
      Effect.gen(function* () {
        const person = yield* open
        person.setPresent(true)
        assert.strictEqual(yield* person.surface.presence, "present")
        person.setPresent(false)
        assert.strictEqual(yield* person.surface.presence, "absent")
      }).pipe(Effect.scoped)
    )

    it.live("hands back what the person decided, and on which channel [A1.1]", () =>
      Effect.gen(function* () {
        const person = yield* open
        const decide = Effect.fnUntraced(function* (command: string, act: Effect.Effect<void>) {
          const fiber = yield* Effect.forkChild(person.surface.ask(ask(command)))
          yield* person.shows(command)
          yield* act
          const verdict = yield* Fiber.join(fiber)
          assert.notStrictEqual(verdict.channel, "")
          return verdict
        })
        assert.deepInclude(yield* decide("git push a", person.allow), { _tag: "allow" })
        assert.deepInclude(yield* decide("git push b", person.deny), { _tag: "deny", reason: null })
        assert.deepInclude(yield* decide("git push c", person.leave), { _tag: "cancelled" })
      }).pipe(Effect.scoped)
    )

    it.live("hands a typed reason on unchanged [A1.3]", () =>
      Effect.gen(function* () {
        const person = yield* open
        const fiber = yield* Effect.forkChild(person.surface.ask(ask("git push")))
        yield* person.shows("git push")
        yield* person.denyWith("use a branch;  é漢 'x'")
        assert.deepInclude(yield* Fiber.join(fiber), { _tag: "deny", reason: "use a branch;  é漢 'x'" })
      }).pipe(Effect.scoped)
    )

    it.live("shows one ask at a time; each gets its own answer [BUG-058] [BUG-059]", () =>
      Effect.gen(function* () {
        const person = yield* open
        const first = yield* Effect.forkChild(person.surface.ask(ask("git push a")), {
          startImmediately: true
        })
        yield* person.shows("git push a")
        const second = yield* Effect.forkChild(person.surface.ask(ask("git push b")), {
          startImmediately: true
        })
        assert.isFalse(person.isShown("git push b"))
        yield* person.deny
        yield* person.shows("git push b")
        assert.deepInclude(yield* Fiber.join(first), { _tag: "deny" })
        yield* person.allow
        assert.deepInclude(yield* Fiber.join(second), { _tag: "allow" })
      }).pipe(Effect.scoped)
    )

    it.live("interruption withdraws what is shown, and the next comes up [BUG-068]", () =>
      Effect.gen(function* () {
        const person = yield* open
        const first = yield* Effect.forkChild(person.surface.ask(ask("git push a")))
        yield* person.shows("git push a")
        const second = yield* Effect.forkChild(person.surface.ask(ask("git push b")))
        yield* Fiber.interrupt(first)
        yield* person.shows("git push b")
        yield* person.deny
        assert.deepInclude(yield* Fiber.join(second), { _tag: "deny" })
      }).pipe(Effect.scoped)
    )

    it.live("an ask that is withdrawn while it waits is never shown", () =>
      Effect.gen(function* () {
        const person = yield* open
        const first = yield* Effect.forkChild(person.surface.ask(ask("git push a")), {
          startImmediately: true
        })
        yield* person.shows("git push a")
        const second = yield* Effect.forkChild(person.surface.ask(ask("git push b")), {
          startImmediately: true
        })
        const third = yield* Effect.forkChild(person.surface.ask(ask("git push c")), {
          startImmediately: true
        })
        yield* Fiber.interrupt(second)
        yield* person.deny
        yield* person.shows("git push c")
        assert.isFalse(person.isShown("git push b"))
        yield* person.deny
        yield* Fiber.joinAll([first, third])
      }).pipe(Effect.scoped)
    )

    it.live(
      "hands on what the person allowed for the session, and nothing where they did not [P6.2] [L5.1]",
      () =>
        Effect.gen(function* () {
          const person = yield* open
          const offers = [offerOf("git push")]
          const given = yield* Effect.forkChild(person.surface.ask({ ...ask("git push a"), offers }))
          yield* person.shows("git push a")
          yield* person.allowSession
          assert.deepInclude(yield* Fiber.join(given), {
            _tag: "allow",
            grant: { rules: [offers[0]!.rule], scope: "requester", minutes: null, uses: null }
          })
          for (const act of [person.allow, person.deny, person.leave]) {
            const fiber = yield* Effect.forkChild(person.surface.ask({ ...ask("git push b"), offers }))
            yield* person.shows("git push b")
            yield* act
            assert.notProperty(yield* Fiber.join(fiber), "grant")
          }
        }).pipe(Effect.scoped)
    )

    it.live("two surfaces may show one ask: the first answer wins, the other closes [P6.3]", () =>
      Effect.gen(function* () {
        const here = yield* open
        const there = yield* open
        const both = PersonSurface.race([here.surface, there.surface])
        const fiber = yield* Effect.forkChild(both.ask(ask("git push")))
        yield* here.shows("git push")
        yield* there.shows("git push")
        yield* there.allow
        assert.deepInclude(yield* Fiber.join(fiber), { _tag: "allow" })
        yield* here.hides("git push")
      }).pipe(Effect.scoped)
    )

    it.live("a surface that is lost says so, and decides nothing [A2.5]", () =>
      Effect.gen(function* () {
        const person = yield* open
        const fiber = yield* Effect.forkChild(person.surface.ask(ask("git push")))
        yield* person.shows("git push")
        yield* person.hangUp
        const exit = yield* Fiber.await(fiber)
        assert.isTrue(Exit.isFailure(exit))
        assert.strictEqual((yield* Effect.flip(Fiber.join(fiber)))._tag, "SurfaceLost")
      }).pipe(Effect.scoped)
    )

    it.live("takes a person's answer to a question, or that they leave it [Q3.7]", () =>
      Effect.gen(function* () {
        const person = yield* open
        const answered = yield* Effect.forkChild(person.surface.question(request))
        yield* person.shows("Which colour?")
        yield* person.answerFirst
        assert.deepStrictEqual(yield* Fiber.join(answered), [
          { questionId: QuestionId.make("q"), optionIds: [OptionId.make("red")] }
        ])
        const left = yield* Effect.forkChild(person.surface.question(request))
        yield* person.shows("Which colour?")
        yield* person.leave
        assert.isNull(yield* Fiber.join(left))
      }).pipe(Effect.scoped)
    )
  })
}
