import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { toCodecAnthropic } from "effect/ai/AnthropicStructuredOutput"
import type * as Response from "effect/ai/Response"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as ModelEndpoint from "./ModelEndpoint.ts"

/** The version of the API that this was written for. */
const VERSION = "2023-06-01"

const Body = Schema.Struct({
  content: Schema.Array(Schema.Struct({ type: Schema.String, text: Schema.optionalKey(Schema.String) })),
  stop_reason: Schema.NullOr(Schema.String),
  usage: Schema.optionalKey(
    Schema.Struct({
      input_tokens: Schema.optionalKey(Schema.Int),
      output_tokens: Schema.optionalKey(Schema.Int)
    })
  )
})
const decode = Schema.decodeUnknownOption(Body)

const REASONS: Readonly<Record<string, Response.FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool-calls",
  pause_turn: "pause",
  refusal: "content-filter"
}

const protocol: ModelEndpoint.Protocol = {
  name: "AnthropicModel",
  baseUrl: "https://api.anthropic.com",
  path: "/v1/messages",
  headers: { "anthropic-version": VERSION },
  authorize: (request, key) => HttpClientRequest.setHeader(request, "x-api-key", Redacted.value(key)),
  codecTransformer: toCodecAnthropic,
  body: ({ format, maxTokens, model, system, turns }) => ({
    model,
    max_tokens: maxTokens,
    ...(system !== "" && { system }),
    messages: turns.map(({ role, text }) => ({ role, content: text })),
    ...(format !== null && { output_config: { format: { type: "json_schema", schema: format.schema } } })
  }),
  read: (body) =>
    Option.map(decode(body), ({ content, stop_reason: reason, usage }) => ({
      text: content.flatMap((block) => (block.type === "text" ? (block.text ?? []) : [])).join(""),
      reason: REASONS[reason ?? ""] ?? "other",
      inputTokens: usage?.input_tokens,
      outputTokens: usage?.output_tokens
    }))
}

/** A model of Anthropic's Messages API, as Effect's `LanguageModel`. `baseUrl` is without `/v1`. */
export const layer = (
  options: ModelEndpoint.Options
): Layer.Layer<ModelEndpoint.Provided, never, HttpClient.HttpClient> => ModelEndpoint.layer(protocol, options)
