import type { QuestionDefinition } from "../question/QuestionDefinition.ts"
import type { ToolCall } from "../call/ToolCall.ts"

/**
 * What an agent's hook event says, the same for every agent (S5.1). A dialect decodes its own events into
 * these. `definitions` is empty where a question's own cannot be read (Q6.2).
 */
export type HookFact =
  | { readonly _tag: "session_start"; readonly nativeId: string; readonly transcriptPath: string }
  | { readonly _tag: "prompt_taken"; readonly prompt: string }
  /**
   * Before a tool runs: the place where policy decides and parks. `agentId` is the agent's own id of the
   * subagent that asks, `null` for the main one: the gate tells equal calls of two subagents apart by it.
   */
  | { readonly _tag: "tool_requested"; readonly call: ToolCall; readonly agentId: string | null }
  /** The agent's own permission dialog is about to show, or shows. */
  | { readonly _tag: "permission_requested"; readonly call: ToolCall; readonly agentId: string | null }
  | {
      readonly _tag: "question_requested"
      readonly phase: "tool" | "permission"
      readonly nativeId: string | null
      readonly definitions: ReadonlyArray<QuestionDefinition>
      /** The tool's original input, which a hook's answer has to carry back. */
      readonly input: unknown
    }
  | {
      readonly _tag: "question_completed"
      readonly nativeId: string | null
      readonly definitions: ReadonlyArray<QuestionDefinition>
      readonly answers: NativeAnswers
    }
  | { readonly _tag: "tool_completed"; readonly nativeId: string | null; readonly tool: string }
  | { readonly _tag: "turn_ended"; readonly text: string | null; readonly background: number }
  | { readonly _tag: "turn_failed"; readonly reason: string }
  | { readonly _tag: "session_ended"; readonly reason: string }
  /** An event that says nothing to the session. */
  | { readonly _tag: "other"; readonly event: string }
  /** An event that should say something, and cannot be read: never "no objection" (S5.2). */
  | { readonly _tag: "unreadable"; readonly event: string }

/** The agent's own record of what was answered: question prompt → text, as the agent writes it (Q4.5). */
export type NativeAnswers = ReadonlyArray<{
  readonly prompt: string
  readonly value: string
  readonly notes: string | null
}>
