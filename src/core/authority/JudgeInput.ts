import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AskUnit } from "../ask/AskPayload.ts"
import type { JudgeEvidence } from "./JudgeEvidence.ts"
import type { ConversationOwner, JudgeOwner } from "./JudgeOwner.ts"
import * as JudgeText from "./JudgeText.ts"
import { LinkDetails } from "./LinkDetails.ts"

const { accessIntent, command, fullCommand, path, surface, value } = LinkDetails.fields

/** What the person said. Only `said` and `answered` are their words; what stands under `evidence` is not. */
const Spoken = Schema.Union([
  Schema.Struct({ said: Schema.String }),
  Schema.Struct({
    answered: Schema.Array(Schema.String),
    evidence: Schema.Struct({ question: Schema.String, prompt: Schema.String })
  })
])
type Spoken = typeof Spoken.Type

/**
 * All that a judge is given (A3.5): link-visible facts, and the captured conversation's own words. Text that
 * the person did not write stands under a key `evidence`, wherever it is.
 */
export const JudgeInput = Schema.Struct({
  origin: LinkDetails.fields.origin,
  conversation: Schema.Struct({
    /** `requester`: the words were said to the agent that asks. `serving_root`: to another agent (A3.2). */
    owner: Schema.Literals(["requester", "serving_root"]),
    sessionId: Schema.String
  }),
  evidence: Schema.Struct({
    requester: Schema.Struct({
      sessionId: Schema.NullOr(Schema.String),
      agentName: Schema.NullOr(Schema.String)
    }),
    action: Schema.Struct({
      surface,
      value,
      path,
      accessIntent,
      command,
      units: Schema.NonEmptyArray(AskUnit),
      fullCommand
    })
  }),
  /** Oldest first. */
  person: Schema.Array(Spoken),
  /** How many earlier pieces were left out for want of room. */
  earlierLeftOut: Schema.Int
})
export type JudgeInput = typeof JudgeInput.Type

/**
 * The most that a judge is given, in UTF-16 units of the text that is sent: some 8,000 tokens, which small
 * models read whole and in about a second.
 */
export const MAX_LENGTH = 32_000

/** No more pieces than a row of the journal can name; the person's last words are the ones that count. */
const MAX_PIECES = 40

/** The input, and the ids of the evidence that it holds, oldest first. */
export interface Made {
  readonly input: JudgeInput
  readonly evidenceIds: ReadonlyArray<string>
}

export interface Facts {
  readonly owner: JudgeOwner
  readonly conversationOwner: ConversationOwner
  readonly details: LinkDetails
  /** The captured conversation, oldest first. */
  readonly evidence: ReadonlyArray<JudgeEvidence>
  readonly maxLength?: number
}

/**
 * The input for one ask. Over budget, whole pieces of the conversation are left out, the oldest first and
 * without a gap, so that no later word of the person is missing where an earlier one is not. An action that
 * alone is over budget is `too_large`: it is never cut, so it is not judged.
 */
export const make = (facts: Facts): Result.Result<Made, "too_large"> => {
  const bare = withoutWords(facts)
  let room = (facts.maxLength ?? MAX_LENGTH) - JudgeText.encode(bare).length - COUNT_ROOM
  if (room < 0) return Result.fail("too_large")
  const kept: Array<{ readonly id: string; readonly spoken: Spoken }> = []
  for (const piece of facts.evidence.slice(-MAX_PIECES).toReversed()) {
    const spoken = speak(piece)
    room -= JudgeText.encode(spoken).length + SEPARATOR
    if (room < 0) break
    kept.unshift({ id: piece.id, spoken })
  }
  return Result.succeed({
    input: {
      ...bare,
      person: kept.map(({ spoken }) => spoken),
      earlierLeftOut: facts.evidence.length - kept.length
    },
    evidenceIds: kept.map(({ id }) => id)
  })
}

/** Digits that the count of what was left out may take beyond its first. */
const COUNT_ROOM = 15

/** The comma between two pieces. */
const SEPARATOR = 1

const withoutWords = ({ conversationOwner, details, owner }: Facts): JudgeInput => {
  const { accessIntent, command, fullCommand, path, surface, units, value } = details
  return {
    origin: details.origin,
    conversation: { owner: conversationOwner, sessionId: owner.sessionId },
    evidence: {
      requester: {
        sessionId: details.forwarding === undefined ? owner.sessionId : details.forwarding.requesterSessionId,
        agentName: details.agentName
      },
      action: {
        surface,
        value,
        ...(path !== undefined && { path }),
        accessIntent,
        ...(command !== undefined && { command }),
        units,
        fullCommand
      }
    },
    person: [],
    earlierLeftOut: 0
  }
}

const speak = (piece: JudgeEvidence): Spoken =>
  piece._tag === "message"
    ? { said: piece.text }
    : { answered: piece.words, evidence: { question: piece.question, prompt: piece.prompt } }
