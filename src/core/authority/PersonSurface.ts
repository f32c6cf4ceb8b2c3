import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
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
