import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"

export class TranscriptUnreadable extends Schema.TaggedError<TranscriptUnreadable>()("TranscriptUnreadable", {
  path: Schema.String,
  reason: Schema.String
}) {}

/** One record of a line-based transcript, or the notice that one was too long to keep (S7.1). */
export type TranscriptRecord =
  | { readonly _tag: "record"; readonly offset: number; readonly value: unknown }
  | { readonly _tag: "dropped"; readonly offset: number; readonly bytes: number }
  | { readonly _tag: "malformed"; readonly offset: number }

/**
 * Follows one JSON-lines file as it grows: partial lines, split UTF-8, rotation and truncation included. A
 * file that does not exist yet is waited for. The stream ends only with its scope.
 */
export class TranscriptSource extends Context.Service<
  TranscriptSource,
  {
    readonly follow: (path: string) => Stream.Stream<TranscriptRecord, TranscriptUnreadable>
  }
>()("obstat/session/TranscriptSource") {}
