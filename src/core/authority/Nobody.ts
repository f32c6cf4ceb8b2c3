import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PersonSurface, SurfaceLost } from "./PersonSurface.ts"

const lost = Effect.fail(new SurfaceLost({ surface: "nobody" }))

/** The surface of a host that reaches no person: what policy leaves at *ask* is denied as unavailable (A1). */
export const layer: Layer.Layer<PersonSurface> = Layer.succeed(
  PersonSurface,
  PersonSurface.of({ presence: Effect.succeed("absent"), ask: () => lost, question: () => lost })
)
