import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as TestClock from "effect/testing/TestClock"
import * as MemoryJournal from "../../src/adapters/memory/MemoryJournal.ts"
import * as MemoryPersonSurface from "../../src/adapters/memory/MemoryPersonSurface.ts"
import * as Authority from "../../src/core/authority/Authority.ts"
import { PersonSurface, SurfaceLost } from "../../src/core/authority/PersonSurface.ts"
import { Journal, JournalUnavailable } from "../../src/core/journal/Journal.ts"
import type { JournalEntry, Of } from "../../src/core/journal/JournalEntry.ts"
import * as KeptPolicy from "../../src/core/journal/KeptPolicy.ts"
import * as Replay from "../../src/core/journal/Replay.ts"
import * as Verification from "../../src/core/journal/Verification.ts"
import * as PathFacts from "../../src/core/policy/PathFacts.ts"
import * as PolicyEngine from "../../src/core/policy/PolicyEngine.ts"
import { PolicySource } from "../../src/core/policy/PolicySource.ts"
import { QuestionId, RequestId, type QuestionRequest } from "../../src/core/question/QuestionRequest.ts"
import * as Journaling from "../../src/layers/Journaling.ts"
import { call, digests, places } from "../core/journal/Fixtures.ts"
import { file } from "../core/policy/Fixtures.ts"

const permission = { bash: { "*": "ask", "ls *": "allow", "rm *": "deny" } }

const facts = Layer.succeed(PathFacts.PathFacts, {
  resolve: () => Effect.succeed(PathFacts.none),
  scripts: () => Effect.succeed([])
})

interface Setup {
  readonly mode?: "on" | "off" | "required"
  readonly person?: Partial<MemoryPersonSurface.Person>
  readonly journal?: Layer.Layer<Journal>
}

/** An authority, a surface and a journal in memory, under a policy that can be changed. */
const stage = Effect.fnUntraced(function* ({ journal, mode, person }: Setup = {}) {
  const memory = MemoryJournal.make(digests)
  const reported: Array<string> = []
  const policy = (allow: object = permission) => [file({ ...(mode && { journal: mode }), permission: allow })]
  const texts = yield* SubscriptionRef.make(policy())
  const source = Layer.succeed(PolicySource, {
    read: SubscriptionRef.get(texts),
    changes: SubscriptionRef.changes(texts)
  })
  const surface = MemoryPersonSurface.layer({
    presence: Effect.succeed("present"),
    ask: () => Effect.succeed({ _tag: "allow", channel: "terminal" }),
    question: () => Effect.succeed(null),
    ...person
  })
  const layer = Journaling.authority({ node: "node", chain: [] }).pipe(
    Layer.provideMerge(Journaling.surface),
    Layer.provide(surface),
    Layer.provide(Journaling.layer({ report: (error) => Effect.sync(() => reported.push(error.reason)) })),
    Layer.provide(journal ?? memory.layer),
    Layer.provideMerge(PolicyEngine.layer(places)),
    Layer.provide(source),
    Layer.provide(facts)
  )
  const verified = () =>
    Verification.verify(digests.sha256, { whole: true, parts: [{ file: "memory", text: memory.text() }] })
  return {
    memory,
    reported,
    services: yield* Layer.build(layer),
    change: (allow: object) => SubscriptionRef.set(texts, policy(allow)),
    verified,
    entries: () => verified().rows.map(({ entry }) => entry)
  }
})

type Stage = Effect.Success<ReturnType<typeof stage>>

const decide = ({ services }: Stage, command: string) =>
  Authority.Authority.use((authority) => authority.decide(call("Bash", { command }))).pipe(
    Effect.provideContext(services)
  )

const kinds = (entries: ReadonlyArray<JournalEntry>) => entries.map(({ _tag }) => _tag)
const decisions = (entries: ReadonlyArray<JournalEntry>) =>
  entries.filter((entry): entry is Of<"decision"> => entry._tag === "decision")

const scene = (name: string, setup: Setup, play: (stage: Stage) => Effect.Effect<void>) =>
  it.effect(name, () => Effect.flatMap(stage(setup), play).pipe(Effect.scoped))

