import * as Schema from "effect/Schema"
import type { Decision } from "../authority/Decision.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import { AskRequest, type AskPayload } from "./AskPayload.ts"

/**
 * What a host's event bus is told about asks (P3.5): the request's facts and the verdict, never evidence,
 * annotations or bodies, and no setting widens that. Channels and fields are public contract: fields may be
 * added; none is removed or renamed without a major version (P3.8).
 */

/** The version of these shapes. */
export const PROTOCOL_VERSION = 1

/** The names that go over the bus. */
export const CHANNELS = {
  ready: "obstat:ready",
  uiPrompt: "obstat:ui_prompt",
  decision: "obstat:decision"
} as const

/** Once, when the gate stands. */
export const Ready = Schema.Struct({ protocolVersion: Schema.Int })
export type Ready = typeof Ready.Type

/** Where a forwarded ask came from; what an older child did not send is `null`. */
const Forwarding = Schema.Struct({
  requesterAgentName: Schema.NullOr(Schema.String),
  requesterSessionId: Schema.NullOr(Schema.String)
})

/** A person is being asked. */
export const UiPrompt = Schema.Struct({
  /** The same in the decision that follows. */
  requestId: Schema.String,
  /** Surface and value of the decisive unit. */
  surface: Schema.String,
  value: Schema.String,
  agentName: Schema.NullOr(Schema.String),
  request: AskRequest,
  /** `null` for a local ask. */
  forwarding: Schema.NullOr(Forwarding)
})
export type UiPrompt = typeof UiPrompt.Type

/** How a decision came about. */
export const Resolution = Schema.Literals([
  "policy_allow",
  "policy_deny",
  "session_approved",
  "authorizer_allowed",
  "authorizer_denied",
  "user_approved",
  "user_approved_for_session",
  "user_denied",
  "confirmation_unavailable",
  "timed_out",
  "cancelled",
  "gate_error"
])
export type Resolution = typeof Resolution.Type

/** A call has been decided, by whomever. */
export const DecisionMade = Schema.Struct({
  requestId: Schema.String,
  /** Surface and value of the decisive unit; the tool's name where the gate broke before policy could rule. */
  surface: Schema.String,
  value: Schema.String,
  result: Schema.Literals(["allow", "deny"]),
  resolution: Resolution,
  /** The scope of the decisive rule, `null` where no rule decided. */
  origin: Schema.NullOr(Schema.String),
  agentName: Schema.NullOr(Schema.String),
  matchedPattern: Schema.NullOr(Schema.String),
  /** `null` for a local call. */
  forwarding: Schema.NullOr(Forwarding)
})
export type DecisionMade = typeof DecisionMade.Type

export const ready: Ready = { protocolVersion: PROTOCOL_VERSION }

export const uiPrompt = (requestId: string, { request }: AskPayload): UiPrompt => {
  const [decisive] = request.units
  return {
    requestId,
    surface: decisive.surface,
    value: decisive.value,
    agentName: request.requester.agentName,
    request,
    forwarding: forwarding(request.requester)
  }
}

export const decisionMade = (requestId: string, call: ToolCall, decision: Decision): DecisionMade => {
  const decisive = decision.ruling?.units[0]
  return {
    requestId,
    surface: decisive?.surface ?? call.tool,
    value: decisive?.value ?? call.tool,
    result: decision.action,
    resolution: resolution(decision),
    origin: decisive?.winner.scope ?? null,
    agentName: call.requester.agentName,
    matchedPattern: decisive?.winner.pattern ?? null,
    forwarding: forwarding(call.requester)
  }
}

const forwarding = (requester: ToolCall["requester"]): UiPrompt["forwarding"] =>
  requester.forwarded
    ? { requesterAgentName: requester.agentName, requesterSessionId: requester.sessionId }
    : null

const ALLOWED: Readonly<Record<Decision["by"]["_tag"], Resolution>> = {
  rule: "policy_allow",
  grant: "session_approved",
  link: "authorizer_allowed",
  person: "user_approved",
  // Neither of them allows anything.
  unavailable: "confirmation_unavailable",
  gate_error: "gate_error"
}

const DENIED: Readonly<Record<NonNullable<Decision["denial"]>, Resolution>> = {
  policy: "policy_deny",
  link: "authorizer_denied",
  person: "user_denied",
  unavailable: "confirmation_unavailable",
  timed_out: "timed_out",
  cancelled: "cancelled",
  gate_error: "gate_error"
}

const resolution = ({ by, denial, granted }: Decision): Resolution =>
  denial !== null ? DENIED[denial] : granted !== undefined ? "user_approved_for_session" : ALLOWED[by._tag]
