import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { ModelProtocol, ModelRequest, ReplyPart } from "./ModelProtocol.ts"
import * as Script from "./Script.ts"

const Content = Schema.NullOr(
  Schema.Union([
    Schema.String,
    Schema.Array(Schema.Struct({ type: Schema.String, text: Schema.optionalKey(Schema.String) }))
  ])
)

/** The part of a request that a script needs; other fields are recorded but not read. */
const Body = Schema.Struct({
  stream: Schema.optionalKey(Schema.Boolean),
  messages: Schema.NonEmptyArray(
    Schema.Struct({
      role: Schema.String,
      content: Schema.optionalKey(Content),
      tool_call_id: Schema.optionalKey(Schema.String)
    })
  ),
  tools: Schema.optionalKey(Schema.Array(Schema.Unknown))
})

const decodeBody = Schema.decodeUnknownResult(Body)

const plain = (content: typeof Content.Type | undefined): string =>
  typeof content === "string" ? content : (content ?? []).flatMap((part) => part.text ?? []).join("\n")

/** Who speaks for the agent, in the order of the protocol's versions. */
const SYSTEM_ROLES: ReadonlySet<string> = new Set(["system", "developer"])

const read = (input: unknown): Result.Result<ModelRequest, string> =>
  Result.mapBoth(decodeBody(input), {
    onFailure: (error) => `no Chat Completions request: ${error.message}`,
    onSuccess: ({ messages, stream, tools }) => {
      const marks = messages.map(({ content, role }) =>
        role === "user" ? Script.named(plain(content)) : null
      )
      const from = marks.findLastIndex((mark) => mark !== null)
      return {
        kind: (tools ?? []).length > 0 ? "main" : "single",
        stream: stream === true,
        name: marks[from] ?? null,
        turn: messages.slice(from + 1).filter(({ role }) => role === "assistant").length,
        conversation: plain(messages.find(({ role }) => !SYSTEM_ROLES.has(role))?.content),
        toolResults: messages.flatMap(({ content, tool_call_id: id }) =>
          id === undefined ? [] : [{ id, text: plain(content), isError: false }]
        )
      }
    }
  })

const toolCall = (item: Extract<Script.Block, { _tag: "tool" }>) => ({
  id: item.id,
  type: "function",
  function: { name: item.name, arguments: JSON.stringify(item.input) }
})

const finishReason = (step: Script.Reply): string =>
  step.blocks.some((item) => item._tag === "tool") ? "tool_calls" : "stop"

/** Clients add usage up and show it; a scripted reply costs nothing. */
const USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

const event = (data: string): ReplyPart => ({
  _tag: "event",
  event: { _tag: "Event", event: "message", id: undefined, data }
})

const chunk = (id: string, delta: Record<string, unknown>, finish: string | null = null): ReplyPart =>
  event(
    JSON.stringify({
      id,
      object: "chat.completion.chunk",
      created: 0,
      model: "scripted",
      choices: [{ index: 0, delta, finish_reason: finish }]
    })
  )

const block = (item: Script.Block, tools: number, id: string): ReplyPart => {
  switch (item._tag) {
    case "text":
      return chunk(id, { content: item.text })
    case "thinking":
      return chunk(id, { reasoning_content: item.text })
    case "tool":
      return chunk(id, { tool_calls: [{ index: tools, ...toolCall(item) }] })
    case "gate":
      return { _tag: "gate", name: item.name }
    case "pause":
      return { _tag: "pause", millis: item.millis }
  }
}

const texts = (step: Script.Reply, tag: "text" | "thinking"): ReadonlyArray<string> =>
  step.blocks.flatMap((item) => (item._tag === tag ? [item.text] : []))

const whole = (step: Script.Reply, id: string): unknown => {
  const content = texts(step, "text")
  const reasoning = texts(step, "thinking")
  const tools = step.blocks.flatMap((item) => (item._tag === "tool" ? [toolCall(item)] : []))
  const message = {
    role: "assistant",
    content: content.length === 0 ? null : content.join(""),
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join("") }),
    ...(tools.length > 0 && { tool_calls: tools })
  }
  return {
    id,
    object: "chat.completion",
    created: 0,
    model: "scripted",
    choices: [{ index: 0, message, finish_reason: finishReason(step) }],
    usage: USAGE
  }
}

/** OpenAI's Chat Completions, as they and many others serve it. An error's type says no more than its status. */
export const protocol: ModelProtocol = {
  name: "chat-completions",
  method: "POST",
  path: "/v1/chat/completions",
  read,
  reply: (step, id) => [
    chunk(id, { role: "assistant", content: "" }),
    // A tool call's index counts tool calls alone.
    ...step.blocks.map((item, position) =>
      block(item, step.blocks.slice(0, position).filter(({ _tag }) => _tag === "tool").length, id)
    ),
    chunk(id, {}, finishReason(step)),
    event("[DONE]")
  ],
  whole,
  failure: ({ message, status }) => ({ error: { message, type: "error", param: null, code: String(status) } })
}
