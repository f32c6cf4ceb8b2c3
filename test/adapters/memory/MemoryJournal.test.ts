import * as Effect from "effect/Effect"
import * as MemoryJournal from "../../../src/adapters/memory/MemoryJournal.ts"
import { contract } from "../../contracts/Journal.ts"
import { digests } from "../../core/journal/Fixtures.ts"

contract(
  Effect.sync(() => {
    const journal = MemoryJournal.make(digests)
    return {
      layer: journal.layer,
      parts: Effect.sync(() => [{ file: "memory", text: journal.text() }]),
      kept: (digest) => Effect.sync(() => journal.kept.get(digest) ?? ""),
      breaks: Effect.sync(() => journal.refuse("ENOSPC")),
      mends: Effect.sync(() => journal.refuse(null))
    }
  })
)
