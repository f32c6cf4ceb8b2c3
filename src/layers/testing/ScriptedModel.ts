import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Sse from "effect/encoding/Sse"
import type * as Headers from "effect/http/Headers"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ServeError } from "effect/http/HttpServerError"
import { createServer } from "node:http"
import * as AnthropicMessages from "./AnthropicMessages.ts"
import * as ChatCompletions from "./ChatCompletions.ts"
import type { ModelProtocol, ModelRequest, ReplyPart, RequestKind, ToolResult } from "./ModelProtocol.ts"
import * as Script from "./Script.ts"

/** What became of a request. */
export type Outcome =
  | { readonly _tag: "scripted"; readonly position: Script.Position; readonly step: Script.Step }
  | { readonly _tag: "title" }
  /** Answered with an HTTP error that says `reason`; nothing was guessed. */
  | { readonly _tag: "unexpected"; readonly reason: string }

export interface RecordedRequest {
  /** Counts requests of this server, from 0, in order of arrival. */
  readonly index: number
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  /** Names in lower case; credentials are masked. */
  readonly headers: Readonly<Record<string, string>>
  /** The JSON body, or its text where it is no JSON. */
  readonly body: unknown
  readonly kind: RequestKind
  /** Every tool result in the conversation, oldest first. */
  readonly toolResults: ReadonlyArray<ToolResult>
  readonly outcome: Outcome
}

/** The script has no gate of this name. */
export class UnknownGate extends Schema.TaggedError<UnknownGate>()("UnknownGate", {
  gate: Schema.String,
  known: Schema.Array(Schema.String)
}) {}

/**
 * A model server on loopback that plays a script, and remembers all that it was asked. An agent pointed at
 * `url` works as usual, at no cost and with no account.
 *
 * Each request is recorded on arrival, before it is answered. What no step of the script covers is answered
 * with an HTTP 400 that says what was missing, and is listed by `unexpected`.
 */
export class ScriptedModel extends Context.Service<
  ScriptedModel,
  {
    /** `http://127.0.0.1:PORT`, without a path. */
    readonly url: string
    /** Every request from the first on, then the later ones as they come. Ends with the server's scope. */
    readonly requests: Stream.Stream<RecordedRequest>
    /** The first request, past or future, for which the predicate holds. */
    readonly until: (holds: (request: RecordedRequest) => boolean) => Effect.Effect<RecordedRequest>
    /** The result of this tool call as the model received it, once it did. */
    readonly toolResult: (id: string) => Effect.Effect<ToolResult>
    /** Every request so far. */
    readonly recorded: Effect.Effect<ReadonlyArray<RecordedRequest>>
    readonly unexpected: Effect.Effect<ReadonlyArray<RecordedRequest>>
    /** Opens a gate for good. */
    readonly release: (gate: string) => Effect.Effect<void, UnknownGate>
  }
>()("obstat/testing/ScriptedModel") {}

/** A further protocol is one more row. */
const PROTOCOLS: ReadonlyArray<ModelProtocol> = [AnthropicMessages.protocol, ChatCompletions.protocol]

/** Header names that carry a credential in one of the protocols. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "x-api-key"
])

/** What stands in a record in place of a credential. */
export const MASK = "<masked>"

const masked = (headers: Headers.Headers): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, CREDENTIALS.has(name) ? MASK : value])
  )

const parsed = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))

/** The status of an answer to a request that the script does not cover: one that no agent retries. */
const UNEXPECTED_STATUS = 400

const NOTHING = { kind: "other", toolResults: [] } satisfies Partial<ModelRequest>

/**
 * Starts the server on a free port of 127.0.0.1. Closing the scope cuts open replies and ends the server.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Script, ScriptedModel } from "obstat/testing"
 *
 * const rehearsal = Effect.gen(function* () {
 *   const model = yield* ScriptedModel.make(
 *     Script.sequence(
 *       Script.reply(Script.tool("Bash", { command: "git push --force" }, "toolu_push")),
 *       Script.reply(Script.text("Understood, I leave it."))
 *     )
 *   )
 *   yield* Effect.log(`ANTHROPIC_BASE_URL=${model.url} ANTHROPIC_AUTH_TOKEN=rehearsal claude`)
 *   return yield* model.toolResult("toolu_push")
 * }).pipe(Effect.scoped)
 * ```
 */
