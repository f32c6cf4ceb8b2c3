import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { ModelProtocol, ModelRequest, ReplyPart, RequestKind, ToolResult } from "./ModelProtocol.ts"
import * as Script from "./Script.ts"

const Block = Schema.Struct({
  type: Schema.String,
  text: Schema.optionalKey(Schema.String),
  tool_use_id: Schema.optionalKey(Schema.String),
  is_error: Schema.optionalKey(Schema.Boolean),
  content: Schema.optionalKey(Schema.Unknown)
})

const Content = Schema.Union([Schema.String, Schema.Array(Block)])

/** The part of a request that a script needs; the agent's other fields are recorded but not read. */
const Body = Schema.Struct({
  stream: Schema.optionalKey(Schema.Boolean),
  messages: Schema.NonEmptyArray(Schema.Struct({ role: Schema.String, content: Content })),
  tools: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String }))),
  output_config: Schema.optionalKey(
    Schema.Struct({
      format: Schema.optionalKey(
        Schema.Struct({
          schema: Schema.optionalKey(Schema.Struct({ properties: Schema.optionalKey(Schema.JsonObject) }))
        })
      )
    })
  )
})
type Body = typeof Body.Type

const decodeBody = Schema.decodeUnknownResult(Body)
const decodeBlocks = Schema.decodeUnknownResult(Content)

const toolNames = (body: Body): ReadonlyArray<string> => body.tools?.map((tool) => tool.name) ?? []

/** Which request is which; the first that holds. A subagent has no question tool, a title call no tool at all. */
const KINDS: ReadonlyArray<{ readonly kind: RequestKind; readonly holds: (body: Body) => boolean }> = [
  {
    kind: "title",
    holds: (body) =>
      toolNames(body).length === 0 && body.output_config?.format?.schema?.properties?.["title"] !== undefined
  },
  { kind: "main", holds: (body) => toolNames(body).includes("AskUserQuestion") },
  { kind: "subagent", holds: (body) => toolNames(body).length > 0 },
  { kind: "single", holds: (body) => body.stream !== true }
]

const plain = (content: typeof Content.Type): string =>
  typeof content === "string" ? content : content.flatMap((block) => block.text ?? []).join("\n")

const toolResults = (messages: Body["messages"]): ReadonlyArray<ToolResult> =>
  messages
    .flatMap((message) => (typeof message.content === "string" ? [] : message.content))
    .flatMap((block) =>
      block.type === "tool_result" && block.tool_use_id !== undefined
        ? [
            {
              id: block.tool_use_id,
              text: Result.match(decodeBlocks(block.content), { onSuccess: plain, onFailure: () => "" }),
              isError: block.is_error ?? false
            }
          ]
        : []
    )

const read = (input: unknown): Result.Result<ModelRequest, string> =>
  Result.mapBoth(decodeBody(input), {
    onFailure: (error) => `no Messages request: ${error.message}`,
    onSuccess: (body) => {
      const marks = body.messages.map((message) =>
        message.role === "user" ? Script.named(plain(message.content)) : null
      )
      const from = marks.findLastIndex((mark) => mark !== null)
      return {
        kind: KINDS.find((row) => row.holds(body))?.kind ?? "other",
        stream: body.stream === true,
        name: marks[from] ?? null,
        turn: body.messages.slice(from + 1).filter((message) => message.role === "assistant").length,
        conversation: plain(body.messages[0].content),
        toolResults: toolResults(body.messages)
      }
    }
  })

const event = (data: { readonly type: string } & Record<string, unknown>): ReplyPart => ({
  _tag: "event",
  event: { _tag: "Event", event: data.type, id: undefined, data: JSON.stringify(data) }
})

/** Agents add usage up and show it; a scripted reply costs nothing. */
const USAGE = { input_tokens: 0, output_tokens: 0 }

const contentBlock = (
  index: number,
  start: Record<string, unknown>,
  deltas: ReadonlyArray<Record<string, unknown>>
): ReadonlyArray<ReplyPart> => [
  event({ type: "content_block_start", index, content_block: start }),
  ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
  event({ type: "content_block_stop", index })
]

const block = (item: Script.Block, index: number): ReadonlyArray<ReplyPart> => {
  switch (item._tag) {
    case "text":
      return contentBlock(index, { type: "text", text: "" }, [{ type: "text_delta", text: item.text }])
    case "thinking":
      return contentBlock(index, { type: "thinking", thinking: "", signature: "" }, [
        { type: "thinking_delta", thinking: item.text },
        { type: "signature_delta", signature: "scripted" }
      ])
    case "tool":
      return contentBlock(index, { type: "tool_use", id: item.id, name: item.name, input: {} }, [
        { type: "input_json_delta", partial_json: JSON.stringify(item.input) }
      ])
    case "gate":
      return [{ _tag: "gate", name: item.name }]
    case "pause":
      return [{ _tag: "pause", millis: item.millis }]
  }
}

const isContent = (item: Script.Block): boolean => item._tag !== "gate" && item._tag !== "pause"

const message = (id: string, content: ReadonlyArray<unknown>, stopReason: string | null) => ({
  id,
  type: "message",
  role: "assistant",
  model: "scripted",
  content,
  stop_reason: stopReason,
  stop_sequence: null,
  usage: USAGE
})

const stopReason = (step: Script.Reply): string =>
  step.blocks.some((item) => item._tag === "tool") ? "tool_use" : "end_turn"

const reply = (step: Script.Reply, id: string): ReadonlyArray<ReplyPart> => [
  event({ type: "message_start", message: message(id, [], null) }),
  // A content block's index counts content alone: gates and pauses put nothing on the wire.
  ...step.blocks.flatMap((item, position) =>
    block(item, step.blocks.slice(0, position).filter(isContent).length)
  ),
  event({
    type: "message_delta",
    delta: { stop_reason: stopReason(step), stop_sequence: null },
    usage: USAGE
  }),
  event({ type: "message_stop" })
]

const wholeBlock = (item: Script.Block): ReadonlyArray<unknown> => {
  switch (item._tag) {
    case "text":
      return [{ type: "text", text: item.text }]
    case "thinking":
      return [{ type: "thinking", thinking: item.text, signature: "scripted" }]
    case "tool":
      return [{ type: "tool_use", id: item.id, name: item.name, input: item.input }]
    case "gate":
    case "pause":
      return []
  }
}

/** The error types that the protocol pairs with a status; any other status is an `api_error`. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error"
}

/** The Anthropic Messages API, as far as a coding agent or a judge uses it. */
export const protocol: ModelProtocol = {
  name: "anthropic-messages",
  method: "POST",
  path: "/v1/messages",
  read,
  reply,
  whole: (step, id) => message(id, step.blocks.flatMap(wholeBlock), stopReason(step)),
  failure: ({ status, message }) => ({
    type: "error",
    error: { type: ERROR_TYPES[status] ?? "api_error", message }
  })
}
