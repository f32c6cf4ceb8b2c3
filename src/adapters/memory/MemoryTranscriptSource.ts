import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as JsonLines from "../../core/session/JsonLines.ts"
import * as TranscriptLine from "../../core/session/TranscriptLine.ts"
import { TranscriptSource } from "../../core/session/TranscriptSource.ts"

/** Transcripts without files, and the agent's half of them. */
export interface MemoryTranscriptSource {
  readonly layer: Layer.Layer<TranscriptSource>
  /** Adds to the file of this name, which begins to exist with it. */
  readonly append: (path: string, bytes: string | Uint8Array) => void
  /** Puts another file, with this content, in the place of the one of this name. */
  readonly replace: (path: string, bytes: string | Uint8Array) => void
}

interface File {
  readonly id: number
  readonly bytes: Uint8Array
}

const LINE_FEED = 0x0a
const nothing = new Uint8Array()

const encode = (bytes: string | Uint8Array): Uint8Array =>
  typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes

const concat = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  const both = new Uint8Array(left.length + right.length)
  both.set(left)
  both.set(right, left.length)
  return both
}

export const make = (): MemoryTranscriptSource => {
  const files = new Map<string, File>()
  const waiting = new Set<Latch.Latch>()
  let made = 0

  const put = (path: string, file: File): void => {
    files.set(path, file)
    for (const latch of waiting) latch.openUnsafe()
  }
  const append = (path: string, bytes: string | Uint8Array): void => {
    const file = files.get(path) ?? { id: ++made, bytes: nothing }
    put(path, { id: file.id, bytes: concat(file.bytes, encode(bytes)) })
  }
  const replace = (path: string, bytes: string | Uint8Array): void =>
    put(path, { id: ++made, bytes: encode(bytes) })

  const follow = Effect.fnUntraced(function* (path: string, from: number) {
    const latch = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const latch = Latch.makeUnsafe()
        waiting.add(latch)
        return latch
      }),
      (latch) => Effect.sync(() => waiting.delete(latch))
    )
    let id: number | undefined
    let position = from
    let split = JsonLines.splitter(TranscriptLine.LINE_LIMIT, from)
    const pull = Effect.gen(function* () {
      for (;;) {
        latch.closeUnsafe()
        const file = files.get(path)
        if (file !== undefined && ((id !== undefined && id !== file.id) || file.bytes.length < position)) {
          position = 0
          split = JsonLines.splitter(TranscriptLine.LINE_LIMIT)
        }
        id = file?.id ?? id
        const bytes = file?.bytes.subarray(position) ?? nothing
        position += bytes.length
        const records = yield* TranscriptLine.decode(split(bytes))
        if (Arr.isReadonlyArrayNonEmpty(records)) return records
        yield* latch.await
      }
    })
    return Stream.fromPull(Effect.succeed(pull))
  })

  const layer = Layer.succeed(TranscriptSource, {
    follow: (path, from = 0) => Stream.unwrap(follow(path, from)),
    end: (path) => Effect.sync(() => (files.get(path)?.bytes.lastIndexOf(LINE_FEED) ?? -1) + 1)
  })

  return { layer, append, replace }
}
