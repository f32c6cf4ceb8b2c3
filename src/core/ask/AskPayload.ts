import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Agent } from "../call/Agent.ts"
import { Requester } from "../call/Requester.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import type { Script } from "../policy/PathFacts.ts"
import type { Ruling, UnitRuling } from "../policy/Ruling.ts"

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

/**
 * Input fields in which agents explain themselves. Their text argues for the call and is no part of what runs,
 * so it is shown as a model's words (P1.2).
 */
export const EXPLAINING_FIELDS: ReadonlySet<string> = new Set([
  "description",
  "explanation",
  "justification",
  "rationale",
  "reason",
  "summary",
  "thought"
])

/**
 * The payload of a call that policy left at *ask*: the asking units as its core, and as evidence everything
 * else that is known, whole: the command line that the units come from, every field of the tool's input, the
 * directory, and what the analysis could not read (P1.1–P1.3).
 */
export const make = (call: ToolCall, ruling: Ruling): AskPayload => ({
  request: {
    agent: call.agent,
    requester: call.requester,
    toolName: call.tool,
    invokedToolName: call.invokedTool ?? null,
    units: askingUnits(ruling)
  },
  evidence: [
    { label: "directory", text: call.cwd, modelGenerated: false },
    ...(ruling.command === null ? [] : [{ label: "in full", text: ruling.command, modelGenerated: false }]),
    ...(ruling.residue === null || ruling.residue === ruling.command
      ? []
      : [{ label: "unclear", text: ruling.residue, modelGenerated: false }]),
    ...(call.mode === null ? [] : [{ label: "agent mode", text: call.mode, modelGenerated: false }]),
    ...inputEvidence(call.input, ruling.command)
  ],
  annotations: []
})

/** What a call's scripts say now: their whole text is what would run (P1.1, P1.4). */
export const scriptEvidence = (scripts: ReadonlyArray<Script>): ReadonlyArray<Evidence> =>
  scripts.map(({ digest, path, text }) => ({
    label: `script ${path}`,
    text: text ?? (digest === null ? "there is no such file, or it cannot be read" : `sha256 ${digest}`),
    modelGenerated: false
  }))

/** The decisive unit, then the others that policy did not allow. */
const askingUnits = (ruling: Ruling): AskRequest["units"] => {
  const [first, ...rest] = ruling.units
  return [toAskUnit(first), ...rest.filter((unit) => unit.winner.action !== "allow").map(toAskUnit)]
}

const toAskUnit = (unit: UnitRuling): AskUnit => ({
  surface: unit.surface,
  value: unit.value,
  matchedPattern: unit.winner.pattern,
  executedUnit: unit.executedUnit
})

/** One entry per field of the input, explanations last; a field that repeats the whole command adds nothing. */
const inputEvidence = (input: unknown, command: string | null): ReadonlyArray<Evidence> => {
  if (!Predicate.isObject(input)) return [toEvidence("input", input)]
  const entries = Object.entries(input)
    .filter(([, value]) => command === null || value !== command)
    .map(([field, value]) => toEvidence(field, value))
  return [
    ...entries.filter((entry) => !entry.modelGenerated),
    ...entries.filter((entry) => entry.modelGenerated)
  ]
}

const toEvidence = (label: string, value: unknown): Evidence => ({
  label,
  text: typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "not given by the agent"),
  modelGenerated: EXPLAINING_FIELDS.has(label) || explains(value)
})

/** Whether a nested value holds an explaining field somewhere. */
const explains = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(explains)
    : Predicate.isObject(value) &&
      Object.entries(value).some(([field, inner]) => EXPLAINING_FIELDS.has(field) || explains(inner))
