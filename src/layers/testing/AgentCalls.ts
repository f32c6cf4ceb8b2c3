import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as AgentHooks from "./AgentHooks.ts"
import * as AgentQuestion from "./AgentQuestion.ts"
import type { AgentScreen } from "./AgentScreen.ts"
import { marked } from "./AgentScreen.ts"
import * as AgentSettings from "./AgentSettings.ts"
import * as AgentTools from "./AgentTools.ts"
import type { ToolOutcome } from "./AgentTranscript.ts"
import type { JsonFields } from "./Script.ts"

/** One tool call of a scripted reply. */
export interface ToolUse {
  readonly id: string
  readonly name: string
  readonly input: JsonFields
}

/** What tool calls need of their session. */
export interface Session {
  readonly settings: AgentSettings.Settings
  readonly place: AgentTools.Place
  readonly screen: AgentScreen
  /** An answered question is completed with no answers. */
  readonly emptyAnswers: boolean
  /** The fields that an event carries besides its own. */
  readonly common: (event: string) => JsonFields
  /** Hooks that lost against the keyboard run on in here. */
  readonly scope: Scope.Scope
}

export interface Ended {
  readonly outcome: ToolOutcome
  /** The person stopped the turn with it. */
  readonly interrupts: boolean
}

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file)."
const WAIT = " STOP what you are doing and wait for the user to tell you how to proceed."
const SAID = " To tell you how to proceed, the user said:\n"

const error = (text: string, decision: ToolOutcome["decision"] = null): Ended => ({
  outcome: { text, isError: true, record: `Error: ${text}`, decision, words: "" },
  interrupts: false
})

/** A person's bare no, or their Escape. */
export const rejected: Ended = {
  outcome: {
    text: REJECTED + WAIT,
    isError: true,
    record: "User rejected tool use",
    decision: null,
    words: ""
  },
  interrupts: true
}

const rejectedWith = (words: string): Ended => error(REJECTED + SAID + words, "person_refused")

const Answers = Schema.Struct({
  answers: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Array(Schema.String)]))
})
const decodeAnswers = Schema.decodeUnknownResult(Answers)
const decodeQuestion = Schema.decodeUnknownResult(AgentQuestion.Input)

/** Answers that a hook put into the input; `null` where there are none. */
const hookAnswers = (input: JsonFields | null): Readonly<Record<string, string>> | null =>
  Result.match(decodeAnswers(input), {
    onFailure: () => null,
    onSuccess: ({ answers }) =>
      Object.fromEntries(
        Object.entries(answers).map(([question, answer]) => [
          question,
          typeof answer === "string" ? answer : answer.join(", ")
        ])
      )
  })

/** What the model reads of the answers; only those to a question's exact text count. */
const answerText = (
  { questions }: AgentQuestion.Input,
  answers: Readonly<Record<string, string>>
): string => {
  const known = questions.flatMap((question) => {
    const answer = answers[question.question]
    return answer === undefined ? [] : [{ question, answer }]
  })
  if (known.length === 0) return "The user did not answer the questions."
  const pairs = known.map(({ question, answer }) => `"${question.question}"="${answer}"`).join(", ")
  const chosen = known.every(({ question, answer }) => {
    const labels = new Set(question.options.map((option) => option.label))
    return (
      labels.has(answer) ||
      (question.multiSelect === true && answer.split(", ").every((part) => labels.has(part)))
    )
  })
  return chosen
    ? `Your questions have been answered: ${pairs}. You can now continue with these answers in mind.`
    : `The user answered: ${pairs}. Read the answers carefully — they may request clarification, changes, or that you not proceed — and follow what they actually say.`
}

const clarify = ({ questions }: AgentQuestion.Input, answers: Readonly<Record<string, string>>): string =>
  "The user wants to clarify these questions.\n\n    Questions asked:\n" +
  questions
    .map(
      ({ question }) =>
        `- "${question}"\n  ${answers[question] === undefined ? "(No answer provided)" : `Answer: ${answers[question]}`}`
    )
    .join("\n")

