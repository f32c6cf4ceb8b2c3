import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as JournalRow from "./JournalRow.ts"

/** The first link that does not hold. */
export const BrokenLink = Schema.Struct({
  file: Schema.String,
  /** In its file, from 1. */
  line: Schema.Int,
  reason: JournalRow.BreakReason
})
export type BrokenLink = typeof BrokenLink.Type

/** What is known of a journal once its chain was followed. */
export interface Verification {
  /** Up to the first broken link. */
  readonly rows: ReadonlyArray<JournalRow.JournalRow>
  readonly broken: BrokenLink | null
  /** The last line of a file was never finished: its writer was killed. It is left out, and nothing before it is lost (A4.4). */
  readonly torn: boolean
  /** The host wrote that it ended. Without it rows may be missing at the end, and nothing in the files can tell. */
  readonly ended: boolean
  /** The hash of the last row: who keeps it elsewhere can tell whether anything was changed since. */
  readonly last: string | null
}

/** One file of a journal, in the order of its parts. */
export interface Part {
  readonly file: string
  readonly text: string
}

/**
 * Follows the chain through the parts of a journal (A4.2). `whole`: from its first row on; else the first part given
 * may be a later one, and what came before it is not looked at.
 */
export const verify = (
  sha256: (text: string) => string,
  { parts, whole }: { readonly parts: ReadonlyArray<Part>; readonly whole: boolean }
): Verification => {
  const rows: Array<JournalRow.JournalRow> = []
  let position: JournalRow.Position | null = whole ? JournalRow.start : null
  let torn = false
  const done = (broken: BrokenLink | null): Verification => ({
    rows,
    broken,
    torn,
    ended: rows.at(-1)?.entry._tag === "closed",
    last: position?.hash ?? null
  })
  for (const { file, text } of parts) {
    const lines = text.split("\n")
    // After the last line feed there is nothing, or a row that was not finished.
    const rest = lines.pop() ?? ""
    torn ||= rest !== ""
    for (const [index, line] of lines.entries()) {
      const broken = (reason: JournalRow.BreakReason) => done({ file, line: index + 1, reason })
      const read = JournalRow.read(sha256, position, line)
      if (Result.isFailure(read)) return broken(read.failure)
      const row = read.success
      const opens = row.entry._tag === "opened"
      if (opens !== (index === 0)) return broken("not_linked")
      if (row.entry._tag === "opened" && (row.entry.part === 1) !== (row.previous === null)) {
        return broken("not_linked")
      }
      rows.push(row)
      position = { seq: row.seq, hash: row.hash }
    }
  }
  return done(null)
}
