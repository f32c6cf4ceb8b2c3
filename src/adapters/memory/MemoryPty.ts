import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type { PtyExit, PtyProcess, PtySpawnOptions } from "../../core/session/Pty.ts"
import { Pty, PtyClosed, type PtySpawnFailed } from "../../core/session/Pty.ts"

type Signal = Parameters<PtyProcess["signal"]>[0]

/** The scripted program's side of its terminal. */
export interface Child {
  readonly options: PtySpawnOptions
  /** Writes output. */
  readonly print: (output: string | Uint8Array) => Effect.Effect<void>
  /** The next thing that was written to the child, whole as it was written. */
  readonly read: Effect.Effect<string>
  /** Takes signals from now on instead of being ended by them; none takes SIGKILL. */
  readonly trap: (handler: (signal: Signal) => Effect.Effect<void>) => Effect.Effect<void>
  /** The size now, after any resize. */
  readonly size: Effect.Effect<{ readonly cols: number; readonly rows: number }>
}

/** A program: what it does, and with which code it exits. */
export type Program = (child: Child) => Effect.Effect<number, PtySpawnFailed>

const signalNumbers: Record<Signal, number> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

const encoder = new TextEncoder()

let nextPid = 1

const spawn = (program: Program) =>
  Effect.fnUntraced(function* (options: PtySpawnOptions) {
    const exit = Deferred.makeUnsafe<PtyExit>()
    const drained = Deferred.makeUnsafe<void>()
    const input = yield* Queue.unbounded<string>()
    const held: Array<Uint8Array> = []
    let listener: ((bytes: Uint8Array) => void) | null = null
    let handler: ((signal: Signal) => Effect.Effect<void>) | null = null
    let size = { cols: options.cols, rows: options.rows }
    let paused = false
    let exited = false
    let closed = false

    const due = () => (listener === null || paused ? undefined : held.shift())
    const flush = () => {
      for (let bytes = due(); bytes !== undefined; bytes = due()) listener?.(bytes)
      if (exited && held.length === 0) Deferred.doneUnsafe(drained, Exit.void)
    }
    const finish = (code: number, signal: number | null) => {
      if (exited) return
      exited = true
      paused = false
      Deferred.doneUnsafe(exit, Exit.succeed({ code, signal }))
      flush()
    }

    const running = yield* program({
      options,
      print: (output) =>
        Effect.sync(() => {
          held.push(typeof output === "string" ? encoder.encode(output) : output.slice())
          flush()
        }),
      read: Queue.take(input),
      trap: (next) =>
        Effect.sync(() => {
          handler = next
        }),
      size: Effect.sync(() => size)
    }).pipe(
      Effect.tap((code) => Effect.sync(() => finish(code, null))),
      Effect.forkScoped({ startImmediately: true })
    )
    // A program that fails at once never started.
    const begun = running.pollUnsafe()
    if (begun !== undefined && Exit.isFailure(begun)) return yield* Effect.failCause(begun.cause)

    const end = (signal: Signal) =>
      Fiber.interrupt(running).pipe(Effect.andThen(Effect.sync(() => finish(0, signalNumbers[signal]))))

    yield* Effect.addFinalizer(() =>
      Effect.andThen(
        end("SIGKILL"),
        Effect.sync(() => {
          closed = true
          Deferred.doneUnsafe(drained, Exit.void)
        })
      )
    )
    const whileOpen = (action: () => void) =>
      Effect.suspend(() => (exited || closed ? Effect.fail(new PtyClosed()) : Effect.sync(action)))

    return {
      pid: nextPid++,
      onData: (next) => {
        listener = next
        flush()
      },
      exit: Deferred.await(exit),
      drained: Deferred.await(drained),
      write: (text) => whileOpen(() => Queue.offerUnsafe(input, text)),
      resize: (cols, rows) =>
        whileOpen(() => {
          size = { cols, rows }
        }),
      signal: (name) =>
        Effect.suspend(() => {
          if (exited) return Effect.void
          return handler === null || name === "SIGKILL" ? end(name) : handler(name)
        }),
      flow: {
        pause: () => {
          paused = !exited
        },
        resume: () => {
          paused = false
          flush()
        }
      }
    } satisfies PtyProcess
  })

/** A pseudo-terminal without processes: each spawn runs the scripted program. */
export const layer = (program: Program): Layer.Layer<Pty> =>
  Layer.succeed(Pty, Pty.of({ spawn: spawn(program) }))