describe("a journaled authority", () => {
  scene("writes who decided what, on which policy, with every step [A1.1, A4.1]", {}, (stage) =>
    Effect.gen(function* () {
      yield* decide(stage, "ls -l")
      yield* decide(stage, "rm x")
      const { broken, rows } = stage.verified()
      assert.isNull(broken)
      const [allowed, denied] = decisions(rows.map(({ entry }) => entry))
      assert.deepInclude(allowed, { action: "allow", by: { _tag: "rule" }, node: "node", payload: null })
      assert.deepInclude(denied, { action: "deny", denial: "policy" })
      assert.deepStrictEqual(
        denied?.steps.map(({ name, verdict }) => [name, verdict]),
        [["policy", "deny"]]
      )
      assert.deepStrictEqual(allowed?.call.input, { command: "ls -l" })
      const kept = stage.memory.kept.get(allowed?.policy ?? "")
      assert.include(kept, "rm *")
    })
  )

  scene("writes the ask before the person's act, and both before the decision [A4.1]", {}, (stage) =>
    Effect.gen(function* () {
      yield* decide(stage, "git push")
      const entries = stage.entries().filter(({ _tag }) => _tag !== "policy")
      assert.deepStrictEqual(kinds(entries), ["opened", "asked", "human", "decision"])
      const [, asked, human, decision] = entries
      if (asked?._tag !== "asked" || human?._tag !== "human" || decision?._tag !== "decision")
        throw new Error()
      assert.deepInclude(human, { act: "allow", channel: "terminal", ask: asked.ask, shown: asked.payload })
      assert.deepInclude(decision, { ask: asked.ask, payload: asked.payload })
      assert.deepStrictEqual(decision.by, { _tag: "person", channel: "terminal" })
    })
  )

  scene(
    "tells a lost surface and a withdrawn ask from what a person does [A4.1, P3.1]",
    { person: { ask: () => Effect.fail(new SurfaceLost({ surface: "test" })) } },
    (stage) =>
      Effect.gen(function* () {
        yield* decide(stage, "git push")
        assert.deepInclude(
          stage.entries().find(({ _tag }) => _tag === "human"),
          { act: "lost", channel: null }
        )
      })
  )

  it.effect("writes a withdrawn ask [A4.1]", () =>
    Effect.gen(function* () {
      const shown = yield* Deferred.make<void>()
      const set = yield* stage({
        person: { ask: () => Effect.andThen(Deferred.succeed(shown, undefined), Effect.never) }
      })
      const asking = yield* Effect.forkChild(decide(set, "git push"))
      yield* Deferred.await(shown)
      yield* Fiber.interrupt(asking)
      assert.deepInclude(
        set.entries().find(({ _tag }) => _tag === "human"),
        { act: "withdrawn" }
      )
    }).pipe(Effect.scoped)
  )

  scene(
    "writes of a question and its answers that they were these, and nothing of them [Q3.6, X3]",
    {
      person: {
        question: ({ questions }) => Effect.succeed([{ questionId: questions[0].id, text: "ANSWER-MARKER" }])
      }
    },
    (stage) =>
      Effect.gen(function* () {
        const request: QuestionRequest = {
          id: RequestId.make("r-1"),
          agent: "claude",
          delivery: "blocking",
          questions: [
            {
              id: QuestionId.make("q-1"),
              prompt: "QUESTION-MARKER",
              options: [],
              selection: "none",
              textMode: "alternative",
              supportsSecretInput: false
            }
          ]
        }
        yield* PersonSurface.use((surface) => surface.question(request)).pipe(
          Effect.orDie,
          Effect.provideContext(stage.services)
        )
        assert.deepInclude(
          stage.entries().find(({ _tag }) => _tag === "human"),
          { ask: "r-1", act: "answered" }
        )
        assert.notInclude(stage.memory.text(), "MARKER")
      })
  )

  scene("keeps each policy that rules, so that all decisions can be made again [A4.2]", {}, (stage) =>
    Effect.gen(function* () {
      yield* decide(stage, "ls a")
      const engine = yield* PolicyEngine.PolicyEngine.pipe(Effect.provideContext(stage.services))
      const next = yield* Effect.forkChild(Stream.runHead(Stream.drop(engine.changes, 1)))
      yield* Effect.yieldNow
      yield* stage.change({ bash: { "ls *": "deny" } })
      yield* Fiber.join(next)
      yield* decide(stage, "ls a")
      const { rows } = stage.verified()
      const found = rows.flatMap((row) => (row.entry._tag === "decision" ? [{ row, entry: row.entry }] : []))
      assert.deepStrictEqual(
        found.map(({ entry }) => entry.action),
        ["allow", "deny"]
      )
      assert.strictEqual(stage.memory.kept.size, 2)
      for (const { entry, row } of found) {
        const replayed = Replay.replay(row, entry, (kept) =>
          Option.flatMap(Option.fromUndefinedOr(stage.memory.kept.get(kept)), KeptPolicy.read)
        )
        assert.deepStrictEqual(replayed, { _tag: "equal" })
      }
    })
  )

  scene("off: writes nothing [A4.3]", { mode: "off" }, (stage) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* decide(stage, "ls a")).action, "allow")
      yield* decide(stage, "git push")
      assert.strictEqual(stage.memory.text(), "")
    })
  )
})

