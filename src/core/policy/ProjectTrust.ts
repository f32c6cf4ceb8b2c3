import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A project file that a person has read and accepted (L2.1). It stands for exactly this content in this place. */
export const Acceptance = Schema.Struct({
  /** The policy file's path, absolute, links resolved. */
  file: Schema.NonEmptyString,
  /** Of the content that the person saw (`PolicyText.digest`). */
  digest: Schema.NonEmptyString,
  acceptedAt: Schema.String
})
export type Acceptance = typeof Acceptance.Type

/**
 * What was accepted cannot be read or written: then no project is trusted.
 *
 * - `link`, `foreign`, `shared`: the entry named is a link, someone else's, or open to others.
 * - `malformed`: it holds something that we did not write.
 * - otherwise the system's own code.
 */
export class ProjectTrustUnavailable extends Schema.TaggedError<ProjectTrustUnavailable>()(
  "ProjectTrustUnavailable",
  { path: Schema.String, reason: Schema.String }
) {
  override get message() {
    return `what projects are trusted cannot be kept in ${this.path}: ${CURE[this.reason] ?? this.reason}`
  }
}

const CURE: Readonly<Record<string, string>> = {
  link: "it is a link; take it away",
  foreign: "it belongs to someone else",
  shared: "others can read or write it; run chmod go-rwx on it, or go-w if it is a folder above",
  malformed: "its content is not ours; take it away"
}

/** Which project files a person has accepted. */
export class ProjectTrust extends Context.Service<
  ProjectTrust,
  {
    /** Whether exactly this content of this file was accepted. Never fails: what cannot be told is no. */
    readonly accepts: (file: string, digest: string) => Effect.Effect<boolean>
    /** Takes the place of an earlier acceptance of the same file. It has reached the disk when this returns. */
    readonly accept: (file: string, digest: string) => Effect.Effect<Acceptance, ProjectTrustUnavailable>
    /** `false` where nothing had been accepted. */
    readonly revoke: (file: string) => Effect.Effect<boolean, ProjectTrustUnavailable>
    /** By path. */
    readonly list: Effect.Effect<ReadonlyArray<Acceptance>, ProjectTrustUnavailable>
  }
>()("obstat/policy/ProjectTrust") {}
