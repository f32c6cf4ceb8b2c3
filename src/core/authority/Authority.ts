import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AskPayload } from "../ask/AskPayload.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import type { SessionGrant } from "../policy/Grant.ts"
import { PolicyEngine } from "../policy/PolicyEngine.ts"
import type { Ruling } from "../policy/Ruling.ts"
import * as Approval from "./Approval.ts"
import { DuplicateLink, Verdict, type AuthorizerLink } from "./AuthorizerLink.ts"
import type { DecidedBy, Decision, DecisionStep, DenialKind } from "./Decision.ts"
import * as LinkDetails from "./LinkDetails.ts"
import * as LinkEnvelope from "./LinkEnvelope.ts"
import { PersonSurface, type AskVerdict, type SurfaceLost } from "./PersonSurface.ts"

/** A decision beside the call it was made for. `payload` is `null` where nothing had to be asked. */
export interface Decided {
  /** The same as that of the ask, where there was one. */
  readonly id: string
  readonly call: ToolCall
  readonly payload: AskPayload | null
  readonly decision: Decision
}

/** Who decides: policy, then the links, then a person (A1). */
export class Authority extends Context.Service<
  Authority,
  {
    /**
     * The decision on one call. Never fails: whatever breaks inside is a denial with `gate_error` (A1.2).
     * Interruption withdraws what a person is being shown.
     */
    readonly decide: (call: ToolCall) => Effect.Effect<Decision>
    /** Makes a link known for the scope's life. It runs only if the configured chain names it (A2.2). */
    readonly register: (link: AuthorizerLink) => Effect.Effect<void, DuplicateLink, Scope.Scope>
    /** Ends what was granted in a session: it is over, or another has taken its place (L5.3). */
    readonly endSession: (sessionId: string) => Effect.Effect<void>
    /** Every decision from the moment of subscription on. */
    readonly decisions: Stream.Stream<Decided>
  }
>()("obstat/authority/Authority") {}

/** A person is being asked. */
export interface Asked {
  readonly id: string
  readonly call: ToolCall
  readonly payload: AskPayload
}

/** A journal row that a link wrote, or that the gate wrote about it. Not yet redacted. */
export interface LinkRow {
  /** The id of the decision that it belongs to. */
  readonly ask: string
  readonly link: string
  readonly note: string
}

export interface Options {
  /** This session's id: the node that decides. */
  readonly node: string
  /** Names of the links that run, in order (`authorizerChain`). */
  readonly chain: ReadonlyArray<string>
  /** Default 30 s (A2.3). */
  readonly linkTimeout?: Duration.Input
  readonly linkOptIn?: LinkEnvelope.LinkOptIn
  /** How long a person may take; without it the ask waits as long as they need. */
  readonly askTimeout?: Duration.Input
  /**
   * Writes a decision down before it is released. What is not `true` in time is no row, and without one an allow
   * becomes a denial (A4.3); whoever lets decisions pass without a row says `true`.
   */
  readonly record?: (decided: Decided) => Effect.Effect<boolean>
  /** Where rows about links go; without it they are dropped. */
  readonly log?: (row: LinkRow) => Effect.Effect<void>
  /** Told of each ask before a person sees it: the host's bus (P3.5). */
  readonly onAsk?: (asked: Asked) => Effect.Effect<void>
}

/** A2.3. Long enough for a model to judge, short enough that nobody takes it for a hang. */
const LINK_TIMEOUT = Duration.seconds(30)

/** Policy answers from memory and a few path look-ups; beyond this it is broken, and the gate must not hang. */
const POLICY_TIMEOUT = Duration.seconds(30)

/** Presence is one look at the terminal. A surface that cannot say in this time reaches nobody. */
const PRESENCE_TIMEOUT = Duration.seconds(5)

/** A file that never comes to rest cannot have a person asked for ever. */
const MAX_ROUNDS = 5

/** A row that cannot be written in this time is lost: it must not hold a decision. */
const LOG_TIMEOUT = Duration.seconds(5)

const NO_OPT_IN: LinkEnvelope.LinkOptIn = { surfaces: [], indirect: false }

