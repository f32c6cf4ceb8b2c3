import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { QuestionEvent } from "./QuestionEvent.ts"
import type { QuestionRequest } from "./QuestionRequest.ts"

type Phase<P extends QuestionEvent["phase"]> = Extract<QuestionEvent, { readonly phase: P }>

/** What a watcher gets: the present state once, then every later change, with nothing between lost (Q3.4). */
export type Change =
  | { readonly _tag: "Snapshot"; readonly requests: ReadonlyArray<QuestionRequest> }
  | { readonly _tag: "Raised"; readonly event: Phase<"raised"> }
  | { readonly _tag: "Closed"; readonly event: Phase<"closed"> }

/** The channel that a handler listens on; a question's activity carries the same event (Q3.9). */
export type Channel = "question" | "activity"

/** May throw or reject: that is its own affair (Q3.5). */
export type Handler = (event: QuestionEvent) => void | PromiseLike<void>

/**
 * How many changes are kept for a watcher that does not read. Beyond it the stream ends after what was kept,
 * and watching anew gives the present state: memory stays bounded, and nothing is silently missing.
 */
const watcherBacklog = 4096

export interface QuestionFeed {
  /** Changes that are still on their way to other watchers are in the snapshot and not repeated. */
  readonly watch: Stream.Stream<Change>
  /** Calls `handler` with every later event, in order, until the scope closes. */
  readonly subscribe: (channel: Channel, handler: Handler) => Effect.Effect<void, never, Scope.Scope>
  /** Hands an event to everybody; one that arrives from within a handler waits its turn. */
  readonly publish: (event: QuestionEvent) => void
  /** Ends every watcher's stream. */
  readonly end: () => void
}

export const make = (options: {
  /** Everything open, all published events included. */
  readonly snapshot: () => ReadonlyArray<QuestionRequest>
  /** The first handler that failed, on which channel; called at most once. */
  readonly onObserverFailed: (channel: Channel) => void
}): QuestionFeed => {
  const subscribers = new Set<{ readonly after: number; readonly take: (event: QuestionEvent) => void }>()
  const watchers = new Set<Queue.Queue<Change, Cause.Done>>()
  const outbox: Array<QuestionEvent> = []
  let published = 0
  let delivered = 0
  let delivering = false
  let failureTold = false
  let ended = false

  const failed = (channel: Channel) => {
    if (failureTold) return
    failureTold = true
    options.onObserverFailed(channel)
  }

  const handOver = (event: QuestionEvent) => {
    delivered++
    for (const subscriber of subscribers) if (delivered > subscriber.after) subscriber.take(event)
  }

  /** Starts after what is published by now, though some of it may not be delivered yet. */
  const join = (take: (event: QuestionEvent) => void) => {
    const subscriber = { after: published, take }
    subscribers.add(subscriber)
    return () => subscribers.delete(subscriber)
  }

  return {
    watch: Stream.callback<Change>(
      (queue) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            Queue.offerUnsafe(queue, { _tag: "Snapshot", requests: options.snapshot() })
            if (ended) Queue.endUnsafe(queue)
            watchers.add(queue)
            const leave = join((event) => {
              if (!Queue.offerUnsafe(queue, toChange(event))) Queue.endUnsafe(queue)
            })
            return () => {
              leave()
              watchers.delete(queue)
            }
          }),
          (leave) => Effect.sync(leave)
        ),
      { bufferSize: watcherBacklog, strategy: "dropping" }
    ),
    subscribe: (channel, handler) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() =>
            join((event) => {
              try {
                Promise.resolve(handler(event)).then(undefined, () => failed(channel))
              } catch {
                failed(channel)
              }
            })
          ),
          (leave) => Effect.sync(leave)
        )
      ),
    publish: (event) => {
      published++
      outbox.push(event)
      if (delivering) return
      delivering = true
      for (let next = outbox.shift(); next !== undefined; next = outbox.shift()) handOver(next)
      delivering = false
    },
    end: () => {
      ended = true
      for (const queue of watchers) Queue.endUnsafe(queue)
    }
  }
}

const toChange = (event: QuestionEvent): Change =>
  event.phase === "raised" ? { _tag: "Raised", event } : { _tag: "Closed", event }
