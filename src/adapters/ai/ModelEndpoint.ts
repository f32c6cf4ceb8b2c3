import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Model from "effect/ai/Model"
import type * as Prompt from "effect/ai/Prompt"
import type * as Response from "effect/ai/Response"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

export interface Options {
  /** As the provider names it. */
  readonly model: string
  /** Sent in one header, and found nowhere else; a server of one's own may need none. */
  readonly key?: Redacted.Redacted
  /** Where the API begins; default: the provider's own. */
  readonly baseUrl?: string
  /** Until the whole answer is there; default 60 s. */
  readonly timeout?: Duration.Input
  /** Of the answer; default 1,024. */
  readonly maxTokens?: number
}

/** A request as every provider takes it: system text, turns of plain text, and the schema of the answer. */
export interface ModelRequest {
  readonly model: string
  readonly maxTokens: number
  readonly system: string
  readonly turns: ReadonlyArray<{ readonly role: "user" | "assistant"; readonly text: string }>
  readonly format: { readonly name: string; readonly schema: unknown } | null
}

export interface ModelAnswer {
  readonly text: string
  readonly reason: Response.FinishReason
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

/** What differs between providers; all functions are pure. */
export interface Protocol {
  readonly name: string
  readonly baseUrl: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly authorize: (
    request: HttpClientRequest.HttpClientRequest,
    key: Redacted.Redacted
  ) => HttpClientRequest.HttpClientRequest
  readonly codecTransformer: LanguageModel.CodecTransformer
  readonly body: (request: ModelRequest) => unknown
  /** Reads a JSON answer; `none` if it is not one of this protocol. */
  readonly read: (body: unknown) => Option.Option<ModelAnswer>
}

/** What a layer of a provider gives: the model, and the names that it goes by. */
export type Provided = LanguageModel.LanguageModel | Model.ProviderName | Model.ModelName

/** A model that has not answered a short question by then will not. */
const TIMEOUT = Duration.seconds(60)

/** A short structured answer, and the thinking that some models spend before it. */
const MAX_TOKENS = 1024

/** Bytes. Many times what that many tokens take; more is no answer. */
const MAX_ANSWER = 1_048_576

/**
 * A language model behind HTTP. One request per answer: nothing is tried again, so that a prediction is never
 * made twice, and a redirect is not followed, so that the key stays where it was meant for. Errors hold the
 * status and the place, never a header or a word of either side.
 *
 * It offers plain and structured text; tools, files and streams fail with `InvalidRequestError`. `ProviderName`
 * is the origin that is asked.
 */
export const layer = (
  protocol: Protocol,
  options: Options
): Layer.Layer<Provided, never, HttpClient.HttpClient> => {
  const baseUrl = (options.baseUrl ?? protocol.baseUrl).replace(/\/+$/, "")
  const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : "no URL"
  return Model.make(
    origin,
    options.model,
    Layer.effect(LanguageModel.LanguageModel, make(protocol, options, baseUrl, origin))
  )
}

const make = Effect.fnUntraced(function* (
  protocol: Protocol,
  options: Options,
  baseUrl: string,
  origin: string
) {
  const client = yield* HttpClient.HttpClient
  const init = yield* Effect.serviceOption(FetchHttpClient.RequestInit)
  const fail = (reason: AiError.AiErrorReason) =>
    AiError.make({ module: protocol.name, method: "generateText", reason })
  const broken = (description: string) => fail(new AiError.InvalidResponseError({ description }))
  const unreached = (description: string) =>
    fail(new AiError.NetworkError({ reason: "TransportError", method: "POST", url: origin, description }))

  const exchange = Effect.fnUntraced(
    function* (request: ModelRequest) {
      const plain = HttpClientRequest.post(baseUrl + protocol.path).pipe(
        HttpClientRequest.setHeaders(protocol.headers),
        HttpClientRequest.acceptJson,
        HttpClientRequest.bodyJsonUnsafe(protocol.body(request))
      )
      const response = yield* client.execute(
        options.key === undefined ? plain : protocol.authorize(plain, options.key)
      )
      return { status: response.status, text: yield* bounded(response) }
    },
    // The failure of a client holds its request, and with that the prompt.
    Effect.catchTag("HttpClientError", () => unreached("the provider could not be reached")),
    Effect.provideService(FetchHttpClient.RequestInit, {
      ...Option.getOrElse(init, () => ({})),
      redirect: "manual"
    }),
    Effect.provideService(HttpClient.TracerPropagationEnabled, false),
    Effect.timeoutOrElse({
      duration: options.timeout ?? TIMEOUT,
      orElse: () => unreached("no answer within the time-out")
    })
  )

  const bounded = (response: HttpClientResponse.HttpClientResponse) =>
    response.stream.pipe(
      Stream.runFoldEffect(
        () => ({ size: 0, parts: new Array<Uint8Array>() }),
        ({ parts, size }, part) =>
          size + part.length > MAX_ANSWER
            ? broken("the answer is longer than any that was asked for")
            : Effect.sync(() => {
                parts.push(part)
                return { parts, size: size + part.length }
              })
      ),
      Effect.map(({ parts }) => decodeText(parts))
    )

  const generateText = Effect.fnUntraced(function* (given: LanguageModel.ProviderOptions) {
    const turns = turnsOf(given.prompt)
    if (turns === null || given.tools.length > 0) {
      return yield* fail(
        new AiError.InvalidRequestError({ description: "only text is offered, without tools or files" })
      )
    }
    const { status, text } = yield* exchange({
      model: options.model,
      maxTokens: options.maxTokens ?? MAX_TOKENS,
      system: given.prompt.content
        .flatMap((message) => (message.role === "system" ? [message.content] : []))
        .join("\n\n"),
      turns,
      format: yield* formatOf(given.responseFormat)
    })
    if (status < 200 || status > 299) return yield* fail(AiError.reasonFromHttpStatus({ status }))
    const answer = Option.flatMap(parse(text), protocol.read)
    if (Option.isNone(answer)) return yield* broken("the answer is none of this protocol")
    return partsOf(answer.value)
  })

  const formatOf = (format: LanguageModel.ProviderOptions["responseFormat"]) =>
    format.type === "text"
      ? Effect.succeed(null)
      : Effect.fromResult(
          Result.mapBoth(
            Result.try(() => protocol.codecTransformer(format.schema).jsonSchema),
            {
              onSuccess: (schema) => ({ name: format.objectName, schema }),
              onFailure: () =>
                fail(
                  new AiError.UnsupportedSchemaError({
                    description: "the provider cannot express this schema"
                  })
                )
            }
          )
        )

  return yield* LanguageModel.make({
    generateText,
    streamText: () =>
      Stream.fail(fail(new AiError.InvalidRequestError({ description: "streams are not offered" }))),
    codecTransformer: protocol.codecTransformer
  })
})

/** The conversation as plain text; `null` where a part is something else. */
const turnsOf = (prompt: Prompt.Prompt): ModelRequest["turns"] | null => {
  const turns: Array<ModelRequest["turns"][number]> = []
  for (const message of prompt.content) {
    if (message.role === "system") continue
    if (message.role === "tool") return null
    const texts = message.content.map((part) => (part.type === "text" ? part.text : null))
    if (!texts.every((text) => text !== null)) return null
    turns.push({ role: message.role, text: texts.join("") })
  }
  return turns
}

const partsOf = (answer: ModelAnswer): Array<Response.PartEncoded> => [
  { type: "text", text: answer.text },
  {
    type: "finish",
    reason: answer.reason,
    usage: { inputTokens: { total: answer.inputTokens }, outputTokens: { total: answer.outputTokens } }
  }
]

const decodeText = (parts: ReadonlyArray<Uint8Array>): string => {
  const decoder = new TextDecoder()
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode()
}

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
