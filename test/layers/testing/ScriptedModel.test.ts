import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Script from "../../../src/layers/testing/Script.ts"
import * as ScriptedModel from "../../../src/layers/testing/ScriptedModel.ts"

type Json = Record<string, unknown>

const MAIN_TOOLS = [{ name: "Bash" }, { name: "AskUserQuestion" }]
const user = (content: unknown): Json => ({ role: "user", content })
const assistant = (content: unknown): Json => ({ role: "assistant", content })
const body = (messages: ReadonlyArray<Json>, more: Json = {}): Json => ({
  model: "any",
  stream: true,
  tools: MAIN_TOOLS,
  messages,
  ...more
})

const post = (
  url: string,
  json: unknown,
  headers: Record<string, string> = {},
  path = "/v1/messages?beta=true"
) =>
  Effect.promise(async (signal) => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(json),
      signal
    })
    return { status: response.status, text: await response.text() }
  })

const Event = Schema.Struct({
  type: Schema.String,
  index: Schema.optionalKey(Schema.Int),
  content_block: Schema.optionalKey(
    Schema.Struct({ type: Schema.String, id: Schema.optionalKey(Schema.String) })
  ),
  delta: Schema.optionalKey(
    Schema.Struct({ text: Schema.optionalKey(Schema.String), stop_reason: Schema.optionalKey(Schema.String) })
  )
})
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Event))

const events = (sse: string): ReadonlyArray<typeof Event.Type> =>
  sse.split("\n").flatMap((line) => (line.startsWith("data: ") ? [decode(line.slice(6))] : []))

const said = (sse: string): string =>
  events(sse)
    .map((event) => event.delta?.text ?? "")
    .join("")

const Chunk = Schema.Struct({
  choices: Schema.Array(
    Schema.Struct({
      delta: Schema.Record(Schema.String, Schema.Unknown),
      finish_reason: Schema.NullOr(Schema.String)
    })
  )
})
const decodeChunk = Schema.decodeUnknownSync(Schema.fromJsonString(Chunk))

const chat = (url: string, messages: ReadonlyArray<Json>, more: Json = {}) =>
  post(url, { model: "any", messages, ...more }, {}, "/v1/chat/completions")

const script = Script.make(
  {
    one: [
      Script.reply(Script.text("first"), Script.tool("Bash", { command: "true" }, "toolu_a")),
      Script.reply(Script.text("second"))
    ],
    flaky: [
      Script.failure(529, "overloaded"),
      Script.failure(429, "slow down"),
      Script.reply(Script.text("at last"))
    ],
    dead: [Script.failure(529, "overloaded")],
    held: [Script.reply(Script.text("before "), Script.gate("open"), Script.text("after"))],
    parallel: [
      Script.reply(
        Script.thinking("two at once"),
        Script.tool("Bash", { command: "one" }, "toolu_1"),
        Script.tool("Read", { file_path: "/x" }, "toolu_2")
      )
    ]
  },
  {
    title: "Given title",
    otherwise: [Script.reply(Script.text("plain 1")), Script.reply(Script.text("plain 2"))]
  }
)

const started = ScriptedModel.make(script)

