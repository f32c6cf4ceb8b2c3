import { constants } from "node:fs"
import { lstat, open, realpath } from "node:fs/promises"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * A file that is there and is not read. `reason` says what to mend, or is the system's code; `missing` where there
 * is no such file.
 */
export class GuardedFileRefused extends Schema.TaggedError<GuardedFileRefused>()("GuardedFileRefused", {
  path: Schema.String,
  reason: Schema.String
}) {}

/** Larger than any policy that people write; reading more would hold up every decision. Bytes. */
const MAX_BYTES = 1_000_000

/** Write permission for the group or for everybody. */
const SHARED = 0o022
const STICKY = 0o1000

const code = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown"

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  ELOOP: "it is a link"
}

interface Status {
  readonly uid: number
  readonly mode: number
}

const trusted = ({ uid }: Status): boolean => uid === 0 || uid === process.geteuid?.()

/** Others can put another file in its place; a sticky folder of root's keeps each to their own entries (X5). */
const exchangeable = (folder: Status): boolean =>
  !trusted(folder) || ((folder.mode & SHARED) !== 0 && !((folder.mode & STICKY) !== 0 && folder.uid === 0))

/** A folder above a file in which others can put something else in its place, `null` where there is none. */
const sharedFolder = async (path: string): Promise<string | null> => {
  for (let folder = await realpath(dirname(path)); ; folder = dirname(folder)) {
    if (exchangeable(await lstat(folder))) return folder
    if (dirname(folder) === folder) return null
  }
}

/**
 * The text of a file that decides what agents may do. Never waits for a pipe, never follows a link, never reads
 * more than a policy can be; checked on the open file, so that nothing changes in between (X5).
 *
 * `owned`: it speaks for its owner, so nobody but this user and root may be able to write it or put another in its
 * place. Without, only what it is is checked: a project's file tightens whoever wrote it, and is accepted by content.
 */
export const read = Effect.fnUntraced(function* (path: string, { owned }: { readonly owned: boolean }) {
  const refuse = (reason: string) => new GuardedFileRefused({ path, reason })
  const io = <A>(run: () => Promise<A>): Effect.Effect<A, GuardedFileRefused> =>
    Effect.tryPromise({ try: run, catch: (error) => refuse(REASONS[code(error)] ?? code(error)) })
  const file = yield* Effect.acquireRelease(
    io(() => open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)),
    (file) => Effect.ignore(io(() => file.close()))
  )
  const status = yield* io(() => file.stat())
  if (!status.isFile()) return yield* refuse("it is no regular file")
  if (status.size > MAX_BYTES) return yield* refuse(`it is larger than ${MAX_BYTES} bytes`)
  if (owned) {
    if (!trusted(status)) return yield* refuse("it belongs to another user")
    if ((status.mode & SHARED) !== 0) return yield* refuse(`others can write to it: chmod go-w ${path}`)
    const shared = yield* io(() => sharedFolder(path))
    if (shared !== null) return yield* refuse(`others can write to ${shared}: chmod go-w ${shared}`)
  }
  const bytes = yield* io(async () => {
    // What grows beyond its size while it is read is left: the rest is an error of syntax, never a rule.
    const buffer = Buffer.alloc(status.size)
    let length = 0
    for (let read = -1; read !== 0; length += read) {
      read = (await file.read(buffer, length, status.size - length, length)).bytesRead
    }
    return buffer.subarray(0, length)
  })
  return yield* Effect.try({
    // A byte order mark is kept: the reader of the policy names it.
    try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    catch: () => refuse("it is no UTF-8")
  })
}, Effect.scoped)
