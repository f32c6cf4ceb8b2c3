import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { once, type RecordingFormat } from "../call/Recording.ts"
import { JournalRow } from "./JournalRow.ts"

const decode = Schema.decodeUnknownOption(JournalRow, { onExcessProperty: "error" })

/**
 * The calls of one of our own journals (L6.1). What redaction or a limit has changed is passed over: on half of a call
 * nothing can be ruled again.
 */
export const format: RecordingFormat = {
  name: "journal",
  read: (lines) => {
    const rows = lines.flatMap(({ line, value }) =>
      Option.toArray(Option.map(decode(value), (row) => ({ line, row })))
    )
    const [first] = rows
    if (first === undefined) return null
    const decisions = rows.flatMap(({ line, row: { altered, entry } }) =>
      entry._tag === "decision" && entry.call.complete && altered.length === 0 ? [{ line, entry }] : []
    )
    const [decision] = decisions
    return {
      agent: decision?.entry.call.agent ?? "claude",
      projectRoot: decision?.entry.basis?.projectRoot ?? decision?.entry.call.cwd ?? "/",
      calls: once(
        decisions.map(({ line, entry: { call } }) => ({
          line,
          call: { agent: call.agent, tool: call.tool, input: call.input, callId: call.callId, cwd: call.cwd }
        }))
      )
    }
  }
}
