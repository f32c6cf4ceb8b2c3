import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as Authority from "../core/authority/Authority.ts"
import { PersonSurface } from "../core/authority/PersonSurface.ts"
import { Journal, JournalUnavailable } from "../core/journal/Journal.ts"
import type { JournalEntry } from "../core/journal/JournalEntry.ts"
import * as JournalMode from "../core/journal/JournalMode.ts"
import * as KeptPolicy from "../core/journal/KeptPolicy.ts"
import * as Recording from "../core/journal/Recording.ts"
import type { Policy } from "../core/policy/Policy.ts"
import { PolicyEngine } from "../core/policy/PolicyEngine.ts"
import type { Session } from "../core/session/Session.ts"
import { Sessions } from "../core/session/Sessions.ts"
import * as SessionStatus from "../core/session/SessionStatus.ts"

/** What the parts of a host tell the journal, under the mode that the policy asks for at that moment (A4.3). */
export class Journaling extends Context.Service<
  Journaling,
  {
    /** Writes a decision down before anybody hears of it. `false`: without its row it must not be an allow. */
    readonly record: (decided: Authority.Decided) => Effect.Effect<boolean>
    /** Writes down what happened. A row that cannot be written holds nothing up. */
    readonly note: (entry: JournalEntry) => Effect.Effect<void>
    readonly fingerprint: (text: string) => string
  }
>()("obstat/layers/Journaling") {}

/**
 * How long a row may take: a disk that sleeps wakes up in less, and nobody waits longer for a decision. While such
 * a row hangs, those after it are counted and not waited for.
 */
const PATIENCE = "2 seconds"

/** How long the last events of a session that is over may take to come. */
const LAST_EVENTS = "1 second"

export interface Options {
  /** Told of the first row that could not be written, and of no other. */
  readonly report: (error: JournalUnavailable) => Effect.Effect<void>
}

const hung = new JournalUnavailable({ path: "journal", reason: "ETIMEDOUT" })
const broken = new JournalUnavailable({ path: "journal", reason: "internal" })

const make = Effect.fnUntraced(function* (options: Options) {
  const journal = yield* Journal
  const policies = yield* PolicyEngine
  const keeping = yield* Semaphore.make(1)
  const kept = new Map<string, string>()
  let reported = false
  let lost = 0
  let hanging = false

  const append = Effect.fnUntraced(function* (entry: JournalEntry) {
    if (lost > 0) {
      const rows = lost
      lost = 0
      yield* Effect.tapError(journal.append({ _tag: "lost", rows }), () =>
        Effect.sync(() => {
          lost += rows
        })
      )
    }
    yield* journal.append(entry)
  })

  const fail = Effect.fnUntraced(function* (error: JournalUnavailable) {
    lost += 1
    // A host that ends has nobody left to tell.
    if (reported || error.reason === "ended") return
    reported = true
    yield* options.report(error)
  })

  /** Whether it succeeded. Whatever hangs is left behind, and whatever breaks is a row that is not there. */
  const attempt = Effect.fnUntraced(function* (effect: Effect.Effect<void, JournalUnavailable>) {
    if (hanging) {
      lost += 1
      return false
    }
    const fiber = yield* Effect.forkDetach(effect)
    const ended = yield* Effect.timeoutOption(Fiber.await(fiber), PATIENCE)
    if (Option.isNone(ended)) {
      hanging = true
      fiber.addObserver(() => {
        hanging = false
      })
      yield* fail(hung)
      return false
    }
    if (Exit.isSuccess(ended.value)) return true
    yield* fail(Option.getOrElse(Exit.findErrorOption(ended.value), () => broken))
    return false
  })

  /** Keeps a policy once, and says from which row on it rules. */
  const keep = (policy: Policy) =>
    keeping.withPermit(
      Effect.suspend(() => {
        if (kept.has(policy.digest)) return Effect.void
        return Effect.flatMap(journal.keep(KeptPolicy.print(policy)), (digest) => {
          kept.set(policy.digest, digest)
          return append({ _tag: "policy", digest: policy.digest, kept: digest })
        })
      })
    )

  const isOff = (policy: Policy): boolean => JournalMode.of(policy) === "off"

  yield* policies.changes.pipe(
    Stream.runForEach((policy) => (isOff(policy) ? Effect.void : attempt(keep(policy)))),
    Effect.forkScoped
  )

  return Journaling.of({
    record: Effect.fn("Journaling.record")(function* (decided) {
      const policy = yield* policies.current
      const mode = JournalMode.of(policy)
      if (mode === "off") return true
      const written = yield* attempt(
        Effect.gen(function* () {
          const digest = decided.decision.ruling?.policyDigest ?? null
          // One that was replaced meanwhile was kept when it came.
          if (digest === policy.digest) yield* keep(policy)
          const where = digest === null ? null : (kept.get(digest) ?? null)
          yield* append(Recording.decision(decided, where, journal.fingerprint))
        })
      )
      return written || mode !== "required"
    }),
    note: Effect.fn("Journaling.note")(function* (entry) {
      if (!isOff(yield* policies.current)) yield* attempt(append(entry))
    }),
    fingerprint: journal.fingerprint
  })
})

