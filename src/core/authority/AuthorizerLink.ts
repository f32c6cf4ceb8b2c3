import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ToolCall } from "../call/ToolCall.ts"
import type { Ruling } from "../policy/Ruling.ts"
import type { LinkDetails } from "./LinkDetails.ts"

/** What a link says (A2.1). `allow` holds for this call alone; `defer` passes it on and is never a denial. */
export const Verdict = Schema.Union([
  Schema.TaggedStruct("allow", {}),
  Schema.TaggedStruct("deny", { reason: Schema.String }),
  Schema.TaggedStruct("defer", {})
])
export type Verdict = typeof Verdict.Type

/** All that a link is given (A2.1): no raw tool input, no ask-time context. */
export interface LinkInput {
  readonly details: LinkDetails
  /** What policy says about another call. Asking changes nothing. */
  readonly query: (call: ToolCall) => Effect.Effect<Ruling>
  /** Appends a row about this link to the journal, which redacts it. */
  readonly log: (note: string) => Effect.Effect<void>
}

/**
 * One named step between policy and the person. What it returns is decoded as a `Verdict`; a failure, a
 * defect, an overrun or anything else counts as `defer` (A2.3).
 */
export interface AuthorizerLink {
  readonly name: string
  /** `true` where a model writes the reasons, so that they are marked as its words (P3.9). */
  readonly modelGenerated: boolean
  readonly authorize: (input: LinkInput) => Effect.Effect<unknown, unknown>
}

/** A link of this name is registered already (A2.2). Close the other's scope first, or choose another name. */
export class DuplicateLink extends Schema.TaggedError<DuplicateLink>()("DuplicateLink", {
  name: Schema.String
}) {}
