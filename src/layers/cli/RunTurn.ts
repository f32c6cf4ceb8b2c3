import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { PersonSurface } from "../../core/authority/PersonSurface.ts"
import type { Agent } from "../../core/call/Agent.ts"
import type { QuestionRequest } from "../../core/question/QuestionRequest.ts"
import * as Attendance from "../../core/session/Attendance.ts"
import type { Session } from "../../core/session/Session.ts"
import { Sessions } from "../../core/session/Sessions.ts"
import * as AnswersFile from "./AnswersFile.ts"
import * as Diagnostic from "./Diagnostic.ts"
import * as ExitCode from "./ExitCode.ts"
import * as RunFailure from "./RunFailure.ts"
import * as RunReport from "./RunReport.ts"

export interface RunOptions {
  readonly prompt: string
  readonly agent: Agent
  readonly cwd: string
  readonly model: Option.Option<string>
  readonly trust: boolean
  readonly timeout: Option.Option<Duration.Duration>
  readonly answers: AnswersFile.AnswersFile
  /** What becomes of the run when a call needs a person and none is there (C5). */
  readonly onAsk: "stop" | "deny"
  readonly failOnDenied: boolean
}

/** What a run has gathered so far, complete or not. */
interface Gathered {
  readonly said: Array<string>
  readonly decisions: Array<RunReport.RunDecision>
  sessionId: string | null
}

const questionNeeded = (request: QuestionRequest) =>
  RunFailure.personNeeded(`the agent asks: ${request.questions.map(({ prompt }) => prompt).join(" / ")}`)

/** Denials that stand for a person who was not there: the run needs one. */
const unattended = new Set<string | null>(["unavailable", "timed_out", "cancelled"])

/** Gathers what happens, and says when a person is needed and none is there. */
const observe = (
  options: RunOptions,
  gathered: Gathered,
  session: Session,
  needed: Deferred.Deferred<never, RunFailure.RunFailure>
) =>
  Stream.runForEach(session.events, (event) =>
    Effect.gen(function* () {
      if (event._tag === "activity" && event.activity.kind === "assistant_message") {
        gathered.said.push(event.activity.text)
      }
      if (event._tag === "attention") {
        yield* Deferred.fail(needed, RunFailure.personNeeded(`the agent shows a ${event.what}`))
      }
      if (event._tag !== "permission") return
      const decision = RunReport.decision(event.call, event.decision)
      gathered.decisions.push(decision)
      if (decision.action === "allow") return
      const line = RunReport.denied(decision)
      yield* Diagnostic.print([line])
      if (unattended.has(decision.denial) && options.onAsk === "stop") {
        yield* Deferred.fail(needed, RunFailure.personNeeded(line))
      }
    })
  )

/** Whoever answers a question: the answers file first, then the person, if there is one. */
const answerer = Effect.gen(function* () {
  const surface = yield* PersonSurface
  return (file: AnswersFile.AnswersFile) => (request: QuestionRequest) =>
    Effect.gen(function* () {
      const prepared = AnswersFile.match(file, request)
      if (prepared !== null) return prepared
      if ((yield* surface.presence) === "absent") return null
      return yield* Effect.orElseSucceed(surface.question(request), () => null)
    })
})

const turn = Effect.fnUntraced(function* (options: RunOptions, gathered: Gathered) {
  const sessions = yield* Sessions
  const ask = yield* answerer
  const session = yield* sessions.start({
    agent: options.agent,
    cwd: options.cwd,
    model: Option.getOrUndefined(options.model),
    trust: options.trust
  })
  gathered.sessionId = session.id
  const needed = yield* Deferred.make<never, RunFailure.RunFailure>()
  yield* Effect.forkScoped(observe(options, gathered, session, needed))
  yield* Effect.forkScoped(
    Attendance.attend({
      questions: session.questions,
      ask: ask(options.answers),
      onUnanswered: (request) => Effect.asVoid(Deferred.fail(needed, questionNeeded(request)))
    })
  )
  const result = yield* Effect.raceFirst(session.send(options.prompt), Deferred.await(needed))
  yield* session.stop
  return result
})

/**
 * One turn of one agent, from start to the last process gone. Never fails: what went wrong is in the report,
 * beside what the agent had said by then. To be run uninterruptibly: `restore` marks the part that an
 * interruption may end, and the report tells of it.
 */
export const run = Effect.fnUntraced(function* (
  options: RunOptions,
  restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
) {
  const startedAt = yield* Clock.currentTimeMillis
  const gathered: Gathered = { said: [], decisions: [], sessionId: null }
  const scope = yield* Scope.make()
  const ended = yield* limit(turn(options, gathered), options.timeout).pipe(
    Effect.provideService(Scope.Scope, scope),
    Effect.mapError(RunFailure.of),
    restore,
    Effect.exit
  )
  const closed = yield* Effect.exit(Scope.close(scope, ended))
  const cleaned = Exit.isSuccess(closed)
  const failure = RunFailure.ofRun(ended, gathered.decisions, options.failOnDenied, cleaned)
  const said = Exit.isSuccess(ended) ? ended.value.messages.map(({ text }) => text) : gathered.said
  return RunReport.RunReport.make({
    schemaVersion: 1,
    type: "result",
    agent: options.agent,
    sessionId: gathered.sessionId,
    response: said.join("\n\n"),
    partial: Exit.isFailure(ended),
    durationMs: Math.round((yield* Clock.currentTimeMillis) - startedAt),
    usage: Exit.isSuccess(ended) ? ended.value.usage : null,
    decisions: gathered.decisions,
    cleanup: cleaned ? "complete" : "failed",
    error:
      failure === null
        ? null
        : { code: failure.code, exitCode: ExitCode.of(failure.status), message: failure.message }
  })
})

const limit = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  timeout: Option.Option<Duration.Duration>
): Effect.Effect<A, E | RunFailure.RunFailure, R> =>
  Option.isNone(timeout)
    ? effect
    : Effect.timeoutOrElse(effect, {
        duration: timeout.value,
        orElse: () => Effect.fail(RunFailure.timedOut)
      })
