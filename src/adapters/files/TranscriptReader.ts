import { constants } from "node:fs"
import { open, stat, type FileHandle } from "node:fs/promises"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as JsonLines from "../../core/session/JsonLines.ts"
import * as TranscriptLine from "../../core/session/TranscriptLine.ts"
import { TranscriptSource, TranscriptUnreadable } from "../../core/session/TranscriptSource.ts"
import * as FileHint from "./FileHint.ts"

/** Bytes read at once: small enough to be parsed in a few milliseconds. */
const CHUNK = 64 * 1024
const LINE_FEED = 0x0a

/** Not blocking: opening a named pipe must not wait for its writer. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK

const code = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown"

const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"])

const io = <A>(path: string, run: () => Promise<A>): Effect.Effect<A, TranscriptUnreadable> =>
  Effect.tryPromise({ try: run, catch: (error) => new TranscriptUnreadable({ path, reason: code(error) }) })

/** The same, but `none` for a file that is not there. */
const ioOption = <A>(path: string, run: () => Promise<A>) =>
  io(path, run).pipe(
    Effect.asSome,
    Effect.catchTag("TranscriptUnreadable", (error) =>
      ABSENT.has(error.reason) ? Effect.succeedNone : Effect.fail(error)
    )
  )

interface Opened {
  readonly handle: FileHandle
  readonly device: number
  readonly inode: number
  readonly size: number
}

const openFile = (path: string) =>
  ioOption(path, async (): Promise<Opened | null> => {
    const handle = await open(path, FLAGS)
    try {
      const status = await handle.stat()
      if (status.isFile()) return { handle, device: status.dev, inode: status.ino, size: status.size }
    } catch (error) {
      await handle.close()
      throw error
    }
    await handle.close()
    return null
  }).pipe(
    Effect.flatMap((opened) =>
      Option.isSome(opened) && opened.value === null
        ? Effect.fail(new TranscriptUnreadable({ path, reason: "not_a_file" }))
        : Effect.succeed(Option.flatMapNullishOr(opened, (file) => file))
    ),
    // Between the file being open and being ours there is no way out.
    Effect.uninterruptible
  )

const close = (file: Opened): Effect.Effect<void> =>
  // Nothing was written; there is nothing to lose.
  Effect.ignore(Effect.tryPromise(() => file.handle.close()))

/** The records of one file, a chunk at a time, waiting where there are none. */
const follower = Effect.fnUntraced(function* (path: string, from: number) {
  const hint = yield* FileHint.make
  let file: Opened | undefined
  let position = from
  let split = JsonLines.splitter(TranscriptLine.LINE_LIMIT, from)
  let buffer: Buffer | undefined
  let told = true
  yield* Effect.addFinalizer(() => (file === undefined ? Effect.void : close(file)))

  const restart = (): void => {
    position = 0
    split = JsonLines.splitter(TranscriptLine.LINE_LIMIT)
  }

  /** `told`: something changed above a file that was not there, so that another directory is the nearest. */
  const reopen = Effect.fnUntraced(function* (told: boolean) {
    let opened = yield* openFile(path)
    if (Option.isNone(opened) && told) {
      hint.arm(path)
      // It may have come before it was watched for.
      opened = yield* openFile(path)
    }
    if (Option.isNone(opened)) return false
    hint.arm(path)
    file = opened.value
    if (file.size < position) restart()
    return true
  }, Effect.uninterruptible)

  /** Whether what is open is still the file of this name; `false` where there is something new to read. */
  const unchanged = Effect.fnUntraced(function* (opened: Opened) {
    const status = yield* ioOption(path, () => stat(path))
    // A file that was taken away may come back as another: what is open says nothing new any more.
    if (Option.isNone(status)) return true
    const { dev, ino, size } = status.value
    if (dev !== opened.device || ino !== opened.inode) {
      file = undefined
      restart()
      yield* close(opened)
      return false
    }
    if (size < position) restart()
    return size === position
  })

  const pull = Effect.gen(function* () {
    for (;;) {
      if (file === undefined && !(yield* reopen(told))) {
        told = yield* hint.wait
        continue
      }
      const opened: Opened | undefined = file
      if (opened === undefined) continue
      const chunk = (buffer ??= Buffer.allocUnsafeSlow(CHUNK))
      const { bytesRead } = yield* io(path, () => opened.handle.read(chunk, 0, CHUNK, position))
      if (bytesRead === 0) {
        buffer = undefined
        while (yield* unchanged(opened)) yield* hint.wait
        told = true
        continue
      }
      hint.found()
      position += bytesRead
      const records = yield* TranscriptLine.decode(split(chunk.subarray(0, bytesRead)))
      if (Arr.isReadonlyArrayNonEmpty(records)) return records
    }
  })
  return Stream.fromPull(Effect.succeed(pull))
})

/** The byte after the last line feed, looked for from the end. */
const lastLineEnd = Effect.fnUntraced(function* (path: string, { handle, size }: Opened) {
  const chunk = Buffer.allocUnsafeSlow(CHUNK)
  for (let to = size; to > 0;) {
    const from = Math.max(0, to - CHUNK)
    const { bytesRead } = yield* io(path, () => handle.read(chunk, 0, to - from, from))
    const at = chunk.subarray(0, bytesRead).lastIndexOf(LINE_FEED)
    if (at >= 0) return from + at + 1
    to = from
  }
  return 0
})

/** Transcripts from the file system, by its own notices of change and a slow look besides (S7.1). */
export const layer: Layer.Layer<TranscriptSource> = Layer.succeed(TranscriptSource, {
  follow: (path, from = 0) => Stream.unwrap(follower(path, from)),
  end: Effect.fn("TranscriptSource.end")(function* (path) {
    const opened = yield* openFile(path)
    return Option.isNone(opened)
      ? 0
      : yield* lastLineEnd(path, opened.value).pipe(Effect.ensuring(close(opened.value)))
  })
})
