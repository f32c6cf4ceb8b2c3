import * as Effect from "effect/Effect"
import type { Line } from "./JsonLines.ts"
import type { TranscriptRecord } from "./TranscriptSource.ts"

/**
 * Longest line that is kept, in bytes (S7.1). Parsing one holds the event loop, at most some ten milliseconds for
 * this much; longer ones are pictures and the like, which no turn needs.
 */
export const LINE_LIMIT = 2 * 1024 * 1024
/** Bytes parsed between two pauses: some milliseconds' worth. */
const BYTES_PER_TURN = 256 * 1024

const utf8 = new TextDecoder("utf-8", { fatal: true })

const parse = (bytes: Uint8Array, offset: number): TranscriptRecord => {
  try {
    return { _tag: "record", offset, value: JSON.parse(utf8.decode(bytes)) }
  } catch {
    return { _tag: "malformed", offset }
  }
}

/** The records that these lines are; a blank line is none. Never holds the event loop for long. */
export const decode = Effect.fnUntraced(function* (lines: ReadonlyArray<Line>) {
  const records: Array<TranscriptRecord> = []
  let parsed = 0
  for (const line of lines) {
    if (line._tag === "dropped") {
      records.push({ _tag: "dropped", offset: line.offset, bytes: line.size })
      continue
    }
    if (line.bytes.every(isBlank)) continue
    parsed += line.bytes.length
    if (parsed > BYTES_PER_TURN) {
      yield* Effect.yieldNow
      parsed = 0
    }
    records.push(parse(line.bytes, line.offset))
  }
  return records
})

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d
