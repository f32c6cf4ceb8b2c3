import { constants } from "node:fs"
import { open, unlink, type FileHandle } from "node:fs/promises"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { Journal, JournalUnavailable } from "../../core/journal/Journal.ts"
import type { JournalEntry } from "../../core/journal/JournalEntry.ts"
import * as JournalRow from "../../core/journal/JournalRow.ts"
import * as JournalDigests from "./JournalDigests.ts"
import * as JournalFolder from "./JournalFolder.ts"

export interface Options {
  /** Absolute; e.g. `~/.local/state/obstat/journal`. Made if it is not there. */
  readonly folder: string
  /** An id that no host process has had: names the files. */
  readonly host: string
  /** Of Obstat, so that a replay by another one can say so. */
  readonly version: string
  /**
   * When rows reach the disk itself. `row`: before each append returns, so that even a power cut loses none. `end`
   * (the default): when a file is full or the host ends. A killed process loses nothing either way.
   */
  readonly sync?: "row" | "end"
  /** A file that would grow beyond this is followed by the next one. Default 8 MiB. */
  readonly maxBytes?: number
}

const MAX_BYTES = 8 * 1024 * 1024
const FILE_MODE = 0o600

/** Exclusive: whose file it is, writes alone; another writer of the same id is refused. */
const FLAGS =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

const code = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown"

/** So that a new file is found again after a power cut. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, constants.O_RDONLY)
  await folder.sync().finally(() => folder.close())
}

/** How long the end of a journal waits for rows that are being written. */
const END_PATIENCE = "2 seconds"

interface Writing {
  readonly handle: FileHandle
  readonly path: string
  readonly part: number
  /** Bytes of whole rows: what lies beyond them was never finished. */
  size: number
}

/** A journal in files of this user's alone: one per host process, appended by one write per row. */
export const layer = (options: Options): Layer.Layer<Journal> => Layer.effect(Journal, make(options))

const make = Effect.fnUntraced(function* (options: Options) {
  const { folder, host } = options
  const lane = yield* Semaphore.make(1)
  const maxBytes = options.maxBytes ?? MAX_BYTES
  const sync = options.sync === "row"
  // Without a folder there are no rows either; their fingerprints must not be guessable all the same.
  const key = yield* Effect.orElseSucceed(JournalFolder.key(folder), JournalFolder.freshKey)
  const digests = JournalDigests.make(key)
  let position = JournalRow.start
  let writing: Writing | null = null
  let ended = false

  const io = <A>(path: string, run: () => Promise<A>): Effect.Effect<A, JournalUnavailable> =>
    Effect.tryPromise({ try: run, catch: (error) => new JournalUnavailable({ path, reason: code(error) }) })

  /** Puts one row at the end, whole or not at all. */
  const put = Effect.fnUntraced(function* (file: Writing, entry: JournalEntry) {
    const at = yield* Clock.currentTimeMillis
    const row = JournalRow.write(digests.sha256, position, at, entry)
    const bytes = Buffer.from(row.line)
    yield* io(file.path, async () => {
      const { bytesWritten } = await file.handle.write(bytes)
      // A disk that is full takes a part.
      if (bytesWritten !== bytes.length) throw Object.assign(new Error(), { code: "ENOSPC" })
      if (sync) await file.handle.datasync()
    }).pipe(Effect.tapError(() => Effect.ignore(io(file.path, () => file.handle.truncate(file.size)))))
    file.size += bytes.length
    position = row.position
  })

  const finish = (file: Writing): Effect.Effect<void> =>
    Effect.ignore(io(file.path, () => file.handle.sync().finally(() => file.handle.close())))

  const begin = Effect.fnUntraced(function* (part: number) {
    // Reading the key makes sure, for each file again, that the folder is there and ours alone.
    yield* JournalFolder.key(folder)
    const path = JournalFolder.fileOf(folder, host, part)
    const handle = yield* io(path, () => open(path, FLAGS, FILE_MODE)).pipe(
      Effect.mapError((error) =>
        error.reason === "EEXIST" ? new JournalUnavailable({ path, reason: "exists" }) : error
      )
    )
    const file: Writing = { handle, path, part, size: 0 }
    return yield* put(file, { _tag: "opened", host, part, version: options.version }).pipe(
      Effect.andThen(sync ? io(folder, () => syncFolder(folder)) : Effect.void),
      Effect.as(file),
      // What was begun would stand in the way of the next attempt.
      Effect.tapError(() => Effect.andThen(Effect.ignore(io(path, () => unlink(path))), finish(file)))
    )
  })

  /** Whether the file ends where we left it: behind what somebody else wrote, or in a file that nobody finds, a row is none. */
  const isOurs = ({ handle, path, size }: Writing) =>
    Effect.map(
      io(path, () => handle.stat()),
      (status) => status.size === size && status.nlink === 1
    )

  const append = Effect.fnUntraced(function* (entry: JournalEntry) {
    if (writing === null || writing.size >= maxBytes || !(yield* isOurs(writing))) {
      const next: Writing = yield* begin((writing?.part ?? 0) + 1)
      if (writing !== null) yield* finish(writing)
      writing = next
    }
    yield* put(writing, entry)
  })

  const end = Effect.gen(function* () {
    ended = true
    if (writing === null) return
    yield* Effect.ignore(append({ _tag: "closed" }))
    yield* finish(writing)
  })
  // Behind every row that waits for its turn, so that no file is closed while one is being written; but a disk that
  // hangs must not keep the host from ending.
  yield* Effect.addFinalizer(() =>
    lane
      .withPermit(Effect.uninterruptible(end))
      .pipe(Effect.interruptible, Effect.timeoutOption(END_PATIENCE))
  )

  /** After the end there is no row any more; whoever needs one is told so. */
  const appendInTurn = (entry: JournalEntry) =>
    lane.withPermit(
      Effect.suspend(() =>
        ended
          ? Effect.fail(new JournalUnavailable({ path: folder, reason: "ended" }))
          : Effect.uninterruptible(append(entry))
      )
    )

  return Journal.of({
    // Not to be broken off in the middle: what was begun is in the file, or is taken back.
    append: Effect.fn("Journal.append")(appendInTurn),
    keep: Effect.fn("Journal.keep")((text) => JournalFolder.keep(folder, text)),
    fingerprint: digests.fingerprint
  })
})
