import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Model from "effect/ai/Model"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as TestClock from "effect/testing/TestClock"
import { createServer, type Server } from "node:http"
import { inspect } from "node:util"
import * as Script from "../../../src/layers/testing/Script.ts"
import * as ScriptedModel from "../../../src/layers/testing/ScriptedModel.ts"
import * as Judges from "./Judges.ts"

const PROMPT = "planted-prompt-77"

const ask = Effect.suspend(() =>
  LanguageModel.generateText({
    prompt: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: PROMPT }] }
    ]
  })
)

const Shape = Schema.Struct({ verdict: Schema.Literals(["allow", "deny"]), note: Schema.String })

/** A client that gives this response to everything, and the requests that it got. */
const answering = (respond: () => Response) => {
  let requests = 0
  return {
    count: () => requests,
    layer: Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make((request) =>
        Effect.sync(() => {
          requests += 1
          return HttpClientResponse.fromWeb(request, respond())
        })
      )
    )
  }
}

/** A server that sends everything on to `location`. */
const redirecting = (location: string) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer((_, response) => response.writeHead(307, { location }).end())
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(
    Effect.map((server) => {
      const address = server.address()
      return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    })
  )

/** Nothing that is printed of a failure holds the key, the prompt, or a word of the answer. */
const assertBare = (failure: unknown) => {
  const printed = [
    inspect(failure, { depth: 12, showHidden: true }),
    JSON.stringify(failure),
    Cause.pretty(Cause.fail(failure))
  ].join("\n")
  for (const planted of [Judges.KEY, PROMPT, "planted-answer"]) assert.notInclude(printed, planted)
}

