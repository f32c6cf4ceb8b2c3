import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Line } from "./JsonLines.ts"
import * as PacedJson from "./PacedJson.ts"
import type { TranscriptRecord } from "./TranscriptSource.ts"

/** Longest line that is kept, in bytes (S7.1): above any record seen so far, images included. */
export const LINE_LIMIT = 16 * 1024 * 1024

/** The record that a line is; `none` for a blank one. */
export const decode = (line: Line): Effect.Effect<Option.Option<TranscriptRecord>> => {
  const { offset } = line
  if (line._tag === "dropped") return Effect.succeedSome({ _tag: "dropped", offset, bytes: line.size })
  if (line.bytes.every(isBlank)) return Effect.succeedNone
  return Effect.map(PacedJson.parse(line.bytes), (value) =>
    Option.some(
      Option.isNone(value) ? { _tag: "malformed", offset } : { _tag: "record", offset, value: value.value }
    )
  )
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d
