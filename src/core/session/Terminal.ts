import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as PubSub from "effect/PubSub"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type * as Take from "effect/Take"
import type { Frame } from "./Frame.ts"
import { blank } from "./Frame.ts"
import * as Mirror from "./Mirror.ts"
import * as OutputBuffer from "./OutputBuffer.ts"
import type { PtyClosed, PtyExit, PtyProcess, PtySpawnFailed, PtySpawnOptions } from "./Pty.ts"
import { Pty } from "./Pty.ts"
import type { ScreenLost } from "./Screen.ts"
import { Screen } from "./Screen.ts"

/** Nothing more will be rendered, so a wait for a frame cannot come true. */
export class TerminalClosed extends Schema.TaggedError<TerminalClosed>()("TerminalClosed", {
  /**
   * - `ended`: the child is gone and its last output was rendered (or did not render within its second).
   * - `disposed`: the terminal's scope closed.
   * - `screen_lost`: the renderer ended before its terminal did; the child may live on, unseen.
   */
  reason: Schema.Literals(["ended", "disposed", "screen_lost"])
}) {}

/** The size that agents are started with unless the caller has another (S1.1). */
export const defaultSize = { cols: 189, rows: 48 }

/** A render batch is at most this long … */
const batchBytes = 64 * 1024
/** … and begins at most this long after its first byte, unless the renderer is behind (S1.2). */
const batchWait = "4 millis"
/**
 * Batches on their way to the renderer: one renders while the next one travels, and what comes meanwhile grows
 * into a larger batch. Full ones cannot grow, so more of them may travel, lest the renderer wait for a busy host.
 */
const batchesUnderway = 2
const fullBatchesUnderway = 8
/** Unrendered bytes at which the child is held back, and below which it goes on (S1.2). */
const pauseAt = 1024 * 1024
const resumeBelow = 512 * 1024
/** What was received when the child ended gets this long to render (S1.3). */
const renderGrace = "1 second"
/** Frames kept for one slow subscriber. */
const framesKept = 256
/** Answers to terminal queries kept for a child that does not read them; further ones are dropped. */
const repliesKept = 1024

/**
 * A child on a pseudo-terminal joined to the screen that shows it (S1). Everything it prints is rendered, in
 * order and without loss, whatever observers do.
 */
export interface Terminal {
  readonly pid: number
  /** Bytes of output received by now; a frame with as many `bytes` shows all of them. */
  readonly received: () => number
  /** The newest frame; `sequence` 0 before any output. */
  readonly newest: Effect.Effect<Frame>
  /**
   * The newest frame, if there is one, then each frame as it completes, in order. Ends with the terminal; fails
   * only if the screen is lost. Rendering waits for no subscriber: one that falls over 256 frames behind loses
   * the oldest of them, visible as a gap in `sequence`, and never the newest.
   */
  readonly frames: Stream.Stream<Frame, TerminalClosed>
  /** Resolves with the newest frame once everything that was received by now is rendered. */
  readonly settled: Effect.Effect<Frame, TerminalClosed>
  /** Resolves with the first frame that fits, the newest included; `predicate` sees every frame, and must not throw. */
  readonly until: (predicate: (frame: Frame) => boolean) => Effect.Effect<Frame, TerminalClosed>
  /** Writes to the child, after what was written before. */
  readonly write: (text: string) => Effect.Effect<void, PtyClosed>
  /** Resizes screen and child; what was received before is rendered at the old size. */
  readonly resize: (cols: number, rows: number) => Effect.Effect<Frame, TerminalClosed | PtyClosed>
  readonly signal: PtyProcess["signal"]
  /** Resolves at once when the child is reaped (S1.3). */
  readonly exit: Effect.Effect<PtyExit>
  /** Resolves once the child is gone and its last output is rendered, at most about a second after `exit`. */
  readonly ended: Effect.Effect<PtyExit, TerminalClosed>
  /** The live screen for a late observer (S1.5). */
  readonly mirror: Stream.Stream<Mirror.MirrorEvent, TerminalClosed>
  /**
   * Whether the emulator's own answers to terminal queries are written to the child (S1.6): on, unless
   * another terminal that shows the same output gives its own.
   */
  readonly answerQueries: (on: boolean) => Effect.Effect<void>
}