describe("ScriptedModel", () => {
  it.effect("picks the conversation by the last marker and the step by the replies since", () =>
    Effect.gen(function* () {
      const { url } = yield* started
      const say = (messages: ReadonlyArray<Json>) =>
        Effect.map(post(url, body(messages)), (r) => said(r.text))
      assert.strictEqual(yield* say([user("SCRIPT:one please")]), "first")
      assert.strictEqual(
        yield* say([user([{ type: "text", text: "SCRIPT:one" }]), assistant("first"), user("go on")]),
        "second"
      )
      assert.strictEqual(
        yield* say([user("SCRIPT:held"), assistant("x"), user("SCRIPT:one")]),
        "first",
        "a later marker starts anew"
      )
      assert.strictEqual(yield* say([user("no marker")]), "plain 1")
      assert.strictEqual(yield* say([user("no marker"), assistant("plain 1"), user("more")]), "plain 2")
    })
  )

  it.effect("takes no marker from a tool's result", () =>
    Effect.gen(function* () {
      const { url } = yield* started
      const result = { type: "tool_result", tool_use_id: "toolu_a", content: "SCRIPT:held" }
      const reply = yield* post(url, body([user("SCRIPT:one"), assistant("first"), user([result])]))
      assert.strictEqual(said(reply.text), "second")
    })
  )

  it.effect("streams parallel tool calls and thinking with the given ids", () =>
    Effect.gen(function* () {
      const { url } = yield* started
      const reply = yield* post(url, body([user("SCRIPT:parallel")]))
      const starts = events(reply.text).filter((event) => event.type === "content_block_start")
      assert.deepStrictEqual(
        starts.map(({ index, content_block: block }) => [index, block?.type, block?.id]),
        [
          [0, "thinking", undefined],
          [1, "tool_use", "toolu_1"],
          [2, "tool_use", "toolu_2"]
        ]
      )
      const stop = events(reply.text).find((event) => event.type === "message_delta")
      assert.strictEqual(stop?.delta?.stop_reason, "tool_use")
    })
  )

  it.effect("plays failures before the reply that follows them, and the last one for ever", () =>
    Effect.gen(function* () {
      const { url } = yield* started
      const flaky = post(url, body([user("SCRIPT:flaky")]))
      const statuses = yield* Effect.map(Effect.all([flaky, flaky, flaky, flaky]), (all) =>
        all.map((reply) => reply.status)
      )
      assert.deepStrictEqual(statuses, [529, 429, 200, 200])
      const dead = post(url, body([user("SCRIPT:dead")]))
      assert.deepStrictEqual(
        (yield* Effect.all([dead, dead])).map((reply) => JSON.parse(reply.text).error.type),
        ["overloaded_error", "overloaded_error"]
      )
    })
  )

  it.effect("answers a title request with the script's title", () =>
    Effect.gen(function* () {
      const { url } = yield* started
      const format = {
        type: "json_schema",
        schema: { type: "object", properties: { title: { type: "string" } } }
      }
      const reply = yield* post(url, body([user("SCRIPT:one")], { tools: [], output_config: { format } }))
      assert.deepStrictEqual(JSON.parse(said(reply.text)), { title: "Given title" })
    })
  )

  it.effect("refuses and records what the script does not cover", () =>
    Effect.gen(function* () {
      const model = yield* started
      const subagent = { tools: [{ name: "Bash" }] }
      const replies = yield* Effect.all([
        post(model.url, body([user("SCRIPT:nowhere")])),
        post(model.url, body([user("SCRIPT:constructor")])),
        post(model.url, body([user("SCRIPT:one"), assistant("1"), assistant("2")])),
        post(model.url, body([user("unmarked")], subagent)),
        post(model.url, body([user("no tools")], { tools: [] })),
        post(model.url, { messages: [], stream: false })
      ])
      assert.deepStrictEqual(
        replies.map((reply) => reply.status),
        [400, 400, 400, 400, 400, 400]
      )
      const elsewhere = yield* Effect.promise(() => fetch(`${model.url}/v1/complete`))
      assert.strictEqual(elsewhere.status, 404)
      yield* Effect.promise(() => elsewhere.text())
      const reasons = (yield* model.unexpected).map(({ outcome }) =>
        outcome._tag === "unexpected" ? outcome.reason : ""
      )
      assert.strictEqual(reasons.length, 7)
      assert.include(reasons[0], "nowhere")
      assert.include(reasons[2], "has 2 replies; reply 3 was asked for")
      assert.include(reasons[6], "GET /v1/complete")
      assert.include(JSON.parse(replies[2].text).error.message, "reply 3")
      const covered = yield* post(model.url, body([user("SCRIPT:one")], subagent))
      assert.strictEqual(covered.status, 200, "a subagent whose prompt names a conversation is covered")
    })
  )

  it.effect("holds a reply at a gate until it is released", () =>
    Effect.gen(function* () {
      const model = yield* started
      const response = yield* Effect.promise(() =>
        fetch(`${model.url}/v1/messages`, {
          method: "POST",
          body: JSON.stringify(body([user("SCRIPT:held")]))
        })
      )
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = ""
      const readUntil = (end: string) =>
        Effect.promise(async () => {
          while (!text.includes(end)) text += (await reader.read()).value ?? ""
        })
      yield* readUntil("content_block_stop")
      assert.strictEqual(said(text), "before ")
      const unknown = yield* Effect.flip(model.release("opne"))
      assert.deepStrictEqual(unknown.known, ["open"])
      yield* model.release("open")
      yield* readUntil("message_stop")
      assert.strictEqual(said(text), "before after")
    })
  )

  it.effect("keeps requests in order, masks credentials and gives tool results as received [X3]", () =>
    Effect.gen(function* () {
      const model = yield* started
      const waiting = yield* Effect.forkChild(model.toolResult("toolu_a"))
      yield* post(model.url, body([user("SCRIPT:one")]), {
        "x-api-key": "planted-key",
        authorization: "Bearer planted-key"
      })
      const content = [
        { type: "text", text: "line 1" },
        { type: "image", source: {} },
        { type: "text", text: "line 2" }
      ]
      const result = { type: "tool_result", tool_use_id: "toolu_a", is_error: true, content }
      yield* post(model.url, body([user("SCRIPT:one"), assistant("first"), user([result])]))
      assert.deepStrictEqual(yield* Fiber.join(waiting), {
        id: "toolu_a",
        text: "line 1\nline 2",
        isError: true
      })
      const seen = yield* Stream.runCollect(Stream.take(model.requests, 2))
      assert.deepStrictEqual(
        seen.map(({ index, method, url, kind }) => ({ index, method, url, kind })),
        [0, 1].map((index) => ({ index, method: "POST", url: "/v1/messages?beta=true", kind: "main" }))
      )
      assert.strictEqual(seen[0]?.headers["x-api-key"], ScriptedModel.MASK)
      assert.notInclude(JSON.stringify(seen), "planted-key")
    })
  )

  it.effect("leaves nothing open when its scope closes on a parked reply [X9]", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const model = yield* Scope.provide(started, scope)
      const parked = yield* Effect.forkChild(Effect.exit(post(model.url, body([user("SCRIPT:held")]))))
      const late = yield* Effect.forkChild(Effect.exit(model.until(() => false)))
      yield* model.until((request) => request.index === 0)
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(parked)))
      assert.isTrue(Exit.isFailure(yield* Fiber.join(late)), "waits end with the server")
      const refused = yield* Effect.promise(() =>
        fetch(model.url).then(
          () => false,
          () => true
        )
      )
      assert.isTrue(refused)
    })
  )

  it.effect("gives a whole message where no stream was asked for, also without tools", () =>
    Effect.gen(function* () {
      const { url } = yield* started
      const reply = yield* post(url, {
        model: "any",
        max_tokens: 1,
        messages: [user("SCRIPT:one")]
      })
      assert.deepInclude(JSON.parse(reply.text), {
        type: "message",
        role: "assistant",
        content: [
          { type: "text", text: "first" },
          { type: "tool_use", id: "toolu_a", name: "Bash", input: { command: "true" } }
        ],
        stop_reason: "tool_use"
      })
      const parallel = yield* post(url, body([user("SCRIPT:parallel")], { stream: false }))
      assert.deepStrictEqual(
        JSON.parse(parallel.text).content.map(({ type }: { type: string }) => type),
        ["thinking", "tool_use", "tool_use"]
      )
    })
  )

  it.effect("holds a whole message until all its gates are open", () =>
    Effect.gen(function* () {
      const model = yield* started
      const held = yield* Effect.forkChild(post(model.url, { model: "any", messages: [user("SCRIPT:held")] }))
      yield* model.until(() => true)
      assert.isUndefined(held.pollUnsafe())
      yield* model.release("open")
      assert.strictEqual(
        JSON.parse((yield* Fiber.join(held)).text)
          .content.map(({ text }: { text: string }) => text)
          .join(""),
        "before after"
      )
    })
  )

  it.effect("speaks Chat Completions: turns, tools, results, failures, whole and streamed", () =>
    Effect.gen(function* () {
      const model = yield* started
      const system = { role: "system", content: "SCRIPT:nowhere is no marker here" }
      const first = yield* chat(model.url, [system, user("SCRIPT:one")])
      const call = {
        id: "toolu_a",
        type: "function",
        function: { name: "Bash", arguments: '{"command":"true"}' }
      }
      assert.deepStrictEqual(JSON.parse(first.text).choices, [
        {
          index: 0,
          message: { role: "assistant", content: "first", tool_calls: [call] },
          finish_reason: "tool_calls"
        }
      ])
      const second = yield* chat(model.url, [
        system,
        user([{ type: "text", text: "SCRIPT:one" }]),
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "toolu_a", content: "SCRIPT:dead" }
      ])
      assert.strictEqual(JSON.parse(second.text).choices[0].message.content, "second")
      assert.deepStrictEqual(yield* model.toolResult("toolu_a"), {
        id: "toolu_a",
        text: "SCRIPT:dead",
        isError: false
      })
      const streamed = yield* chat(model.url, [user("SCRIPT:parallel")], { stream: true, tools: [{}] })
      const lines = streamed.text.split("\n").filter((line) => line.startsWith("data: "))
      assert.strictEqual(lines.at(-1), "data: [DONE]")
      const chunks = lines.slice(0, -1).flatMap((line) => decodeChunk(line.slice(6)).choices)
      assert.deepStrictEqual(
        chunks.map(({ delta }) => Object.keys(delta).at(-1)),
        ["content", "reasoning_content", "tool_calls", "tool_calls", undefined]
      )
      assert.strictEqual(chunks.at(-1)?.finish_reason, "tool_calls")
      const failed = yield* chat(model.url, [user("SCRIPT:dead")])
      assert.strictEqual(failed.status, 529)
      assert.strictEqual(JSON.parse(failed.text).error.message, "overloaded")
      assert.strictEqual((yield* chat(model.url, [])).status, 400)
      assert.strictEqual((yield* chat(model.url, [user("SCRIPT:nowhere")])).status, 400)
    })
  )

  it.effect("a script file is decoded strictly", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Script.fromJson(JSON.stringify(script)), script)
      const bad = [
        '{"conversations":{},"more":1}',
        '{"conversations":{"a b":[]}}',
        '{"conversations":{"a":[]}}',
        "{"
      ]
      for (const text of bad) yield* Effect.flip(Script.fromJson(text))
    })
  )
})