type Outcome = Omit<Decision, "ruling" | "steps" | "node">

/** What has become known of a call so far; kept so that a failing gate still says how far it came. */
interface Progress {
  readonly id: string
  ruling: Ruling | null
  payload: AskPayload | null
  readonly steps: Array<DecisionStep>
}

export const layer = (options: Options): Layer.Layer<Authority, never, PolicyEngine | PersonSurface> =>
  Layer.effect(Authority, make(options))

const make = Effect.fnUntraced(function* (options: Options) {
  const policy = yield* PolicyEngine
  const surface = yield* PersonSurface
  const approval = yield* Approval.make(policy)
  const links = new Map<string, AuthorizerLink>()
  const reportedMissing = new Set<string>()
  const decisions = yield* PubSub.unbounded<Decided>()
  yield* Effect.addFinalizer(() => PubSub.shutdown(decisions))

  const log = (row: LinkRow): Effect.Effect<void> =>
    options.log === undefined ? Effect.void : Effect.asVoid(within(options.log(row), LOG_TIMEOUT))

  /** No row, no allow. A denial stands without one. */
  const recorded = Effect.fnUntraced(function* (decided: Decided) {
    if (options.record === undefined) return decided
    const row = yield* within(options.record(decided), LOG_TIMEOUT)
    const written = Option.isSome(row) && Exit.isSuccess(row.value) && row.value.value
    if (written || decided.decision.action === "deny") return decided
    const { granted: _, ...decision } = decided.decision
    return { ...decided, decision: { ...decision, ...GATE_ERROR } }
  })

  const consult = Effect.fnUntraced(function* (
    link: AuthorizerLink,
    input: LinkDetails.LinkDetails,
    ruling: Ruling,
    ask: string
  ) {
    const logged = (note: string) => log({ ask, link: link.name, note })
    const answer = yield* within(
      Effect.suspend(() => link.authorize({ details: input, query: policy.rule, log: logged })),
      options.linkTimeout ?? LINK_TIMEOUT
    )
    const verdict = readVerdict(answer)
    if (verdict._tag === "junk") {
      yield* logged(verdict.note)
      return DEFER
    }
    const confined = LinkEnvelope.confine(verdict, ruling, options.linkOptIn ?? NO_OPT_IN)
    if (confined._tag !== verdict._tag) yield* logged("allow outside the link's envelope counts as defer")
    return confined
  })

  const runChain = Effect.fnUntraced(function* (
    call: ToolCall,
    ruling: Ruling,
    progress: Progress,
    payload: AskPayload
  ) {
    const details = LinkDetails.project(call, ruling, payload)
    // A name that stands twice runs once: one ask is judged at most once (A3.4).
    for (const name of new Set(options.chain)) {
      const link = links.get(name)
      if (link === undefined) {
        if (!reportedMissing.has(name)) {
          reportedMissing.add(name)
          yield* log({
            ask: progress.id,
            link: name,
            note: "named in authorizerChain but not registered: skipped"
          })
        }
        continue
      }
      const verdict = yield* step(
        progress,
        `link ${name}`,
        consult(link, details, ruling, progress.id),
        (verdict) => verdict._tag
      )
      if (verdict._tag !== "defer") return linkOutcome(link, verdict)
    }
    return null
  })

  const askPerson = Effect.fnUntraced(function* (
    call: ToolCall,
    { offers, payload }: Approval.Prepared,
    progress: Progress
  ) {
    const presence = yield* step(
      progress,
      "presence",
      within(surface.presence, PRESENCE_TIMEOUT).pipe(
        Effect.map((exit) =>
          Option.isSome(exit) && Exit.isSuccess(exit.value) ? exit.value.value : "absent"
        )
      ),
      (presence) => presence
    )
    if (presence === "absent") return UNAVAILABLE
    if (options.onAsk !== undefined) {
      yield* within(options.onAsk({ id: progress.id, call, payload }), LOG_TIMEOUT)
    }
    const ask = surface.ask({
      id: progress.id,
      payload,
      since: yield* Clock.currentTimeMillis,
      offers
    })
    const limited: Effect.Effect<Option.Option<AskVerdict>, SurfaceLost> = options.askTimeout === undefined
      ? Effect.asSome(ask)
      : Effect.timeoutOption(ask, options.askTimeout)
    return yield* step(
      progress,
      "person",
      limited.pipe(
        Effect.map(Option.match({ onNone: () => TIMED_OUT, onSome: personOutcome })),
        Effect.catchTag("SurfaceLost", () => Effect.succeed(UNAVAILABLE))
      ),
      (outcome) => outcome.denial ?? outcome.action
    )
  })

  /** The outcome, with no more granted than was offered; kept before the call may run. */
  const keepGrant = Effect.fnUntraced(function* (
    call: ToolCall,
    prepared: Approval.Prepared,
    { granted, ...outcome }: Outcome
  ) {
    const grant = granted === undefined ? null : approval.confine(prepared, granted)
    if (grant === null) return outcome
    yield* policy.grant(call, grant)
    return { ...outcome, granted: grant }
  })

  const pipeline = Effect.fnUntraced(function* (call: ToolCall, progress: Progress) {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const ruling = yield* step(progress, "policy", inTime(policy.rule(call)), (ruling) => ruling.action)
      progress.ruling = ruling
      // A grant that the ruling rests on is gone meanwhile: it is ruled again.
      if (!(yield* inTime(policy.spend(call, ruling)))) continue
      if (ruling.action !== "ask") return policyOutcome(ruling, ruling.action)
      const prepared = yield* inTime(approval.prepare(call, ruling))
      progress.payload = prepared.payload
      const outcome =
        (yield* runChain(call, ruling, progress, prepared.payload)) ??
        (yield* askPerson(call, prepared, progress))
      if (outcome.action === "deny") return outcome
      const stands = yield* step(progress, "approval", inTime(approval.stands(call, prepared)), (stands) =>
        stands ? "stands" : "void"
      )
      // What was approved is no longer what would be executed: it is asked about anew (P1.4).
      if (stands) return yield* keepGrant(call, prepared, outcome)
    }
    return GATE_ERROR
  })

  return Authority.of({
    decide: Effect.fn("Authority.decide")(function* (call) {
      const progress: Progress = { id: yield* randomId, ruling: null, payload: null, steps: [] }
      const exit = yield* settle(pipeline(call, progress))
      if (Exit.isFailure(exit))
        yield* Effect.logError("the permission gate failed; the call is denied", failures(exit.cause))
      const decision: Decision = {
        ...(Exit.isSuccess(exit) ? exit.value : GATE_ERROR),
        ruling: progress.ruling,
        steps: progress.steps,
        node: options.node
      }
      const released = yield* recorded({ id: progress.id, call, payload: progress.payload, decision })
      yield* PubSub.publish(decisions, released)
      return released.decision
    }),
    register: Effect.fn("Authority.register")(function* (link) {
      if (links.has(link.name)) return yield* new DuplicateLink({ name: link.name })
      yield* Effect.acquireRelease(
        Effect.sync(() => links.set(link.name, link)),
        () => Effect.sync(() => links.delete(link.name))
      )
    }),
    endSession: policy.endSession,
    decisions: Stream.fromPubSub(decisions)
  })
})

