import type { Agent } from "../call/Agent.ts"
import type { QuestionDefinition } from "../question/QuestionDefinition.ts"
import type { QuestionAnswer } from "../question/QuestionAnswer.ts"
import type { QuestionRequest } from "../question/QuestionRequest.ts"
import type { Frame } from "./Frame.ts"
import type { HookEndpoint } from "./HookBridge.ts"
import type { HookFact, NativeAnswers } from "./HookFact.ts"
import type { ResultForm } from "./HookGate.ts"
import type { ScreenFact } from "./ScreenFact.ts"
import type { TranscriptFact } from "./TranscriptFact.ts"

/** What the caller wants of a launch, already validated (S2.1). */
export interface LaunchOptions {
  /** Absolute path of the agent's program. */
  readonly file: string
  readonly cwd: string
  readonly model: string | null
  /** The id that the agent is told to use for its own session, a UUID. */
  readonly nativeId: string
  /** Further arguments of the caller, passed through. */
  readonly args: ReadonlyArray<string>
  /** The environment to start from, before the dialect scrubs and adds. */
  readonly env: Readonly<Record<string, string>>
  /** `null`: the session runs without hooks of ours, and then without a gate. */
  readonly hooks: HookEndpoint | null
}

export interface Launch {
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

/**
 * The next physical step of answering a question in the agent's own editor, computed from the newest frame
 * alone, so that a form which a person has moved is still answered from where it stands (Q4.9).
 *
 * - `type`: send `keys`, then wait for a frame whose step has another `stage`: a fingerprint of the editor state
 *   that the step was computed from, so that no key is sent twice while the agent has not drawn its effect yet.
 * - `submit`: send `keys` once; nothing may follow but the agent's evidence (Q4.4).
 * - `wait`: the editor is mid-paint; look at a later frame.
 * - `unrecognised`: no key.
 */
export type EditorStep =
  | { readonly _tag: "type"; readonly keys: string; readonly stage: string }
  | { readonly _tag: "submit"; readonly keys: string }
  | { readonly _tag: "wait" }
  | { readonly _tag: "unrecognised" }

/**
 * One agent, as a table: everything the session engine has to know, and nothing it has to branch
 * on. All functions are pure and total; what they cannot read they say so.
 */
export interface Dialect {
  readonly agent: Agent
  /** Versions whose behaviour was measured, inclusive (S4.4). */
  readonly characterised: { readonly from: string; readonly to: string }
  readonly launch: (options: LaunchOptions) => Launch
  /** Pulls a version out of what `FILE --version` prints. */
  readonly version: (stdout: string) => string | null

  readonly hooks: {
    readonly decode: (payload: unknown) => HookFact
    /** A denial at the place where policy decides. */
    readonly deny: (reason: string) => unknown
    /** Releases exactly this call from the agent's own permission dialog. */
    readonly release: unknown
    /** Denies from the agent's own permission dialog. */
    readonly refuse: (reason: string) => unknown
    /** Answers the agent's question from a parked hook; `null` where it cannot carry these answers (Q5.4). */
    readonly answer: (
      input: unknown,
      request: QuestionRequest,
      answers: ReadonlyArray<QuestionAnswer>
    ) => unknown
  }

  readonly screen: {
    readonly read: (frame: Frame) => ScreenFact
    /** Whether the agent takes this text for a command of its own, which may begin no turn. */
    readonly isCommand: (text: string) => boolean
    readonly keys: {
      /** Brings a text into the prompt field as a prompt, whatever it begins with; a command as a command. */
      readonly prompt: (text: string) => string
      readonly submit: string
      readonly interrupt: string
      readonly clearDraft: string
    }
  }

  readonly questions: {
    /**
     * Milliseconds, at most, for which the agent drops what is typed into an editor that came up behind a prompt
     * just sent. No attempt starts sooner.
     */
    readonly deafMs: number
    /** Whether this frame shows these questions' own editor. */
    readonly shows: (frame: Frame, definitions: ReadonlyArray<QuestionDefinition>) => boolean
    readonly next: (
      frame: Frame,
      request: QuestionRequest,
      answers: ReadonlyArray<QuestionAnswer>
    ) => EditorStep
    /** What the agent's record must hold for these answers, under its own normalisation (Q4.5). */
    readonly expected: (request: QuestionRequest, answers: ReadonlyArray<QuestionAnswer>) => NativeAnswers
    readonly normaliseText: (text: string) => string
    /** Longest text the editor takes whole, in UTF-16 code units; `null` where no limit was found. */
    readonly textLimit: number | null
  }

  readonly transcript: {
    readonly decode: (value: unknown) => ReadonlyArray<TranscriptFact>
    /** How a tool's result stands to the gate (S5.5); `tool` is empty where its call was not read. */
    readonly resultForm: (
      tool: string,
      result: Extract<TranscriptFact, { readonly _tag: "tool_result" }>
    ) => ResultForm
  }
}

/** The same dialect, reading each frame once: several parts of a session look at every one of them. */
export const readingOnce = (dialect: Dialect): Dialect => {
  const known = new WeakMap<Frame, ScreenFact>()
  const read = (frame: Frame): ScreenFact => {
    const fact = known.get(frame) ?? dialect.screen.read(frame)
    known.set(frame, fact)
    return fact
  }
  return { ...dialect, screen: { ...dialect.screen, read } }
}
