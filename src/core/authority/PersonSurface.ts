import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import type { AskPayload } from "../ask/AskPayload.ts"
import type { SessionGrant } from "../policy/Grant.ts"
import type { GrantOffer } from "../policy/GrantOffer.ts"
import type { QuestionAnswer } from "../question/QuestionAnswer.ts"
import type { QuestionRequest } from "../question/QuestionRequest.ts"

/**
 * What a person decided about one ask. `cancelled`: the person left without deciding; it is never consent.
 * `grant`: what they allow for the session besides; only an allow can hold one (P6.2).
 */
export type AskVerdict =
  | { readonly _tag: "allow"; readonly channel: string; readonly grant?: SessionGrant }
  | { readonly _tag: "deny"; readonly channel: string; readonly reason: string | null }
  | { readonly _tag: "cancelled"; readonly channel: string }

/** The surface went away before the person decided (closed terminal, lost connection). */
export class SurfaceLost extends Schema.TaggedError<SurfaceLost>()("SurfaceLost", {
  surface: Schema.String
}) {}

/** One ask as a surface shows it. */
export interface Ask {
  readonly id: string
  readonly payload: AskPayload
  /** Milliseconds since the epoch when the agent asked (P6.4). */
  readonly since: number
  /** What may be allowed for the session besides, as it is shown; none where it is absent (L5.1). */
  readonly offers?: ReadonlyArray<GrantOffer>
  /** Who answered, once the ask is withdrawn because somebody did elsewhere; else `null` (P6.3). */
  readonly answeredBy?: () => string | null
}

/**
 * Where the person is. Interruption withdraws what is shown; racing two surfaces joins them (P6.3).
 * `ask` and `question` show one thing at a time: the surface itself queues.
 */
export class PersonSurface extends Context.Service<
  PersonSurface,
  {
    readonly presence: Effect.Effect<"present" | "absent">
    readonly ask: (ask: Ask) => Effect.Effect<AskVerdict, SurfaceLost>
    /** The person's answers, or `null` if they left the question to the agent's own dialog. */
    readonly question: (
      request: QuestionRequest
    ) => Effect.Effect<ReadonlyArray<QuestionAnswer> | null, SurfaceLost>
  }
>()("obstat/authority/PersonSurface") {}

type Surface = PersonSurface["Service"]

const isPresent = (surface: Surface): Effect.Effect<boolean> =>
  Effect.map(Effect.exit(surface.presence), (exit) => Exit.isSuccess(exit) && exit.value === "present")

/**
 * Several surfaces as one: an ask or a question is shown on every one where a person is, and the first valid
 * answer wins; the others are withdrawn, and can say who answered (P6.3). Leaving it on one surface decides
 * nothing while another shows it, and a surface that breaks or is lost drops out.
 */
export const race = (surfaces: Arr.NonEmptyReadonlyArray<Surface>): Surface => {
  const first = Effect.fnUntraced(function* <A>(
    run: (surface: Surface) => Effect.Effect<A, SurfaceLost>,
    isAnswer: (result: A) => boolean,
    onAnswer: (result: A) => void
  ) {
    const ends = yield* Queue.unbounded<Exit.Exit<A, SurfaceLost>>()
    const open = yield* Effect.filter(surfaces, isPresent, { concurrency: "unbounded" })
    for (const surface of open) {
      yield* Effect.forkScoped(Effect.flatMap(Effect.exit(run(surface)), (exit) => Queue.offer(ends, exit)))
    }
    let left: Exit.Exit<A, SurfaceLost> = Exit.fail(new SurfaceLost({ surface: "all" }))
    for (let pending = open.length; pending > 0; pending--) {
      const exit = yield* Queue.take(ends)
      if (!Exit.isSuccess(exit)) continue
      if (!isAnswer(exit.value)) {
        left = exit
        continue
      }
      // Said before the others are interrupted: it is then that they ask.
      onAnswer(exit.value)
      return exit.value
    }
    return yield* left
  }, Effect.scoped)

  return PersonSurface.of({
    presence: Effect.map(Effect.filter(surfaces, isPresent, { concurrency: "unbounded" }), (present) =>
      present.length > 0 ? "present" : "absent"
    ),
    ask: Effect.fn("PersonSurface.ask")(function* (ask) {
      let answer: string | null = null
      const shown: Ask = { ...ask, answeredBy: () => answer ?? ask.answeredBy?.() ?? null }
      return yield* first(
        (surface) => surface.ask(shown),
        ({ _tag }) => _tag !== "cancelled",
        ({ _tag, channel }) => {
          answer = `${_tag === "allow" ? "allowed" : "denied"} by somebody at the ${channel}`
        }
      )
    }),
    question: Effect.fn("PersonSurface.question")((request) =>
      first(
        (surface) => surface.question(request),
        (answers) => answers !== null,
        () => {}
      )
    )
  })
}
