import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as MemoryPersonSurface from "../../../src/adapters/memory/MemoryPersonSurface.ts"
import * as GrantList from "../../../src/core/ask/GrantList.ts"
import { SurfaceLost, type AskVerdict } from "../../../src/core/authority/PersonSurface.ts"
import type { QuestionAnswer } from "../../../src/core/question/QuestionAnswer.ts"
import { contract, type Harness } from "../../contracts/PersonSurface.ts"

type Act = "allow" | "session" | "deny" | "leave" | "answer" | "lost" | { readonly reason: string }

/** A person who looks at one thing at a time and is told what to do with it. */
const open = Effect.gen(function* () {
  const looking = yield* SubscriptionRef.make<{ text: string; act: Deferred.Deferred<Act> } | null>(null)
  let present = true

  const shown = (text: string) =>
    Effect.gen(function* () {
      const act = yield* Deferred.make<Act>()
      yield* SubscriptionRef.set(looking, { text, act })
      return yield* Deferred.await(act)
    }).pipe(
      Effect.filterOrFail(
        (act) => act !== "lost",
        () => new SurfaceLost({ surface: "memory" })
      ),
      Effect.ensuring(SubscriptionRef.set(looking, null))
    )

  const until = (holds: (text: string | null) => boolean) =>
    SubscriptionRef.changes(looking).pipe(
      Stream.filter((now) => holds(now?.text ?? null)),
      Stream.take(1),
      Stream.runDrain
    )

  const act = (act: Act) =>
    Effect.flatMap(SubscriptionRef.get(looking), (now) =>
      now === null ? Effect.die(new Error("nothing is shown")) : Effect.asVoid(Deferred.succeed(now.act, act))
    )

  const surface = yield* MemoryPersonSurface.make({
    presence: Effect.sync(() => (present ? "present" : "absent")),
    ask: (ask) =>
      Effect.map(shown(ask.payload.request.units[0].value), (act): AskVerdict => {
        const channel = "memory"
        if (typeof act === "object") return { _tag: "deny", reason: act.reason, channel }
        if (act === "allow") return { _tag: "allow", channel }
        if (act === "session") {
          const grant = GrantList.grantOf(GrantList.open(ask.offers ?? []))
          return { _tag: "allow", channel, ...(grant !== null && { grant }) }
        }
        return act === "deny" ? { _tag: "deny", reason: null, channel } : { _tag: "cancelled", channel }
      }),
    question: (request) =>
      Effect.map(shown(request.questions[0].prompt), (act): ReadonlyArray<QuestionAnswer> | null => {
        const [{ id, options }] = request.questions
        const [first] = options
        return act === "answer" && first !== undefined ? [{ questionId: id, optionIds: [first.id] }] : null
      })
  })

  const harness: Harness = {
    surface,
    shows: (text) => until((shown) => shown === text),
    hides: (text) => until((shown) => shown !== text),
    isShown: (text) => SubscriptionRef.getUnsafe(looking)?.text === text,
    setPresent: (value) => {
      present = value
    },
    allow: act("allow"),
    allowSession: act("session"),
    deny: act("deny"),
    denyWith: (reason) => act({ reason }),
    leave: act("leave"),
    answerFirst: act("answer"),
    hangUp: act("lost")
  }
  return harness
})

contract(open)
