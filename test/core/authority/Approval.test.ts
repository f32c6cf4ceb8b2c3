import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryPersonSurface from "../../../src/adapters/memory/MemoryPersonSurface.ts"
import * as Annotators from "../../../src/core/ask/Annotators.ts"
import * as EvidenceFormatters from "../../../src/core/ask/EvidenceFormatters.ts"
import * as Authority from "../../../src/core/authority/Authority.ts"
import type { Ask, AskVerdict } from "../../../src/core/authority/PersonSurface.ts"
import type { ToolCall } from "../../../src/core/call/ToolCall.ts"
import type { SessionGrant } from "../../../src/core/policy/Grant.ts"
import type { GrantOffer } from "../../../src/core/policy/GrantOffer.ts"
import type { Script } from "../../../src/core/policy/PathFacts.ts"
import { PolicyEngine } from "../../../src/core/policy/PolicyEngine.ts"
import type { Ruling } from "../../../src/core/policy/Ruling.ts"
import { allowed, call, ruling, unit } from "../ask/Fixtures.ts"

const offer: GrantOffer = {
  rule: { surface: "bash", pattern: "git push *", exact: false, line: null },
  surface: "bash",
  value: "git push --force",
  asked: ["git\0push\0--force"],
  places: { home: "/home/me", projectRoot: "/home/me/project" }
}

const grantOf = (first: string, ...rest: ReadonlyArray<string>): SessionGrant => {
  const toRule = (pattern: string) => ({ ...offer.rule, pattern })
  return { rules: [toRule(first), ...rest.map(toRule)], scope: "session", minutes: null, uses: null }
}

const ALLOW: AskVerdict = { _tag: "allow", channel: "terminal" }

interface Setup {
  readonly person?: (ask: Ask) => AskVerdict
  readonly engine?: Partial<PolicyEngine["Service"]>
  readonly extra?:
    | Layer.Layer<never>
    | Layer.Layer<Annotators.Annotators | EvidenceFormatters.EvidenceFormatters>
  readonly options?: Partial<Authority.Options>
}

/** One decision; what the person was shown, and what was kept of what they granted. */
const decide = Effect.fnUntraced(function* (setup: Setup, toolCall: ToolCall = call()) {
  const asks: Array<Ask> = []
  const kept: Array<SessionGrant> = []
  const layer = Authority.layer({ node: "root", chain: [], ...setup.options }).pipe(
    Layer.provide(
      Layer.mock(PolicyEngine, {
        rule: () => Effect.succeed(ruling()),
        offers: () => Effect.succeed([offer]),
        scripts: () => Effect.succeed([]),
        spend: () => Effect.succeed(true),
        grant: (_, given) => Effect.sync(() => void kept.push(given)),
        ...setup.engine
      })
    ),
    Layer.provide(
      MemoryPersonSurface.layer({
        presence: Effect.succeed("present"),
        question: () => Effect.succeed(null),
        ask: (ask) =>
          Effect.sync(() => {
            asks.push(ask)
            return setup.person?.(ask) ?? ALLOW
          })
      })
    ),
    Layer.provide(setup.extra ?? Layer.empty)
  )
  const decision = yield* Effect.provide(
    Authority.Authority.use((authority) => authority.decide(toolCall)),
    layer
  )
  return { decision, asks, kept }
})

describe("grants", () => {
  it.effect("are offered with the ask, and kept once given, by an allow alone [L5.1] [P6.2] [BUG-052]", () =>
    Effect.gen(function* () {
      const given = yield* decide({ person: () => ({ ...ALLOW, grant: grantOf("git push *") }) })
      assert.deepStrictEqual(given.asks[0]?.offers, [offer])
      assert.deepStrictEqual(given.kept, [grantOf("git push *")])
      assert.deepStrictEqual(given.decision.granted, grantOf("git push *"))

      assert.deepStrictEqual((yield* decide({})).kept, [])
      const denial = { _tag: "deny", channel: "t", reason: "no", grant: grantOf("git push *") } as const
      const denied = yield* decide({ person: () => denial })
      assert.strictEqual(denied.decision.action, "deny")
      assert.deepStrictEqual(denied.kept, [])
      assert.notProperty(denied.decision, "granted")
    })
  )

  it.effect("hold no more than was offered, or than an offer may be changed to [L5.1] [L5.2]", () =>
    Effect.gen(function* () {
      const kept = (...patterns: Parameters<typeof grantOf>) =>
        Effect.map(decide({ person: () => ({ ...ALLOW, grant: grantOf(...patterns) }) }), ({ kept }) =>
          kept.flatMap(({ rules }) => rules.map(({ pattern }) => pattern))
        )
      assert.deepStrictEqual(yield* kept("git push --force *"), ["git push --force *"])
      assert.deepStrictEqual(yield* kept("*", "rm *", "git push *"), ["git push *"])
      assert.deepStrictEqual(yield* kept("rm *"), [])
      const code: SessionGrant = {
        ...grantOf("x"),
        rules: [{ ...offer.rule, surface: "code", exact: true, pattern: "npm test" }]
      }
      assert.deepStrictEqual((yield* decide({ person: () => ({ ...ALLOW, grant: code }) })).kept, [])
    })
  )

  it.effect("are not offered for a unit that the person is not shown [L5.2]", () =>
    Effect.gen(function* () {
      const { asks } = yield* decide({
        engine: { offers: () => Effect.succeed([offer, { ...offer, value: "rm -rf x" }]) }
      })
      assert.deepStrictEqual(asks[0]?.offers, [offer])
    })
  )

  it.effect("that cannot be offered leave the ask as it is [A1.2]", () =>
    Effect.gen(function* () {
      const { asks, decision } = yield* decide({ engine: { offers: () => Effect.die("broken") } })
      assert.deepStrictEqual(asks[0]?.offers, [])
      assert.strictEqual(decision.action, "allow")
    })
  )

  it.effect("that are gone when a ruling would use them have the call ruled again [L5.1]", () =>
    Effect.gen(function* () {
      const winner = { ...unit("").winner, action: "allow", scope: "grant" } as const
      let gone = false
      const rule = (): Effect.Effect<Ruling> =>
        Effect.sync(() =>
          gone
            ? ruling()
            : ruling({ action: "allow", units: [unit("git push --force", { winner }), allowed("ls")] })
        )
      const spend = () =>
        Effect.sync(() => {
          const first = !gone
          gone = true
          return !first
        })
      const { asks, decision } = yield* decide({ engine: { rule, spend } })
      assert.strictEqual(asks.length, 1)
      assert.strictEqual(decision.by._tag, "person")
    })
  )
})

