import * as Schema from "effect/Schema"
import { Agent } from "../call/Agent.ts"
import { Requester } from "../call/Requester.ts"

/** One asking unit as the person must see it (P1.1): never elided by any render. */
export const AskUnit = Schema.Struct({
  surface: Schema.String,
  value: Schema.String,
  /** The rule's pattern or a sentinel such as `<no-rule>`. */
  matchedPattern: Schema.String,
  /** What will really run, inside wrappers too; for `code` the code text; `null` where nothing runs. */
  executedUnit: Schema.NullOr(Schema.String)
})
export type AskUnit = typeof AskUnit.Type

/** The invariant core of an ask: visible in every render; no budget may elide a field of it (P1.1, P2.3). */
export const AskRequest = Schema.Struct({
  agent: Agent,
  requester: Requester,
  toolName: Schema.String,
  /** The tool as invoked, where an alias re-exposes another; else `null`. */
  invokedToolName: Schema.NullOr(Schema.String),
  /** Never empty; the decisive one first. */
  units: Schema.NonEmptyArray(AskUnit)
})
export type AskRequest = typeof AskRequest.Type

/** A complete piece of evidence. `modelGenerated` marks text that a model wrote (P1.2). */
export const Evidence = Schema.Struct({
  label: Schema.String,
  text: Schema.String,
  modelGenerated: Schema.Boolean
})
export type Evidence = typeof Evidence.Type

/** A note of a named annotator; the slot itself says that a model wrote it (P1.2, P4.1). */
export const Annotation = Schema.Struct({ source: Schema.String, text: Schema.String })
export type Annotation = typeof Annotation.Type

/** What a person is asked to permit: complete, never pre-rendered, never cut (P1.3). */
export const AskPayload = Schema.Struct({
  request: AskRequest,
  evidence: Schema.Array(Evidence),
  annotations: Schema.Array(Annotation)
})
export type AskPayload = typeof AskPayload.Type