export const layer = (options: Options): Layer.Layer<Journaling, never, Journal | PolicyEngine> =>
  Layer.effect(Journaling, make(options))

/** An authority whose decisions are written down before they are released. */
export const authority = (
  options: Authority.Options
): Layer.Layer<Authority.Authority, never, Journaling | PersonSurface | PolicyEngine> =>
  Layer.unwrap(
    Journaling.useSync(({ note, record }) =>
      Authority.layer({
        ...options,
        record,
        log: (row) => Effect.andThen(note({ _tag: "link", ...row }), options.log?.(row) ?? Effect.void)
      })
    )
  )

/** A surface whose asks, questions and the person's acts are written down. */
export const surface: Layer.Layer<PersonSurface, never, Journaling | PersonSurface> = Layer.effect(
  PersonSurface,
  Effect.gen(function* () {
    const inner = yield* PersonSurface
    const { fingerprint, note } = yield* Journaling
    const without = (exit: Exit.Failure<unknown, unknown>) =>
      Option.isSome(Exit.findErrorOption(exit)) ? ("lost" as const) : ("withdrawn" as const)
    return PersonSurface.of({
      presence: inner.presence,
      ask: Effect.fn("PersonSurface.ask")((ask) =>
        Effect.andThen(note(Recording.asked(ask, fingerprint)), inner.ask(ask)).pipe(
          Effect.onExit((exit) =>
            note(Recording.verdict(ask, Exit.isSuccess(exit) ? exit.value : without(exit), fingerprint))
          )
        )
      ),
      question: Effect.fn("PersonSurface.question")((request) =>
        Effect.onExit(inner.question(request), (exit) =>
          note(
            Recording.answers(
              request,
              Exit.isSuccess(exit) ? (exit.value ?? "left") : without(exit),
              fingerprint
            )
          )
        )
      )
    })
  })
)

/** Follows one session until its scope closes, its last events included. */
const follow = Effect.fnUntraced(function* (
  { fingerprint, note }: Journaling["Service"],
  session: Session,
  cwd: string
): Effect.fn.Return<void, never, Scope.Scope> {
  const over = yield* Deferred.make<void>()
  yield* note({ _tag: "session_started", session: session.id, agent: session.agent, cwd })
  yield* session.events.pipe(
    Stream.runForEach((event) => {
      const entry = Recording.event(session.id, event, fingerprint)
      return Effect.andThen(
        entry === null ? Effect.void : note(entry),
        event._tag === "status" && SessionStatus.isOver(event.status)
          ? Deferred.succeed(over, undefined)
          : Effect.void
      )
    }),
    Effect.forkScoped
  )
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      const status = yield* session.status
      if (SessionStatus.isOver(status)) yield* Effect.timeoutOption(Deferred.await(over), LAST_EVENTS)
      yield* note({ _tag: "session_ended", session: session.id, status })
    })
  )
})

/** Sessions whose course is written down: questions, what hooks were told, what became of calls, status and end. */
export const sessions: Layer.Layer<Sessions, never, Journaling | Sessions> = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const inner = yield* Sessions
    const journaling = yield* Journaling
    return Sessions.of({
      ...inner,
      start: Effect.fn("Sessions.start")(function* (options) {
        const session = yield* inner.start(options)
        yield* follow(journaling, session, options.cwd)
        return session
      })
    })
  })
)
