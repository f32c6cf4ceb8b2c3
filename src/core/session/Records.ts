import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { SessionQuestions } from "../question/Questions.ts"
import type { Dialect } from "./Dialect.ts"
import type { Events } from "./Events.ts"
import type { Gatekeeper } from "./Gatekeeper.ts"
import type { ParkedQuestions } from "./ParkedQuestions.ts"
import type { Activity } from "./SessionEvent.ts"
import type { TranscriptFact } from "./TranscriptFact.ts"
import { TranscriptSource } from "./TranscriptSource.ts"
import type { Turns } from "./Turns.ts"

export interface RecordsOptions {
  readonly dialect: Dialect
  readonly turns: Turns
  readonly questions: SessionQuestions
  readonly gatekeeper: Gatekeeper
  readonly parked: ParkedQuestions
  readonly events: Events
  readonly received: () => number
}

/** What a record is to somebody who follows the session's activity; `null` if nothing. */
const activity = (fact: TranscriptFact): Activity | null => {
  switch (fact._tag) {
    case "assistant_text":
      return { kind: "assistant_message", id: fact.id, text: fact.text }
    case "tool_call":
      return { kind: "tool_call", id: fact.id, tool: fact.tool, input: fact.input }
    case "tool_result":
      return { kind: "tool_result", id: fact.id, isError: fact.isError, text: fact.text }
    case "user_prompt":
    case "turn_end":
    case "turn_interrupted":
    case "turn_failed":
    case "usage":
      return null
  }
}

/** Reads the agent's transcript, the only source of messages (S7.1), and tells the session what it says. */
export const make = Effect.fnUntraced(function* (
  options: RecordsOptions
): Effect.fn.Return<
  { readonly follow: (path: string) => Effect.Effect<void> },
  never,
  Scope.Scope | TranscriptSource
> {
  const { dialect, turns, questions, gatekeeper, parked, events, received } = options
  const source = yield* TranscriptSource
  const reading = yield* FiberHandle.make()
  let current: string | null = null
  const tools = new Map<string, string>()

  const over = Effect.suspend(() => {
    questions.observe({ _tag: "turn_ended", at: received() })
    return Effect.andThen(parked.letGo(null), gatekeeper.observe({ _tag: "turn_over" }))
  })

  const toolResult = Effect.fnUntraced(function* (
    fact: Extract<TranscriptFact, { readonly _tag: "tool_result" }>
  ) {
    const at = received()
    if (fact.answers !== null) {
      questions.observe({
        _tag: "completed",
        nativeId: fact.id,
        definitions: null,
        answers: fact.answers,
        at
      })
    } else if (fact.isError) {
      questions.observe({
        _tag: fact.rejected ? "dismissed" : "withdrawn",
        nativeId: fact.id,
        definitions: null,
        at
      })
    }
    const tool = tools.get(fact.id) ?? ""
    tools.delete(fact.id)
    yield* gatekeeper.observe({
      _tag: "result",
      callId: fact.id,
      tool,
      form: dialect.transcript.resultForm(tool, fact)
    })
  })

  const take = Effect.fnUntraced(function* (fact: TranscriptFact) {
    if (fact._tag === "tool_call") tools.set(fact.id, fact.tool)
    if (fact._tag === "tool_result") yield* toolResult(fact)
    if (fact._tag === "turn_end" || fact._tag === "turn_interrupted" || fact._tag === "turn_failed") {
      yield* over
    }
    yield* turns.feed({ _tag: "record", fact })
    const told = activity(fact)
    if (told !== null) yield* events.publish("transcript", { _tag: "activity", activity: told })
  })

  const follow = (path: string) =>
    source.follow(path).pipe(
      Stream.runForEach((record) =>
        record._tag === "record"
          ? Effect.forEach(dialect.transcript.decode(record.value), take, { discard: true })
          : events.publish("transcript", {
              _tag: "warning",
              warning: { code: "transcript_record_dropped", detail: record._tag }
            })
      ),
      Effect.catch((error) =>
        events.publish("transcript", {
          _tag: "warning",
          warning: { code: "transcript_unreadable", detail: error.reason }
        })
      )
    )

  return {
    // A person's /clear or /resume goes on in another file: the new one is followed (S3.2).
    follow: (path) =>
      Effect.suspend(() => {
        if (path === current) return Effect.void
        current = path
        return Effect.asVoid(FiberHandle.run(reading, follow(path)))
      })
  }
})