export const make = Effect.fn("ScriptedModel.make")(function* (
  script: Script.Script
): Effect.fn.Return<ScriptedModel["Service"], ServeError, Scope.Scope> {
  const log: Array<RecordedRequest> = []
  const attempts = new Map<string, number>()
  const gates = new Map(Array.from(Script.gates(script), (name) => [name, Deferred.makeUnsafe<void>()]))
  const arrivals = yield* Effect.acquireRelease(
    PubSub.unbounded<RecordedRequest>({ replay: Number.MAX_SAFE_INTEGER }),
    PubSub.shutdown
  )

  const attempt = (request: ModelRequest): number => {
    const place = JSON.stringify([request.conversation, request.name, request.turn])
    const before = attempts.get(place) ?? 0
    attempts.set(place, before + 1)
    return before
  }

  const outcome = (request: ModelRequest): Outcome => {
    if (request.kind === "title") return { _tag: "title" }
    if (request.kind === "other") {
      return { _tag: "unexpected", reason: "neither a conversation nor a title request" }
    }
    if (request.kind === "subagent" && request.name === null) {
      return { _tag: "unexpected", reason: "the prompt of a subagent names no conversation" }
    }
    const position = { name: request.name, turn: request.turn, attempt: attempt(request) }
    return Result.match(Script.at(script, position), {
      onSuccess: (step): Outcome => ({ _tag: "scripted", position, step }),
      onFailure: (reason): Outcome => ({ _tag: "unexpected", reason })
    })
  }

  const record = Effect.fnUntraced(function* (request: Omit<RecordedRequest, "index">) {
    const recorded = { index: log.length, ...request }
    log.push(recorded)
    yield* PubSub.publish(arrivals, recorded)
    return recorded
  })

  const play = (part: ReplyPart): Effect.Effect<string> => {
    switch (part._tag) {
      case "event":
        return Effect.succeed(Sse.encoder.write(part.event))
      case "pause":
        return Effect.as(Effect.sleep(part.millis), "")
      case "gate": {
        const gate = gates.get(part.name)
        return gate === undefined ? Effect.never : Effect.as(Deferred.await(gate), "")
      }
    }
  }

  /** A body in parts: a reply that waits at a gate has its head on the wire already. */
  const body = (parts: Stream.Stream<string>, contentType: string) =>
    HttpServerResponse.stream(Stream.encodeText(parts), {
      contentType,
      headers: { "cache-control": "no-cache" }
    })

  const streamed = (parts: ReadonlyArray<ReplyPart>) =>
    body(Stream.fromIterable(parts, { chunkSize: 1 }).pipe(Stream.mapEffect(play)), "text/event-stream")

  /** The reply as one JSON body, once its gates are open and its pauses over. */
  const whole = (protocol: ModelProtocol, reply: Script.Reply, id: string) => {
    const waits = protocol.reply(reply, id).filter((part) => part._tag !== "event")
    return body(
      Stream.concat(
        Stream.mapEffect(Stream.fromIterable(waits), play),
        Stream.succeed(JSON.stringify(protocol.whole(reply, id)))
      ),
      "application/json"
    )
  }

  const failed = (protocol: ModelProtocol, failure: Pick<Script.Failure, "status" | "message">) =>
    HttpServerResponse.jsonUnsafe(protocol.failure(failure), { status: failure.status })

  const title = Script.reply(Script.text(JSON.stringify({ title: script.title ?? "Scripted session" })))

  const respond = (protocol: ModelProtocol, stream: boolean, { index, outcome }: RecordedRequest) => {
    if (outcome._tag === "unexpected") {
      return failed(protocol, {
        status: UNEXPECTED_STATUS,
        message: `Scripted model: ${outcome.reason}`
      })
    }
    const step = outcome._tag === "title" ? title : outcome.step
    if (step._tag === "failure") return failed(protocol, step)
    const id = `msg_scripted_${index}`
    return stream ? streamed(protocol.reply(step, id)) : whole(protocol, step, id)
  }

  const handle = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const text = yield* request.text
    const body = Result.getOrElse(parsed(text), () => text)
    const path = new URL(request.url, "http://127.0.0.1").pathname
    const protocol = PROTOCOLS.find((row) => row.method === request.method && row.path === path)
    const seen = { method: request.method, url: request.url, headers: masked(request.headers), body }
    if (protocol === undefined) {
      const reason = `no protocol has ${request.method} ${path}`
      yield* record({ ...seen, ...NOTHING, outcome: { _tag: "unexpected", reason } })
      return HttpServerResponse.text(`Scripted model: ${reason}`, { status: 404 })
    }
    const read = protocol.read(body)
    const recorded = yield* record({
      ...seen,
      ...Result.match(read, {
        onSuccess: (model) => ({
          kind: model.kind,
          toolResults: model.toolResults,
          outcome: outcome(model)
        }),
        onFailure: (reason) => ({ ...NOTHING, outcome: { _tag: "unexpected" as const, reason } })
      })
    })
    return respond(protocol, Result.isSuccess(read) && read.success.stream, recorded)
  })

  const server = createServer()
  const http = yield* NodeHttpServer.make(() => server, {
    host: "127.0.0.1",
    port: 0,
    disablePreemptiveShutdown: true
  })
  yield* http.serve(handle)
  // Replies may be parked at a gate when the scope closes: their connections are cut rather than waited for.
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    })
  )

  const requests = Stream.fromPubSub(arrivals)
  // A stream of requests ends only with the server; whoever still waits then is interrupted.
  const first = <A>(stream: Stream.Stream<A>): Effect.Effect<A> =>
    Effect.flatMap(
      Stream.runHead(stream),
      Option.match({ onNone: () => Effect.interrupt, onSome: Effect.succeed })
    )

  return {
    url: HttpServer.formatAddress(http.address),
    requests,
    until: Effect.fn("ScriptedModel.until")((holds: (request: RecordedRequest) => boolean) =>
      first(Stream.filter(requests, holds))
    ),
    toolResult: Effect.fn("ScriptedModel.toolResult")((id: string) =>
      first(
        Stream.flatMap(requests, (request) =>
          Stream.fromIterable(request.toolResults.filter((result) => result.id === id))
        )
      )
    ),
    recorded: Effect.sync(() => [...log]),
    unexpected: Effect.sync(() => log.filter((request) => request.outcome._tag === "unexpected")),
    release: Effect.fn("ScriptedModel.release")(function* (gate) {
      const latch = gates.get(gate)
      if (latch === undefined) return yield* new UnknownGate({ gate, known: Array.from(gates.keys()) })
      yield* Deferred.succeed(latch, undefined)
    })
  }
})

export const layer = (script: Script.Script): Layer.Layer<ScriptedModel, ServeError> =>
  Layer.effect(ScriptedModel, make(script))
