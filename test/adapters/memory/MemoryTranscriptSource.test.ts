import { describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as MemoryTranscriptSource from "../../../src/adapters/memory/MemoryTranscriptSource.ts"
import * as TranscriptSource from "../../contracts/TranscriptSource.ts"

describe("MemoryTranscriptSource", () => {
  const { layer, append, replace } = MemoryTranscriptSource.make()
  let made = 0
  TranscriptSource.contract({
    layer,
    driver: Effect.sync(() => {
      const path = `/transcripts/${++made}.jsonl`
      return { path, append: (bytes) => append(path, bytes), replace: (bytes) => replace(path, bytes) }
    })
  })
})
