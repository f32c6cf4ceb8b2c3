import * as Schema from "effect/Schema"

/**
 * Who asks. `agentName` is the subagent's name where the agent gives one; `sessionId` is the session the
 * ask came from; `forwarded` says that it travelled from a session that has no person (P1.1).
 */
export const Requester = Schema.Struct({
  agentName: Schema.NullOr(Schema.String),
  sessionId: Schema.NullOr(Schema.String),
  forwarded: Schema.Boolean
})
export type Requester = typeof Requester.Type
