import * as Schema from "effect/Schema"
import type { Requester } from "../call/Requester.ts"
import type { Provenance } from "../policy/Ruling.ts"
import * as CallRecord from "./CallRecord.ts"
import type { Digests } from "./Digests.ts"
import { JournalEntry, type Of } from "./JournalEntry.ts"
import { JournalRow } from "./JournalRow.ts"

/** A row to be given away. Its hash is that of the row in the journal; its own content cannot be checked by it. */
export const ExportedRow = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  seq: Schema.Int,
  at: Schema.Int,
  altered: JournalRow.fields.altered,
  hash: Schema.String,
  entry: JournalEntry
})
export type ExportedRow = typeof ExportedRow.Type

/** Hex digits of a fingerprint: enough that no two texts of a journal share one. */
const DIGITS = 32

/** What stands for a rule where no rule does says nothing of anybody. */
const SENTINEL = /^<[a-z-]+>$/

/**
 * A row in which texts of people, agents and files are keyed fingerprints: who did what, when and by whom stays, and
 * equal texts stay equal; a preview, however short, could hold a whole secret (X3).
 */
export const row = (
  fingerprint: Digests["fingerprint"],
  { altered, at, entry, hash, seq }: JournalRow
): ExportedRow => {
  const hide = (text: string): string => `fp:${fingerprint(text).slice(0, DIGITS)}`
  const hideIf = (text: string | null): string | null => (text === null ? null : hide(text))
  const requester = ({ agentName, ...rest }: Requester): Requester => ({
    ...rest,
    agentName: hideIf(agentName)
  })
  const provenance = (winner: Provenance): Provenance => ({
    ...winner,
    pattern: SENTINEL.test(winner.pattern) ? winner.pattern : hide(winner.pattern),
    source: winner.source === null ? null : { ...winner.source, file: hideIf(winner.source.file) },
    reason: hideIf(winner.reason)
  })
  const decision = (entry: Of<"decision">): Of<"decision"> => {
    const { call, ruling } = entry
    return {
      ...entry,
      call: {
        ...call,
        input: hide(CallRecord.text(call.input)),
        cwd: hide(call.cwd),
        requester: requester(call.requester)
      },
      reason: hideIf(entry.reason),
      granted: null,
      basis: null,
      ruling:
        ruling === null
          ? null
          : {
              ...ruling,
              policyDigest: hide(ruling.policyDigest),
              command: hideIf(ruling.command),
              residue: hideIf(ruling.residue),
              units: mapUnits(ruling.units, (unit) => ({
                ...unit,
                value: hide(unit.value),
                executedUnit: hideIf(unit.executedUnit),
                winner: provenance(unit.winner),
                runnerUp: unit.runnerUp === null ? null : provenance(unit.runnerUp)
              }))
            }
    }
  }
  const exported = (): JournalEntry => {
    switch (entry._tag) {
      case "decision":
        return decision(entry)
      case "asked":
        return { ...entry, value: hide(entry.value), requester: requester(entry.requester) }
      case "link":
        return { ...entry, note: hide(entry.note) }
      case "policy":
        return { ...entry, digest: hide(entry.digest) }
      case "session_started":
        return { ...entry, cwd: hide(entry.cwd) }
      case "opened":
      case "closed":
      case "lost":
      case "session_ended":
      case "status":
      case "exit":
      case "warning":
      case "human":
      case "question":
      case "delivery":
      case "outcome":
        return entry
    }
  }
  return { schemaVersion: 1, seq, at, altered, hash, entry: exported() }
}

type Units = NonNullable<Of<"decision">["ruling"]>["units"]

const mapUnits = ([first, ...rest]: Units, change: (unit: Units[number]) => Units[number]): Units => [
  change(first),
  ...rest.map(change)
]