/** Makes the tool calls of one session, through hooks and dialogs as Claude Code does. */
export const make = (session: Session) => {
  const { settings, place, screen } = session

  const hooks = (event: string, subject: string, fields: JsonFields) =>
    AgentSettings.hooks(settings, event, subject).map((hook) =>
      AgentHooks.run(hook, { ...session.common(event), hook_event_name: event, ...fields }, place)
    )

  const runAll = (event: string, subject: string, fields: JsonFields) =>
    Effect.all(hooks(event, subject, fields), { concurrency: "unbounded" })

  const completed = (use: ToolUse, input: JsonFields, response: Schema.Json) =>
    runAll("PostToolUse", use.name, {
      tool_name: use.name,
      tool_input: input,
      tool_response: response,
      tool_use_id: use.id,
      duration_ms: 0
    })

  /**
   * A dialog beside its PermissionRequest hooks: whoever decides first wins. A hook that lost runs to its end.
   */
  const beside = Effect.fnUntraced(function* <A>(
    use: ToolUse,
    input: JsonFields,
    dialog: Effect.Effect<A>,
    decides: (verdict: AgentHooks.PermissionVerdict) => boolean
  ) {
    const decided = yield* Deferred.make<AgentHooks.PermissionVerdict>()
    const rule = AgentSettings.asks(settings, use.name)
    const fields = {
      tool_name: use.name,
      tool_input: input,
      ...(rule === null && use.name !== "AskUserQuestion" ? { permission_suggestions: [] } : {})
    }
    for (const hook of hooks("PermissionRequest", use.name, fields)) {
      const watched = Effect.flatMap(hook, (result) => {
        const verdict = AgentHooks.permission(result)
        return verdict !== null && decides(verdict) ? Deferred.succeed(decided, verdict) : Effect.void
      })
      yield* Effect.forkIn(watched, session.scope)
    }
    return yield* Effect.raceFirst(
      Effect.map(dialog, (outcome) => ({ by: "person" as const, outcome })),
      Effect.map(Deferred.await(decided), (outcome) => ({ by: "hook" as const, outcome }))
    )
  })

  const answered = Effect.fnUntraced(function* (
    use: ToolUse,
    form: AgentQuestion.Input,
    given: Readonly<Record<string, string>>,
    decision: "person_allowed" | "hook_allowed"
  ) {
    const answers = session.emptyAnswers ? {} : given
    screen.say(
      marked(
        "●\u00a0",
        [
          "User answered Claude's questions:",
          ...Object.entries(answers).map(([q, a]) => ` ⎿ \u00a0· ${q} → ${a}`)
        ].join("\n")
      )
    )
    // The editor records notes, if only that there are none.
    const record = { ...use.input, answers, ...(decision === "person_allowed" ? { annotations: {} } : {}) }
    yield* completed(use, record, record)
    return {
      outcome: { text: answerText(form, answers), isError: false, record, decision, words: "" },
      interrupts: false
    }
  })

  const denied = (verdict: { readonly message: string; readonly interrupt: boolean }): Ended =>
    verdict.interrupt ? rejected : error(verdict.message, "hook_refused")

  const ask = Effect.fnUntraced(function* (use: ToolUse, form: AgentQuestion.Input) {
    const rule = AgentSettings.asks(settings, use.name)
    const verdict = yield* beside(
      use,
      use.input,
      screen.ask(form),
      (verdict) => verdict._tag === "deny" || (rule === null && hookAnswers(verdict.input) !== null)
    )
    if (verdict.by === "hook") {
      return verdict.outcome._tag === "deny"
        ? denied(verdict.outcome)
        : yield* answered(use, form, hookAnswers(verdict.outcome.input) ?? {}, "hook_allowed")
    }
    const { outcome } = verdict
    if (outcome._tag === "answered") return yield* answered(use, form, outcome.answers, "person_allowed")
    const asked = form.questions.map(
      ({ question, options }) =>
        ` ⎿ \u00a0· ${question} (${options.map((option) => option.label).join(" / ")})`
    )
    screen.say(marked("●\u00a0", ["User declined to answer questions", ...asked].join("\n")))
    return outcome._tag === "declined" ? rejected : rejectedWith(clarify(form, outcome.answers))
  })

  const permitted = Effect.fnUntraced(function* (use: ToolUse, input: JsonFields, call: AgentTools.Call) {
    const rule = AgentSettings.asks(settings, use.name)
    const subject = { ...call.subject, rule: call.namesRule ? rule : null }
    // Under an ask rule a hook may let a call run, but not with another input.
    const verdict = yield* beside(
      use,
      input,
      screen.permit(subject),
      (verdict) => verdict._tag === "deny" || rule === null || verdict.input === null
    )
    if (verdict.by === "hook") {
      return verdict.outcome._tag === "deny"
        ? denied(verdict.outcome)
        : { by: "hook_allowed" as const, input: verdict.outcome.input ?? input, words: "" }
    }
    const { _tag: tag, words } = verdict.outcome
    if (tag === "allowed") return { by: "person_allowed" as const, input, words }
    return words === "" ? rejected : rejectedWith(words)
  })

  const runTool = Effect.fnUntraced(function* (use: ToolUse, allowed: boolean, first: AgentTools.Call) {
    const asks =
      AgentSettings.asks(settings, use.name) !== null ||
      !(allowed || first.unasked || AgentSettings.allows(settings, use.name))
    const permit = asks ? yield* permitted(use, use.input, first) : { by: null, input: use.input, words: "" }
    if ("outcome" in permit) return permit
    const call = Result.getOrElse(AgentTools.decode(use.name, permit.input), () => null)
    if (call === null) return error("InputValidationError: the hook's input is none of this tool's")
    const done = yield* call.run(place)
    if (!done.isError) yield* completed(use, permit.input, done.record)
    return { outcome: { ...done, decision: permit.by, words: permit.words }, interrupts: false }
  })

  /** One call, from its hooks to its outcome. Interruption ends hooks and tool alike, and takes dialogs away. */
  const call = Effect.fnUntraced(function* (use: ToolUse) {
    const form = use.name === "AskUserQuestion" ? decodeQuestion(use.input) : null
    const tool = form === null ? AgentTools.decode(use.name, use.input) : null
    if (form !== null && Result.isFailure(form)) return error(`InputValidationError: ${form.failure.message}`)
    if (tool !== null && Result.isFailure(tool)) return error(tool.failure)
    const before = AgentHooks.beforeTool(
      yield* runAll("PreToolUse", use.name, {
        tool_name: use.name,
        tool_input: use.input,
        tool_use_id: use.id
      })
    )
    if (before._tag === "deny")
      return error(`PreToolUse:${use.name} hook error: ${before.reason}`, "hook_refused")
    const input = before._tag === "allow" ? before.input : null
    if (form !== null) {
      const answers = AgentSettings.asks(settings, use.name) === null ? hookAnswers(input) : null
      return answers === null
        ? yield* ask(use, form.success)
        : yield* answered(use, form.success, answers, "hook_allowed")
    }
    const now = input === null ? tool : AgentTools.decode(use.name, input)
    return now === null || Result.isFailure(now)
      ? error("InputValidationError: the hook's input is none of this tool's")
      : yield* runTool({ ...use, input: input ?? use.input }, before._tag === "allow", now.success)
  })

  return { call, runAll }
}
