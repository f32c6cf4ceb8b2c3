import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as AnthropicModel from "../../../src/adapters/ai/AnthropicModel.ts"
import * as ChatCompletionsModel from "../../../src/adapters/ai/ChatCompletionsModel.ts"
import * as JudgeLink from "../../../src/adapters/ai/JudgeLink.ts"
import type { Options } from "../../../src/adapters/ai/ModelEndpoint.ts"
import * as MemoryPersonSurface from "../../../src/adapters/memory/MemoryPersonSurface.ts"
import * as Authority from "../../../src/core/authority/Authority.ts"
import * as JudgeRow from "../../../src/core/authority/JudgeRow.ts"
import type { JudgeMode } from "../../../src/core/authority/JudgeVerdict.ts"
import type { ToolCall } from "../../../src/core/call/ToolCall.ts"
import { PolicyEngine } from "../../../src/core/policy/PolicyEngine.ts"
import type { Ruling } from "../../../src/core/policy/Ruling.ts"
import * as Script from "../../../src/layers/testing/Script.ts"
import * as ScriptedModel from "../../../src/layers/testing/ScriptedModel.ts"
import { root, rulingOn } from "../../core/authority/JudgeFixtures.ts"

export const KEY = "planted-key-5150"

/** Both providers, each at a server on loopback. */
export const PROVIDERS = {
  anthropic: {
    path: "/v1/messages",
    layer: (url: string, more: Partial<Options> = {}) =>
      AnthropicModel.layer({ model: "judge-1", key: Redacted.make(KEY), baseUrl: url, ...more })
  },
  chatCompletions: {
    path: "/v1/chat/completions",
    layer: (url: string, more: Partial<Options> = {}) =>
      ChatCompletionsModel.layer({ model: "judge-1", key: Redacted.make(KEY), baseUrl: `${url}/v1`, ...more })
  }
} as const

export const PROVIDER_NAMES = ["anthropic", "chatCompletions"] as const
export type Provider = (typeof PROVIDER_NAMES)[number]

export const verdict = (verdict: string, more: Record<string, Schema.Json> = {}) =>
  Script.reply(Script.text(JSON.stringify({ verdict, reason: "because", ...more })))

const isCanary = (body: unknown): boolean => JSON.stringify(body).includes("What does this repository do?")

/** A verdict for every command of the form `SCRIPT:name …`, and for the canary its own. */
export const scripted = (
  conversations: Script.Script["conversations"],
  canary: Script.Step = verdict("deny")
) => Script.make(conversations, { otherwise: [canary] })

export interface Setup {
  readonly provider?: Provider
  readonly mode?: JudgeMode
  readonly options?: Partial<JudgeLink.Options>
  readonly authority?: Partial<Authority.Options>
  readonly rule?: (call: ToolCall) => Ruling
  readonly presence?: "present" | "absent"
}

/**
 * A root with a judge and a person who denies by hand, so that every allow is the judge's; the model is a
 * scripted one.
 */
export const bench = Effect.fnUntraced(function* (
  script: Script.Script,
  { authority, mode, options, presence = "present", provider = "anthropic", rule }: Setup = {}
) {
  const model = yield* ScriptedModel.make(script)
  const rows: Array<JudgeRow.JudgeRow> = []
  const notes: Array<string> = []
  const services = yield* Layer.build(
    Layer.mergeAll(
      Authority.layer({
        node: "s-1",
        chain: ["judge"],
        log: ({ note }) =>
          Effect.sync(() => {
            notes.push(note)
            const row = JudgeRow.read(note)
            if (row._tag === "Some") rows.push(row.value)
          }),
        ...authority
      }).pipe(
        Layer.provide(
          Layer.mock(PolicyEngine, {
            rule: (call) => Effect.sync(() => (rule ?? ruleOnCommand)(call)),
            spend: () => Effect.succeed(true)
          })
        ),
        Layer.provide(
          MemoryPersonSurface.layer({
            presence: Effect.succeed(presence),
            ask: () => Effect.succeed({ _tag: "deny", channel: "terminal", reason: null }),
            question: () => Effect.succeed(null)
          })
        )
      ),
      PROVIDERS[provider].layer(model.url).pipe(Layer.provide(FetchHttpClient.layer))
    )
  )
  const registered = yield* JudgeLink.register({
    lifecycle: Effect.succeed(root),
    conversation: Effect.succeed([]),
    ...(mode !== undefined && { mode }),
    ...options
  }).pipe(Effect.provide(services))
  const { decide, decisions } = yield* Authority.Authority.pipe(Effect.provide(services))
  return {
    model,
    services,
    registered,
    rows,
    notes,
    decide,
    decisions,
    /** Requests about asks, without the canary's. */
    predictions: Effect.map(model.recorded, (requests) => requests.filter(({ body }) => !isCanary(body)))
  }
})

const Command = Schema.Struct({ command: Schema.String })
const isCommand = Schema.is(Command)

const ruleOnCommand = (call: ToolCall): Ruling =>
  rulingOn(isCommand(call.input) ? call.input.command : JSON.stringify(call.input))
