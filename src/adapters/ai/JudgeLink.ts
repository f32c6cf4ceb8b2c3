import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Model from "effect/ai/Model"
import { createHash } from "node:crypto"
import { Authority } from "../../core/authority/Authority.ts"
import type { AuthorizerLink } from "../../core/authority/AuthorizerLink.ts"
import * as JudgeCanary from "../../core/authority/JudgeCanary.ts"
import type { JudgeEvidence } from "../../core/authority/JudgeEvidence.ts"
import * as JudgeInput from "../../core/authority/JudgeInput.ts"
import * as JudgeOwner from "../../core/authority/JudgeOwner.ts"
import * as JudgePrompt from "../../core/authority/JudgePrompt.ts"
import * as JudgeRow from "../../core/authority/JudgeRow.ts"
import * as JudgeVerdict from "../../core/authority/JudgeVerdict.ts"
import type { LinkDetails } from "../../core/authority/LinkDetails.ts"

export interface Options {
  /** Default `judge`; the name by which `authorizerChain` lets it run. */
  readonly name?: string
  /** What the context that registers says of itself, looked up anew for each ask (A3.3). */
  readonly lifecycle: Effect.Effect<JudgeOwner.Lifecycle>
  /** The root conversation, oldest first: the person's messages, and receipts that were verified (A3.5). */
  readonly conversation: Effect.Effect<ReadonlyArray<JudgeEvidence>, unknown>
  /** Default `shadow`. */
  readonly mode?: JudgeVerdict.JudgeMode
  /** For the conversation and the model together; default 20 s. Shorter than the Authority's own (A2.3). */
  readonly timeout?: Duration.Input
  /** Of what is sent, in UTF-16 units; default `JudgeInput.MAX_LENGTH`. */
  readonly maxLength?: number
}

/**
 * - `registered`: for the scope's life.
 * - `not_root`: this context is none that may judge; nothing was registered (A3.1).
 * - `name_taken`: another link has the name; that one stays (A3.1).
 */
export type Registration = "registered" | "not_root" | "name_taken"

/** Leaves the Authority, which waits 30 s, time to write down that there was no verdict. */
const TIMEOUT = Duration.seconds(20)

const SHADOW: JudgeVerdict.JudgeMode = { _tag: "shadow" }

type Predicted = Result.Result<JudgeVerdict.Prediction, JudgeRow.Absence>

/** What was sent for one ask, known also where no answer came in time. */
interface Sent {
  promptHash: string | null
  evidenceIds: ReadonlyArray<string>
}

interface Judgement extends JudgeVerdict.Settled {
  readonly predicted: Predicted
}

const without = (absence: JudgeRow.Absence): Judgement => ({
  predicted: Result.fail(absence),
  verdict: { _tag: "defer" },
  heldBy: null
})

/**
 * Registers the judge with the Authority if this context is a root with a person in front of it (A3.1). It runs
 * only if the configured chain names it (A2.2).
 *
 * A judge that may allow is asked once about an action that must not be allowed; if it does not pass that, its
 * allows count as defer for good.
 */
export const register = Effect.fn("JudgeLink.register")(function* (
  options: Options
): Effect.fn.Return<
  Registration,
  never,
  Authority | LanguageModel.LanguageModel | Model.ProviderName | Model.ModelName | Scope.Scope
> {
  const owner = JudgeOwner.capture(yield* options.lifecycle)
  if (Option.isNone(owner)) return "not_root"
  const authority = yield* Authority
  const link = yield* make(owner.value, options)
  return yield* authority.register(link).pipe(
    Effect.as("registered" as const),
    Effect.catchTag("DuplicateLink", () => Effect.succeed("name_taken" as const))
  )
})

