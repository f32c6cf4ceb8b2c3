import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { QuestionAnswer } from "../question/QuestionAnswer.ts"
import type { QuestionRequest, RequestId } from "../question/QuestionRequest.ts"
import type { Questions } from "../question/Questions.ts"

export interface AttendanceOptions {
  readonly questions: Questions
  /** Gets a person's answers, or `null` where nobody answers. Interrupted when the question is over. */
  readonly ask: (request: QuestionRequest) => Effect.Effect<ReadonlyArray<QuestionAnswer> | null>
  readonly onUnanswered: (request: QuestionRequest) => Effect.Effect<void>
}

/**
 * Brings each of a session's questions to whoever answers them, and their answers back. It answers nothing
 * itself: an answer that could not be delivered is asked for again as long as the question stands.
 */
export const attend = Effect.fnUntraced(function* (
  options: AttendanceOptions
): Effect.fn.Return<void, never, Scope.Scope> {
  const { questions } = options
  const asking = yield* FiberSet.make()
  const closed = new Map<RequestId, Deferred.Deferred<void>>()

  const serve = Effect.fnUntraced(function* (request: QuestionRequest) {
    for (;;) {
      const answers = yield* options.ask(request)
      if (answers === null) return yield* options.onUnanswered(request)
      const delivered = yield* Effect.result(questions.answer(request.id, answers))
      if (delivered._tag === "Success") return
      const open = yield* questions.list
      if (!open.some(({ id }) => id === request.id)) return
    }
  })

  const raise = Effect.fnUntraced(function* (request: QuestionRequest) {
    const over = Deferred.makeUnsafe<void>()
    closed.set(request.id, over)
    yield* FiberSet.run(asking, Effect.raceFirst(serve(request), Deferred.await(over)))
  })

  yield* Stream.runForEach(questions.watch, (change) => {
    switch (change._tag) {
      case "Snapshot":
        return Effect.forEach(change.requests, raise, { discard: true })
      case "Raised":
        return raise(change.event.request)
      case "Closed": {
        const over = closed.get(change.event.request.id)
        closed.delete(change.event.request.id)
        return over === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(over, undefined))
      }
    }
  })
})
