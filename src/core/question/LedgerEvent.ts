import type * as Arr from "effect/Array"
import type { NativeAnswers } from "../session/HookFact.ts"
import type { QuestionDefinition } from "./QuestionDefinition.ts"
import type { Closure } from "./QuestionEvent.ts"
import type { FailureCategory } from "./QuestionFailure.ts"
import type { Delivery, QuestionRequest, RequestId } from "./QuestionRequest.ts"

/**
 * What happens to questions, as plain data: the only inputs of the ledger. `at` is always the number of
 * bytes of the agent's output received by then, the clock that tells a paint made before from one made after.
 */
export type LedgerEvent =
  /**
   * The agent's own record shows a question call. `tool`: its pre-tool hook; `permission`: its dialog's hook,
   * a mirror whose id may differ or be absent; `record`: its transcript (Q5.1, Q5.6).
   */
  | {
      readonly _tag: "sighted"
      /** Unused so far, random; becomes the request's id if this is a new question. */
      readonly freshId: RequestId
      readonly nativeId: string | null
      readonly definitions: Arr.NonEmptyReadonlyArray<QuestionDefinition>
      readonly delivery: Delivery
      readonly source: "tool" | "permission" | "record"
      /** The hook invocation that says so; `pending` while the caller's own decision on it is awaited. */
      readonly hook: { readonly token: string; readonly pending: boolean } | null
      readonly at: number
    }
  /** A question call that cannot be represented: secret, malformed or unsupported (Q6.2). */
  | { readonly _tag: "opaque"; readonly nativeId: string | null; readonly at: number }
  /** The caller's own decision on a hook. Told before the hook's reply leaves. */
  | {
      readonly _tag: "hook_settled"
      readonly hook: string
      readonly outcome: "passed" | "answered" | "denied"
      readonly at: number
    }
  /** A completed frame. `shown`: the tracked questions whose own editor it shows. */
  | {
      readonly _tag: "painted"
      readonly shown: ReadonlyArray<RequestId>
      /** Some question editor is on screen, recognised or not (Q4.8). */
      readonly editor: boolean
      readonly at: number
    }
  /** The agent's record of the call's end, with whatever it recorded as answered. */
  | {
      readonly _tag: "completed"
      readonly nativeId: string | null
      /** `null` where the record carries none; then only an id can match. */
      readonly definitions: ReadonlyArray<QuestionDefinition> | null
      readonly answers: NativeAnswers
      readonly at: number
    }
  /** `dismissed`: the agent's record of a person's refusal. `withdrawn`: it ended in any other way. */
  | {
      readonly _tag: "dismissed" | "withdrawn"
      readonly nativeId: string | null
      readonly definitions: ReadonlyArray<QuestionDefinition> | null
      readonly at: number
    }
  /** A host's validated answer takes the lane. */
  | {
      readonly _tag: "begun"
      /** Unused so far in this session. */
      readonly attempt: number
      readonly request: RequestId
      readonly way: "editor" | "hook"
      /** What the agent's record must hold for it (Q4.5). */
      readonly expected: NativeAnswers
    }
  /** The delivery wants to write. Nothing may be written unless the outputs hold `granted`. */
  | { readonly _tag: "write"; readonly attempt: number; readonly submits: boolean }
  /** The physical write of a grant ended, well or not. */
  | { readonly _tag: "write_settled"; readonly attempt: number }
  | { readonly _tag: "failed"; readonly attempt: number; readonly category: FailureCategory }
  | { readonly _tag: "timed_out"; readonly attempt: number }
  /** A person's raw key, an interrupt, or a changed layout (a resize). */
  | { readonly _tag: "intervened"; readonly what: "key" | "interrupt" | "layout" }
  /** The host gives up the hold of a closed request (Q4.9). */
  | { readonly _tag: "released"; readonly request: RequestId }
  | { readonly _tag: "turn_ended"; readonly at: number }
  /** The session closes or its agent is gone: nothing but `write_settled` counts afterwards. */
  | { readonly _tag: "shut" }

/** Content-free notices (Q3.2, Q6.3). */
export type LedgerWarning = "question_automation_disabled" | "question_completed_without_answers"

/** What follows from an event, in order. */
export type LedgerOutput =
  | { readonly _tag: "raised"; readonly request: QuestionRequest }
  | { readonly _tag: "closed"; readonly request: QuestionRequest; readonly closure: Closure }
  /** Ordinary input is held from now on, or free again (Q4.8). */
  | { readonly _tag: "hold"; readonly held: boolean }
  | { readonly _tag: "granted"; readonly attempt: number }
  /** The attempt is over: its delivery is revoked and its caller gets this outcome. Once per attempt. */
  | { readonly _tag: "settled"; readonly attempt: number; readonly outcome: "accepted" | FailureCategory }
  | { readonly _tag: "warning"; readonly code: LedgerWarning }
