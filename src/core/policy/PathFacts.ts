import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/**
 * What the file system says about the paths and programs of one call, taken once before the decision, so that
 * the decision itself is pure and can be replayed (A4.2).
 */
export interface Facts {
  /** The path with every link resolved, `null` where that is not known. */
  readonly canonical: (path: string) => string | null
  /** Whether a bare program name is found in a directory that the project cannot write to (L1.3). */
  readonly trusted: (program: string) => boolean
}

/** Facts for a decision without a file system: paths as written, programs as their names say. */
export const none: Facts = { canonical: () => null, trusted: () => true }

/** Looks at the file system. What cannot be looked up is left unknown, never guessed. */
export class PathFacts extends Context.Service<
  PathFacts,
  {
    readonly resolve: (paths: ReadonlyArray<string>, programs: ReadonlyArray<string>) => Effect.Effect<Facts>
  }
>()("obstat/policy/PathFacts") {}
