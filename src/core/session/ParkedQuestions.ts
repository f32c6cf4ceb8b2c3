import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type AnswerDelivery, DeliveryFailed } from "../question/AnswerDelivery.ts"
import * as NativeEvidence from "../question/NativeEvidence.ts"
import type { QuestionDefinition } from "../question/QuestionDefinition.ts"
import type { QuestionRequest } from "../question/QuestionRequest.ts"
import type { Dialect } from "./Dialect.ts"
import type { HookReply } from "./HookBridge.ts"

interface Parked {
  readonly input: unknown
  readonly definitions: ReadonlyArray<QuestionDefinition>
  readonly reply: Deferred.Deferred<HookReply>
}

/**
 * The hooks of questions that stay open while the agent's own dialog is up (Q5.4). Without a host's answer
 * every one of them is let go in silence: the hook of a question never decides anything by itself (Q3.7).
 */
export interface ParkedQuestions {
  /**
   * Parks at once; the effect waits for a host's answer, or for the question to be over. It is interrupted when
   * the agent ends the hook.
   */
  readonly park: (
    token: string,
    definitions: ReadonlyArray<QuestionDefinition>,
    input: unknown
  ) => Effect.Effect<HookReply>
  /** Lets go what asks these questions; `null`: all of them. */
  readonly letGo: (definitions: ReadonlyArray<QuestionDefinition> | null) => Effect.Effect<void>
  /** A delivery through the oldest of these hooks that is still open; `null` if none is. */
  readonly delivery: (request: QuestionRequest, tokens: ReadonlyArray<string>) => AnswerDelivery | null
}

export const make = (dialect: Dialect): ParkedQuestions => {
  const parked = new Map<string, Parked>()
  const silent: HookReply = { _tag: "silent" }

  return {
    park: (token, definitions, input) => {
      const reply = Deferred.makeUnsafe<HookReply>()
      parked.set(token, { input, definitions, reply })
      return Effect.ensuring(
        Deferred.await(reply),
        Effect.sync(() => parked.delete(token))
      )
    },
    letGo: Effect.fnUntraced(function* (definitions) {
      for (const one of parked.values()) {
        if (definitions !== null && !NativeEvidence.sameQuestions(one.definitions, definitions)) continue
        yield* Deferred.succeed(one.reply, silent)
      }
    }),
    delivery: (request, tokens) => {
      const one = tokens.map((token) => parked.get(token)).find((one) => one !== undefined)
      if (one === undefined) return null
      return {
        way: "hook",
        deliver: Effect.fnUntraced(function* (attempt) {
          const value = dialect.hooks.answer(one.input, request, attempt.answers.answers)
          const granted = yield* attempt.write(true, Deferred.succeed(one.reply, { _tag: "json", value }))
          if (!granted) return yield* new DeliveryFailed({ category: "adapter" })
        })
      }
    }
  }
}
