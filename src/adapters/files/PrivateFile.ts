import { constants } from "node:fs"
import { lstat, mkdir, open, realpath, rm } from "node:fs/promises"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as WholeFile from "./WholeFile.ts"

/**
 * A file or folder of ours is not as we leave it. `reason`: `link`, `foreign`, `shared`, or the system's code,
 * such as `ENOENT` and `EROFS`.
 */
export class PrivateFileRefused extends Schema.TaggedError<PrivateFileRefused>()("PrivateFileRefused", {
  path: Schema.String,
  reason: Schema.String
}) {}

const FILE_MODE = 0o600
const DIRECTORY_MODE = 0o700

const code = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown"

const io = <A>(path: string, run: () => Promise<A>): Effect.Effect<A, PrivateFileRefused> =>
  Effect.tryPromise({ try: run, catch: (error) => new PrivateFileRefused({ path, reason: code(error) }) })

interface Status {
  readonly uid: number
  readonly mode: number
}

const mine = ({ uid }: Status): boolean => uid === process.geteuid?.()

/** Others can put something else in its place; a sticky folder of root's keeps each to their own entries (X5). */
const replaceable = ({ mode, uid }: Status): boolean =>
  (!mine({ mode, uid }) && uid !== 0) || ((mode & 0o022) !== 0 && !((mode & 0o1000) !== 0 && uid === 0))

const OTHERS = 0o077

/**
 * Makes sure that a folder is there, is ours alone (0700), and that nobody else can exchange it or one above it
 * (X5). `create: false`: only that it is safe, `ENOENT` where it is missing.
 */
const directory = Effect.fnUntraced(function* (path: string, create: boolean) {
  if (create) yield* io(path, () => mkdir(path, { recursive: true, mode: DIRECTORY_MODE }))
  const status = yield* io(path, () => lstat(path))
  if (status.isSymbolicLink() || !status.isDirectory()) {
    return yield* new PrivateFileRefused({ path, reason: "link" })
  }
  if (!mine(status)) return yield* new PrivateFileRefused({ path, reason: "foreign" })
  if ((status.mode & OTHERS) !== 0) return yield* new PrivateFileRefused({ path, reason: "shared" })
  // Links above are common; what counts is where they lead.
  const real = yield* io(path, () => realpath(path))
  for (let above = dirname(real); ; above = dirname(above)) {
    if (replaceable(yield* io(above, () => lstat(above)))) {
      return yield* new PrivateFileRefused({ path: above, reason: "shared" })
    }
    if (dirname(above) === above) return
  }
})

/** Larger files are none of ours. */
const MAX_BYTES = 1_000_000

/** The text of a private file, checked on the open file itself, so that nothing changes in between (X5). */
export const read = Effect.fnUntraced(function* (path: string) {
  yield* directory(dirname(path), false)
  return yield* Effect.acquireUseRelease(
    io(path, () => open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)).pipe(
      Effect.mapError((error) =>
        error.reason === "ELOOP" ? new PrivateFileRefused({ path, reason: "link" }) : error
      )
    ),
    Effect.fnUntraced(function* (file) {
      const status = yield* io(path, () => file.stat())
      if (!status.isFile() || status.nlink !== 1)
        return yield* new PrivateFileRefused({ path, reason: "link" })
      if (!mine(status)) return yield* new PrivateFileRefused({ path, reason: "foreign" })
      if ((status.mode & OTHERS) !== 0) return yield* new PrivateFileRefused({ path, reason: "shared" })
      if (status.size > MAX_BYTES) return yield* new PrivateFileRefused({ path, reason: "EFBIG" })
      return yield* io(path, () => file.readFile("utf8"))
    }),
    (file) => Effect.ignore(io(path, () => file.close()))
  )
})

const refused = ({ path, reason }: WholeFile.WholeFileFailed): PrivateFileRefused =>
  new PrivateFileRefused({ path, reason })

/** Puts a whole private file in place (0600, its folder 0700), as `WholeFile.write` does (X5). */
export const write = Effect.fnUntraced(function* (path: string, text: string) {
  yield* directory(dirname(path), true)
  yield* Effect.mapError(WholeFile.write(path, text, FILE_MODE), refused)
})

/** Takes a private file away; its folder knows it when this returns. */
export const remove = Effect.fnUntraced(function* (path: string) {
  yield* directory(dirname(path), false)
  yield* io(path, () => rm(path))
  yield* Effect.mapError(WholeFile.syncFolder(dirname(path)), refused)
})
