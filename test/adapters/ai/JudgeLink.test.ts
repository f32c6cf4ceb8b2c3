import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import * as JudgeLink from "../../../src/adapters/ai/JudgeLink.ts"
import type { Lifecycle } from "../../../src/core/authority/JudgeOwner.ts"
import type { JudgeMode } from "../../../src/core/authority/JudgeVerdict.ts"
import * as Script from "../../../src/layers/testing/Script.ts"
import { allowed, call, ruling, unit } from "../../core/ask/Fixtures.ts"
import { child, root, rulingOn, said } from "../../core/authority/JudgeFixtures.ts"
import * as Judges from "./Judges.ts"

const enforce = (over: Partial<Extract<JudgeMode, { _tag: "enforce" }>["budget"]> = {}): JudgeMode => ({
  _tag: "enforce",
  budget: { surfaces: ["bash"], allowsPerHour: 100, ...over }
})

const bash = (command: string) => call({ input: { command } })

const script = Judges.scripted({
  yes: [Judges.verdict("allow")],
  no: [Judges.verdict("deny")],
  unsure: [Judges.verdict("defer")],
  slow: [Script.reply(Script.gate("slow"), ...Judges.verdict("allow").blocks)]
})

describe("JudgeLink registers", () => {
  it.effect("only from a root with a person and a session [A3.1]", () =>
    Effect.gen(function* () {
      const contexts: ReadonlyArray<Lifecycle> = [
        { ...root, hasUI: false },
        { ...root, subagent: true },
        { ...root, sessionId: null },
        { ...root, sessionId: "unknown" }
      ]
      for (const lifecycle of contexts) {
        const judge = yield* Judges.bench(script, {
          mode: enforce(),
          options: { lifecycle: Effect.succeed(lifecycle) }
        })
        assert.strictEqual(judge.registered, "not_root")
        assert.strictEqual((yield* judge.decide(bash("SCRIPT:yes"))).by._tag, "person")
        assert.deepStrictEqual(yield* judge.model.recorded, [])
      }
    }).pipe(Effect.scoped)
  )

  it.effect(
    "an in-process child neither replaces nor doubles the root's link, and nothing fails [A3.1]",
    () =>
      Effect.gen(function* () {
        const judge = yield* Judges.bench(script, { mode: enforce() })
        const again = (lifecycle: Lifecycle) =>
          JudgeLink.register({
            lifecycle: Effect.succeed(lifecycle),
            conversation: Effect.die("the child's conversation was read"),
            mode: enforce()
          }).pipe(Effect.provide(judge.services))
        assert.strictEqual(yield* again({ ...root, subagent: true, sessionId: "s-2" }), "not_root")
        assert.strictEqual(yield* again({ ...root, sessionId: "s-2" }), "name_taken")
        assert.strictEqual((yield* judge.decide(bash("SCRIPT:yes"))).by._tag, "link")
        assert.lengthOf(yield* judge.predictions, 1)
      }).pipe(Effect.scoped)
  )
})

