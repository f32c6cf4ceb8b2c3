import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ResultForm } from "../../core/session/HookGate.ts"
import type { TranscriptFact } from "../../core/session/TranscriptFact.ts"
import * as AskUserQuestion from "./AskUserQuestion.ts"

const TextBlock = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })
const ToolUse = Schema.Struct({
  type: Schema.Literal("tool_use"),
  id: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
  input: Schema.Unknown
})
const ToolResult = Schema.Struct({
  type: Schema.Literal("tool_result"),
  tool_use_id: Schema.NonEmptyString,
  is_error: Schema.optional(Schema.Boolean),
  content: Schema.optional(Schema.Unknown)
})

const Assistant = Schema.Struct({
  type: Schema.Literal("assistant"),
  uuid: Schema.String,
  isApiErrorMessage: Schema.optional(Schema.Boolean),
  error: Schema.optional(Schema.String),
  message: Schema.Struct({
    id: Schema.optional(Schema.String),
    stop_reason: Schema.optional(Schema.NullOr(Schema.String)),
    content: Schema.Array(Schema.Unknown),
    usage: Schema.optional(
      Schema.Struct({
        input_tokens: Schema.optional(Schema.Finite),
        output_tokens: Schema.optional(Schema.Finite)
      })
    )
  })
})

const User = Schema.Struct({
  type: Schema.Literal("user"),
  uuid: Schema.String,
  isMeta: Schema.optional(Schema.Boolean),
  isCompactSummary: Schema.optional(Schema.Boolean),
  origin: Schema.optional(Schema.Struct({ kind: Schema.String })),
  toolUseResult: Schema.optional(Schema.Unknown),
  message: Schema.Struct({ content: Schema.Union([Schema.String, Schema.Array(Schema.Unknown)]) })
})

const System = Schema.Struct({ type: Schema.Literal("system"), subtype: Schema.optional(Schema.String) })

const Sidechain = Schema.Struct({ isSidechain: Schema.Literal(true) })

const decodeText = Schema.decodeUnknownOption(TextBlock)
const decodeToolUse = Schema.decodeUnknownOption(ToolUse)
const decodeToolResult = Schema.decodeUnknownOption(ToolResult)
const decodeAssistant = Schema.decodeUnknownOption(Assistant)
const decodeUser = Schema.decodeUnknownOption(User)
const decodeSystem = Schema.decodeUnknownOption(System)
const isSidechain = Schema.is(Sidechain)

/** The whole text of a person's interruption: the record of a turn that ended without a hook. */
const interruption = /^\[Request interrupted by user(?: for tool use)?\]$/

/** The record of a command of the agent's own, or of what it printed: no prompt that a turn must follow. */
const ownCommand = /^<(?:command-(?:name|message)|local-command-\w+)>/

/** How the record of a result names a person's refusal; a refusal with words carries them after the second one. */
const refusals: ReadonlyArray<string> = [
  "The user doesn't want to proceed with this tool use.",
  "The user doesn't want to take this action right now."
]

const assistant = (record: typeof Assistant.Type): ReadonlyArray<TranscriptFact> => {
  const { content, stop_reason: stopReason, usage } = record.message
  const texts = content.flatMap((block) => Option.toArray(decodeText(block)))
  if (record.isApiErrorMessage === true) {
    return [{ _tag: "turn_failed", reason: record.error ?? texts[0]?.text ?? "unknown" }]
  }
  const facts = content.flatMap((block): ReadonlyArray<TranscriptFact> => {
    const text = decodeText(block)
    if (Option.isSome(text)) {
      return [
        {
          _tag: "assistant_text",
          id: record.uuid,
          text: text.value.text,
          final: stopReason !== null && stopReason !== undefined && stopReason !== "tool_use"
        }
      ]
    }
    const call = decodeToolUse(block)
    return Option.isSome(call)
      ? [{ _tag: "tool_call", id: call.value.id, tool: call.value.name, input: call.value.input }]
      : []
  })
  return usage === undefined
    ? facts
    : [
        ...facts,
        // One message is written as several records, each with the whole message's usage.
        {
          _tag: "usage",
          id: record.message.id ?? record.uuid,
          inputTokens: usage.input_tokens ?? 0,
          outputTokens: usage.output_tokens ?? 0
        }
      ]
}

/** A result's content as the model receives it: a string, or text blocks in order. */
const plain = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content
          .flatMap((block) => Option.toArray(Option.map(decodeText(block), ({ text }) => text)))
          .join("\n")
      : ""

const prompt = (record: typeof User.Type, text: string): ReadonlyArray<TranscriptFact> => {
  if (interruption.test(text)) return [{ _tag: "turn_interrupted" }]
  const typed =
    record.isMeta !== true &&
    !ownCommand.test(text) &&
    record.isCompactSummary !== true &&
    (record.origin === undefined || record.origin.kind === "human")
  return typed ? [{ _tag: "user_prompt", id: record.uuid, text }] : []
}

const user = (record: typeof User.Type): ReadonlyArray<TranscriptFact> => {
  const { content } = record.message
  if (typeof content === "string") return prompt(record, content)
  const results = content.flatMap((block): ReadonlyArray<TranscriptFact> =>
    Option.toArray(
      Option.map(decodeToolResult(block), (result): TranscriptFact => {
        const text = plain(result.content)
        const isError = result.is_error === true
        return {
          _tag: "tool_result",
          id: result.tool_use_id,
          isError,
          rejected: isError && refusals.some((refusal) => text.startsWith(refusal)),
          text,
          answers: isError ? null : AskUserQuestion.answers(record.toolUseResult)
        }
      })
    )
  )
  if (results.length > 0) return results
  const texts = content.flatMap((block) => Option.toArray(Option.map(decodeText(block), ({ text }) => text)))
  return texts.length === 0 ? [] : prompt(record, texts.join("\n"))
}

/**
 * What one record of Claude's transcript says. A subagent's records say nothing here: they are not this turn's
 * messages. Total: a record that cannot be read, or says nothing to the session, gives no fact.
 */
export const decode = (value: unknown): ReadonlyArray<TranscriptFact> => {
  if (isSidechain(value)) return []
  const said = decodeAssistant(value)
  if (Option.isSome(said)) return assistant(said.value)
  const asked = decodeUser(value)
  if (Option.isSome(asked)) return user(asked.value)
  const system = decodeSystem(value)
  return Option.isSome(system) && system.value.subtype === "turn_duration" ? [{ _tag: "turn_end" }] : []
}

/**
 * How Claude words the error of a call that ran nothing and of which no hook of ours heard: refused before any hook
 * (invalid input, an unknown tool), or blocked because our hook could not be reached.
 */
const neverRan: ReadonlyArray<string> = ["<tool_use_error>", "PreToolUse:"]

/**
 * Every tool of Claude has a PreToolUse event, unless the call never ran. A server's tool words its own errors, so
 * its word for that is not taken (S5.5).
 */
export const resultForm = (
  tool: string,
  result: Extract<TranscriptFact, { readonly _tag: "tool_result" }>
): ResultForm =>
  result.isError &&
  tool !== "" &&
  !tool.startsWith("mcp__") &&
  neverRan.some((form) => result.text.startsWith(form))
    ? "refused_before_hooks"
    : "gated"
