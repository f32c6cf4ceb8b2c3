import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Agent } from "../call/Agent.ts"
import type { Dialect } from "../session/Dialect.ts"
import type { Frame } from "../session/Frame.ts"
import * as Answer from "./Answer.ts"
import { DeliveryFailed, type AnswerDelivery } from "./AnswerDelivery.ts"
import * as Ledger from "./Ledger.ts"
import type { LedgerEvent, LedgerOutput, LedgerWarning } from "./LedgerEvent.ts"
import * as State from "./LedgerState.ts"
import { QuestionAnswerFailed, QuestionNotFound } from "./QuestionFailure.ts"
import type { Change, Channel, Handler } from "./QuestionFeed.ts"
import * as Feed from "./QuestionFeed.ts"
import { RequestId, type QuestionRequest } from "./QuestionRequest.ts"

export type AnswerError = Answer.InvalidQuestionAnswer | QuestionNotFound | QuestionAnswerFailed

/** The questions of one live session, as its host sees them. */
export interface Questions {
  /** Open requests, in discovery order, deeply frozen (Q3.4). */
  readonly list: Effect.Effect<ReadonlyArray<QuestionRequest>>
  /** The open requests, then every later change: one call, no gap and no repetition (Q3.4). */
  readonly watch: Stream.Stream<Change>
  /**
   * Answers one request through the agent's own editor or a parked hook, and succeeds only when the agent's
   * own record holds exactly this answer (Q4.5). `answers`: one `QuestionAnswer` for every question, in any
   * order. `timeout` is positive and finite, 20 seconds if absent. Interrupting the call aborts it; what was
   * submitted before stands (Q4.10).
   *
   * With another answer under way every call fails as `question_answer_failed` before its arguments are
   * read; else an id that is not listed is `question_not_found` before the answers are (Q2.4, Q4.1).
   */
  readonly answer: (
    id: string,
    answers: unknown,
    options?: { readonly timeout?: Duration.Input | undefined }
  ) => Effect.Effect<void, AnswerError>
  /**
   * Gives up the hold that an unconfirmed answer left, after a look at the screen; waits for a physical write
   * that has not ended. Takes the id of a closed request whose hold still stands (Q4.9).
   */
  readonly release: (id: string) => Effect.Effect<void, QuestionNotFound>
}

type SessionEvent<E = LedgerEvent> = E extends { readonly _tag: "sighted" } ? Omit<E, "freshId"> : E

/** What the session engine tells: the agent's records, the callers' decisions, a person's acts. */
export type Observation = SessionEvent<
  Exclude<
    LedgerEvent,
    {
      readonly _tag:
        | "painted"
        | "begun"
        | "write"
        | "write_settled"
        | "failed"
        | "timed_out"
        | "released"
        | "shut"
    }
  >
>

/** Content-free; once per session, but for `question_completed_without_answers` (Q3.2, Q3.5, Q6.3). */
export type Notice =
  | { readonly code: LedgerWarning }
  | { readonly code: "question_observer_failed"; readonly phase: Channel }

/** The same questions, as the engine of their session drives them. */
export interface SessionQuestions extends Questions {
  /** Synchronous: what follows from the observation holds when this returns. */
  readonly observe: (observation: Observation) => void
  /**
   * A completed frame, before anything else acts on it. `editor`: some question editor is on it, recognised
   * or not (Q4.8).
   */
  readonly painted: (frame: Frame, editor: boolean) => void
  /** Whether ordinary input has to wait (Q4.8). Ask again in the same step as the write. */
  readonly isHeld: () => boolean
  /** Ends when ordinary input need not wait any more. */
  readonly free: Effect.Effect<void>
  /** Calls a host's handler with every later event; its failures touch nobody else (Q3.5). */
  readonly subscribe: (channel: Channel, handler: Handler) => Effect.Effect<void, never, Scope.Scope>
}

export interface Options {
  readonly sessionId: string
  readonly dialect: {
    readonly agent: Agent
    readonly questions: Pick<Dialect["questions"], "shows" | "expected" | "normaliseText" | "textLimit">
  }
  /** A random id that was never given before (Q1.1). */
  readonly newId: () => string
  /** Where the platform can tell a proxy (Q2.5). */
  readonly isProxy?: ((value: object) => boolean) | undefined
  readonly editor: AnswerDelivery
  /**
   * A parked hook of this request that can carry an answer, else `null`. `hooks`: the hook invocations that
   * belong to this request beyond doubt, oldest first (Q5.4).
   */
  readonly hook: (request: QuestionRequest, hooks: ReadonlyArray<string>) => AnswerDelivery | null
  readonly onNotice: (notice: Notice) => void
}