describe("JudgeLink judges", () => {
  it.effect.each(Judges.PROVIDER_NAMES)("by %s: good verdicts count as they are [A3.6]", (provider) =>
    Effect.gen(function* () {
      const judge = yield* Judges.bench(script, { provider, mode: enforce() })
      const yes = yield* judge.decide(bash("SCRIPT:yes"))
      assert.deepInclude(yes, { action: "allow", by: { _tag: "link", name: "judge", modelGenerated: true } })
      const no = yield* judge.decide(bash("SCRIPT:no"))
      assert.deepInclude(no, { action: "deny", denial: "link", reason: "because" })
      const unsure = yield* judge.decide(bash("SCRIPT:unsure"))
      assert.strictEqual(unsure.by._tag, "person")
      assert.deepStrictEqual(
        judge.rows.map(({ heldBy, prediction, verdict }) => [prediction, verdict, heldBy]),
        [
          ["allow", "allow", null],
          ["deny", "deny", null],
          ["defer", "defer", null]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("in shadow by default: it predicts, logs and defers [A3.6]", () =>
    Effect.gen(function* () {
      const judge = yield* Judges.bench(script)
      for (const command of ["SCRIPT:yes", "SCRIPT:no"]) {
        assert.strictEqual((yield* judge.decide(bash(command))).by._tag, "person")
      }
      assert.deepStrictEqual(
        judge.rows.map(({ heldBy, prediction, verdict }) => [prediction, verdict, heldBy]),
        [
          ["allow", "defer", "shadow"],
          ["deny", "defer", "shadow"]
        ]
      )
      assert.lengthOf(yield* judge.model.recorded, 2, "a shadow needs no canary")
    }).pipe(Effect.scoped)
  )

  it.effect("on the conversation of its root, and writes a row without a word of anybody [A3.6] [X3]", () =>
    Effect.gen(function* () {
      const judge = yield* Judges.bench(script, {
        options: { conversation: Effect.succeed([said("m-1", "MARKER-PERSON"), said("m-2", "go on")]) }
      })
      yield* judge.decide(bash("SCRIPT:no MARKER-COMMAND"))
      const [request] = yield* judge.predictions
      assert.include(JSON.stringify(request?.body), "MARKER-PERSON")
      const [row] = judge.rows
      assert.deepInclude(row, {
        judge: "shadow",
        origin: "local",
        surfaces: ["bash"],
        model: "judge-1",
        provider: judge.model.url,
        absence: null,
        evidenceIds: ["m-1", "m-2"]
      })
      assert.match(row?.promptHash ?? "", /^[0-9a-f]{64}$/)
      assert.isAtLeast(row?.latencyMs ?? -1, 0)
      assert.lengthOf(judge.notes, 1)
      assert.notInclude(judge.notes[0], "MARKER")
      assert.notInclude(judge.notes[0], "because")
      assert.notInclude(judge.notes[0], Judges.KEY)
    }).pipe(Effect.scoped)
  )

  it.effect("one ask makes one prediction, and policy's own verdict none [A3.4]", () =>
    Effect.gen(function* () {
      const denied = unit("x", { winner: { ...unit("").winner, action: "deny" } })
      const rulings = [
        ruling({ action: "allow", units: [allowed("x")] }),
        ruling({ action: "deny", units: [denied] }),
        rulingOn("SCRIPT:unsure")
      ]
      const judge = yield* Judges.bench(script, {
        mode: enforce(),
        authority: { chain: ["judge", "judge"] },
        rule: () => rulings.shift() ?? rulingOn("SCRIPT:yes")
      })
      // Forwarded asks take the same way: the serving node's own policy comes first.
      const asked = call({ requester: child })
      assert.strictEqual((yield* judge.decide(asked)).by._tag, "rule")
      assert.strictEqual((yield* judge.decide(asked)).by._tag, "rule")
      assert.lengthOf(yield* judge.predictions, 0)
      assert.strictEqual((yield* judge.decide(asked)).by._tag, "person")
      assert.lengthOf(yield* judge.predictions, 1)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a forwarded ask as the serving root's, and allows it only for a named subagent [A3.2] [A3.6]",
    () =>
      Effect.gen(function* () {
        const asked = call({ input: { command: "SCRIPT:yes" }, requester: child })
        const plain = yield* Judges.bench(script, { mode: enforce() })
        assert.strictEqual((yield* plain.decide(asked)).by._tag, "person")
        assert.deepInclude(plain.rows[0], { prediction: "allow", verdict: "defer", heldBy: "forwarded" })
        const [request] = yield* plain.predictions
        const text = JSON.stringify(request?.body)
        assert.include(text, String.raw`\"owner\":\"serving_root\",\"sessionId\":\"s-1\"`)
        assert.include(text, String.raw`\"sessionId\":\"s-2\",\"agentName\":\"reviewer\"`)
        const opted = yield* Judges.bench(script, { mode: enforce({ forwardedAgents: ["reviewer"] }) })
        assert.strictEqual((yield* opted.decide(asked)).by._tag, "link")
        const denies = yield* Judges.bench(script, { mode: enforce() })
        const denied = yield* denies.decide({ ...asked, input: { command: "SCRIPT:no" } })
        assert.strictEqual(denied.denial, "link")
      }).pipe(Effect.scoped)
  )

  it.effect("nothing where the provenance of a forwarded ask is lost [A3.3]", () =>
    Effect.gen(function* () {
      const judge = yield* Judges.bench(script, { mode: enforce({ forwardedAgents: ["reviewer", ""] }) })
      for (const lost of [
        { sessionId: null },
        { sessionId: " " },
        { agentName: null },
        { agentName: "unknown" }
      ]) {
        const decision = yield* judge.decide(
          call({ input: { command: "SCRIPT:yes" }, requester: { ...child, ...lost } })
        )
        assert.strictEqual(decision.by._tag, "person")
      }
      assert.lengthOf(yield* judge.predictions, 0)
      assert.deepStrictEqual(
        judge.rows.map(({ absence, prediction, promptHash }) => `${prediction} ${absence} ${promptHash}`),
        Array.from({ length: 4 }, () => "none provenance null")
      )
    }).pipe(Effect.scoped)
  )

  it.effect("nothing once its session has changed, also while the model was thinking [A3.3]", () =>
    Effect.gen(function* () {
      const now = yield* Ref.make(root)
      const judge = yield* Judges.bench(script, {
        mode: enforce(),
        options: { lifecycle: Ref.get(now) }
      })
      const thinking = yield* Effect.forkChild(judge.decide(bash("SCRIPT:slow")))
      yield* judge.model.until(({ body }) => JSON.stringify(body).includes("SCRIPT:slow"))
      yield* Ref.set(now, { ...root, sessionId: "s-9" })
      yield* judge.model.release("slow")
      assert.strictEqual((yield* Fiber.join(thinking)).by._tag, "person")
      assert.deepInclude(judge.rows[0], { prediction: "allow", verdict: "defer", heldBy: "provenance" })
      assert.strictEqual((yield* judge.decide(bash("SCRIPT:yes"))).by._tag, "person")
      assert.deepInclude(judge.rows[1], { prediction: "none", absence: "provenance" })
      assert.lengthOf(yield* judge.predictions, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("nothing where the conversation cannot be read, or the action is over budget [A3.3] [A3.5]", () =>
    Effect.gen(function* () {
      for (const [options, absence] of [
        [{ conversation: Effect.fail("gone") }, "conversation"],
        [{ conversation: Effect.die("gone") }, "conversation"],
        [{ maxLength: 100 }, "too_large"]
      ] as const) {
        const judge = yield* Judges.bench(script, { mode: enforce(), options })
        assert.strictEqual((yield* judge.decide(bash("SCRIPT:yes"))).by._tag, "person")
        assert.deepInclude(judge.rows[0], { prediction: "none", absence, promptHash: null })
        assert.lengthOf(yield* judge.predictions, 0)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("allows no more than its budget, also for asks at once [A3.6]", () =>
    Effect.gen(function* () {
      const judge = yield* Judges.bench(script, { mode: enforce({ allowsPerHour: 2 }) })
      const ask = judge.decide(bash("SCRIPT:yes"))
      const decisions = yield* Effect.all(
        Array.from({ length: 6 }, () => ask),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        decisions.filter(({ action }) => action === "allow"),
        2
      )
      assert.lengthOf(
        judge.rows.filter(({ heldBy }) => heldBy === "count"),
        4
      )
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* ask).by._tag, "link")
      const none = yield* Judges.bench(script, { mode: enforce({ allowsPerHour: 0 }) })
      assert.strictEqual((yield* none.decide(bash("SCRIPT:yes"))).by._tag, "person")
      assert.lengthOf(yield* none.model.recorded, 1, "a judge that may allow nothing needs no canary")
    }).pipe(Effect.scoped)
  )

  it.effect("within the envelope, and never what is a person's to decide [A2.4] [BUG-104]", () =>
    Effect.gen(function* () {
      const person = unit("SCRIPT:yes", { winner: { ...unit("").winner, by: "person" } })
      for (const ruled of [
        rulingOn("/SCRIPT:yes", "path_write"),
        ruling({ units: [person] }),
        ruling({ units: [unit("SCRIPT:yes", { indirect: "unresolved" })] })
      ]) {
        const judge = yield* Judges.bench(script, {
          mode: enforce({ surfaces: ["bash", "path_write"] }),
          rule: () => ruled
        })
        assert.strictEqual((yield* judge.decide(call())).by._tag, "person")
        assert.strictEqual(judge.rows[0]?.prediction, "allow")
      }
    }).pipe(Effect.scoped)
  )

  it.effect(
    "and its allows do not count where it allows what must be refused, or says nothing [BUG-104]",
    () =>
      Effect.gen(function* () {
        for (const canary of [
          Judges.verdict("allow"),
          Script.reply(Script.text("no")),
          Script.failure(529, "overloaded")
        ]) {
          const said: Array<string> = []
          const judge = yield* Judges.bench(
            Judges.scripted({ yes: [Judges.verdict("allow")], no: [Judges.verdict("deny")] }, canary),
            { mode: enforce() }
          ).pipe(
            Effect.provide(Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void said.push(line))]))
          )
          assert.strictEqual((yield* judge.decide(bash("SCRIPT:yes"))).by._tag, "person")
          assert.deepInclude(judge.rows[0], { prediction: "allow", verdict: "defer", heldBy: "canary" })
          assert.strictEqual((yield* judge.decide(bash("SCRIPT:no"))).denial, "link")
          assert.lengthOf(said, 1)
          assert.notInclude(said[0], Judges.KEY)
        }
      }).pipe(Effect.scoped)
  )
})

describe.each(Judges.PROVIDER_NAMES)("JudgeLink by %s has no verdict", (provider) => {
  const broken: Script.Script["conversations"] = {
    junk: [Script.reply(Script.text("Yes, allow it."))],
    half: [Script.reply(Script.text('{"verdict":"allow","rea'))],
    word: [Judges.verdict("permit")],
    bare: [Script.reply(Script.text('{"verdict":"allow"}'))],
    number: [Script.reply(Script.text('{"verdict":"allow","reason":1}'))],
    array: [Script.reply(Script.text('[{"verdict":"allow","reason":"x"}]'))],
    fenced: [Script.reply(Script.text('```json\n{"verdict":"allow","reason":"x"}\n```'))],
    smuggled: [Judges.verdict("allow", { mode: "enforce", allowsPerHour: 1_000_000 })],
    tool: [Script.reply(Script.tool("allow", { verdict: "allow", reason: "x" }, "toolu_1"))],
    both: [
      Script.reply(
        Script.text('{"verdict":"allow","reason":"x"}'),
        Script.tool("allow", { verdict: "allow" }, "toolu_1")
      )
    ],
    silent: [Script.reply(Script.text(""))]
  }

  it.effect("in junk, half JSON, another schema, smuggled fields or a tool call [A3.6] [A2.3]", () =>
    Effect.gen(function* () {
      const judge = yield* Judges.bench(Judges.scripted(broken), { provider, mode: enforce() })
      for (const name of Object.keys(broken)) {
        assert.strictEqual((yield* judge.decide(bash(`SCRIPT:${name}`))).by._tag, "person", name)
      }
      assert.deepStrictEqual(
        judge.rows.map(({ absence, prediction, verdict }) => `${prediction} ${absence} ${verdict}`),
        Object.keys(broken).map(() => "unavailable no_verdict defer")
      )
      assert.lengthOf(yield* judge.predictions, Object.keys(broken).length, "nothing is tried again")
    }).pipe(Effect.scoped)
  )

  it.effect("where the provider fails: one request, and the person decides [A3.4] [A3.6] [BUG-107]", () =>
    Effect.gen(function* () {
      const statuses = [400, 401, 403, 404, 429, 500, 503, 529]
      const failing = Object.fromEntries(
        statuses.map((status) => [`f${status}`, [Script.failure(status, Judges.KEY)] as const])
      )
      const judge = yield* Judges.bench(Judges.scripted(failing), { provider, mode: enforce() })
      for (const status of statuses) {
        const decision = yield* judge.decide(bash(`SCRIPT:f${status}`))
        assert.strictEqual(decision.by._tag, "person", String(status))
      }
      assert.lengthOf(yield* judge.predictions, statuses.length)
      assert.deepStrictEqual(
        judge.rows.map(
          ({ absence, prediction, promptHash }) => `${prediction} ${absence} ${promptHash === null}`
        ),
        statuses.map(() => "unavailable failed false")
      )
    }).pipe(Effect.scoped)
  )

  it.effect("where it hangs: the request is given up and the person decides [A2.3] [A3.6] [BUG-106]", () =>
    Effect.gen(function* () {
      const judge = yield* Judges.bench(
        Judges.scripted({ hang: [Script.reply(Script.gate("never"), Script.text("{}"))] }),
        { provider, options: { timeout: "10 seconds" } }
      )
      const asked = yield* Effect.forkChild(judge.decide(bash("SCRIPT:hang")))
      yield* judge.model.until(() => true)
      assert.isUndefined(asked.pollUnsafe())
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Fiber.join(asked)).by._tag, "person")
      assert.deepInclude(judge.rows[0], {
        prediction: "unavailable",
        absence: "timed_out",
        verdict: "defer",
        latencyMs: 10_000
      })
      assert.isNotNull(judge.rows[0]?.promptHash)
    }).pipe(Effect.scoped)
  )

  it.effect("where the link's time-out comes first [A2.3]", () =>
    Effect.gen(function* () {
      const judge = yield* Judges.bench(
        Judges.scripted({ hang: [Script.reply(Script.gate("never"), Script.text("{}"))] }),
        { provider, authority: { linkTimeout: "5 seconds" } }
      )
      const asked = yield* Effect.forkChild(judge.decide(bash("SCRIPT:hang")))
      yield* judge.model.until(() => true)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(asked)).by._tag, "person")
      assert.deepStrictEqual(judge.notes, ["overran its time-out: counts as defer"])
    }).pipe(Effect.scoped)
  )
})

describe("what a model is sent", () => {
  const System = Schema.Struct({ system: Schema.String })
  it.effect("holds our instructions alone as system text, the same for every ask [A3.8]", () =>
    Effect.gen(function* () {
      const judge = yield* Judges.bench(script)
      yield* judge.decide(bash("SCRIPT:yes one"))
      yield* judge.decide(bash("SCRIPT:no another"))
      const systems = (yield* judge.predictions).map(
        ({ body }) => Schema.decodeUnknownSync(System)(body).system
      )
      assert.lengthOf(new Set(systems), 1)
      assert.notInclude(systems[0], "SCRIPT")
    }).pipe(Effect.scoped)
  )
})
