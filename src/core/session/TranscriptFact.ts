import type { NativeAnswers } from "./HookFact.ts"

/** What one transcript record says, the same for every agent (S7.1). Screen text is never content. */
export type TranscriptFact =
  | { readonly _tag: "user_prompt"; readonly id: string | null; readonly text: string }
  | { readonly _tag: "assistant_text"; readonly id: string; readonly text: string; readonly final: boolean }
  | { readonly _tag: "tool_call"; readonly id: string; readonly tool: string; readonly input: unknown }
  | {
      readonly _tag: "tool_result"
      readonly id: string
      readonly isError: boolean
      /** The agent's record of a person's refusal, in its own dialog or editor. */
      readonly rejected: boolean
      readonly text: string
      /** For a question tool: what the agent recorded as answered, else `null`. */
      readonly answers: NativeAnswers | null
    }
  | { readonly _tag: "turn_end" }
  | { readonly _tag: "turn_interrupted" }
  | { readonly _tag: "turn_failed"; readonly reason: string }
  /** What one message of the agent's took; a later fact of the same id replaces an earlier one. */
  | {
      readonly _tag: "usage"
      readonly id: string
      readonly inputTokens: number
      readonly outputTokens: number
    }
