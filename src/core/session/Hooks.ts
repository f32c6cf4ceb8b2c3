import * as Effect from "effect/Effect"
import * as Arr from "effect/Array"
import type { SessionQuestions } from "../question/Questions.ts"
import type { Dialect } from "./Dialect.ts"
import type { Gatekeeper } from "./Gatekeeper.ts"
import type { HookReply } from "./HookBridge.ts"
import type { HookFact } from "./HookFact.ts"
import type { ParkedQuestions } from "./ParkedQuestions.ts"
import type { Turns } from "./Turns.ts"

export interface HooksOptions {
  readonly dialect: Dialect
  readonly turns: Turns
  readonly questions: SessionQuestions
  readonly gatekeeper: Gatekeeper
  readonly parked: ParkedQuestions
  readonly received: () => number
  readonly newId: () => string
  /** Whether a question's hook stays open for a host's answer (Q5.4). */
  readonly parks: boolean
  /** The agent's start hook came: the gate is armed, and the transcript is where it says (S5.2). */
  readonly onStart: (transcriptPath: string) => Effect.Effect<unknown>
}

const silent: HookReply = { _tag: "silent" }
const failed: HookReply = { _tag: "failed" }

/** What each of an agent's hook events does to a session, and what the agent is told. */
export const make = (options: HooksOptions) => {
  const { dialect, turns, questions, gatekeeper, parked, received } = options

  const question = Effect.fnUntraced(function* (
    fact: Extract<HookFact, { readonly _tag: "question_requested" }>
  ) {
    const { definitions, input, nativeId, phase } = fact
    if (phase === "tool" && nativeId !== null) {
      yield* gatekeeper.observe({ _tag: "question_requested", callId: nativeId })
    }
    if (!Arr.isReadonlyArrayNonEmpty(definitions)) {
      questions.observe({ _tag: "opaque", nativeId, at: received() })
      return silent
    }
    const token = options.newId()
    const waits = options.parks && phase === "permission"
    const sight = () =>
      questions.observe({
        _tag: "sighted",
        nativeId,
        definitions,
        delivery: "blocking",
        source: phase,
        hook: waits ? { token, pending: false } : null,
        at: received()
      })
    if (!waits) {
      sight()
      return silent
    }
    // Parked first: a host that is told of the question may answer it at once.
    const answer = parked.park(token, definitions, input)
    sight()
    return yield* answer
  })

  const reply = Effect.fnUntraced(function* (fact: HookFact) {
    switch (fact._tag) {
      case "session_start":
        yield* options.onStart(fact.transcriptPath)
        return silent
      case "prompt_taken":
        yield* turns.feed({ _tag: "prompt_taken" })
        return silent
      case "tool_requested":
        return yield* gatekeeper.request("tool", fact.call, fact.agentId)
      case "permission_requested":
        return yield* gatekeeper.request("permission", fact.call, fact.agentId)
      case "question_requested":
        return yield* question(fact)
      case "question_completed":
        questions.observe({
          _tag: "completed",
          nativeId: fact.nativeId,
          definitions: fact.definitions,
          answers: fact.answers,
          at: received()
        })
        yield* parked.letGo(fact.definitions)
        return silent
      case "tool_completed":
        if (fact.nativeId !== null) {
          yield* gatekeeper.observe({
            _tag: "result",
            callId: fact.nativeId,
            tool: fact.tool,
            form: "gated"
          })
        }
        return silent
      case "turn_ended":
        yield* turns.feed(fact)
        return silent
      case "turn_failed":
        yield* turns.feed(fact)
        return silent
      case "session_ended":
      case "other":
        return silent
      case "unreadable":
        return failed
    }
  })

  return (payload: unknown): Effect.Effect<HookReply> => reply(dialect.hooks.decode(payload))
}