/** How long an answer may take unless its caller says otherwise (Q4.1). */
export const defaultTimeout: Duration.Input = "20 seconds"

interface Begun {
  readonly attempt: number
  readonly done: Deferred.Deferred<void, QuestionAnswerFailed>
  readonly timeout: Duration.Duration
  readonly deliver: Effect.Effect<void>
}

interface Running {
  readonly attempt: number
  readonly done: Deferred.Deferred<void, QuestionAnswerFailed>
  fiber: Fiber.Fiber<void> | null
}

/**
 * The questions of one session. Closing the scope closes every request, fails the answer under way and revokes
 * its writes.
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<SessionQuestions, never, Scope.Scope> {
  const { dialect, sessionId } = options
  const agent = dialect.agent
  let state = State.make(agent)
  let running: Running | null = null
  let attempts = 0
  let lastFrame: { readonly frame: Frame; readonly editor: boolean } | null = null
  const unheld = Latch.makeUnsafe(true)
  const quiet = Latch.makeUnsafe(true)
  const feed = Feed.make({
    snapshot: () => State.open(state),
    onObserverFailed: (phase) => options.onNotice({ code: "question_observer_failed", phase })
  })

  /** State, holds and revocation first, the world outside last: no handler finds a half-made step. */
  const observe = (event: LedgerEvent): ReadonlyArray<LedgerOutput> => {
    const step = Ledger.transition(state, event)
    state = step.state
    setOpen(unheld, !state.held)
    setOpen(quiet, state.writing === null)
    for (const output of step.outputs) if (output._tag === "settled") settle(output.attempt, output.outcome)
    for (const output of step.outputs) tell(output)
    return step.outputs
  }

  const settle = (
    attempt: number,
    outcome: Extract<LedgerOutput, { readonly _tag: "settled" }>["outcome"]
  ) => {
    if (running?.attempt !== attempt) return
    const { done, fiber } = running
    running = null
    Deferred.doneUnsafe(
      done,
      outcome === "accepted" ? Effect.void : Effect.fail(new QuestionAnswerFailed({ category: outcome }))
    )
    // Not awaited: a physical write may still be under way, and the caller is not to wait for it.
    fiber?.interruptUnsafe()
  }

  const tell = (output: LedgerOutput) => {
    if (output._tag === "warning") options.onNotice({ code: output.code })
    if (output._tag === "raised") feed.publish(event(output.request, { phase: "raised" }))
    if (output._tag === "closed") {
      feed.publish(event(output.request, { phase: "closed", closure: output.closure }))
    }
  }

  const event = <P extends object>(request: QuestionRequest, phase: P) =>
    Object.freeze({ ...phase, sessionId, agent, request })

  const look = () => {
    if (lastFrame === null) return
    const { editor, frame } = lastFrame
    const shown = state.tracked
      .filter((one) => dialect.questions.shows(frame, one.definitions))
      .map((one) => one.id)
    observe({ _tag: "painted", shown, editor, at: frame.bytes })
  }

  /** Validates and takes the lane in one step, so that no two calls can both find it free (Q4.1). */
  const begin = (
    id: string,
    input: unknown,
    callOptions: { readonly timeout?: Duration.Input | undefined } | undefined
  ): Result.Result<Begun, AnswerError> => {
    if (State.laneTaken(state)) return Result.fail(new QuestionAnswerFailed({ category: "adapter" }))
    const one = state.tracked.find((each) => each.id === id && each.phase === "raised")
    if (one === undefined) return Result.fail(new QuestionNotFound())
    const timeout = readTimeout(callOptions)
    if (timeout === null) {
      return Result.fail(new Answer.InvalidQuestionAnswer({ rule: "timeout_not_positive", position: null }))
    }
    const valid = Answer.validate(one.request, input, {
      isProxy: options.isProxy,
      textLimit: dialect.questions.textLimit,
      trim: dialect.questions.normaliseText
    })
    if (Result.isFailure(valid)) return Result.fail(valid.failure)
    const answers = valid.success
    const delivery =
      (carriable(one.request) ? options.hook(one.request, State.ownHooks(state, one)) : null) ??
      options.editor
    const expected = dialect.questions.expected(one.request, answers.answers)
    const attempt = ++attempts
    const done = Deferred.makeUnsafe<void, QuestionAnswerFailed>()
    running = { attempt, done, fiber: null }
    observe({ _tag: "begun", attempt, request: one.id, way: delivery.way, expected })
    return Result.succeed({
      attempt,
      done,
      timeout,
      deliver: deliver(attempt, delivery, one.request, answers)
    })
  }

  const deliver = (
    attempt: number,
    delivery: AnswerDelivery,
    request: QuestionRequest,
    answers: Answer.ValidAnswer
  ): Effect.Effect<void> =>
    Effect.suspend(() =>
      delivery.deliver({
        request,
        answers,
        write: (submits, physical) =>
          // One step from the grant to its end: a grant that is never settled would hold input for good.
          Effect.uninterruptible(
            Effect.suspend(() =>
              observe({ _tag: "write", attempt, submits }).some(({ _tag }) => _tag === "granted")
                ? physical.pipe(
                    Effect.mapError(() => new DeliveryFailed({ category: "terminal_write" })),
                    Effect.ensuring(Effect.sync(() => observe({ _tag: "write_settled", attempt }))),
                    Effect.as(true)
                  )
                : Effect.succeed(false)
            )
          )
      })
    ).pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          // A delivery that wrote nothing has nothing that the agent's record could confirm.
          if (state.attempt?.attempt === attempt && state.attempt.stage === "open") {
            observe({ _tag: "failed", attempt, category: "adapter" })
          }
        })
      ),
      Effect.catch(({ category }) => Effect.sync(() => void observe({ _tag: "failed", attempt, category }))),
      Effect.catchDefect(() =>
        Effect.sync(() => void observe({ _tag: "failed", attempt, category: "adapter" }))
      )
    )

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      observe({ _tag: "shut" })
      feed.end()
    })
  )

  return {
    list: Effect.sync(() => Object.freeze(State.open(state))),
    watch: feed.watch,
    answer: Effect.fn("Questions.answer")((id, answers, callOptions) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          const begun = begin(id, answers, callOptions)
          if (Result.isFailure(begun)) return Effect.fail(begun.failure)
          const { attempt, done, timeout } = begun.success
          return Effect.forkDetach(begun.success.deliver).pipe(
            Effect.tap((fiber) =>
              Effect.sync(() => {
                if (running?.attempt === attempt) running.fiber = fiber
                else fiber.interruptUnsafe()
              })
            ),
            Effect.andThen(
              restore(
                Effect.timeoutOrElse(Deferred.await(done), {
                  duration: timeout,
                  orElse: () =>
                    Effect.suspend(() => {
                      observe({ _tag: "timed_out", attempt })
                      return Deferred.await(done)
                    })
                })
              )
            ),
            Effect.onInterrupt(() =>
              Effect.sync(() => observe({ _tag: "failed", attempt, category: "aborted" }))
            )
          )
        })
      )
    ),
    release: Effect.fn("Questions.release")((id) =>
      Effect.suspend(() => {
        const one = state.tracked.find((each) => each.id === id && each.phase === "reserved")
        if (one === undefined) return Effect.fail(new QuestionNotFound())
        observe({ _tag: "released", request: one.id })
        return quiet.await
      })
    ),
    observe: (observation) => {
      if (observation._tag !== "sighted") return void observe(observation)
      observe({ ...observation, freshId: RequestId.make(options.newId()) })
      // A dialog that was painted before its record came may never be painted again.
      look()
    },
    painted: (frame, editor) => {
      lastFrame = { frame, editor }
      look()
    },
    isHeld: () => state.held,
    free: unheld.await,
    subscribe: feed.subscribe
  }
})

const setOpen = (latch: Latch.Latch, open: boolean) => (open ? latch.openUnsafe() : latch.closeUnsafe())

/**
 * A hook's answer names questions and options by their text, so it cannot tell two apart that share one
 * (Q5.4, Q1.4).
 */
const carriable = ({ questions }: QuestionRequest): boolean =>
  areDistinct(questions.map(({ prompt }) => prompt)) &&
  questions.every(({ options }) => areDistinct(options.map(({ label }) => label)))

const areDistinct = (texts: ReadonlyArray<string>) => new Set(texts).size === texts.length

/** A caller's own object: reading it may throw. */
const readTimeout = (
  options: { readonly timeout?: Duration.Input | undefined } | undefined
): Duration.Duration | null => {
  try {
    const timeout = Duration.fromInput(options?.timeout ?? defaultTimeout)
    return Option.isSome(timeout) && Duration.isFinite(timeout.value) && Duration.isPositive(timeout.value)
      ? timeout.value
      : null
  } catch {
    return null
  }
}