const DEFER: Verdict = { _tag: "defer" }

const GATE_ERROR: Outcome = { action: "deny", by: { _tag: "gate_error" }, denial: "gate_error", reason: null }

const UNAVAILABLE: Outcome = {
  action: "deny",
  by: { _tag: "unavailable" },
  denial: "unavailable",
  reason: null
}

const TIMED_OUT: Outcome = { ...UNAVAILABLE, denial: "timed_out" }

const deny = (by: DecidedBy, denial: DenialKind, reason: string | null): Outcome => ({
  action: "deny",
  by,
  denial,
  reason
})

const allow = (by: DecidedBy, granted?: SessionGrant): Outcome => ({
  action: "allow",
  by,
  denial: null,
  reason: null,
  ...(granted !== undefined && { granted })
})

/** An allow that rests on a grant says so, whichever unit the grant was for. */
const policyOutcome = (ruling: Ruling, action: "allow" | "deny"): Outcome =>
  action === "deny"
    ? deny({ _tag: "rule" }, "policy", ruling.units[0].winner.reason)
    : allow({ _tag: ruling.units.some((unit) => unit.winner.scope === "grant") ? "grant" : "rule" })

const linkOutcome = (link: AuthorizerLink, verdict: Exclude<Verdict, { _tag: "defer" }>): Outcome => {
  const by = { _tag: "link", name: link.name, modelGenerated: link.modelGenerated } as const
  return verdict._tag === "allow" ? allow(by) : deny(by, "link", verdict.reason)
}