interface Waiter {
  readonly fits: (frame: Frame) => boolean
  readonly resume: (exit: Exit.Exit<Frame, TerminalClosed>) => void
}

/**
 * Starts a program and shows it. Closing the scope discards what is not rendered, settles every wait and ends
 * the child's whole process group.
 */
export const open: (
  options: PtySpawnOptions & { readonly answerQueries?: boolean }
) => Effect.Effect<Terminal, PtySpawnFailed | ScreenLost, Pty | Screen | Scope.Scope> = Effect.fn(
  "Terminal.open"
)(function* (options) {
  // The screen first: if it fails, no child was started.
  const screen = yield* (yield* Screen).open({ cols: options.cols, rows: options.rows })
  const pty = yield* (yield* Pty).spawn(options)
  const scope = yield* Effect.scope

  const output = OutputBuffer.make()
  const waiting = Latch.makeUnsafe(false)
  const ready = Latch.makeUnsafe(false)
  const changed = Latch.makeUnsafe(false)
  // Held while something is handed to the screen, so that batches, resizes and snapshots have one order.
  const order = Semaphore.makeUnsafe(1)
  const hub = yield* PubSub.sliding<Take.Take<Frame, TerminalClosed>>(framesKept)
  const replies = yield* Queue.dropping<string>(repliesKept)
  const ended = Deferred.makeUnsafe<PtyExit, TerminalClosed>()
  const waiters = new Set<Waiter>()

  let newest = blank(options.cols, options.rows)
  let size = { cols: options.cols, rows: options.rows }
  let underway = 0
  let received = 0
  let rendered = 0
  let paused = false
  let exited = false
  let drained = false
  let answering = options.answerQueries ?? true
  let closed: TerminalClosed | null = null

  const release = () => {
    if (paused) {
      paused = false
      pty.flow?.resume()
    }
  }

  const close = (reason: TerminalClosed["reason"]) => {
    if (closed !== null) return
    closed = new TerminalClosed({ reason })
    output.clear()
    release()
    const exit = Exit.fail(closed)
    for (const waiter of waiters) waiter.resume(exit)
    waiters.clear()
    mirrors.close(closed)
    PubSub.endUnsafe(hub, reason === "screen_lost" ? exit : Exit.void)
    if (reason !== "ended") Deferred.doneUnsafe(ended, exit)
  }

  const settle = () => {
    for (const waiter of waiters) {
      if (!waiter.fits(newest)) continue
      waiters.delete(waiter)
      waiter.resume(Exit.succeed(newest))
    }
  }

  const show = (frame: Frame, bytes: number): Effect.Effect<unknown> => {
    if (closed !== null) return Effect.void
    rendered += bytes
    newest = frame
    if (paused && received - rendered < resumeBelow) release()
    // Subscribers first: a waiter may end the terminal.
    return Effect.andThen(PubSub.publish(hub, [frame]), Effect.sync(settle))
  }

  /** Begins a step of the screen now, and shows its frame when it is done. */
  const render = (step: Effect.Effect<Frame, ScreenLost>, bytes: number) =>
    step.pipe(
      Effect.flatMap((frame) => show(frame, bytes)),
      Effect.catchTag("ScreenLost", () => Effect.sync(() => close("screen_lost"))),
      Effect.forkIn(scope, { startImmediately: true })
    )

  const submit = Effect.suspend((): Effect.Effect<unknown> => {
    const batch = output.take(batchBytes)
    if (output.size() < batchBytes && !drained) ready.closeUnsafe()
    if (output.size() === 0) waiting.closeUnsafe()
    // A resize took it first.
    if (batch.length === 0) return Effect.void
    underway += 1
    mirrors.output(batch)
    const step = Effect.ensuring(
      screen.write(batch),
      Effect.sync(() => {
        underway -= 1
        changed.openUnsafe()
      })
    )
    return render(step, batch.length)
  })

  const room: Effect.Effect<void> = Effect.suspend(() => {
    if (underway < (output.size() < batchBytes ? batchesUnderway : fullBatchesUnderway)) return Effect.void
    changed.closeUnsafe()
    return Effect.andThen(changed.await, room)
  })

  const pump = waiting.await.pipe(
    Effect.andThen(Effect.timeoutOption(ready.await, batchWait)),
    Effect.andThen(room),
    Effect.andThen(order.withPermit(submit)),
    Effect.forever
  )

  const mirrors = Mirror.make({
    snapshot: (join) =>
      order.withPermit(
        Effect.suspend(() => {
          join(size)
          return screen.serialize.pipe(
            Effect.tapError(() => Effect.sync(() => close("screen_lost"))),
            Effect.forkIn(scope, { startImmediately: true })
          )
        })
      )
  })

  pty.onData((bytes) => {
    if (closed !== null) return
    received += bytes.length
    output.push(bytes)
    waiting.openUnsafe()
    if (output.size() >= batchBytes) {
      ready.openUnsafe()
      changed.openUnsafe()
    }
    if (!paused && !exited && received - rendered >= pauseAt) {
      paused = true
      pty.flow?.pause()
    }
  })
  screen.onReply((text) => {
    if (answering && closed === null) Queue.offerUnsafe(replies, text)
  })

  const until: Terminal["until"] = (predicate) =>
    Effect.callback((resume) => {
      // What ended by itself still shows its last screen.
      if (closed !== null && closed.reason !== "ended") return resume(Exit.fail(closed))
      if (predicate(newest)) return resume(Exit.succeed(newest))
      if (closed !== null) return resume(Exit.fail(closed))
      const waiter: Waiter = { fits: predicate, resume }
      waiters.add(waiter)
      return Effect.sync(() => waiters.delete(waiter))
    })

  const settled = Effect.suspend(() => {
    const target = received
    return until(() => rendered >= target)
  })

  yield* Effect.addFinalizer(() => Effect.sync(() => close("disposed")))
  yield* Effect.forkIn(pump, scope)
  yield* Queue.take(replies).pipe(
    Effect.flatMap((text) => Effect.ignore(pty.write(text))),
    Effect.forever,
    Effect.forkIn(scope)
  )
  yield* pty.exit.pipe(
    Effect.tap((exit) =>
      Effect.suspend(() => {
        exited = true
        release()
        return pty.drained.pipe(
          Effect.andThen(
            Effect.suspend(() => {
              drained = true
              ready.openUnsafe()
              return settled
            })
          ),
          Effect.timeoutOption(renderGrace),
          Effect.ignore,
          Effect.andThen(
            Effect.sync(() => {
              close("ended")
              Deferred.doneUnsafe(ended, Exit.succeed(exit))
            })
          )
        )
      })
    ),
    Effect.forkIn(scope)
  )

  const frames = Effect.gen(function* () {
    const subscription = yield* PubSub.subscribe(hub)
    const first = newest
    const later = Stream.fromSubscription(subscription).pipe(
      Stream.flattenTake,
      Stream.filter((frame) => frame.sequence > first.sequence)
    )
    return first.sequence === 0 ? later : Stream.prepend(later, [first])
  }).pipe(
    Stream.unwrap,
    Stream.takeWhile(() => closed?.reason !== "disposed")
  )

  return {
    pid: pty.pid,
    received: () => received,
    newest: Effect.sync(() => newest),
    frames,
    settled,
    until,
    write: pty.write,
    resize: Effect.fn("Terminal.resize")(function* (cols, rows) {
      const fiber = yield* order.withPermit(
        Effect.gen(function* () {
          while (output.size() > 0) {
            const batch = output.take(batchBytes)
            mirrors.output(batch)
            yield* render(screen.write(batch), batch.length)
          }
          size = { cols, rows }
          const fiber = yield* render(screen.resize(cols, rows), 0)
          mirrors.resized()
          yield* pty.resize(cols, rows)
          return fiber
        })
      )
      yield* Fiber.await(fiber)
      if (closed !== null) return yield* closed
      return newest
    }),
    signal: pty.signal,
    exit: pty.exit,
    ended: Deferred.await(ended),
    mirror: mirrors.stream,
    answerQueries: (on) =>
      Effect.sync(() => {
        answering = on
      })
  }
})
