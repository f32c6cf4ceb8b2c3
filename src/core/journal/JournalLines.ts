import * as DateTime from "effect/DateTime"
import * as TerminalText from "../ask/TerminalText.ts"
import type { DecidedBy } from "../authority/Decision.ts"
import type { Provenance } from "../policy/Ruling.ts"
import type { JournalEntry, Of } from "./JournalEntry.ts"
import type { JournalRow } from "./JournalRow.ts"

/** Columns of one text in a line; the whole of it is in the row (P3.4). */
const TEXT_LIMIT = 160

const clip = (text: string): string => TerminalText.cut(TerminalText.line(text), TEXT_LIMIT)

const by = (decidedBy: DecidedBy): string => {
  switch (decidedBy._tag) {
    case "rule":
      return "a rule"
    case "grant":
      return "a grant"
    case "link":
      return `the link ${clip(decidedBy.name)}`
    case "person":
      return `a person (${clip(decidedBy.channel)})`
    case "unavailable":
      return "nobody: no person could be reached"
    case "gate_error":
      return "nobody: the gate failed"
  }
}

const rule = ({ pattern, source, surface }: Provenance): string => {
  if (source?.file === null || source === null) return `${surface} ${clip(pattern)}`
  return `${surface} ${clip(pattern)}, ${clip(source.file)}${source.line === null ? "" : `:${source.line}`}`
}

const decision = ({ action, call, denial, reason, ruling, steps, ...rest }: Of<"decision">): string => {
  const unit = ruling?.units[0]
  const why = denial === null ? "" : ` (${denial})`
  return [
    `${action}${why} ${clip(call.tool)}${unit === undefined ? "" : `: ${clip(unit.value)}`}`,
    `by ${by(rest.by)}`,
    ...(unit === undefined ? [] : [`policy ${ruling?.action} [${rule(unit.winner)}]`]),
    ...steps
      .filter(({ name }) => name !== "policy")
      .map(({ latencyMs, name, verdict }) => `${clip(name)} ${clip(verdict)} ${Math.round(latencyMs)} ms`),
    ...(reason === null ? [] : [`reason: ${clip(reason)}`])
  ].join("; ")
}

const requester = ({ agentName, forwarded }: Of<"asked">["requester"]): string =>
  `${agentName === null ? "" : ` ${clip(agentName)}`}${forwarded ? " (forwarded)" : ""}`

const entryLine = (entry: JournalEntry): string => {
  switch (entry._tag) {
    case "opened":
      return `journal of host ${entry.host}, part ${entry.part}, obstat ${clip(entry.version)}`
    case "closed":
      return "journal closed"
    case "lost":
      return `${entry.rows} rows could not be written before this one`
    case "policy":
      return `policy ${entry.kept.slice(0, 12)} rules`
    case "session_started":
      return `session ${entry.session}: ${entry.agent} in ${clip(entry.cwd)}`
    case "session_ended":
      return `session ${entry.session} ended, ${entry.status}`
    case "status":
      return `status ${entry.status}`
    case "exit":
      return `agent gone, ${entry.signal === null ? `exit ${entry.code}` : `signal ${entry.signal}`}`
    case "warning":
      return `warning ${clip(entry.code)}`
    case "asked":
      return `asked ${entry.ask} for ${entry.agent}${requester(entry.requester)}: ${clip(entry.tool)}: ${clip(entry.value)}`
    case "human":
      return `person ${entry.act} ${entry.ask}${entry.channel === null ? "" : ` (${clip(entry.channel)})`}`
    case "decision":
      return decision(entry)
    case "link":
      return `link ${clip(entry.link)}: ${clip(entry.note)}`
    case "question": {
      const { closure, phase, questions, request } = entry
      const end = closure === null ? "" : `, ${closure.reason}${"by" in closure ? ` by ${closure.by}` : ""}`
      return `question ${phase} ${request} (${questions})${end}`
    }
    case "delivery":
      return `hook told ${entry.reply} for ${clip(entry.tool)}${entry.callId === null ? "" : ` ${clip(entry.callId)}`}`
    case "outcome":
      return `agent's record: ${clip(entry.callId)} ${entry.isError ? "failed" : "ran"}`
  }
}

/**
 * A row for reading: the review log is this view (A4.5, P3.4). One line, bounded whatever the row holds; no control
 * or invisible character of another's text is in it (X4).
 */
export const line = ({ altered, at, entry, seq }: JournalRow): string =>
  `${String(seq).padStart(5)}  ${DateTime.formatIso(DateTime.makeUnsafe(at))}  ${entryLine(entry)}${
    altered.length === 0 ? "" : ` [${altered.join(", ")}]`
  }`
