import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Digests } from "./Digests.ts"
import type { JournalEntry } from "./JournalEntry.ts"

/**
 * A row could not be written. `reason`: the system's code such as `ENOSPC` or `EROFS`; `link`, `foreign`, `shared`
 * for a file or folder that is not as we leave it; `exists` for another writer's file, `replaced` for one that
 * somebody else has changed; `ended` for a journal that was closed.
 */
export class JournalUnavailable extends Schema.TaggedError<JournalUnavailable>()("JournalUnavailable", {
  path: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `the journal cannot be written at ${this.path}: ${this.reason}`
  }
}

/**
 * Where rows are kept, in one chain per host process (A4). Rows stand in the order of the calls; one that failed
 * leaves no trace, and the next one is tried anew.
 */
export class Journal extends Context.Service<
  Journal,
  {
    /** Redacts, bounds and appends. When it returns the row outlives this process, killed or not (A4.4). */
    readonly append: (entry: JournalEntry) => Effect.Effect<void, JournalUnavailable>
    /** Keeps a text under its SHA-256, which it gives back; a text that is there already is kept once. */
    readonly keep: (text: string) => Effect.Effect<string, JournalUnavailable>
    readonly fingerprint: Digests["fingerprint"]
  }
>()("obstat/journal/Journal") {}
