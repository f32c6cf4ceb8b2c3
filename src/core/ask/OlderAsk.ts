import * as Schema from "effect/Schema"
import { Agent } from "../call/Agent.ts"
import type { AskPayload, AskUnit } from "./AskPayload.ts"

const orAbsent = Schema.optionalKey(Schema.NullOr(Schema.String))

/**
 * An ask of a child that knows no payload: the fields that were ever sent besides its prose, each of them
 * perhaps missing (P5.1).
 */
export const OlderAsk = Schema.Struct({
  agent: Agent,
  requesterAgentName: orAbsent,
  requesterSessionId: orAbsent,
  toolName: orAbsent,
  surface: orAbsent,
  value: orAbsent,
  path: orAbsent,
  matchedPattern: orAbsent,
  message: orAbsent
})
export type OlderAsk = typeof OlderAsk.Type

/** Stands for the rule where it was not sent. */
export const FACTS_UNAVAILABLE = "<facts-unavailable>"

const UNKNOWN_TOOL = "an unknown tool"

/** What a person sees where a child sent nothing that says what it wants. */
const NOTHING_SENT = "what would be done is unknown: the session that asks did not send it"

const given = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.trim() === "" ? null : text

/**
 * A payload from what there is; never empty, and always one that reaches a person. The prose stays prose: nobody
 * parses a command out of it, and since nobody can say what in it a model wrote, all of it is marked so.
 */
export const payload = (older: OlderAsk): AskPayload => {
  const message = given(older.message)
  const value = given(older.value) ?? given(older.path)
  const unit: AskUnit = {
    surface: given(older.surface) ?? "unknown",
    value: value ?? (message === null ? NOTHING_SENT : SEE_MESSAGE),
    matchedPattern: given(older.matchedPattern) ?? FACTS_UNAVAILABLE,
    executedUnit: null
  }
  return {
    request: {
      agent: older.agent,
      requester: {
        agentName: given(older.requesterAgentName),
        sessionId: given(older.requesterSessionId),
        forwarded: true
      },
      toolName: given(older.toolName) ?? UNKNOWN_TOOL,
      invokedToolName: null,
      // Prose that is all there is belongs to the core: no budget may leave it out.
      units: value === null && message !== null ? [unit, { ...unit, value: message }] : [unit]
    },
    evidence: message === null ? [] : [{ label: "message", text: message, modelGenerated: true }],
    annotations: []
  }
}

const SEE_MESSAGE = "unknown: the session that asks sent only the message below, a model's words perhaps"
