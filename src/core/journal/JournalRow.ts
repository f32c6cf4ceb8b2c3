import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../call/CanonicalJson.ts"
import { JournalEntry } from "./JournalEntry.ts"
import * as Redaction from "./Redaction.ts"

/** The version of a row's shape. It counts up when a field changes its meaning. */
const VERSION = 1

/** One row of a journal: an entry, its place, and the hash that binds it to every row before it (A4.2). */
export const JournalRow = Schema.Struct({
  v: Schema.Literal(VERSION),
  /** From 1, without a gap, over all files of a host. */
  seq: Schema.Int,
  /** Milliseconds since the epoch. */
  at: Schema.Int,
  /** What redaction and limits did to the entry. A row that lost something cannot be replayed (A4.5). */
  altered: Schema.Array(Schema.Literals(["cut", "masked"])),
  entry: JournalEntry,
  /** The hash of the row before; `null` in the first one. */
  previous: Schema.NullOr(Schema.String),
  /** SHA-256 of this row's canonical text without this field. */
  hash: Schema.String
})
export type JournalRow = typeof JournalRow.Type

/** The last row of a chain. */
export interface Position {
  readonly seq: number
  readonly hash: string | null
}

export const start: Position = { seq: 0, hash: null }

type Sha256 = (text: string) => string

const print = (value: unknown): string => Option.getOrElse(CanonicalJson.print(value), () => "")

/**
 * The line, with its line feed, that puts an entry behind `position`. The only way into a journal: here everything
 * is redacted and bounded (X3), whoever writes it.
 */
export const write = (
  sha256: Sha256,
  position: Position,
  at: number,
  entry: JournalEntry
): { readonly line: string; readonly position: Position } => {
  const { altered, value } = Redaction.redact(entry)
  const seq = position.seq + 1
  const row = { v: VERSION, seq, at, altered, entry: value, previous: position.hash }
  const hash = sha256(print(row))
  return { line: `${print({ ...row, hash })}\n`, position: { seq, hash } }
}

/**
 * What breaks a chain at a row.
 *
 * - `unreadable`: no row of a version that is known.
 * - `changed`: its hash is not that of its content.
 * - `not_linked`: a row before it was changed, taken out, put in or moved.
 */
export const BreakReason = Schema.Literals(["unreadable", "changed", "not_linked"])
export type BreakReason = typeof BreakReason.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(JournalRow), { onExcessProperty: "error" })

/** Reads a line, without its line feed, that has to follow `position`; `null`: it may stand anywhere. */
export const read = (
  sha256: Sha256,
  position: Position | null,
  line: string
): Result.Result<JournalRow, BreakReason> => {
  const decoded = decode(line)
  if (Option.isNone(decoded)) return Result.fail("unreadable")
  const row = decoded.value
  const { hash, ...content } = row
  // The very text counts, so that no byte of it can be another.
  if (print(row) !== line || sha256(print(content)) !== hash) return Result.fail("changed")
  if (position !== null && (row.seq !== position.seq + 1 || row.previous !== position.hash)) {
    return Result.fail("not_linked")
  }
  return Result.succeed(row)
}
