import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { once, type RecordedCall, type RecordingFormat } from "../../core/call/Recording.ts"

const Meta = Schema.Struct({
  type: Schema.Literal("session_meta"),
  payload: Schema.Struct({ cwd: Schema.NonEmptyString })
})
const FunctionCall = Schema.Struct({
  type: Schema.Literal("response_item"),
  payload: Schema.Struct({
    type: Schema.Literal("function_call"),
    name: Schema.NonEmptyString,
    arguments: Schema.fromJsonString(Schema.Unknown),
    call_id: Schema.NonEmptyString
  })
})
/** A tool whose input is free text, as `apply_patch` is. */
const CustomCall = Schema.Struct({
  type: Schema.Literal("response_item"),
  payload: Schema.Struct({
    type: Schema.Literal("custom_tool_call"),
    name: Schema.NonEmptyString,
    input: Schema.String,
    call_id: Schema.NonEmptyString
  })
})
const Command = Schema.Struct({
  cmd: Schema.String,
  workdir: Schema.optional(Schema.NullOr(Schema.String))
})

const decodeMeta = Schema.decodeUnknownOption(Meta)
const decodeFunction = Schema.decodeUnknownOption(FunctionCall)
const decodeCustom = Schema.decodeUnknownOption(CustomCall)
const decodeCommand = Schema.decodeUnknownOption(Command)

const within = (root: string, directory: string | null | undefined): string =>
  directory === null || directory === undefined || directory === ""
    ? root
    : directory.startsWith("/")
      ? directory
      : `${root}/${directory}`

/** The call as Codex's own hooks name it: `exec_command` is `Bash`, and free text is a `command`. */
const callOf = (value: unknown, root: string): RecordedCall["call"] | null => {
  const call = decodeFunction(value)
  if (Option.isSome(call)) {
    const { arguments: input, call_id: callId, name } = call.value.payload
    const command = name === "exec_command" ? decodeCommand(input) : Option.none()
    return Option.match(command, {
      onNone: () => ({ agent: "codex", tool: name, input, callId, cwd: root }),
      onSome: ({ cmd, workdir }) => ({
        agent: "codex",
        tool: "Bash",
        input: { command: cmd },
        callId,
        cwd: within(root, workdir)
      })
    })
  }
  return Option.match(decodeCustom(value), {
    onNone: () => null,
    onSome: ({ payload: { call_id: callId, input, name } }) => ({
      agent: "codex",
      tool: name,
      input: { command: input },
      callId,
      cwd: root
    })
  })
}

/** Codex's rollout of a session, `~/.codex/sessions/…/rollout-….jsonl`. */
export const format: RecordingFormat = {
  name: "Codex rollout",
  read: (lines) => {
    const meta = lines.map(({ value }) => decodeMeta(value)).find(Option.isSome)
    if (meta === undefined) return null
    const root = meta.value.payload.cwd
    const calls = lines.flatMap(({ line, value }): ReadonlyArray<RecordedCall> => {
      const call = callOf(value, root)
      return call === null ? [] : [{ line, call }]
    })
    return { agent: "codex", projectRoot: root, calls: once(calls) }
  }
}
