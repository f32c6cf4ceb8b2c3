import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ValidAnswer } from "./Answer.ts"
import { FailureCategory } from "./QuestionFailure.ts"
import type { QuestionRequest } from "./QuestionRequest.ts"

/** A delivery could not go on; content-free. What was written before stays written. */
export class DeliveryFailed extends Schema.TaggedError<DeliveryFailed>()("DeliveryFailed", {
  category: FailureCategory
}) {}

/** One validated answer on its way into the agent (Q4.1). */
export interface Attempt {
  readonly request: QuestionRequest
  readonly answers: ValidAnswer
  /**
   * The only way to write. Re-checks Q4.3 and runs `physical` in the same step, or gives `false` and runs
   * nothing: look at a later frame and ask again. Once revoked it always gives `false`. `submits` marks the
   * write that commits the answer; it is granted once and nothing is granted after it (Q4.4).
   *
   * `physical` is not interrupted: until it ends, ordinary input stays held (Q4.7).
   */
  readonly write: (
    submits: boolean,
    physical: Effect.Effect<void, unknown>
  ) => Effect.Effect<boolean, DeliveryFailed>
}

/**
 * A way to bring an answer into the agent: its editor's keys, or a parked hook's reply (Q5.4). `deliver` ends
 * when nothing is left to write; the agent's record alone then decides. It is interrupted when the attempt is
 * over.
 */
export interface AnswerDelivery {
  readonly way: "editor" | "hook"
  readonly deliver: (attempt: Attempt) => Effect.Effect<void, DeliveryFailed>
}
