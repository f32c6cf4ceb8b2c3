import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import { dirname, join } from "node:path"
import type { Block, JsonFields } from "./Script.ts"

/** Where Claude Code keeps the transcript of a session. */
export const path = (configDirectory: string, cwd: string, sessionId: string): string =>
  join(configDirectory, "projects", cwd.replaceAll(/[^a-zA-Z0-9]/g, "-"), `${sessionId}.jsonl`)

/** One earlier message, as far as a script's position needs it. */
export interface Message {
  readonly role: "user" | "assistant"
  /** A prompt's text; empty for tool results and replies. */
  readonly text: string
}

const Record = Schema.Struct({
  type: Schema.String,
  uuid: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(
    Schema.Struct({ id: Schema.optionalKey(Schema.String), content: Schema.Unknown })
  )
})
const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Record))

/** The messages that a transcript holds, replies of several blocks once; empty where there is none. */
export const load = Effect.fn("AgentTranscript.load")(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.orElseSucceed(fs.readFileString(file), () => "")
  const records = text
    .split("\n")
    .flatMap((line) => Result.match(decode(line), { onSuccess: (record) => [record], onFailure: () => [] }))
  const seen = new Set<string>()
  return records.flatMap(({ type, message }): ReadonlyArray<Message> => {
    if (type === "user") {
      return typeof message?.content === "string" ? [{ role: "user", text: message.content }] : []
    }
    const id = message?.id
    if (type !== "assistant" || id === undefined || seen.has(id)) return []
    seen.add(id)
    return [{ role: "assistant", text: "" }]
  })
})

/** How the transcript says who decided about a call. */
const DECISIONS = {
  person_allowed: { decision: "accept", source: "user_temporary" },
  person_refused: { decision: "reject", source: "user_reject" },
  hook_allowed: { decision: "accept", reasonType: "hook", source: "hook" },
  hook_refused: { decision: "reject", reasonType: "hook", source: "hook" }
} as const

/** How a tool call ended, as the transcript and the model see it. */
export interface ToolOutcome {
  /** The text that the model gets. */
  readonly text: string
  readonly isError: boolean
  /** The tool's own record of it, `toolUseResult`. */
  readonly record: Schema.Json
  /** Who decided about it; `null` where nobody was asked, and for a bare no. */
  readonly decision: keyof typeof DECISIONS | null
  /** Further words of the person for the model. */
  readonly words: string
}

/** Scripted replies cost nothing. */
const USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0
}

/** The session's record, written in Claude Code's form: one line per message part, each naming its parent. */
export const make = Effect.fn("AgentTranscript.make")(function* (
  file: string,
  about: {
    readonly sessionId: string
    readonly cwd: string
    readonly version: string
    readonly model: string
  }
) {
  const fs = yield* FileSystem.FileSystem
  let parentUuid: string | null = null
  yield* fs.makeDirectory(dirname(file), { recursive: true, mode: 0o700 })

  const append = Effect.fnUntraced(function* (record: JsonFields) {
    const uuid = randomUUID()
    const line = {
      parentUuid,
      isSidechain: false,
      ...record,
      uuid,
      timestamp: new Date().toISOString(),
      userType: "external",
      entrypoint: "cli",
      cwd: about.cwd,
      sessionId: about.sessionId,
      version: about.version,
      gitBranch: ""
    }
    parentUuid = uuid
    yield* fs.writeFileString(file, `${JSON.stringify(line)}\n`, { flag: "a", mode: 0o600 })
    return uuid
  })

  const userText = (promptId: string, content: Schema.Json) => ({
    promptId,
    type: "user",
    message: { role: "user", content },
    permissionMode: "default"
  })

  return {
    prompt: (promptId: string, text: string) => append(userText(promptId, text)),
    interrupted: (promptId: string, forTool: boolean) =>
      append(
        userText(promptId, [
          { type: "text", text: `[Request interrupted by user${forTool ? " for tool use" : ""}]` }
        ])
      ),
    /** One content block of a reply; gates and pauses leave no trace. */
    block: (reply: { readonly id: string; readonly stopReason: string }, block: Block) => {
      const content =
        block._tag === "text"
          ? { type: "text", text: block.text }
          : block._tag === "thinking"
            ? { type: "thinking", thinking: block.text, signature: "scripted" }
            : block._tag === "tool"
              ? { type: "tool_use", id: block.id, name: block.name, input: block.input }
              : null
      return content === null
        ? Effect.succeed(null)
        : append({
            type: "assistant",
            message: {
              id: reply.id,
              type: "message",
              role: "assistant",
              model: about.model,
              content: [content],
              stop_reason: reply.stopReason,
              stop_sequence: null,
              usage: USAGE
            }
          })
    },
    toolResult: (promptId: string, toolUseId: string, assistant: string | null, outcome: ToolOutcome) => {
      const result = {
        type: "tool_result",
        content: outcome.text,
        tool_use_id: toolUseId,
        ...(outcome.isError ? { is_error: true } : {})
      }
      return append({
        promptId,
        type: "user",
        message: {
          role: "user",
          content: outcome.words === "" ? [result] : [result, { type: "text", text: outcome.words }]
        },
        toolUseResult: outcome.record,
        ...(assistant === null ? {} : { sourceToolAssistantUUID: assistant }),
        ...(outcome.decision === null ? {} : { permissionDecision: DECISIONS[outcome.decision] })
      })
    },
    failed: (status: number, text: string) =>
      append({
        type: "assistant",
        message: {
          id: randomUUID(),
          type: "message",
          role: "assistant",
          model: "<synthetic>",
          content: [{ type: "text", text }],
          stop_reason: "stop_sequence",
          stop_sequence: "",
          usage: USAGE
        },
        error: "server_error",
        isApiErrorMessage: true,
        apiErrorStatus: status
      }),
    turnEnd: (millis: number) =>
      append({ type: "system", subtype: "turn_duration", durationMs: Math.round(millis), isMeta: false })
  }
})
