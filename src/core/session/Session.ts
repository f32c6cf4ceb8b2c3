import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { Authority } from "../authority/Authority.ts"
import type { Agent } from "../call/Agent.ts"
import type { Questions } from "../question/Questions.ts"
import * as SessionQuestions from "../question/Questions.ts"
import type { FoundProgram } from "./AgentProgram.ts"
import * as Attention from "./Attention.ts"
import { type Dialect, readingOnce } from "./Dialect.ts"
import * as EditorDelivery from "./EditorDelivery.ts"
import * as Events from "./Events.ts"
import type { Frame } from "./Frame.ts"
import * as Gatekeeper from "./Gatekeeper.ts"
import { HookBridge, type HookBridgeFailed } from "./HookBridge.ts"
import * as Hooks from "./Hooks.ts"
import type { MirrorEvent } from "./Mirror.ts"
import * as LaunchWarnings from "./LaunchWarnings.ts"
import * as ParkedQuestions from "./ParkedQuestions.ts"
import * as Prompting from "./Prompting.ts"
import type { Pty, PtyExit, PtySpawnFailed } from "./Pty.ts"
import * as Records from "./Records.ts"
import type { Screen, ScreenLost } from "./Screen.ts"
import {
  AgentExited,
  BlockedPrompt,
  SessionOver,
  StartTimedOut,
  Ungated,
  type TurnError
} from "./SessionError.ts"
import type { SessionEvent } from "./SessionEvent.ts"
import * as SessionStatus from "./SessionStatus.ts"
import * as Startup from "./Startup.ts"
import * as Terminal from "./Terminal.ts"
import type { TranscriptFact } from "./TranscriptFact.ts"
import type { TranscriptSource } from "./TranscriptSource.ts"
import * as Turns from "./Turns.ts"

/** One agent's CLI, running under the gate. A scoped value: closing its scope leaves no process behind. */
export interface Session {
  /** Ours, opaque. */
  readonly id: string
  readonly agent: Agent
  readonly status: Effect.Effect<SessionStatus.SessionStatus>
  /** The present status, then every later one. */
  readonly statusChanges: Stream.Stream<SessionStatus.SessionStatus>
  /** The last 256 events, then every later one (S4.1). */
  readonly events: Stream.Stream<SessionEvent>
  readonly questions: Questions
  /** Gives the agent one prompt and waits for its turn to end; calls that overlap queue (S3.1). */
  readonly send: (prompt: string) => Effect.Effect<Turns.TurnResult, TurnError>
  /** The same turn as typed events; the last one is the result. */
  readonly stream: (prompt: string) => Stream.Stream<TurnEvent, TurnError>
  /** Presses the agent's own interrupt key. */
  readonly interrupt: Effect.Effect<void, SessionOver>
  /** A person's raw keys: they revoke an answer that is being typed (Q4.3). */
  readonly keys: (text: string) => Effect.Effect<void, SessionOver>
  readonly resize: (cols: number, rows: number) => Effect.Effect<void, SessionOver>
  /** The live screen for somebody who attaches (S1.5). */
  readonly mirror: Stream.Stream<MirrorEvent, Terminal.TerminalClosed>
  readonly frame: Effect.Effect<Frame>
  /** Asks the agent to end, and ends it after five seconds (S2.3). */
  readonly stop: Effect.Effect<PtyExit>
  readonly kill: Effect.Effect<PtyExit>
}

/** What one turn says while it goes on. */
export type TurnEvent =
  | { readonly _tag: "record"; readonly fact: TranscriptFact }
  | { readonly _tag: "completed"; readonly result: Turns.TurnResult }

export interface SessionOptions {
  readonly id: string
  readonly dialect: Dialect
  readonly program: FoundProgram
  /** Whether the hooks of this build were proved to gate on this machine; a warning if not (S5.2). */
  readonly proved: Effect.Effect<boolean>
  /** Absolute. */
  readonly cwd: string
  readonly model: string | null
  readonly args: ReadonlyArray<string>
  /** Whether the agent's recognised trust dialogs may be answered for the person (S6.2). */
  readonly trust: boolean
  readonly size?: { readonly cols: number; readonly rows: number }
  /**
   * How answers reach the agent: through its parked hook where it has one, which types nothing, or always through
   * its editor (Q5.4).
   */
  readonly answerThrough: "hook" | "editor"
  /** Random and never given before (Q1.1); a UUID where the agent is told to use it. */
  readonly newId: () => string
  readonly isProxy?: (value: object) => boolean
}

export type StartError =
  | AgentExited
  | BlockedPrompt
  | HookBridgeFailed
  | PtySpawnFailed
  | ScreenLost
  | StartTimedOut
  | Ungated

/** How long an agent may take to show its prompt field. */
export const startPatience = "60 seconds"

/** How long our start hook may take once the prompt field is there (S5.2). */
const gatePatience = "15 seconds"

/** Between the request to end and the end by force (S2.3). */
const stopPatience = "5 seconds"

/** As much of a last line as tells why a start failed. */
const lastLineLimit = 200