const make = Effect.fnUntraced(function* (owner: JudgeOwner.JudgeOwner, options: Options) {
  const language = yield* LanguageModel.LanguageModel
  const provider = yield* Model.ProviderName
  const model = yield* Model.ModelName
  const mode = options.mode ?? SHADOW
  const allowed = yield* Ref.make<ReadonlyArray<number>>([])

  /** One request. Whatever is wrong with the model or its answer is no verdict; its words go nowhere. */
  const predict = (prompt: JudgePrompt.JudgePrompt): Effect.Effect<Predicted> =>
    language
      .generateObject({
        objectName: "verdict",
        schema: JudgeVerdict.Prediction,
        prompt: [
          { role: "system", content: prompt.system },
          { role: "user", content: [{ type: "text", text: prompt.user }] }
        ]
      })
      .pipe(
        Effect.map((response) =>
          response.finishReason === "stop"
            ? Result.mapError(decodePrediction(response.text), () => "no_verdict" as const)
            : Result.fail("no_verdict" as const)
        ),
        Effect.catchTag("AiError", ({ reason }) => Effect.succeed(Result.fail(absenceOf(reason._tag))))
      )

  const inTime = <A>(effect: Effect.Effect<A>, late: () => A): Effect.Effect<A> =>
    Effect.timeoutOrElse(effect, {
      duration: options.timeout ?? TIMEOUT,
      orElse: () => Effect.sync(late)
    })

  const probe = inTime(predict(JudgePrompt.render(JudgeCanary.input)), () => Result.fail("timed_out")).pipe(
    Effect.map((answer) => Result.isSuccess(answer) && JudgeCanary.passes(answer.success)),
    Effect.tap((passed) =>
      passed
        ? Effect.void
        : Effect.logWarning("the judge did not refuse what must be refused: its allows do not count", {
            model,
            provider
          })
    )
  )
  // Asked at once, so that the first ask does not have to wait for it.
  const canary =
    mode._tag === "enforce" && mode.budget.allowsPerHour > 0 ? yield* Effect.forkScoped(probe) : null

  /** An allow is counted when everything else speaks for it. */
  const settle = Effect.fnUntraced(function* (
    prediction: JudgeVerdict.Prediction,
    details: LinkDetails
  ): Effect.fn.Return<JudgeVerdict.Settled> {
    const settled = JudgeVerdict.settle(prediction, mode, details)
    if (settled.verdict._tag !== "allow" || mode._tag !== "enforce") return settled
    if (canary !== null && !(yield* Fiber.join(canary))) return JudgeVerdict.held("canary")
    const now = Duration.toMillis(Duration.nanos(yield* Clock.monotonicTimeNanos))
    return yield* Ref.modify(allowed, (before) => {
      const after = JudgeVerdict.take(before, now, mode.budget)
      return after === null ? [JudgeVerdict.held("count"), before] : [settled, after]
    })
  })

  const judge = Effect.fnUntraced(function* (details: LinkDetails, sent: Sent): Effect.fn.Return<Judgement> {
    const conversationOwner = JudgeOwner.conversationOwner(details)
    if (Option.isNone(conversationOwner) || !JudgeOwner.remains(owner, yield* options.lifecycle)) {
      return without("provenance")
    }
    const evidence = yield* Effect.exit(options.conversation)
    if (Exit.isFailure(evidence)) return without("conversation")
    const made = JudgeInput.make({
      owner,
      conversationOwner: conversationOwner.value,
      details,
      evidence: evidence.value,
      ...(options.maxLength !== undefined && { maxLength: options.maxLength })
    })
    if (Result.isFailure(made)) return without(made.failure)
    const prompt = JudgePrompt.render(made.success.input)
    sent.promptHash = hash(prompt)
    sent.evidenceIds = made.success.evidenceIds
    const predicted = yield* predict(prompt)
    if (Result.isFailure(predicted)) return without(predicted.failure)
    if (!JudgeOwner.remains(owner, yield* options.lifecycle)) {
      return { predicted, ...JudgeVerdict.held("provenance") }
    }
    return { predicted, ...(yield* settle(predicted.success, details)) }
  })

  const rowOf = (
    details: LinkDetails,
    { evidenceIds, promptHash }: Sent,
    { heldBy, predicted, verdict }: Judgement,
    latency: Duration.Duration
  ): JudgeRow.JudgeRow => ({
    judge: mode._tag,
    origin: details.origin,
    surfaces: Arr.dedupe(Arr.map(details.units, ({ surface }) => surface)),
    model,
    provider,
    prediction: Result.match(predicted, {
      onSuccess: (prediction) => prediction.verdict,
      onFailure: () => (promptHash === null ? "none" : "unavailable")
    }),
    absence: Result.match(predicted, { onSuccess: () => null, onFailure: (absence) => absence }),
    verdict: verdict._tag,
    heldBy,
    promptHash,
    evidenceIds,
    latencyMs: Duration.toMillis(latency)
  })

  return {
    name: options.name ?? "judge",
    modelGenerated: true,
    authorize: Effect.fnUntraced(function* ({ details, log }) {
      const sent: Sent = { promptHash: null, evidenceIds: [] }
      const [latency, judgement] = yield* Effect.timed(
        inTime(judge(details, sent), () => without("timed_out"))
      )
      yield* log(JudgeRow.write(rowOf(details, sent, judgement, latency)))
      return judgement.verdict
    })
  } satisfies AuthorizerLink
})

const decodePrediction = Schema.decodeUnknownResult(Schema.fromJsonString(JudgeVerdict.Prediction), {
  onExcessProperty: "error"
})

/** Failures that are an answer, but none that counts; any other means that the model was not reached. */
const ANSWERED: ReadonlySet<AiError.AiErrorReason["_tag"]> = new Set([
  "StructuredOutputError",
  "InvalidOutputError",
  "InvalidResponseError",
  "ContentPolicyError"
])

const absenceOf = (reason: AiError.AiErrorReason["_tag"]): JudgeRow.Absence =>
  ANSWERED.has(reason) ? "no_verdict" : "failed"

const hash = ({ system, user }: JudgePrompt.JudgePrompt): string =>
  createHash("sha256")
    .update(JSON.stringify([system, user]))
    .digest("hex")
