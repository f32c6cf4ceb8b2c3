import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Line } from "./JsonLines.ts"
import * as PacedJson from "./PacedJson.ts"
import type { TranscriptRecord } from "./TranscriptSource.ts"

/** Longest line that is kept, in bytes (S7.1): above any record seen so far, images included. */
export const LINE_LIMIT = 16 * 1024 * 1024
/** Lines between two pauses: some milliseconds of the shortest ones. */
const LINES_PER_TURN = 2048

/** The records that these lines are; a blank line is none. Never holds the event loop for long. */
export const decode = Effect.fnUntraced(function* (lines: ReadonlyArray<Line>) {
  const records: Array<TranscriptRecord> = []
  for (const [index, line] of lines.entries()) {
    if (index % LINES_PER_TURN === LINES_PER_TURN - 1) yield* Effect.yieldNow
    const { offset } = line
    if (line._tag === "dropped") records.push({ _tag: "dropped", offset, bytes: line.size })
    else if (!line.bytes.every(isBlank)) {
      const value = PacedJson.isLong(line.bytes)
        ? yield* PacedJson.parseLong(line.bytes)
        : PacedJson.parseShort(line.bytes)
      records.push(
        Option.isSome(value) ? { _tag: "record", offset, value: value.value } : { _tag: "malformed", offset }
      )
    }
  }
  return records
})

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d
