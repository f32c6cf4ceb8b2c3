import type { Agent } from "./Agent.ts"
import type { ToolCall } from "./ToolCall.ts"

/** One parsed line of a recording, with its 1-based number. */
export interface RecordedLine {
  readonly line: number
  readonly value: unknown
}

/** A tool call that an agent made once, and where its record stands. */
export interface RecordedCall {
  readonly line: number
  readonly call: Pick<ToolCall, "agent" | "tool" | "input" | "callId" | "cwd">
}

/** The tool calls of one session, in order, each once (L6.1). */
export interface Recording {
  readonly agent: Agent
  /** The directory that the session was launched in, absolute: what relative rules start from (L1.8). */
  readonly projectRoot: string
  readonly calls: ReadonlyArray<RecordedCall>
}

/** How one kind of file keeps tool calls: an agent's transcript, or a journal. */
export interface RecordingFormat {
  /** As a person knows it. */
  readonly name: string
  /** What the file holds, `null` where it is not of this kind. Total: a record that it does not know is passed over. */
  readonly read: (lines: ReadonlyArray<RecordedLine>) => Recording | null
}

/** Agents copy earlier records into the files of resumed and forked sessions. */
export const once = (calls: ReadonlyArray<RecordedCall>): ReadonlyArray<RecordedCall> => {
  const seen = new Set<string>()
  return calls.filter(({ call: { callId } }) => {
    if (callId === null) return true
    if (seen.has(callId)) return false
    seen.add(callId)
    return true
  })
}