describe.each(Judges.PROVIDER_NAMES)("a model by %s", (name) => {
  const provider = Judges.PROVIDERS[name]
  const live = (url: string) => Layer.provide(provider.layer(url), FetchHttpClient.layer)

  it.effect("is sent the prompt, the schema and the key, and answers as text and as an object [A3.6]", () =>
    Effect.gen(function* () {
      const model = yield* ScriptedModel.make(
        Script.make(
          {},
          {
            otherwise: [
              Script.reply(
                Script.thinking("hm"),
                Script.text('{"verdict":"deny",'),
                Script.text('"note":"x"}')
              )
            ]
          }
        )
      )
      yield* Effect.gen(function* () {
        const text = yield* ask
        assert.strictEqual(text.text, '{"verdict":"deny","note":"x"}')
        assert.strictEqual(text.finishReason, "stop")
        assert.strictEqual(text.usage.outputTokens.total, 0)
        const object = yield* LanguageModel.generateObject({
          schema: Shape,
          objectName: "ruling",
          prompt: PROMPT
        })
        assert.deepStrictEqual(object.value, { verdict: "deny", note: "x" })
        assert.strictEqual(yield* Model.ProviderName, model.url)
        assert.strictEqual(yield* Model.ModelName, "judge-1")
      }).pipe(Effect.provide(live(model.url)))
      const [first, second] = yield* model.recorded
      assert.strictEqual(first?.url, provider.path)
      const sent = JSON.stringify(first?.body)
      assert.include(sent, "Be brief.")
      assert.include(sent, PROMPT)
      assert.include(sent, "judge-1")
      assert.notInclude(sent, Judges.KEY)
      const masked = Object.values(first?.headers ?? {}).filter((value) => value === ScriptedModel.MASK)
      assert.lengthOf(masked, 1, "one header carries the key")
      assert.notInclude(JSON.stringify(first), Judges.KEY)
      const schema = JSON.stringify(second?.body)
      assert.include(schema, '"json_schema"')
      assert.include(schema, '"enum":["allow","deny"]')
      assert.include(schema, '"additionalProperties":false')
    }).pipe(Effect.scoped)
  )

  it.effect("fails without a word of either side, once, whatever the answer [X3] [A3.4]", () =>
    Effect.gen(function* () {
      const answers: Readonly<Record<string, () => Response>> = {
        "no JSON": () => new Response("planted-answer"),
        "half JSON": () => new Response('{"content":[{"type":"text","text":"planted-answer'),
        "other JSON": () => Response.json({ planted: "planted-answer" }),
        "no choices": () => Response.json({ choices: [] }),
        empty: () => new Response(""),
        "an error": () => Response.json({ error: `planted-answer ${Judges.KEY} ${PROMPT}` }, { status: 401 }),
        overloaded: () => new Response("planted-answer", { status: 529 }),
        "a redirect": () =>
          new Response("planted-answer", {
            status: 307,
            headers: { location: "http://127.0.0.1:1/planted-answer" }
          })
      }
      for (const [what, respond] of Object.entries(answers)) {
        const client = answering(respond)
        const failure = yield* Effect.flip(ask).pipe(
          Effect.provide(Layer.provide(provider.layer("http://127.0.0.1:1"), client.layer))
        )
        assert.strictEqual(failure._tag, "AiError", what)
        assertBare(failure)
        assert.strictEqual(client.count(), 1, what)
      }
    })
  )

  it.effect("reads no more of an answer than one can have", () =>
    Effect.gen(function* () {
      const chunk = new TextEncoder().encode(" ".repeat(65_536))
      let chunks = 0
      const client = answering(
        () =>
          new Response(
            new ReadableStream({
              pull: (controller) => (chunks++ < 100 ? controller.enqueue(chunk) : controller.close())
            })
          )
      )
      const failure = yield* Effect.flip(ask).pipe(
        Effect.provide(Layer.provide(provider.layer("http://127.0.0.1:1"), client.layer))
      )
      assert.strictEqual(failure.reason._tag, "InvalidResponseError")
      assert.isBelow(chunks, 50)
    })
  )

  it.effect("does not carry the key or the prompt to where a redirect leads [X3]", () =>
    Effect.gen(function* () {
      const elsewhere = yield* ScriptedModel.make(
        Script.make({}, { otherwise: [Script.reply(Script.text("caught"))] })
      )
      const url = yield* redirecting(`${elsewhere.url}${provider.path}`)
      const failure = yield* Effect.flip(ask).pipe(Effect.provide(live(url)))
      assertBare(failure)
      assert.deepStrictEqual(yield* elsewhere.recorded, [])
    }).pipe(Effect.scoped)
  )

  it.effect("fails where nobody answers, and where the address is none [X3]", () =>
    Effect.gen(function* () {
      for (const url of ["http://127.0.0.1:1", "no address", `http://user:${Judges.KEY}@127.0.0.1:1`]) {
        const failure = yield* Effect.flip(ask).pipe(Effect.provide(live(url)))
        assert.strictEqual(failure.reason._tag, "NetworkError", url)
        assertBare(failure)
      }
    })
  )

  it.effect("gives up after its time-out", () =>
    Effect.gen(function* () {
      const model = yield* ScriptedModel.make(
        Script.make({}, { otherwise: [Script.reply(Script.gate("never"), Script.text("x"))] })
      )
      const asked = yield* Effect.forkChild(Effect.flip(ask).pipe(Effect.provide(live(model.url))))
      yield* model.until(() => true)
      yield* TestClock.adjust("60 seconds")
      const failure = yield* Fiber.join(asked)
      assert.strictEqual(failure.reason._tag, "NetworkError")
      assertBare(failure)
      assert.lengthOf(yield* model.recorded, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("offers neither streams nor tools nor files", () =>
    Effect.gen(function* () {
      const client = answering(() => new Response("planted-answer"))
      const layer = Layer.provide(provider.layer("http://127.0.0.1:1"), client.layer)
      const file = Effect.suspend(() =>
        LanguageModel.generateText({
          prompt: [
            {
              role: "user",
              content: [{ type: "file", mediaType: "text/plain", data: new Uint8Array([1]), fileName: "x" }]
            }
          ]
        })
      )
      const streamed = Stream.runDrain(LanguageModel.streamText({ prompt: PROMPT }))
      for (const effect of [Effect.asVoid(file), streamed]) {
        const failure = yield* Effect.flip(effect).pipe(Effect.provide(layer))
        assert.strictEqual(failure.reason._tag, "InvalidRequestError")
      }
      assert.strictEqual(client.count(), 0)
    })
  )

  it.effect("leaves no key in a trace, and tells the provider of none [X3]", () =>
    Effect.gen(function* () {
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const model = yield* ScriptedModel.make(
        Script.make({}, { otherwise: [Script.reply(Script.text("hello"))] })
      )
      yield* ask.pipe(Effect.provide(live(model.url)), Effect.provideService(Tracer.Tracer, tracer))
      assert.isAbove(spans.length, 1)
      const attributes = JSON.stringify(spans.map((span) => [...span.attributes]))
      assert.notInclude(attributes, Judges.KEY)
      assert.notInclude(attributes, PROMPT)
      const [request] = yield* model.recorded
      assert.isTrue(Option.isNone(Option.fromNullishOr(request?.headers["traceparent"])))
      assert.isUndefined(request?.headers["b3"])
    }).pipe(Effect.scoped)
  )
})
