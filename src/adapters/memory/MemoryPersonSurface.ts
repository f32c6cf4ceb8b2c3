import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import {
  PersonSurface,
  type Ask,
  type AskVerdict,
  type SurfaceLost
} from "../../core/authority/PersonSurface.ts"
import type { QuestionAnswer } from "../../core/question/QuestionAnswer.ts"
import type { QuestionRequest } from "../../core/question/QuestionRequest.ts"

/** A person as functions. They are shown one thing at a time; interruption of what they do is a withdrawal. */
export interface Person {
  readonly presence: Effect.Effect<"present" | "absent">
  readonly ask: (ask: Ask) => Effect.Effect<AskVerdict, SurfaceLost>
  readonly question: (
    request: QuestionRequest
  ) => Effect.Effect<ReadonlyArray<QuestionAnswer> | null, SurfaceLost>
}

export const make = Effect.fnUntraced(function* (person: Person) {
  const turn = yield* Semaphore.make(1)
  return PersonSurface.of({
    presence: person.presence,
    ask: Effect.fn("PersonSurface.ask")((ask) => Semaphore.withPermit(turn, person.ask(ask))),
    question: Effect.fn("PersonSurface.question")((request) =>
      Semaphore.withPermit(turn, person.question(request))
    )
  })
})

export const layer = (person: Person): Layer.Layer<PersonSurface> => Layer.effect(PersonSurface, make(person))
