import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { toCodecOpenAI } from "effect/ai/OpenAiStructuredOutput"
import type * as Response from "effect/ai/Response"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as ModelEndpoint from "./ModelEndpoint.ts"

const Body = Schema.Struct({
  choices: Schema.NonEmptyArray(
    Schema.Struct({
      message: Schema.Struct({ content: Schema.optionalKey(Schema.NullOr(Schema.String)) }),
      finish_reason: Schema.optionalKey(Schema.NullOr(Schema.String))
    })
  ),
  usage: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        prompt_tokens: Schema.optionalKey(Schema.Int),
        completion_tokens: Schema.optionalKey(Schema.Int)
      })
    )
  )
})
const decode = Schema.decodeUnknownOption(Body)

const REASONS: Readonly<Record<string, Response.FinishReason>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  content_filter: "content-filter"
}

const protocol: ModelEndpoint.Protocol = {
  name: "ChatCompletionsModel",
  baseUrl: "https://api.openai.com/v1",
  path: "/chat/completions",
  headers: {},
  authorize: (request, key) => HttpClientRequest.bearerToken(request, key),
  codecTransformer: toCodecOpenAI,
  body: ({ format, maxTokens, model, system, turns }) => ({
    model,
    max_completion_tokens: maxTokens,
    messages: [
      ...(system === "" ? [] : [{ role: "system", content: system }]),
      ...turns.map(({ role, text }) => ({ role, content: text }))
    ],
    ...(format !== null && {
      response_format: {
        type: "json_schema",
        json_schema: { name: format.name, strict: true, schema: format.schema }
      }
    })
  }),
  read: (body) =>
    Option.map(decode(body), ({ choices: [{ finish_reason: reason, message }], usage }) => ({
      text: message.content ?? "",
      reason: REASONS[reason ?? ""] ?? "other",
      inputTokens: usage?.prompt_tokens,
      outputTokens: usage?.completion_tokens
    }))
}

/** A model behind OpenAI's Chat Completions, as OpenAI and many others serve it. `baseUrl` is with `/v1`. */
export const layer = (
  options: ModelEndpoint.Options
): Layer.Layer<ModelEndpoint.Provided, never, HttpClient.HttpClient> => ModelEndpoint.layer(protocol, options)
