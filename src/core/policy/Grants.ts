import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ToolCall } from "../call/ToolCall.ts"
import type { Grant, SessionGrant } from "./Grant.ts"
import * as GrantStore from "./GrantStore.ts"
import type { Ruling } from "./Ruling.ts"

type Caller = Pick<ToolCall, "requester" | "mode">

/** What people have allowed for the length of a session. In memory: nothing of it outlives the host (L5.3). */
export class Grants extends Context.Service<
  Grants,
  {
    /** Those that cover this call now. Looking changes nothing. */
    readonly covering: (call: Caller) => Effect.Effect<ReadonlyArray<Grant>>
    /** Adds what a person granted on an ask about this call (L5.1). */
    readonly add: (call: Caller, given: SessionGrant) => Effect.Effect<void>
    /**
     * A ruling is acted upon: ends what is over, and uses the grants that it rests on. `false`: one of them is gone,
     * the call has to be ruled again.
     */
    readonly spend: (call: Caller, ruling: Ruling) => Effect.Effect<boolean>
    /** Ends what was granted in a session (L5.3). */
    readonly dropSession: (session: string) => Effect.Effect<void>
    /** All that hold, oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<Grant>>
  }
>()("obstat/policy/Grants") {}

const make = Effect.sync(() => {
  let store = GrantStore.empty
  return Grants.of({
    covering: Effect.fn("Grants.covering")((call) =>
      Effect.map(Clock.currentTimeMillis, (now) => GrantStore.covering(store, call, now))
    ),
    add: Effect.fn("Grants.add")(function* (call, given) {
      store = GrantStore.add(store, call, given, yield* Clock.currentTimeMillis)
    }),
    spend: Effect.fn("Grants.spend")(function* (call, ruling) {
      const now = yield* Clock.currentTimeMillis
      const spent = GrantStore.spend(store, call, ruling, now)
      store = spent ?? GrantStore.settle(store, call, now)
      return spent !== null
    }),
    dropSession: Effect.fn("Grants.dropSession")((session) =>
      Effect.sync(() => {
        store = GrantStore.dropSession(store, session)
      })
    ),
    list: Effect.sync(() => store.grants)
  })
})

export const layer: Layer.Layer<Grants> = Layer.effect(Grants, make)
