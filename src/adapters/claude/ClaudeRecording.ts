import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { once, type RecordedCall, type RecordingFormat } from "../../core/call/Recording.ts"

const Assistant = Schema.Struct({
  type: Schema.Literal("assistant"),
  cwd: Schema.NonEmptyString,
  message: Schema.Struct({ content: Schema.Array(Schema.Unknown) })
})
const ToolUse = Schema.Struct({
  type: Schema.Literal("tool_use"),
  id: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
  input: Schema.Unknown
})

const decode = Schema.decodeUnknownOption(Assistant)
const decodeCall = Schema.decodeUnknownOption(ToolUse)

/** Claude Code's transcript of a session or of a subagent, `~/.claude/projects/…/ID.jsonl`. */
export const format: RecordingFormat = {
  name: "Claude Code transcript",
  read: (lines) => {
    const replies = lines.flatMap(({ line, value }) =>
      Option.match(decode(value), { onNone: () => [], onSome: (reply) => [{ ...reply, line }] })
    )
    const [first] = replies
    if (first === undefined) return null
    const calls = replies.flatMap(({ cwd, line, message }) =>
      message.content.flatMap((block): ReadonlyArray<RecordedCall> =>
        Option.match(decodeCall(block), {
          onNone: () => [],
          onSome: ({ id, input, name }) => [
            { line, call: { agent: "claude", tool: name, input, callId: id, cwd } }
          ]
        })
      )
    )
    return { agent: "claude", projectRoot: first.cwd, calls: once(calls) }
  }
}
