import * as TerminalText from "../../core/ask/TerminalText.ts"
import type { QuestionRequest } from "../../core/question/QuestionRequest.ts"
import type { SessionEvent } from "../../core/session/SessionEvent.ts"
import * as RunReport from "./RunReport.ts"

const block = (label: string, text: string): string =>
  TerminalText.visible(text)
    .lines.map((line, index) => `${(index === 0 ? label : "").padEnd(9)} ${line}`.trimEnd())
    .join("\n")

const asked = ({ questions }: QuestionRequest): string =>
  questions
    .map(({ prompt, options }) => `${prompt} (${options.map(({ label }) => label).join(", ")})`)
    .join("\n")

const ruling = (event: Extract<SessionEvent, { readonly _tag: "permission" }>): string => {
  const { decision } = event
  const told = RunReport.decision(event.call, decision)
  const rule = `${told.surface ?? "?"}: ${told.pattern ?? "?"}`
  const by = {
    rule: `by the rule ${rule}`,
    grant: "by a grant",
    link: "by a link",
    person: `by the person at the ${decision.by._tag === "person" ? decision.by.channel : ""} (policy: ask)`,
    unavailable: "because no person was there (policy: ask)",
    gate_error: "because the gate failed"
  }[decision.by._tag]
  const unit = decision.ruling?.units[0]
  const runs = unit?.executedUnit ?? null
  return [
    `${decision.action === "allow" ? "allowed" : "denied"} ${by}`,
    ...(runs === null || runs === unit?.value ? [] : [`what runs: ${runs}`]),
    ...(decision.reason === null ? [] : [`reason: ${decision.reason}`])
  ].join("\n")
}

/** What one event is to somebody who watches the demo; `null` if nothing. Safe to print. */
export const tell = (event: SessionEvent): string | null => {
  switch (event._tag) {
    case "activity":
      switch (event.activity.kind) {
        case "assistant_message":
          return block("agent", event.activity.text)
        case "tool_result":
          return block("agent got", event.activity.text.split("\n").slice(0, 3).join("\n"))
        case "tool_call":
        case "question":
        case "warning":
          return null
      }
    case "question":
      return event.event.phase === "raised"
        ? block("question", asked(event.event.request))
        : block("question", `closed: ${event.event.closure.reason}`)
    case "permission":
      return [
        block("call", event.decision.ruling?.command ?? event.call.tool),
        block("ruling", ruling(event))
      ].join("\n")
    case "attention":
      return block("attention", `the agent shows a ${event.what}`)
    case "warning":
      return block("warning", `${event.warning.code} ${event.warning.detail}`)
    case "status":
    case "delivery":
    case "startup_prompt":
    case "startup_prompt_write_failed":
    case "exit":
      return null
  }
}
