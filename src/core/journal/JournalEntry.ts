import * as Schema from "effect/Schema"
import { DecidedBy, DecisionStep, DenialKind } from "../authority/Decision.ts"
import { Agent } from "../call/Agent.ts"
import { Requester } from "../call/Requester.ts"
import { Basis } from "../policy/Basis.ts"
import { SessionGrant } from "../policy/Grant.ts"
import { Ruling } from "../policy/Ruling.ts"
import { Closure } from "../question/QuestionEvent.ts"

/** Lower-case hex; never of a text alone that could be guessed (X3). */
const Fingerprint = Schema.String

/** A call as far as its ruling depends on it: of the input only what the tool is about (A4.5). */
export const CallFacts = Schema.Struct({
  agent: Agent,
  tool: Schema.String,
  input: Schema.Unknown,
  /** `false`: the input was too large to keep, so that nothing can be ruled on it again. */
  complete: Schema.Boolean,
  callId: Schema.NullOr(Schema.String),
  cwd: Schema.String,
  mode: Schema.NullOr(Schema.String),
  requester: Requester
})
export type CallFacts = typeof CallFacts.Type

const { basis: _, ...RulingFields } = Ruling.fields

/**
 * What is written down (A4.1), each kind with what it adds. Questions and answers are there as fingerprints alone
 * (Q3.6), and so is what a person was shown. Whatever stands in them is redacted and bounded on its way into a row.
 */
export const JournalEntry = Schema.Union([
  /** The first row of a file. `host` is one life of one host process; its later files continue the chain. */
  Schema.TaggedStruct("opened", { host: Schema.String, part: Schema.Int, version: Schema.String }),
  /** The host ended in good order. Without this row it was killed, or still runs. */
  Schema.TaggedStruct("closed", {}),
  /** Rows that could not be written before this one. */
  Schema.TaggedStruct("lost", { rows: Schema.Int }),
  /** A policy that rules from here on. `kept` is the SHA-256 under which its texts are kept, beside the rows. */
  Schema.TaggedStruct("policy", { digest: Schema.String, kept: Schema.String }),
  Schema.TaggedStruct("session_started", { session: Schema.String, agent: Agent, cwd: Schema.String }),
  Schema.TaggedStruct("session_ended", { session: Schema.String, status: Schema.String }),
  Schema.TaggedStruct("status", { session: Schema.String, status: Schema.String }),
  Schema.TaggedStruct("exit", {
    session: Schema.String,
    code: Schema.NullOr(Schema.Int),
    signal: Schema.NullOr(Schema.Int)
  }),
  Schema.TaggedStruct("warning", { session: Schema.String, code: Schema.String }),
  /** A person is being asked. `payload`: of everything that they can see of it (P1.3). */
  Schema.TaggedStruct("asked", {
    ask: Schema.String,
    agent: Agent,
    tool: Schema.String,
    requester: Requester,
    surface: Schema.String,
    value: Schema.String,
    payload: Fingerprint
  }),
  /** What a person did about an ask or a question, or that they did nothing. */
  Schema.TaggedStruct("human", {
    /** The id in `asked`, or that of the question's request. */
    ask: Schema.String,
    act: Schema.Literals(["allow", "deny", "cancelled", "answered", "left", "withdrawn", "lost"]),
    channel: Schema.NullOr(Schema.String),
    /** Of what was shown. */
    shown: Fingerprint,
    /** Of the answers, `null` where there are none. */
    answers: Schema.NullOr(Fingerprint)
  }),
  /** Who decided what, on what evidence (A1.1). */
  Schema.TaggedStruct("decision", {
    /** The same as in `asked`, where a person was asked. */
    ask: Schema.String,
    call: CallFacts,
    /** Of the whole input. */
    input: Fingerprint,
    action: Schema.Literals(["allow", "deny"]),
    by: DecidedBy,
    denial: Schema.NullOr(DenialKind),
    reason: Schema.NullOr(Schema.String),
    /** What a person allowed for the session besides. */
    granted: Schema.NullOr(SessionGrant),
    steps: Schema.Array(DecisionStep),
    node: Schema.String,
    /** `null` where the gate broke before policy could rule. */
    ruling: Schema.NullOr(Schema.Struct(RulingFields)),
    basis: Schema.NullOr(Basis),
    /** As in `policy`; `null` where the policy could not be kept. */
    policy: Schema.NullOr(Schema.String),
    /** Of what a person was asked, `null` where nothing had to be asked. */
    payload: Schema.NullOr(Fingerprint)
  }),
  /** What a link, or the gate about it, had to say. `ask`: the same as in `decision`. */
  Schema.TaggedStruct("link", {
    ask: Schema.optionalKey(Schema.String),
    link: Schema.String,
    note: Schema.String
  }),
  Schema.TaggedStruct("question", {
    session: Schema.String,
    agent: Agent,
    request: Schema.String,
    phase: Schema.Literals(["raised", "closed"]),
    /** How many questions are in it. */
    questions: Schema.Int,
    content: Fingerprint,
    closure: Schema.NullOr(Closure)
  }),
  /** What the agent's hook was told about a call. */
  Schema.TaggedStruct("delivery", {
    session: Schema.String,
    callId: Schema.NullOr(Schema.String),
    tool: Schema.String,
    reply: Schema.Literals(["pass", "release", "withhold", "deny", "refuse", "fail"])
  }),
  /** What the agent's own record says became of a call. */
  Schema.TaggedStruct("outcome", { session: Schema.String, callId: Schema.String, isError: Schema.Boolean })
])
export type JournalEntry = typeof JournalEntry.Type

/** One kind of entry. */
export type Of<Tag extends JournalEntry["_tag"]> = Extract<JournalEntry, { readonly _tag: Tag }>
