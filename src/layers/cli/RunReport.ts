import * as Schema from "effect/Schema"
import { Agent } from "../../core/call/Agent.ts"
import { DecidedBy, DenialKind, type Decision } from "../../core/authority/Decision.ts"
import type { ToolCall } from "../../core/call/ToolCall.ts"
import * as SecretText from "../../core/journal/SecretText.ts"
import * as Output from "./Output.ts"

/** One decision of a run, as its report tells it. */
export const RunDecision = Schema.Struct({
  tool: Schema.String,
  callId: Schema.NullOr(Schema.String),
  action: Schema.Literals(["allow", "deny"]),
  by: DecidedBy,
  denial: Schema.NullOr(DenialKind),
  reason: Schema.NullOr(Schema.String),
  /** The decisive unit; `null` only where the gate broke before policy could rule. */
  surface: Schema.NullOr(Schema.String),
  value: Schema.NullOr(Schema.String),
  pattern: Schema.NullOr(Schema.String)
})
export type RunDecision = typeof RunDecision.Type

export const decision = (call: ToolCall, made: Decision): RunDecision => {
  const unit = made.ruling?.units[0]
  return {
    tool: call.tool,
    callId: call.callId,
    action: made.action,
    by: made.by,
    denial: made.denial,
    reason: made.reason,
    surface: unit?.surface ?? null,
    value: unit?.value ?? null,
    pattern: unit?.winner.pattern ?? null
  }
}

/** The document of `--output json` (C2). */
export const RunReport = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  type: Schema.Literal("result"),
  agent: Agent,
  sessionId: Schema.NullOr(Schema.String),
  /** All that the agent said, its messages separated by an empty line. Success is the exit status, not this. */
  response: Schema.String,
  /** The turn did not complete: `response` is what came before. */
  partial: Schema.Boolean,
  durationMs: Schema.Int,
  usage: Schema.NullOr(Schema.Struct({ inputTokens: Schema.Int, outputTokens: Schema.Int })),
  decisions: Schema.Array(RunDecision),
  /** `complete`: the agent's processes are gone. */
  cleanup: Schema.Literals(["complete", "failed"]),
  error: Schema.NullOr(Schema.Struct({ code: Schema.String, exitCode: Schema.Int, message: Schema.String }))
})
export type RunReport = typeof RunReport.Type

/** Controls that a terminal would act on, tabs and line feeds apart, as visible escapes (C2, X4). */
const inert = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\t\n]/gu, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, "0")}`)

/** How a run can be printed. */
export const formats = ["text", "json"] as const

export const print = (report: RunReport, format: (typeof formats)[number]) =>
  format === "json" ? Output.json(RunReport)(report) : Output.text(inert(report.response))

/** One line for a call that was not allowed, for standard error, which may be a log: secrets are masked (X3). */
export const denied = ({ tool, value, by, denial, pattern }: RunDecision): string => {
  const rule = by._tag === "rule" && pattern !== null ? ` (rule ${pattern})` : ""
  return `not allowed (${denial ?? "unknown"})${rule}: ${tool}${value === null ? "" : `: ${SecretText.mask(value)}`}`
}
