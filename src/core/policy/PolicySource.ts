import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { PolicyText } from "./PolicyDocument.ts"

/** Where policy texts come from. A text that cannot be read is a text that is broken, never one that is missing. */
export class PolicySource extends Context.Service<
  PolicySource,
  {
    /** The texts of every scope, read now. */
    readonly read: Effect.Effect<ReadonlyArray<PolicyText>>
    /** All of them again, each time that one of them has another content (L2.3). */
    readonly changes: Stream.Stream<ReadonlyArray<PolicyText>>
  }
>()("obstat/policy/PolicySource") {}
