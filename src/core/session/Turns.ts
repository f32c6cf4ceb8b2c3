import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { TranscriptBehind, TurnInterrupted, TurnRejected, type TurnError } from "./SessionError.ts"
import type { TranscriptFact } from "./TranscriptFact.ts"
import * as Turn from "./Turn.ts"

/** How long the transcript may trail the agent's own word that the turn ended (S3.2). */
const transcriptPatience = Duration.seconds(20)

/** What a turn gave (S3.1). `text` is the agent's last message; times are milliseconds since the epoch. */
export interface TurnResult {
  readonly text: string
  readonly messages: ReadonlyArray<Turn.AssistantMessage>
  readonly toolCalls: ReadonlyArray<Turn.TurnToolCall>
  readonly usage: Turn.Usage | null
  readonly startedAt: number
  readonly endedAt: number
}

/** A turn under way. A person at the terminal may have begun it, so nobody need be waiting for it. */
export interface OpenTurn {
  /** Resolves once the agent's own record says that it took the prompt. */
  readonly taken: Effect.Effect<void>
  readonly result: Effect.Effect<TurnResult, TurnError>
}

interface State {
  turn: Turn.Turn
  readonly startedAt: number
  readonly taken: Deferred.Deferred<void>
  readonly result: Deferred.Deferred<TurnResult, TurnError>
  readonly onFact: (fact: TranscriptFact) => Effect.Effect<void>
}

export interface Turns {
  /** Opens the turn whose prompt is about to be typed; `onFact` sees its records as they are read. */
  readonly begin: (onFact: (fact: TranscriptFact) => Effect.Effect<void>) => Effect.Effect<OpenTurn>
  readonly feed: (input: Turn.TurnInput) => Effect.Effect<void>
  /** Ends the open turn, if there is one, with an error of the session's. */
  readonly abort: (error: TurnError) => Effect.Effect<void>
  readonly isOpen: Effect.Effect<boolean>
}

/**
 * The one turn that a session has at a time, moved along by what hooks and the transcript say.
 *
 * @param onStarted once per turn, when the agent took its prompt
 * @param onEnded once per turn that was taken, however it ended
 */
export const make = Effect.fnUntraced(function* (hooks: {
  readonly onStarted: Effect.Effect<void>
  readonly onEnded: Effect.Effect<void>
}): Effect.fn.Return<Turns, never, Scope.Scope> {
  const scope = yield* Effect.scope
  let open: State | null = null

  const start = Effect.fnUntraced(function* (onFact: State["onFact"]) {
    const state: State = {
      turn: Turn.initial,
      startedAt: yield* Clock.currentTimeMillis,
      taken: yield* Deferred.make<void>(),
      result: yield* Deferred.make<TurnResult, TurnError>(),
      onFact
    }
    open = state
    return state
  })

  const end = Effect.fnUntraced(function* (state: State, outcome: Effect.Effect<TurnResult, TurnError>) {
    if (open !== state) return
    open = null
    if (state.turn.taken) yield* hooks.onEnded
    yield* Deferred.complete(state.result, outcome)
  })

  const complete = (state: State) =>
    end(
      state,
      Effect.map(Clock.currentTimeMillis, (endedAt) => ({
        text: Turn.finalText(state.turn),
        messages: state.turn.messages,
        toolCalls: state.turn.toolCalls,
        usage: Turn.totalUsage(state.turn),
        startedAt: state.startedAt,
        endedAt
      }))
    )

  const settle = Effect.fnUntraced(function* (state: State, before: Turn.Progress) {
    const now = Turn.progress(state.turn)
    if (now === before) return
    switch (now) {
      case "open":
        return
      case "completed":
        return yield* complete(state)
      case "failed": {
        const { failure } = state.turn
        return yield* end(
          state,
          failure?._tag === "failed"
            ? Effect.fail(new TurnRejected({ reason: failure.reason }))
            : Effect.fail(new TurnInterrupted())
        )
      }
      case "catching_up":
        return yield* end(
          state,
          Effect.fail(new TranscriptBehind({ milliseconds: Duration.toMillis(transcriptPatience) }))
        ).pipe(Effect.delay(transcriptPatience), Effect.forkIn(scope), Effect.asVoid)
    }
  })

  return {
    begin: Effect.fnUntraced(function* (onFact) {
      const state = yield* start(onFact)
      return { taken: Deferred.await(state.taken), result: Deferred.await(state.result) }
    }),
    feed: Effect.fnUntraced(function* (input) {
      // What belongs to no turn opens none, except a prompt that a person typed at the terminal.
      const state = open ?? (input._tag === "prompt_taken" ? yield* start(() => Effect.void) : null)
      if (state === null) return
      const before = Turn.progress(state.turn)
      const wasTaken = state.turn.taken
      state.turn = Turn.step(state.turn, input)
      if (state.turn.taken && !wasTaken) {
        yield* hooks.onStarted
        yield* Deferred.succeed(state.taken, undefined)
      }
      if (input._tag === "record") yield* state.onFact(input.fact)
      yield* settle(state, before)
    }),
    abort: (error) => Effect.suspend(() => (open === null ? Effect.void : end(open, Effect.fail(error)))),
    isOpen: Effect.sync(() => open !== null)
  }
})
