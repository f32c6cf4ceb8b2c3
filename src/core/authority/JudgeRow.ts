import * as Schema from "effect/Schema"
import { LinkDetails } from "./LinkDetails.ts"
import { HeldBy } from "./JudgeVerdict.ts"

/**
 * Why there is no prediction.
 *
 * - `provenance`: who asks, or whose conversation it is, is not known (A3.3). `conversation`: it could not be
 *   read. `too_large`: the action does not fit the input budget. Nothing was sent.
 * - `timed_out`, `failed`: the model could not be reached, or refused. `no_verdict`: it answered something else.
 */
export const Absence = Schema.Literals([
  "provenance",
  "conversation",
  "too_large",
  "timed_out",
  "failed",
  "no_verdict"
])
export type Absence = typeof Absence.Type

/**
 * What the journal keeps of one judgement (A3.6): what was predicted by which model on what evidence, and what
 * counted. No word of the ask, of the conversation or of the model.
 */
export const JudgeRow = Schema.Struct({
  judge: Schema.Literals(["shadow", "enforce"]),
  origin: LinkDetails.fields.origin,
  /** Of the asking units, the decisive one first, each once. */
  surfaces: Schema.NonEmptyArray(Schema.String),
  model: Schema.String,
  /** Where it answers. */
  provider: Schema.String,
  /** `none`: nothing was asked. `unavailable`: asked, and no verdict came. */
  prediction: Schema.Literals(["allow", "deny", "defer", "unavailable", "none"]),
  absence: Schema.NullOr(Absence),
  /** What the chain got. */
  verdict: Schema.Literals(["allow", "deny", "defer"]),
  heldBy: Schema.NullOr(HeldBy),
  /** SHA-256 of what was sent, in hex; `null` where nothing was. */
  promptHash: Schema.NullOr(Schema.String),
  evidenceIds: Schema.Array(Schema.String),
  latencyMs: Schema.Finite
})
export type JudgeRow = typeof JudgeRow.Type

const Note = Schema.fromJsonString(JudgeRow)

/** The row as a link's note, short enough that a journal keeps it whole (A4.1). */
export const write = (row: JudgeRow): string =>
  Schema.encodeSync(Note)({
    ...row,
    evidenceIds: row.evidenceIds.map((id) => id.slice(0, MAX_ID)),
    model: row.model.slice(0, MAX_NAME),
    provider: row.provider.slice(0, MAX_NAME)
  })

/** A note that is such a row. */
export const read = Schema.decodeUnknownOption(Note, { onExcessProperty: "error" })

/** UTF-16 units; the ids that hosts give are shorter. */
const MAX_ID = 64
const MAX_NAME = 200
