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

/** A file whose text a call would run, as it was at one moment (P1.4). */
export interface Script {
  /** Absolute, as the call names it. */
  readonly path: string
  /** Of all its bytes, collision-free; `null` where there is no such file, or it cannot be read. */
  readonly digest: string | null
  /** `null` where it is no text, or longer than a person reads. */
  readonly text: string | null
}

/** Looks at the file system. What cannot be looked up is left unknown, never guessed. */
export class PathFacts extends Context.Service<
  PathFacts,
  {
    readonly resolve: (paths: ReadonlyArray<string>, programs: ReadonlyArray<string>) => Effect.Effect<Facts>
    /** The files at these absolute paths as they are now, in order. */
    readonly scripts: (paths: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Script>>
  }
>()("obstat/policy/PathFacts") {}
