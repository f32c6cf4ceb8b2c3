import * as Schema from "effect/Schema"
import { Agent } from "../call/Agent.ts"
import { Action } from "./Ruling.ts"

/** Longest reason of a deny, in UTF-16 code units: it is shown whole to agents and people (L1.1). */
export const MAX_REASON = 500

const Deny = Schema.Struct({
  action: Schema.Literal("deny"),
  reason: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(MAX_REASON)))
})

const Ask = Schema.Struct({
  action: Schema.Literal("ask"),
  by: Schema.optionalKey(Schema.Literal("person"))
})

const Allow = Schema.Struct({ action: Schema.Literal("allow") })

/** What a rule says: the bare action, or the action with a deny's reason or an ask's `by`. */
export const RuleValue = Schema.Union([Action, Deny, Ask, Allow])
export type RuleValue = typeof RuleValue.Type

/** One surface: a rule for all of it, or patterns in order, of which the last that matches counts. */
const SurfaceRules = Schema.Union([Action, Schema.Record(Schema.String, RuleValue)])

/** Groups of the starter's denies, which a user file may leave out by name (L1.4). */
export const StarterGroup = Schema.Literals(["destructive", "shell-startup", "credentials", "disk"])
export type StarterGroup = typeof StarterGroup.Type

const Extends = Schema.Union([
  Schema.Literal("starter"),
  Schema.Struct({
    starter: Schema.Struct({ without: Schema.optionalKey(Schema.Array(StarterGroup)) })
  })
])

/** Settings of another gate that people bring along: accepted, ignored, and told so (P4.3). */
export const DEPRECATED = ["toolInputPreviewMaxLength", "toolTextSummaryMaxLength"] as const

/** `obstat.jsonc` (L2.2). Keys that are not listed are errors. */
export const PolicyFile = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  extends: Schema.optionalKey(Schema.Array(Extends)),
  permission: Schema.optionalKey(Schema.Record(Schema.String, SurfaceRules)),
  /** Links that run, in order; naming one is what lets it run (A2.2). */
  authorizerChain: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** `required`: no journal row, no allow (A4.3). */
  journal: Schema.optionalKey(Schema.Literals(["on", "off", "required"])),
  notify: Schema.optionalKey(Schema.Struct({})),
  agent: Schema.optionalKey(Agent),
  toolInputPreviewMaxLength: Schema.optionalKey(Schema.Finite),
  toolTextSummaryMaxLength: Schema.optionalKey(Schema.Finite)
})
export type PolicyFile = typeof PolicyFile.Type
