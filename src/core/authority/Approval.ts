import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { Annotators } from "../ask/Annotators.ts"
import * as AskPayload from "../ask/AskPayload.ts"
import { EvidenceFormatters } from "../ask/EvidenceFormatters.ts"
import * as Seal from "../ask/Seal.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import type { SessionGrant } from "../policy/Grant.ts"
import * as GrantOffer from "../policy/GrantOffer.ts"
import type { PolicyEngine } from "../policy/PolicyEngine.ts"
import type { Ruling } from "../policy/Ruling.ts"

/** One ask as it is put to whoever decides, and what an allow of it is bound to. */
export interface Prepared {
  readonly payload: AskPayload.AskPayload
  readonly offers: ReadonlyArray<GrantOffer.GrantOffer>
  /** What was shown (P1.4). */
  readonly seal: Option.Option<string>
}

/** Prepares asks, and says whether what was approved is still what would be executed. */
export interface Approval {
  readonly prepare: (call: ToolCall, ruling: Ruling) => Effect.Effect<Prepared>
  /** `false`: the input or a script has changed since it was shown, or nobody can say. The allow is void. */
  readonly stands: (call: ToolCall, prepared: Prepared) => Effect.Effect<boolean>
  /** The grant as far as it was offered, or changed as an offer may be; `null` where nothing of it was. */
  readonly confine: (prepared: Prepared, given: SessionGrant) => SessionGrant | null
}

/** Uses the formatters and annotators of the context, if there are any. */
export const make = Effect.fnUntraced(function* (policy: PolicyEngine["Service"]) {
  const formatters = yield* Effect.serviceOption(EvidenceFormatters)
  const annotators = yield* Effect.serviceOption(Annotators)

  const approval: Approval = {
    prepare: Effect.fnUntraced(function* (call, ruling) {
      // What cannot be offered is not; the ask itself does not wait for it.
      const offers = yield* Effect.exit(policy.offers(call))
      const scripts = yield* Effect.exit(policy.scripts(call))
      const watched = Exit.isSuccess(scripts) ? scripts.value : []
      const formatted = Option.isSome(formatters) ? yield* formatters.value.format(call) : []
      const made = AskPayload.make(call, ruling)
      const payload = {
        ...made,
        evidence: [...AskPayload.scriptEvidence(watched), ...formatted, ...made.evidence]
      }
      const shown = payload.request.units
      return {
        payload: Option.isSome(annotators) ? yield* annotators.value.annotate(payload) : payload,
        // Nothing is offered that is not about a unit which the person sees (L5.2).
        offers: (Exit.isSuccess(offers) ? offers.value : []).filter((offer) =>
          shown.some((unit) => unit.value === offer.value)
        ),
        seal: Seal.of(call, watched)
      }
    }),
    stands: Effect.fnUntraced(function* (call, { seal }) {
      const scripts = yield* Effect.exit(policy.scripts(call))
      return Seal.isSame(seal, Seal.of(call, Exit.isSuccess(scripts) ? scripts.value : []))
    }),
    confine: ({ offers }, given) => {
      const [first, ...rest] = given.rules.filter((rule) => GrantOffer.accepts(offers, rule))
      return first === undefined ? null : { ...given, rules: [first, ...rest] }
    }
  }
  return approval
})
