import * as Schema from "effect/Schema"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** How a scripted agent misbehaves, so that a host's answer to it can be tested. */
export const AgentFaults = Schema.Struct({
  /** So many Enters in the prompt field do nothing; the draft stays. */
  refuseEnters: Schema.optionalKey(Count),
  /** So many submitted prompts vanish: the field is empty, no turn begins. */
  swallowPrompts: Schema.optionalKey(Count),
  /** An answered question is completed with no answers. */
  emptyAnswers: Schema.optionalKey(Schema.Boolean),
  /** The program dies, its screen as it stands, at the key after so many keys of a question's editor. */
  crashInQuestion: Schema.optionalKey(Count),
  /** Told to end, it gives the screen back and stays. */
  hangOnExit: Schema.optionalKey(Schema.Boolean),
  /** SIGTERM and SIGHUP do nothing. */
  ignoreSignals: Schema.optionalKey(Schema.Boolean)
})
export type AgentFaults = typeof AgentFaults.Type

export const fromJson = Schema.decodeUnknownEffect(Schema.fromJsonString(AgentFaults), {
  onExcessProperty: "error"
})
