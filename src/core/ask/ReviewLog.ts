import * as Schema from "effect/Schema"
import { Agent } from "../call/Agent.ts"
import { Requester } from "../call/Requester.ts"
import * as SecretText from "../journal/SecretText.ts"
import { AskUnit, type AskPayload } from "./AskPayload.ts"
import * as TerminalText from "./TerminalText.ts"

const atLeastOne = Schema.Int.pipe(Schema.check(Schema.isGreaterThanOrEqualTo(1)))

/**
 * How much of an ask a log keeps (P2.1, P3.4).
 *
 * - `characters`: UTF-16 units of one field.
 * - `units`: asking units of one call.
 */
export const ReviewLimits = Schema.Struct({ characters: atLeastOne, units: atLeastOne })
export type ReviewLimits = typeof ReviewLimits.Type

/** Long enough to recognise a command by, and short enough that a day of asks stays a file that can be read. */
export const defaults: ReviewLimits = { characters: 2000, units: 20 }

/**
 * What a host's own log keeps of an ask, as the journal does: the request's facts, without secrets and within limits; of the evidence only what
 * there was (P3.4, A4.5). Exposure does not grow with the payload.
 */
export const ReviewRow = Schema.Struct({
  agent: Agent,
  requester: Requester,
  toolName: Schema.String,
  invokedToolName: Schema.NullOr(Schema.String),
  /** Never empty; the decisive one first. */
  units: Schema.NonEmptyArray(AskUnit),
  /** The labels of the evidence, in order; never its text. */
  evidence: Schema.Array(Schema.String),
  /** A limit left something out: the row cannot be replayed (A4.5). */
  cut: Schema.Boolean,
  /** A secret was masked: the row cannot be replayed (A4.5). */
  masked: Schema.Boolean
})
export type ReviewRow = typeof ReviewRow.Type

/** A field is looked at so much further than it is kept, so that a cut does not hide what makes it a secret. */
const LOOK_AHEAD = 4

/** The log's render of an ask. Pure, total, and bounded by the limits whatever the payload is. */
export const render = (payload: AskPayload, limits: ReviewLimits = defaults): ReviewRow => {
  const { agent, invokedToolName, requester, toolName, units } = payload.request
  let cut = false
  let masked = false
  const keep = (text: string): string => {
    const beginning = text.slice(0, limits.characters * LOOK_AHEAD)
    const redacted = SecretText.mask(beginning)
    masked ||= redacted !== beginning
    if (beginning.length === text.length && redacted.length <= limits.characters) return redacted
    cut = true
    return shorten(redacted, limits.characters)
  }
  const keepOrNull = (text: string | null): string | null => (text === null ? null : keep(text))
  const keepUnit = (unit: AskUnit): AskUnit => ({
    surface: keep(unit.surface),
    value: keep(unit.value),
    matchedPattern: keep(unit.matchedPattern),
    executedUnit: keepOrNull(unit.executedUnit)
  })
  const [first, ...rest] = units
  const kept = rest.slice(0, limits.units - 1)
  const labels = payload.evidence.slice(0, limits.units)
  cut ||= kept.length < rest.length || labels.length < payload.evidence.length
  const row = {
    agent,
    requester: {
      agentName: keepOrNull(requester.agentName),
      sessionId: keepOrNull(requester.sessionId),
      forwarded: requester.forwarded
    },
    toolName: keep(toolName),
    invokedToolName: keepOrNull(invokedToolName),
    units: [keepUnit(first), ...kept.map(keepUnit)] as const,
    evidence: labels.map(({ label }) => keep(label))
  }
  return { ...row, cut, masked }
}

/** The text's beginning, cut between graphemes and marked. At most `limit` UTF-16 units. */
const shorten = (text: string, limit: number): string => {
  const graphemes = TerminalText.graphemes(text.slice(0, limit))
  // The last one may go on behind the limit.
  return `${graphemes.slice(0, -1).join("")}${TerminalText.ELLIPSIS}`
}
