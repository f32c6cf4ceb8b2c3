import type { Decision } from "../authority/Decision.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import type { QuestionEvent } from "../question/QuestionEvent.ts"
import type { GateReply } from "./Gatekeeper.ts"
import type { PtyExit } from "./Pty.ts"
import type { SessionStatus } from "./SessionStatus.ts"

/** Where a fact came from. */
export type EventSource = "hook" | "transcript" | "screen" | "process" | "host"

/** What a session says, in order (S4.1). Answers are never in it (Q3.6). */
export type SessionEventBody =
  | { readonly _tag: "status"; readonly status: SessionStatus }
  | { readonly _tag: "activity"; readonly activity: Activity }
  | { readonly _tag: "question"; readonly event: QuestionEvent }
  /** What was decided about a call of the agent's. */
  | { readonly _tag: "permission"; readonly call: ToolCall; readonly decision: Decision }
  /** What the agent's hook was told about it. */
  | { readonly _tag: "delivery"; readonly call: ToolCall; readonly reply: GateReply }
  /** Something on the agent's screen needs a person, and no request of ours stands for it (Q4.8). */
  | { readonly _tag: "attention"; readonly what: string }
  | { readonly _tag: "startup_prompt"; readonly label: string; readonly action: "trusted" | "declined" }
  | { readonly _tag: "startup_prompt_write_failed"; readonly label: string }
  | { readonly _tag: "warning"; readonly warning: SessionWarning }
  | { readonly _tag: "exit"; readonly exit: PtyExit }

export type SessionEvent = SessionEventBody & {
  /** Counts this session's events, from 1. */
  readonly sequence: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly source: EventSource
}

export type Activity =
  | { readonly kind: "assistant_message"; readonly id: string; readonly text: string }
  | { readonly kind: "tool_call"; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly kind: "tool_result"; readonly id: string; readonly isError: boolean; readonly text: string }
  | { readonly kind: "question"; readonly label: "raised" | "closed"; readonly question: QuestionEvent }
  | { readonly kind: "warning"; readonly label: WarningCode; readonly raw: SessionWarning }

export type WarningCode =
  | "cli_version_uncharacterised"
  | "gate_unproved"
  | "question_observer_failed"
  | "question_completed_without_answers"
  | "hook_fault"
  | "question_automation_disabled"
  | "transcript_record_dropped"
  | "transcript_unreadable"
  | "ungated_call"

/** A content-free warning: what happened and, where one exists, what to do about it. */
export interface SessionWarning {
  readonly code: WarningCode
  readonly detail: string
}
