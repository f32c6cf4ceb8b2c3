import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as PubSub from "effect/PubSub"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { EventSource, SessionEvent, SessionEventBody } from "./SessionEvent.ts"

/** Events kept for one slow subscriber; it loses the oldest beyond that, visible as a gap in `sequence`. */
const kept = 4096

/** Events that a new subscriber gets first, so that one attached right after a start misses nothing (S4.5). */
const replayed = 256

/** One session's events: in order, numbered, and waiting for nobody (S4.1). */
export interface Events {
  readonly publish: (source: EventSource, body: SessionEventBody) => Effect.Effect<void>
  /** The last 256 events, then every later one. Ends with the session. */
  readonly stream: Stream.Stream<SessionEvent>
}

export const make: Effect.Effect<Events, never, Scope.Scope> = Effect.gen(function* () {
  const hub = yield* PubSub.sliding<SessionEvent>({ capacity: kept, replay: replayed })
  yield* Effect.addFinalizer(() => PubSub.shutdown(hub))
  let sequence = 0
  return {
    publish: Effect.fnUntraced(function* (source, body) {
      const at = yield* Clock.currentTimeMillis
      sequence += 1
      yield* PubSub.publish(hub, { ...body, sequence, at, source })
    }),
    stream: Stream.fromPubSub(hub)
  }
})
