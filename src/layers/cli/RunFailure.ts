import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Match from "effect/Match"
import * as Option from "effect/Option"
import type { AgentNotFound } from "../../core/session/AgentProgram.ts"
import type { StartError } from "../../core/session/Session.ts"
import type { InvalidLaunch, TurnError } from "../../core/session/SessionError.ts"
import type { TurnResult } from "../../core/session/Turns.ts"
import type * as ExitCode from "./ExitCode.ts"
import type { RunDecision } from "./RunReport.ts"

/** Why a run did not succeed: what to say on standard error, and the exit status (C1). */
export interface RunFailure {
  readonly _tag: "RunFailure"
  readonly code: string
  readonly status: ExitCode.Name
  readonly message: string
}

const make = (code: string, status: ExitCode.Name, message: string): RunFailure => ({
  _tag: "RunFailure",
  code,
  status,
  message
})

export const personNeeded = (what: string): RunFailure =>
  make("person_needed", "personNeeded", `a person is needed: ${what}`)

export const timedOut: RunFailure = make("timed_out", "timedOut", "the turn did not end in time (--timeout)")

type RunError = AgentNotFound | InvalidLaunch | RunFailure | StartError | TurnError

type Rows = {
  readonly [Tag in RunError["_tag"]]: (error: Extract<RunError, { readonly _tag: Tag }>) => RunFailure
}

/** Every way in which a run can end without its turn's result: a status each, and words that tell the cure. */
const rows: Rows = {
  RunFailure: (failure) => failure,
  AgentNotFound: ({ code, agent, install }) =>
    make(code, "usage", `${agent} is not installed, or not on the PATH; install it with: ${install}`),
  InvalidLaunch: ({ option, reason }) => make("invalid_launch", "usage", `${option} ${reason}`),
  AgentExited: ({ code, exitCode, signal, lastLine }) =>
    make(
      code,
      "failure",
      `the agent ended (${signal === null ? `exit ${exitCode}` : `signal ${signal}`})${lastLine === null ? "" : `: ${lastLine}`}`
    ),
  BlockedPrompt: ({ code, label }) =>
    make(code, "personNeeded", `the agent waits at a dialog that only a person may answer: ${label}`),
  HookBridgeFailed: ({ reason, path }) =>
    make("hook_bridge_failed", "failure", `no hook socket could be made at ${path}: ${reason}`),
  PtySpawnFailed: ({ at, path, reason }) =>
    make(
      "spawn_failed",
      at === "cwd" ? "usage" : "failure",
      `${path} could not be started in a terminal: ${reason}`
    ),
  ScreenLost: () => make("screen_lost", "failure", "the renderer of the agent's screen failed"),
  StartTimedOut: ({ code, milliseconds }) =>
    make(code, "failure", `the agent showed no prompt field within ${milliseconds} ms`),
  Ungated: ({ code, reason }) => make(code, "usage", `the gate is not armed, so nothing was run: ${reason}`),
  InputQueueFull: ({ code }) => make(code, "failure", "too many prompts wait"),
  PromptNotTaken: ({ code, attempts }) =>
    make(code, "unknownOutcome", `the agent did not confirm the prompt after ${attempts} attempts`),
  SessionOver: ({ code }) => make(code, "failure", "the session ended before the prompt was given"),
  TranscriptBehind: ({ code }) =>
    make(code, "unknownOutcome", "the agent says that its turn ended, but its transcript does not show it"),
  TurnInterrupted: ({ code }) => make(code, "failure", "the turn was interrupted"),
  TurnRejected: ({ code, reason }) =>
    make(code, "failure", `the agent ended the turn with an error: ${reason}`)
}

export const of = (error: RunError): RunFailure => Match.valueTags(error, rows)

/**
 * The one failure of a run, in C1's order: an unknown outcome, a time-out, a needed person, a denial, anything
 * else. A failed clean-up never hides what came before it.
 */
export const ofRun = (
  ended: Exit.Exit<TurnResult, RunFailure>,
  decisions: ReadonlyArray<RunDecision>,
  failOnDenied: boolean,
  cleaned: boolean
): RunFailure | null => {
  const denials = decisions.filter(({ action }) => action === "deny").length
  const denied = make("denied", "denied", `${denials} of the agent's calls were not allowed`)
  if (Exit.isFailure(ended)) {
    const failure = Option.getOrNull(Exit.findErrorOption(ended))
    if (failure === null) {
      return Cause.hasInterrupts(ended.cause)
        ? make("interrupted", "interrupted", "interrupted")
        : make("internal_error", "failure", "internal error, please report it")
    }
    // A turn that the agent broke off because a call was refused ended by that denial.
    return failure.code === "turn_interrupted" && denials > 0 ? denied : failure
  }
  if (failOnDenied && denials > 0) return denied
  return cleaned ? null : make("cleanup_failed", "failure", "the agent's processes could not all be ended")
}