describe("what was approved is what is executed, or the approval is void [P1.4]", () => {
  it.effect("an input that changed while the person decided is asked about again [P1.4]", () =>
    Effect.gen(function* () {
      const input = { command: "transfer 82000" }
      const { asks, decision, kept } = yield* decide(
        {
          person: () => {
            if (input.command === "transfer 82000") input.command = "transfer 820000"
            return { ...ALLOW, grant: grantOf("git push *") }
          }
        },
        call({ input })
      )
      assert.strictEqual(asks.length, 2)
      assert.strictEqual(decision.action, "allow")
      assert.deepStrictEqual(
        decision.steps.filter(({ name }) => name === "approval").map(({ verdict }) => verdict),
        ["void", "stands"]
      )
      // What was granted with the void approval was not kept.
      assert.strictEqual(kept.length, 1)
    })
  )

  it.effect(
    "a script that was rewritten meanwhile is asked about again, with what it says now [BUG-072]",
    () =>
      Effect.gen(function* () {
        let script: Script = { path: "/p/s.sh", digest: "1", text: "echo harmless" }
        const { asks, decision } = yield* decide({
          engine: { scripts: () => Effect.sync(() => [script]) },
          person: () => {
            script = { path: "/p/s.sh", digest: "2", text: "rm -rf /" }
            return ALLOW
          }
        })
        assert.deepStrictEqual(
          asks.map(({ payload }) => payload.evidence[0]),
          [
            { label: "script /p/s.sh", text: "echo harmless", modelGenerated: false },
            { label: "script /p/s.sh", text: "rm -rf /", modelGenerated: false }
          ]
        )
        assert.strictEqual(decision.action, "allow")
      })
  )

  it.effect("a denial needs no second look", () =>
    Effect.gen(function* () {
      let looks = 0
      const scripts = () => Effect.sync(() => [{ path: "/s", digest: String(looks++), text: null }])
      const { asks, decision } = yield* decide({
        engine: { scripts },
        person: () => ({ _tag: "deny", channel: "terminal", reason: null })
      })
      assert.strictEqual(asks.length, 1)
      assert.strictEqual(decision.denial, "person")
    })
  )

  it.effect("what never comes to rest, or is no JSON, is denied in the end and never allowed [A1.2]", () =>
    Effect.gen(function* () {
      let looks = 0
      const scripts = () => Effect.sync(() => [{ path: "/s", digest: String(looks++), text: null }])
      const restless = yield* decide({ engine: { scripts } })
      assert.strictEqual(restless.decision.denial, "gate_error")
      assert.strictEqual(restless.asks.length, 5)
      const odd = yield* decide({}, call({ input: { command: "x", when: new Date(0) } }))
      assert.strictEqual(odd.decision.denial, "gate_error")
    })
  )
})

describe("what a prompt is given besides [P4.1] [P4.2]", () => {
  it.effect("formatted evidence stands before the raw facts, notes in their own place", () =>
    Effect.gen(function* () {
      const formatter: EvidenceFormatters.EvidenceFormatter = {
        agent: "claude",
        tools: ["Bash"],
        format: () => Effect.succeed([{ label: "diff", text: "+a", modelGenerated: false }])
      }
      const annotators = Layer.effectDiscard(
        Annotators.Annotators.use((annotators) =>
          annotators.register({ name: "explainer", annotate: () => Effect.succeed("It pushes.") })
        )
      ).pipe(Layer.provideMerge(Annotators.layer({ names: ["explainer"] })), Layer.orDie)
      const { asks } = yield* decide({
        extra: Layer.mergeAll(annotators, EvidenceFormatters.layer([formatter]))
      })
      const payload = asks[0]?.payload
      assert.strictEqual(payload?.evidence[0]?.label, "diff")
      assert.isTrue(payload?.evidence.some(({ label }) => label === "in full"))
      assert.deepStrictEqual(payload?.annotations, [{ source: "explainer", text: "It pushes." }])
    })
  )

  it.effect("the host's bus is told of the ask before the person sees it, under one id [P3.5]", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const { asks } = yield* decide({
        options: { onAsk: ({ id }) => Effect.sync(() => void told.push(id)) },
        person: ({ id }) => {
          assert.deepStrictEqual(told, [id])
          return ALLOW
        }
      })
      assert.deepStrictEqual(told, [asks[0]?.id])
      const broken = yield* decide({ options: { onAsk: () => Effect.die("broken") } })
      assert.strictEqual(broken.decision.action, "allow")
    })
  )
})