/** A person's reason is passed on as typed, but for outer blanks; a blank one is none (A1.3). */
const personOutcome = (verdict: AskVerdict): Outcome => {
  const by = { _tag: "person", channel: verdict.channel } as const
  switch (verdict._tag) {
    case "allow":
      return allow(by, verdict.grant)
    case "deny":
      return deny(by, "person", verdict.reason?.trim() || null)
    case "cancelled":
      return deny(by, "cancelled", null)
  }
}

const decodeVerdict = Schema.decodeUnknownOption(Verdict, { onExcessProperty: "error" })

/** What a link's exit amounts to: its verdict, or why it has none (A2.3). */
const readVerdict = (
  exit: Option.Option<Exit.Exit<unknown, unknown>>
): Verdict | { readonly _tag: "junk"; readonly note: string } => {
  if (Option.isNone(exit)) return { _tag: "junk", note: "overran its time-out: counts as defer" }
  if (Exit.isFailure(exit.value)) return { _tag: "junk", note: "failed: counts as defer" }
  return Option.getOrElse(decodeVerdict(exit.value.value), () => ({
    _tag: "junk" as const,
    note: "returned no verdict: counts as defer"
  }))
}

/** Runs one step and writes down its verdict and how long it took (A1.1). */
const step = Effect.fnUntraced(function* <A, E, R>(
  progress: Progress,
  name: string,
  effect: Effect.Effect<A, E, R>,
  verdict: (value: A) => string
) {
  const [latency, exit] = yield* Effect.timed(Effect.exit(effect))
  progress.steps.push({
    name,
    verdict: Exit.isSuccess(exit) ? verdict(exit.value) : "failed",
    latencyMs: Duration.toMillis(latency)
  })
  return yield* exit
})

/**
 * How `effect` ended, or none once `limit` is over. An effect that resists interruption is left behind, so
 * that it cannot hold the gate (A1.2).
 */
const within = <A, E>(
  effect: Effect.Effect<A, E>,
  limit: Duration.Input
): Effect.Effect<Option.Option<Exit.Exit<A, E>>> =>
  Effect.acquireUseRelease(
    Effect.forkDetach(effect),
    (fiber) => Effect.timeoutOption(Fiber.await(fiber), limit),
    (fiber) => Effect.sync(() => fiber.interruptUnsafe())
  )

/** What policy says, which is at once or never. */
const inTime = <A>(effect: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.flatMap(within(effect, POLICY_TIMEOUT), (answer) =>
    Option.isNone(answer) ? Effect.die(new Error("policy gave no answer in time")) : answer.value
  )

/**
 * How `effect` ended, also where it interrupted itself. Only an interruption from outside goes through, and
 * it waits until the effect has cleaned up: a withdrawn prompt has left the screen.
 */
const settle = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<Exit.Exit<A, E>> =>
  Effect.acquireUseRelease(Effect.forkDetach(effect), Fiber.await, Fiber.interrupt)

/** An opaque id that no earlier ask has had. */
const randomId = Effect.map(
  Effect.all([Random.nextIntBetween(0, 2 ** 48), Random.nextIntBetween(0, 2 ** 48)]),
  (parts) => parts.map((part) => part.toString(36)).join("")
)

/** The names of what failed, never its words: they may hold a call's input. */
const failures = (cause: Cause.Cause<unknown>): ReadonlyArray<string> =>
  Cause.prettyErrors(cause).map((error) => error.name)
