import * as Schema from "effect/Schema"

/** A session grant (L5.1): exactly what a person was shown and allowed. */
export const Grant = Schema.Struct({
  id: Schema.String,
  surface: Schema.String,
  pattern: Schema.String
})
export type Grant = typeof Grant.Type
