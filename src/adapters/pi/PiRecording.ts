import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { once, type RecordedCall, type RecordingFormat } from "../../core/call/Recording.ts"

const Header = Schema.Struct({ type: Schema.Literal("session"), cwd: Schema.NonEmptyString })
const Message = Schema.Struct({
  type: Schema.Literal("message"),
  message: Schema.Struct({ role: Schema.Literal("assistant"), content: Schema.Array(Schema.Unknown) })
})
const ToolUse = Schema.Struct({
  type: Schema.Literal("toolCall"),
  id: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
  arguments: Schema.Unknown
})

const decodeHeader = Schema.decodeUnknownOption(Header)
const decodeMessage = Schema.decodeUnknownOption(Message)
const decodeCall = Schema.decodeUnknownOption(ToolUse)

/** Pi's session file, `~/.pi/agent/sessions/…/….jsonl`. Commands that the person typed are not the agent's. */
export const format: RecordingFormat = {
  name: "Pi session",
  read: (lines) => {
    const header = lines.map(({ value }) => decodeHeader(value)).find(Option.isSome)
    if (header === undefined) return null
    const { cwd } = header.value
    const calls = lines.flatMap(({ line, value }) =>
      Option.match(decodeMessage(value), {
        onNone: () => [],
        onSome: ({ message }) => message.content
      }).flatMap((block): ReadonlyArray<RecordedCall> =>
        Option.match(decodeCall(block), {
          onNone: () => [],
          onSome: ({ arguments: input, id, name }) => [
            { line, call: { agent: "pi", tool: name, input, callId: id, cwd } }
          ]
        })
      )
    )
    return { agent: "pi", projectRoot: cwd, calls: once(calls) }
  }
}
