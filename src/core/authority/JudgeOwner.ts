import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { LinkDetails } from "./LinkDetails.ts"

/** What a lifecycle context says of itself, as its host knows it at that moment. */
export interface Lifecycle {
  /** A person is in front of this very context. */
  readonly hasUI: boolean
  readonly subagent: boolean
  readonly sessionId: string | null
}

/** The root session whose conversation a judge may read. Only `capture` makes one (A3.1). */
export interface JudgeOwner {
  readonly sessionId: string
}

/** Whose conversation the captured one is, seen from an ask (A3.2). */
export type ConversationOwner = "requester" | "serving_root"

/** Names nothing: missing, blank, or the word that hosts write where they do not know. */
const isNamed = (identity: string | null | undefined): identity is string =>
  typeof identity === "string" && !["", "unknown"].includes(identity.trim().toLowerCase())

/**
 * The owner that this context is: a root with a person in front of it and a session of its own. A headless
 * context, a subagent and a context that cannot be told is none (A3.1). That a registry was found proves
 * nothing, so it is not asked.
 */
export const capture = (lifecycle: Lifecycle): Option.Option<JudgeOwner> =>
  isRoot(lifecycle) && isNamed(lifecycle.sessionId)
    ? Option.some({ sessionId: lifecycle.sessionId })
    : Option.none()

/** Decoded, because a host without types may leave a fact out. */
const isRoot = Schema.is(
  Schema.Struct({
    hasUI: Schema.Literal(true),
    subagent: Schema.Literal(false),
    sessionId: Schema.String
  })
)

/** Whether the context is still what was captured: another session, or no root any more, is not (A3.3). */
export const remains = (owner: JudgeOwner, now: Lifecycle): boolean =>
  Option.exists(capture(now), ({ sessionId }) => sessionId === owner.sessionId)

/**
 * Whose conversation the owner's is for this ask. Without a forwarding mark it counts as the requester's; with
 * one it is the serving root's and never the child's. `none` where the provenance is missing, blank, unknown
 * or contradicts itself: nobody may judge then (A3.2, A3.3).
 */
export const conversationOwner = ({ forwarding, origin }: LinkDetails): Option.Option<ConversationOwner> => {
  if (origin === "local") return forwarding === undefined ? Option.some("requester") : Option.none()
  return isNamed(forwarding?.requesterSessionId) && isNamed(forwarding?.requesterAgentName)
    ? Option.some("serving_root")
    : Option.none()
}
