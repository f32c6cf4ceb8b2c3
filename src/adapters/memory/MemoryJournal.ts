import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Digests } from "../../core/journal/Digests.ts"
import { Journal, JournalUnavailable } from "../../core/journal/Journal.ts"
import type { JournalEntry } from "../../core/journal/JournalEntry.ts"
import * as JournalRow from "../../core/journal/JournalRow.ts"

/** A journal without a file. */
export interface MemoryJournal {
  readonly layer: Layer.Layer<Journal>
  /** All rows so far, as a file would hold them. */
  readonly text: () => string
  /** What was kept, by its digest. */
  readonly kept: ReadonlyMap<string, string>
  /** From now on rows are refused for this reason; `null`: taken again. */
  readonly refuse: (reason: string | null) => void
}

export const make = (digests: Digests): MemoryJournal => {
  const kept = new Map<string, string>()
  let position = JournalRow.start
  let text = ""
  let refused: string | null = null

  const put = Effect.fnUntraced(function* (entry: JournalEntry) {
    if (refused !== null) return yield* new JournalUnavailable({ path: "memory", reason: refused })
    const at = yield* Clock.currentTimeMillis
    const row = JournalRow.write(digests.sha256, position, at, entry)
    text += row.line
    position = row.position
  })

  const append = Effect.fnUntraced(function* (entry: JournalEntry) {
    if (text === "") yield* put({ _tag: "opened", host: "memory", part: 1, version: "memory" })
    yield* put(entry)
  })

  const layer = Layer.effect(
    Journal,
    Effect.gen(function* () {
      yield* Effect.addFinalizer(() => (text === "" ? Effect.void : Effect.ignore(put({ _tag: "closed" }))))
      return Journal.of({
        append: Effect.fn("Journal.append")(append),
        keep: Effect.fn("Journal.keep")(function* (text) {
          if (refused !== null) return yield* new JournalUnavailable({ path: "memory", reason: refused })
          const digest = digests.sha256(text)
          kept.set(digest, text)
          return digest
        }),
        fingerprint: digests.fingerprint
      })
    })
  )
  return {
    layer,
    text: () => text,
    kept,
    refuse: (reason) => {
      refused = reason
    }
  }
}
