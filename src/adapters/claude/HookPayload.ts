import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ToolCall } from "../../core/call/ToolCall.ts"
import type { HookFact } from "../../core/session/HookFact.ts"
import * as AskUserQuestion from "./AskUserQuestion.ts"

const common = {
  hook_event_name: Schema.String,
  session_id: Schema.String,
  cwd: Schema.optional(Schema.String),
  permission_mode: Schema.optional(Schema.String),
  /** Set in a subagent. */
  agent_id: Schema.optional(Schema.String),
  agent_type: Schema.optional(Schema.String)
}

const toolFields = {
  ...common,
  cwd: Schema.NonEmptyString,
  tool_name: Schema.NonEmptyString,
  tool_input: Schema.Unknown,
  tool_use_id: Schema.optional(Schema.String)
}

const Event = Schema.Struct(common)
const SessionStart = Schema.Struct({ ...common, transcript_path: Schema.NonEmptyString })
const UserPromptSubmit = Schema.Struct({ ...common, prompt: Schema.String })
const Tool = Schema.Struct(toolFields)
const ToolDone = Schema.Struct({ ...toolFields, tool_response: Schema.optional(Schema.Unknown) })
const Stop = Schema.Struct({
  ...common,
  last_assistant_message: Schema.optional(Schema.NullOr(Schema.String)),
  background_tasks: Schema.optional(Schema.Array(Schema.Unknown))
})
const StopFailure = Schema.Struct({ ...common, error: Schema.optional(Schema.String) })
const SessionEnd = Schema.Struct({ ...common, reason: Schema.optional(Schema.String) })

const toCall = (event: typeof Tool.Type): ToolCall => ({
  agent: "claude",
  tool: event.tool_name,
  input: event.tool_input,
  callId: event.tool_use_id ?? null,
  cwd: event.cwd,
  mode: event.permission_mode ?? null,
  requester: { agentName: event.agent_type ?? null, sessionId: event.session_id, forwarded: false }
})

/**
 * A question whose input cannot be read has no definitions: the agent's own dialog stands, and its screen holds
 * what has to be held (Q4.8).
 */
const request =
  (phase: "tool" | "permission") =>
  (event: typeof Tool.Type): HookFact => {
    if (event.tool_name !== AskUserQuestion.tool) {
      return {
        _tag: phase === "tool" ? "tool_requested" : "permission_requested",
        call: toCall(event),
        agentId: event.agent_id ?? null
      }
    }
    return {
      _tag: "question_requested",
      phase,
      nativeId: event.tool_use_id ?? null,
      definitions: AskUserQuestion.definitions(event.tool_input) ?? [],
      input: event.tool_input
    }
  }

const completed = (event: typeof ToolDone.Type): HookFact => {
  const nativeId = event.tool_use_id ?? null
  const answers =
    event.tool_name === AskUserQuestion.tool ? AskUserQuestion.answers(event.tool_response) : null
  const definitions = answers === null ? null : AskUserQuestion.definitions(event.tool_input)
  return answers === null || definitions === null
    ? { _tag: "tool_completed", nativeId, tool: event.tool_name }
    : { _tag: "question_completed", nativeId, definitions, answers }
}

const reader = <A>(
  schema: Schema.ConstraintDecoder<A>,
  fact: (event: A) => HookFact
): ((payload: unknown) => HookFact | null) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (payload) => Option.match(decode(payload), { onNone: () => null, onSome: fact })
}

/** Every event that says something to the session; the others, known and unknown, are `other`. */
const readers: ReadonlyMap<string, (payload: unknown) => HookFact | null> = new Map([
  [
    "SessionStart",
    reader(SessionStart, (event) => ({
      _tag: "session_start",
      nativeId: event.session_id,
      transcriptPath: event.transcript_path
    }))
  ],
  ["UserPromptSubmit", reader(UserPromptSubmit, (event) => ({ _tag: "prompt_taken", prompt: event.prompt }))],
  ["PreToolUse", reader(Tool, request("tool"))],
  ["PermissionRequest", reader(Tool, request("permission"))],
  ["PostToolUse", reader(ToolDone, completed)],
  [
    "PostToolUseFailure",
    reader(Tool, (event) => ({
      _tag: "tool_completed",
      nativeId: event.tool_use_id ?? null,
      tool: event.tool_name
    }))
  ],
  [
    "Stop",
    reader(Stop, (event) => ({
      _tag: "turn_ended",
      text: event.last_assistant_message ?? null,
      background: event.background_tasks?.length ?? 0
    }))
  ],
  [
    "StopFailure",
    reader(StopFailure, (event) => ({ _tag: "turn_failed", reason: event.error ?? "unknown" }))
  ],
  [
    "SessionEnd",
    reader(SessionEnd, (event) => ({ _tag: "session_ended", reason: event.reason ?? "unknown" }))
  ]
])

/** The events that the session's hooks are registered for. */
export const events: ReadonlyArray<string> = [...readers.keys()]

const decodeEvent = Schema.decodeUnknownOption(Event)

/** What a hook event's payload says. Total: no payload passes for an event that it is not. */
export const decode = (payload: unknown): HookFact =>
  Option.match(decodeEvent(payload), {
    onNone: () => ({ _tag: "unreadable", event: "" }),
    onSome: ({ hook_event_name: event }) => {
      const read = readers.get(event)
      return read === undefined ? { _tag: "other", event } : (read(payload) ?? { _tag: "unreadable", event })
    }
  })
