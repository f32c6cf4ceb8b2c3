import * as Arr from "effect/Array"
import type { Decided } from "../authority/Authority.ts"
import type { Ask, AskVerdict } from "../authority/PersonSurface.ts"
import type { QuestionAnswer } from "../question/QuestionAnswer.ts"
import type { QuestionEvent } from "../question/QuestionEvent.ts"
import type { QuestionRequest } from "../question/QuestionRequest.ts"
import type { SessionEvent } from "../session/SessionEvent.ts"
import * as CallRecord from "./CallRecord.ts"
import type { Digests } from "./Digests.ts"
import type { JournalEntry, Of } from "./JournalEntry.ts"
import * as Redaction from "./Redaction.ts"
import * as SecretText from "./SecretText.ts"

type Fingerprint = Digests["fingerprint"]
type Unit = NonNullable<Of<"decision">["ruling"]>["units"][number]

/** Surfaces whose values are the words of a command, with all that tells a secret among them. */
const COMMANDS: ReadonlySet<string> = new Set(["bash", "code"])

/**
 * A value that was taken out of a text with a secret in it, such as a word that may be a path: what told that it is one
 * stands no longer beside it, so it is masked whole (X3).
 */
const derived = (surface: string, value: string): string => (COMMANDS.has(surface) ? value : SecretText.MASK)

const content = (fingerprint: Fingerprint, value: unknown): string => fingerprint(CallRecord.text(value))

/** The row of a decision. `kept`: where the policy that ruled is kept. */
export const decision = (
  { call, decision, id, payload }: Decided,
  kept: string | null,
  fingerprint: Fingerprint
): Of<"decision"> => {
  const { basis = null, ...ruling } = decision.ruling ?? {}
  const facts = CallRecord.facts(call, basis)
  // Such a row cannot be replayed, so nothing is lost by it.
  const altered = Redaction.redact(facts.input).altered.length > 0
  const unit = (one: Unit): Unit => ({ ...one, value: derived(one.surface, one.value) })
  return {
    _tag: "decision",
    ask: id,
    call: facts,
    input: content(fingerprint, call.input),
    action: decision.action,
    by: decision.by,
    denial: decision.denial,
    reason: decision.reason,
    granted: decision.granted ?? null,
    steps: decision.steps,
    node: decision.node,
    ruling:
      "units" in ruling ? { ...ruling, units: altered ? Arr.map(ruling.units, unit) : ruling.units } : null,
    basis: altered ? null : basis,
    policy: kept,
    payload: payload === null ? null : content(fingerprint, payload)
  }
}

export const asked = ({ id, payload }: Ask, fingerprint: Fingerprint): Of<"asked"> => {
  const { agent, requester, toolName, units } = payload.request
  const [{ surface, value }] = units
  const secret = payload.evidence.some(({ text }) => SecretText.mask(text) !== text)
  return {
    _tag: "asked",
    ask: id,
    agent,
    tool: toolName,
    requester,
    surface,
    value: secret ? derived(surface, value) : value,
    payload: content(fingerprint, payload)
  }
}

/** What became of an ask at the person: their verdict, or why there is none. */
export const verdict = (
  { id, payload }: Ask,
  verdict: AskVerdict | "withdrawn" | "lost",
  fingerprint: Fingerprint
): Of<"human"> => ({
  _tag: "human",
  ask: id,
  act: typeof verdict === "string" ? verdict : verdict._tag,
  channel: typeof verdict === "string" ? null : verdict.channel,
  shown: content(fingerprint, payload),
  answers: null
})

/** What became of a question at the person; of their answers only that they were these (Q3.6). */
export const answers = (
  request: QuestionRequest,
  given: ReadonlyArray<QuestionAnswer> | "left" | "withdrawn" | "lost",
  fingerprint: Fingerprint
): Of<"human"> => ({
  _tag: "human",
  ask: request.id,
  act: typeof given === "string" ? given : "answered",
  channel: null,
  shown: content(fingerprint, request),
  answers: typeof given === "string" ? null : content(fingerprint, given)
})

const question = (event: QuestionEvent, fingerprint: Fingerprint): Of<"question"> => ({
  _tag: "question",
  session: event.sessionId,
  agent: event.agent,
  request: event.request.id,
  phase: event.phase,
  questions: event.request.questions.length,
  content: content(fingerprint, event.request),
  closure: event.phase === "closed" ? event.closure : null
})

/**
 * The row of a session's event; `null` for what is written down elsewhere, or not at all: a decision has its own
 * row, and what the agent says or its tools give is none of the journal's.
 */
export const event = (
  session: string,
  event: SessionEvent,
  fingerprint: Fingerprint
): JournalEntry | null => {
  switch (event._tag) {
    case "status":
      return { _tag: "status", session, status: event.status }
    case "exit":
      return { _tag: "exit", session, code: event.exit.code, signal: event.exit.signal }
    case "warning":
      return { _tag: "warning", session, code: event.warning.code }
    case "question":
      return question(event.event, fingerprint)
    case "delivery":
      return {
        _tag: "delivery",
        session,
        callId: event.call.callId,
        tool: event.call.tool,
        reply: event.reply
      }
    case "activity":
      return event.activity.kind === "tool_result"
        ? { _tag: "outcome", session, callId: event.activity.id, isError: event.activity.isError }
        : null
    case "permission":
    case "attention":
    case "startup_prompt":
    case "startup_prompt_write_failed":
      return null
  }
}
