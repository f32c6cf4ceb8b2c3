import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"

export class TranscriptUnreadable extends Schema.TaggedError<TranscriptUnreadable>()("TranscriptUnreadable", {
  path: Schema.String,
  /** The system's own code (`EACCES`), or `not_a_file`. */
  reason: Schema.String
}) {}

/**
 * One record of a line-based transcript, or the notice that a line could not be kept (S7.1). `offset` is the
 * byte at which the line begins in its file.
 *
 * - `dropped`: the line was longer than the reader keeps; `bytes` is its whole length, its end included.
 * - `malformed`: the line is no UTF-8, or no JSON.
 */
export type TranscriptRecord =
  | { readonly _tag: "record"; readonly offset: number; readonly value: unknown }
  | { readonly _tag: "dropped"; readonly offset: number; readonly bytes: number }
  | { readonly _tag: "malformed"; readonly offset: number }

/**
 * Reads one JSON-lines file as it grows. A file, or a directory, that does not exist yet is waited for. A
 * file that was replaced or shortened is read again from its first byte. Blank lines are no records.
 */
export class TranscriptSource extends Context.Service<
  TranscriptSource,
  {
    /**
     * Every record from byte `from` (default 0) on, in order, each once its line is complete. Pulled: a slow
     * reader holds the file back, not memory. The stream ends only with its scope.
     */
    readonly follow: (path: string, from?: number) => Stream.Stream<TranscriptRecord, TranscriptUnreadable>
    /**
     * Where a reader has to begin so that it sees only what is written from now on: the end of the last
     * complete line, 0 while there is no file. What a resumed session starts `follow` from.
     */
    readonly end: (path: string) => Effect.Effect<number, TranscriptUnreadable>
  }
>()("obstat/session/TranscriptSource") {}