describe("a journal that fails", () => {
  scene("holds nothing up where it is on, and is reported once [A4.3]", { mode: "on" }, (stage) =>
    Effect.gen(function* () {
      stage.memory.refuse("ENOSPC")
      for (let time = 0; time < 3; time++) assert.strictEqual((yield* decide(stage, "ls a")).action, "allow")
      assert.deepStrictEqual(stage.reported, ["ENOSPC"])
    })
  )

  scene("says how many rows are missing, once it is written again [A4.1]", { mode: "on" }, (stage) =>
    Effect.gen(function* () {
      yield* decide(stage, "ls a")
      stage.memory.refuse("ENOSPC")
      yield* decide(stage, "ls b")
      yield* decide(stage, "ls c")
      stage.memory.refuse(null)
      yield* decide(stage, "ls d")
      assert.deepStrictEqual(
        stage.entries().flatMap((entry) => (entry._tag === "lost" ? [entry.rows] : [])),
        [2]
      )
      assert.isNull(stage.verified().broken)
    })
  )

  scene(
    "where it is required: no row, no allow, and denials stand [A4.3, X2]",
    { mode: "required" },
    (stage) =>
      Effect.gen(function* () {
        const authority = yield* Authority.Authority.pipe(Effect.provideContext(stage.services))
        const heard = yield* Effect.forkChild(Stream.runCollect(Stream.take(authority.decisions, 3)))
        yield* Effect.yieldNow
        stage.memory.refuse("EROFS")
        assert.deepInclude(yield* decide(stage, "ls a"), { action: "deny", denial: "gate_error" })
        assert.deepInclude(yield* decide(stage, "git push"), { action: "deny", denial: "gate_error" })
        assert.deepInclude(yield* decide(stage, "rm x"), { action: "deny", denial: "policy" })
        // The host's bus hears what was released.
        assert.deepStrictEqual(
          Array.from(yield* Fiber.join(heard), ({ decision }) => decision.action),
          ["deny", "deny", "deny"]
        )
        stage.memory.refuse(null)
        assert.strictEqual((yield* decide(stage, "ls a")).action, "allow")
      })
  )

  for (const mode of ["on", "required"] as const) {
    it.effect(`and hangs, is left behind (${mode}) [A4.3, A1.2]`, () =>
      Effect.gen(function* () {
        const set = yield* stage({
          mode,
          journal: Layer.succeed(Journal, {
            append: () => Effect.never,
            keep: () => Effect.succeed("kept"),
            fingerprint: digests.fingerprint
          })
        })
        const first = yield* Effect.forkChild(decide(set, "ls a"))
        yield* TestClock.adjust("3 seconds")
        const expected = mode === "on" ? "allow" : "deny"
        assert.strictEqual((yield* Fiber.join(first)).action, expected)
        // Nobody waits for it a second time.
        assert.strictEqual((yield* decide(set, "ls a")).action, expected)
        assert.deepStrictEqual(set.reported, ["ETIMEDOUT"])
      }).pipe(Effect.scoped)
    )
  }

  it.effect("in a way that nobody thought of, is a row that is not there [A4.3, X2]", () =>
    Effect.gen(function* () {
      const set = yield* stage({
        mode: "required",
        journal: Layer.succeed(Journal, {
          append: () => Effect.die(new Error("bug")),
          keep: () => Effect.fail(new JournalUnavailable({ path: "p", reason: "EIO" })),
          fingerprint: digests.fingerprint
        })
      })
      assert.deepInclude(yield* decide(set, "ls a"), { action: "deny", denial: "gate_error" })
    }).pipe(Effect.scoped)
  )
})
