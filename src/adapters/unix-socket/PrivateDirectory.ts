import { lstat, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Longer socket paths are cut without a word on some systems and Node versions (C9). */
const SOCKET_PATH_LIMIT = 100

/** Why a parent directory cannot hold a private one; `reason` as in `HookBridgeFailed`. */
export class DirectoryRefused extends Schema.TaggedError<DirectoryRefused>()("DirectoryRefused", {
  reason: Schema.String,
  path: Schema.String
}) {}

const system = (path: string) => (cause: unknown) =>
  new DirectoryRefused({
    reason: cause instanceof Error && "code" in cause ? String(cause.code) : "unknown",
    path
  })

/**
 * A directory of ours or the system's in which nobody else can replace what we put there (X5). Others may
 * write to it only where the system keeps each to their own entries: sticky and root's.
 */
const safe = (status: {
  readonly uid: number
  readonly mode: number
  readonly isDirectory: () => boolean
}) => {
  const ownedBy = status.uid === process.geteuid?.() || status.uid === 0
  const shared = (status.mode & 0o022) !== 0
  const sticky = (status.mode & 0o1000) !== 0
  return status.isDirectory() && ownedBy && (!shared || (sticky && status.uid === 0))
}

const create = Effect.fnUntraced(function* (parent: string, socket: string) {
  const found = yield* Effect.tryPromise({ try: () => realpath(parent), catch: system(parent) })
  const status = yield* Effect.tryPromise({ try: () => lstat(found), catch: system(found) })
  if (!safe(status)) return yield* new DirectoryRefused({ reason: "unsafe_directory", path: found })
  const prefix = join(found, "obstat-")
  const longest = join(`${prefix}XXXXXX`, socket)
  if (Buffer.byteLength(longest) > SOCKET_PATH_LIMIT) {
    return yield* new DirectoryRefused({ reason: "path_too_long", path: longest })
  }
  return yield* Effect.tryPromise({ try: () => mkdtemp(prefix), catch: system(found) })
})

/**
 * A fresh directory that only this user can enter (0700), short enough for a socket named `socket`. Made in
 * `parent`, or else where the system keeps run-time files, or else temporary ones. Removed with its content
 * when the scope closes.
 */
export const make = (socket: string, parent?: string) => {
  const runtime = Option.fromUndefinedOr(process.env["XDG_RUNTIME_DIR"]).pipe(
    Option.filter((path) => path.startsWith("/"))
  )
  const fallback = create(tmpdir(), socket)
  const made =
    parent !== undefined
      ? create(parent, socket)
      : Option.match(runtime, {
          onNone: () => fallback,
          onSome: (path) => Effect.catch(create(path, socket), () => fallback)
        })
  return Effect.acquireRelease(made, (path) =>
    // Nothing can be done about a directory that does not go; it holds no secret once the host is gone.
    Effect.ignore(Effect.tryPromise(() => rm(path, { recursive: true, force: true })))
  )
}
