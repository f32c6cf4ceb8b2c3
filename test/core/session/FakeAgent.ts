import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Dialect, EditorStep } from "../../../src/core/session/Dialect.ts"
import { blank, type Frame } from "../../../src/core/session/Frame.ts"
import type { PtyExit } from "../../../src/core/session/Pty.ts"
import type { ScreenFact } from "../../../src/core/session/ScreenFact.ts"
import { type Terminal, TerminalClosed } from "../../../src/core/session/Terminal.ts"

/**
 * An agent's screen in a test: what is in front is told as a `ScreenFact` and an editor step in place of text,
 * and every key that the engine writes goes to `onWrite`, which may change what is in front.
 */
export interface Front {
  readonly fact: ScreenFact
  readonly step?: EditorStep
}

export interface FakeAgent {
  readonly terminal: Terminal
  readonly dialect: Dialect
  /** Everything written, in order. */
  readonly written: Array<string>
  readonly show: (front: Front) => void
  readonly front: () => Front
  readonly end: (exit: PtyExit) => void
}

export const composer = (draft = "", working = false): Front => ({
  fact: { _tag: "composer", draft, working }
})

export const make = (first: Front, onWrite: (text: string, agent: FakeAgent) => void): FakeAgent => {
  let sequence = 1
  let closed = false
  let front = first
  const fronts = new Map<number, Front>([[1, first]])
  const waiters = new Set<{
    fits: (frame: Frame) => boolean
    resume: (frame: Frame) => void
    fail: () => void
  }>()
  const exit = Deferred.makeUnsafe<PtyExit>()
  const written: Array<string> = []

  const frame = (): Frame => ({ ...blank(80, 24), sequence })
  const of = ({ sequence }: Frame) => fronts.get(sequence) ?? first

  const agent: FakeAgent = {
    written,
    front: () => front,
    show: (next) => {
      front = next
      sequence += 1
      fronts.set(sequence, next)
      const now = frame()
      for (const waiter of waiters) if (waiter.fits(now)) waiter.resume(now)
    },
    end: (how) => {
      closed = true
      for (const waiter of waiters) waiter.fail()
      Deferred.doneUnsafe(exit, Effect.succeed(how))
    },
    terminal: {
      pid: 1,
      received: () => sequence,
      newest: Effect.sync(frame),
      frames: Stream.empty,
      settled: Effect.sync(frame),
      until: (predicate) =>
        Effect.callback((resume) => {
          if (predicate(frame())) return resume(Effect.succeed(frame()))
          if (closed) return resume(Effect.fail(new TerminalClosed({ reason: "ended" })))
          const waiter = {
            fits: predicate,
            resume: (now: Frame) => {
              waiters.delete(waiter)
              resume(Effect.succeed(now))
            },
            fail: () => {
              waiters.delete(waiter)
              resume(Effect.fail(new TerminalClosed({ reason: "ended" })))
            }
          }
          waiters.add(waiter)
          return Effect.sync(() => waiters.delete(waiter))
        }),
      write: (text) =>
        Effect.sync(() => {
          written.push(text)
          onWrite(text, agent)
        }),
      resize: () => Effect.sync(frame),
      signal: () => Effect.void,
      exit: Deferred.await(exit),
      ended: Deferred.await(exit),
      mirror: Stream.empty,
      answerQueries: () => Effect.void
    },
    dialect: {
      agent: "claude",
      characterised: { from: "1.0.0", to: "1.0.0" },
      launch: () => ({ args: [], env: {} }),
      version: () => null,
      hooks: {
        decode: () => ({ _tag: "other", event: "" }),
        deny: (reason) => ({ deny: reason }),
        release: { release: true },
        refuse: (reason) => ({ refuse: reason }),
        answer: (input, request, answers) => ({ input, request: request.id, answers })
      },
      screen: {
        read: (frame) => of(frame).fact,
        isCommand: (text) => text.startsWith("/"),
        keys: { prompt: (text) => `<${text}>`, submit: "\r", interrupt: "\u001B", clearDraft: "\u0015" }
      },
      questions: {
        deafMs: 0,
        shows: () => true,
        next: (frame) => of(frame).step ?? { _tag: "unrecognised" },
        expected: () => [],
        normaliseText: (text) => text,
        textLimit: null
      },
      transcript: { decode: () => [], resultForm: () => "gated" }
    }
  }
  return agent
}