const lastLine = (frame: Frame): string | null =>
  frame.lines
    .map(({ text }) => text.trim())
    .findLast((text) => text !== "")
    ?.slice(0, lastLineLimit) ?? null

/**
 * Starts an agent under the gate and waits until it can be given a prompt. The agent's own process group ends
 * with the scope, on every path.
 */
export const start: (
  options: SessionOptions
) => Effect.Effect<
  Session,
  StartError,
  Authority | HookBridge | Pty | Scope.Scope | Screen | TranscriptSource
> = Effect.fn("Session.start")(function* (options) {
  const { id } = options
  const dialect = readingOnce(options.dialect)
  const size = options.size ?? Terminal.defaultSize
  const events = yield* Events.make
  const status = yield* SubscriptionRef.make<SessionStatus.SessionStatus>("starting")
  const hooksSeen = yield* Deferred.make<void>()
  const stopped = yield* Deferred.make<void>()
  const parked = ParkedQuestions.make(dialect)

  const move = Effect.fnUntraced(function* (event: SessionStatus.StatusEvent) {
    const before = yield* SubscriptionRef.get(status)
    const after = SessionStatus.step(before, event)
    if (after === before) return
    yield* SubscriptionRef.set(status, after)
    yield* events.publish("host", { _tag: "status", status: after })
  })
  const closing = Effect.map(SubscriptionRef.get(status), SessionStatus.isClosing)

  const turns = yield* Turns.make({ onStarted: move("turn_started"), onEnded: move("turn_ended") })

  // The terminal is opened last, because its launch names the hook command; hooks come only after it is.
  const terminalReady = yield* Deferred.make<Terminal.Terminal>()
  const withTerminal = <A, E>(use: (terminal: Terminal.Terminal) => Effect.Effect<A, E>) =>
    Effect.flatMap(Deferred.await(terminalReady), use)

  let terminal: Terminal.Terminal | null = null
  const received = () => terminal?.received() ?? 0
  const showsPermission = (frame: Frame) => dialect.screen.read(frame)._tag === "permission"

  const gatekeeper = yield* Gatekeeper.make({
    dialect,
    onDecision: (call, decision) => events.publish("hook", { _tag: "permission", call, decision }),
    onReply: (call, reply) => events.publish("hook", { _tag: "delivery", call, reply }),
    onUngated: (tool) =>
      events
        .publish("hook", { _tag: "warning", warning: { code: "ungated_call", detail: tool } })
        .pipe(Effect.andThen(withTerminal((terminal) => terminal.signal("SIGKILL")))),
    dialogGone: withTerminal((terminal) => Effect.ignore(terminal.until((frame) => !showsPermission(frame))))
  })

  const runFork = Effect.runForkWith(yield* Effect.context())
  const questions = yield* SessionQuestions.make({
    sessionId: id,
    dialect,
    newId: options.newId,
    isProxy: options.isProxy,
    editor: {
      way: "editor",
      deliver: (attempt) =>
        withTerminal((terminal) => EditorDelivery.make(terminal, dialect).deliver(attempt))
    },
    hook: parked.delivery,
    onNotice: (notice) => {
      const detail = "phase" in notice ? notice.phase : ""
      runFork(events.publish("host", { _tag: "warning", warning: { code: notice.code, detail } }))
    }
  })
  yield* questions.subscribe("question", (event) => {
    runFork(
      events.publish("host", { _tag: "question", event }).pipe(
        Effect.andThen(
          events.publish("host", {
            _tag: "activity",
            activity: { kind: "question", label: event.phase, question: event }
          })
        )
      )
    )
  })

  const records = yield* Records.make({ dialect, turns, questions, gatekeeper, events, received, parked })
  const endpoint = yield* (yield* HookBridge).open({
    handle: Hooks.make({
      dialect,
      turns,
      questions,
      gatekeeper,
      parked,
      received,
      newId: options.newId,
      parks: options.answerThrough === "hook",
      onStart: (transcriptPath) =>
        Effect.andThen(Deferred.succeed(hooksSeen, undefined), records.follow(transcriptPath))
    }),
    onFault: (fault) => {
      runFork(
        events.publish("hook", { _tag: "warning", warning: { code: "hook_fault", detail: fault.reason } })
      )
    }
  })

  const launch = dialect.launch({
    file: options.program.file,
    cwd: options.cwd,
    model: options.model,
    nativeId: options.newId(),
    args: options.args,
    env: options.program.env,
    hooks: endpoint
  })
  const opened = yield* Terminal.open({
    file: options.program.file,
    args: launch.args,
    cwd: options.cwd,
    env: launch.env,
    ...size
  })
  terminal = opened
  yield* Deferred.succeed(terminalReady, opened)
  // From here on the agent lives; whatever ends this scope ends it, and closing wins over every key (S2.4).
  yield* Effect.addFinalizer(() => move("stop_asked"))

  yield* opened.frames.pipe(
    Stream.runForEach((frame) =>
      Effect.sync(() => questions.painted(frame, dialect.screen.read(frame)._tag === "question"))
    ),
    Effect.ignore,
    Effect.forkScoped
  )
  yield* opened.exit.pipe(
    Effect.tap((exit) => events.publish("process", { _tag: "exit", exit })),
    Effect.andThen(move("process_gone")),
    Effect.andThen(Effect.flatMap(exited(opened, null), turns.abort)),
    Effect.forkScoped
  )

  yield* Effect.forkScoped(
    LaunchWarnings.publish({ dialect, program: options.program, proved: options.proved, events })
  )
  yield* Startup.awaitComposer({
    terminal: opened,
    dialect,
    trust: options.trust,
    closing,
    onGate: (gate) =>
      events.publish("screen", {
        _tag: "startup_prompt",
        label: gate.label,
        action: gate.kind === "trust" ? "trusted" : "declined"
      }),
    onWriteFailed: (gate) =>
      events.publish("screen", { _tag: "startup_prompt_write_failed", label: gate.label })
  }).pipe(
    Effect.catchTag("TerminalClosed", () =>
      Effect.flatMap(opened.newest, (frame) => Effect.flip(exited(opened, lastLine(frame))))
    ),
    Effect.timeoutOrElse({
      duration: startPatience,
      orElse: () => Effect.fail(new StartTimedOut({ milliseconds: 60_000 }))
    })
  )
  yield* Deferred.await(hooksSeen).pipe(
    Effect.timeoutOrElse({
      duration: gatePatience,
      orElse: () => Effect.fail(new Ungated({ reason: "the agent never called our start hook" }))
    })
  )
  yield* move("composer")

  yield* Attention.watch({
    terminal: opened,
    dialect,
    covered: gatekeeper.isAsking,
    onRaised: (what) =>
      Effect.andThen(events.publish("screen", { _tag: "attention", what }), move("blocked")),
    onGone: Effect.flatMap(turns.isOpen, (open) => move(open ? "unblocked" : "composer"))
  }).pipe(Effect.ignore, Effect.forkScoped)

  const lane = Semaphore.makeUnsafe(1)
  const send = Effect.fn("Session.send")(
    function* (prompt: string, onFact: (fact: TranscriptFact) => Effect.Effect<void>) {
      if (yield* closing) return yield* new SessionOver()
      const turn = yield* turns.begin(onFact)
      yield* Prompting.submit({
        terminal: opened,
        dialect,
        text: prompt,
        unheld: questions.free,
        held: questions.isHeld,
        closing,
        taken: turn.taken
      }).pipe(
        Effect.catchTag("TerminalClosed", () => Effect.flip(exited(opened, null))),
        Effect.tapError(turns.abort)
      )
      return yield* turn.result
    },
    (turn) => lane.withPermit(turn)
  )

  const write = (text: string, what: "key" | "interrupt") =>
    Effect.suspend(() => {
      questions.observe({ _tag: "intervened", what })
      return opened.write(text)
    }).pipe(Effect.mapError(() => new SessionOver()))

  const finish = opened.exit
  const stop = Effect.fnUntraced(function* (event: "stop_asked" | "kill_asked", force: boolean) {
    yield* move(event)
    if (force) yield* opened.signal("SIGKILL")
    else if (yield* Deferred.succeed(stopped, undefined)) {
      yield* opened.signal("SIGTERM")
      yield* finish.pipe(
        Effect.timeoutOrElse({ duration: stopPatience, orElse: () => opened.signal("SIGKILL") }),
        Effect.forkScoped
      )
    }
    return yield* finish
  }, Effect.scoped)

  return {
    id,
    agent: dialect.agent,
    status: SubscriptionRef.get(status),
    statusChanges: SubscriptionRef.changes(status),
    events: events.stream,
    questions,
    send: (prompt) => send(prompt, () => Effect.void),
    stream: (prompt) =>
      Stream.callback<TurnEvent, TurnError>((queue) =>
        send(prompt, (fact) => Effect.asVoid(Queue.offer(queue, { _tag: "record", fact }))).pipe(
          Effect.flatMap((result) => Queue.offer(queue, { _tag: "completed", result })),
          Effect.andThen(Queue.end(queue)),
          Effect.catchCause((cause) => Queue.failCause(queue, cause))
        )
      ),
    interrupt: write(dialect.screen.keys.interrupt, "interrupt"),
    keys: (text) => Effect.andThen(gatekeeper.keysFree, write(text, "key")),
    resize: (cols, rows) =>
      Effect.suspend(() => {
        questions.observe({ _tag: "intervened", what: "layout" })
        return opened.resize(cols, rows)
      }).pipe(
        Effect.asVoid,
        Effect.mapError(() => new SessionOver())
      ),
    mirror: opened.mirror,
    frame: opened.newest,
    stop: stop("stop_asked", false),
    kill: stop("kill_asked", true)
  }
})

/** The error that says how the agent ended. */
const exited = (terminal: Terminal.Terminal, line: string | null) =>
  Effect.map(terminal.exit, ({ code, signal }) => new AgentExited({ exitCode: code, signal, lastLine: line }))
