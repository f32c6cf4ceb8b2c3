import type { Decision, DenialKind } from "../authority/Decision.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import type { UnitRuling } from "../policy/Ruling.ts"
import * as TerminalText from "./TerminalText.ts"

/** Names and patterns stand in the text for recognition; this much of one is enough for that (P3.7). */
const NAME_LIMIT = 120

/** A rule's or link's reason: the length that a policy may give one (L1.1). */
const REASON_LIMIT = 500

const clip = (text: string, limit: number): string => TerminalText.cut(TerminalText.line(text), limit)

/** What happened, in words that claim no human act but the one that took place (P3.1). */
const OUTCOMES: Readonly<Record<DenialKind, (decision: Decision) => string>> = {
  policy: ({ reason }) =>
    `denied by policy.${reason === null ? "" : ` The rule's reason: ${clip(reason, REASON_LIMIT)}`}`,
  link: ({ by, reason }) => {
    const name = by._tag === "link" ? ` "${clip(by.name, NAME_LIMIT)}"` : ""
    const mark = by._tag === "link" && by.modelGenerated ? " (model-generated)" : ""
    return `denied by the authorizer${name}; no person was asked.${
      reason === null ? "" : ` Its words${mark}: ${clip(reason, REASON_LIMIT)}`
    }`
  },
  person: ({ reason }) =>
    reason === null ? "denied by a person, who gave no reason." : `denied by a person, who wrote: ${reason}`,
  unavailable: () =>
    "not permitted: it needs a person's confirmation, and none could be reached (confirmationUnavailable). Nobody has refused it.",
  timed_out: () =>
    "not permitted: it needs a person's confirmation, and none came in time. Nobody has refused it.",
  cancelled: () => "not permitted: the prompt was closed before anything was decided. Nobody has refused it.",
  gate_error: () => "not permitted: the permission gate failed. Nobody has refused it."
}

/**
 * What the agent is told about a call that was not allowed (P3.6): which call, which surface and rule stopped
 * it, whether another shape of it could pass, and a person's own words unchanged. Never the input, never an
 * annotation. Its length does not depend on the call (P3.7).
 */
export const render = (call: ToolCall, decision: Decision): string => {
  if (decision.denial === null) return ""
  const outcome = `Obstat: ${clip(call.tool, NAME_LIMIT)} was not run; ${OUTCOMES[decision.denial](decision)}`
  const decisive = decision.ruling?.units[0]
  return decisive === undefined ? outcome : `${outcome}\n${gate(decisive, decision.denial)}`
}

const gate = (unit: UnitRuling, denial: DenialKind): string =>
  `Surface: ${clip(unit.surface, NAME_LIMIT)}. Rule: ${clip(unit.winner.pattern, NAME_LIMIT)} (${
    unit.winner.action
  }). ${retry(unit, denial)}`

/** Whether a differently shaped call could pass: said from the rule, never promised. */
const retry = (unit: UnitRuling, denial: DenialKind): string => {
  if (denial !== "policy") return RETRY[denial]
  return coversAll(unit.winner.pattern)
    ? "The rule covers the whole surface: no other form of this call will pass."
    : "A call that this rule does not match may pass; hiding the same action in another form will not."
}

const RETRY: Readonly<Record<Exclude<DenialKind, "policy">, string>> = {
  link: "A different call may be judged differently.",
  person: "Do not try the same action in another form without the person's word.",
  unavailable: "Another form of this call needs the same confirmation; a call that policy allows does not.",
  timed_out: "Another form of this call needs the same confirmation; a call that policy allows does not.",
  cancelled: "Another form of this call needs the same confirmation; a call that policy allows does not.",
  gate_error: "Repeating it in another form will not help."
}

const coversAll = (pattern: string): boolean => /^\**$/.test(pattern)
