import { lstat, mkdtemp, readdir, realpath, rm } from "node:fs/promises"
import { connect } from "node:net"
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

export interface Options {
  /** What the directory is for: part of its name. */
  readonly purpose: string
  /** The name of the socket that will stand in it. */
  readonly socket: string
  /** Default: where the system keeps run-time files, or else temporary ones. */
  readonly parent?: string
}

const code = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown"

const io = <A>(path: string, run: () => Promise<A>): Effect.Effect<A, DirectoryRefused> =>
  Effect.tryPromise({ try: run, catch: (error) => new DirectoryRefused({ reason: code(error), path }) })

/**
 * A directory of ours or the system's in which nobody else can replace what we put there (X5). Others may
 * write to it only where the system keeps each to their own entries: sticky and root's.
 */
const isSafe = (status: {
  readonly uid: number
  readonly mode: number
  readonly isDirectory: () => boolean
}): boolean => {
  const ownedBy = status.uid === process.geteuid?.() || status.uid === 0
  const shared = (status.mode & 0o022) !== 0
  const sticky = (status.mode & 0o1000) !== 0
  return status.isDirectory() && ownedBy && (!shared || (sticky && status.uid === 0))
}

const prefix = (purpose: string): string => `obstat-${purpose}-`

const create = Effect.fnUntraced(function* (parent: string, { purpose, socket }: Options) {
  const found = yield* io(parent, () => realpath(parent))
  const status = yield* io(found, () => lstat(found))
  if (!isSafe(status)) return yield* new DirectoryRefused({ reason: "unsafe_directory", path: found })
  // The process in the name lets a later one clean up after one that was killed.
  const begin = join(found, `${prefix(purpose)}${process.pid}-`)
  const longest = join(`${begin}XXXXXX`, socket)
  if (Buffer.byteLength(longest) > SOCKET_PATH_LIMIT) {
    return yield* new DirectoryRefused({ reason: "path_too_long", path: longest })
  }
  yield* sweep(found, purpose, socket)
  return yield* io(found, () => mkdtemp(begin))
})

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return code(error) !== "ESRCH"
  }
}

/** Whether nobody listens on this socket: it was left behind. */
const isDeaf = (path: string): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(path)
    const settle = (deaf: boolean): void => {
      socket.destroy()
      resume(Effect.succeed(deaf))
    }
    socket.once("connect", () => settle(false))
    socket.once("error", (error) => settle(code(error) === "ECONNREFUSED"))
  })

/**
 * Removes what killed processes left here. Only where both the process is gone and nobody listens: a process
 * that we cannot see may live in another container that shares the directory.
 */
const sweep = Effect.fnUntraced(
  function* (parent: string, purpose: string, socket: string) {
    const names = yield* io(parent, () => readdir(parent))
    for (const name of names) {
      const pid = name.startsWith(prefix(purpose))
        ? Number.parseInt(name.slice(prefix(purpose).length), 10)
        : 0
      const path = join(parent, name)
      if (pid > 0 && !isAlive(pid) && (yield* isDeaf(join(path, socket)))) yield* remove(path)
    }
  },
  (swept) => Effect.ignore(swept)
)

const remove = (path: string): Effect.Effect<void> =>
  // Nothing can be done about a directory that does not go; it holds no secret once its process is gone.
  Effect.ignore(Effect.tryPromise(() => rm(path, { recursive: true, force: true })))

/**
 * A fresh directory that only this user can enter (0700), short enough for its socket. Removed with its
 * content when the scope closes; what killed processes left beside it is removed as well.
 */
export const make = (options: Options) => {
  const runtime = Option.fromUndefinedOr(process.env["XDG_RUNTIME_DIR"]).pipe(
    Option.filter((path) => path.startsWith("/"))
  )
  const temporary = create(tmpdir(), options)
  const made =
    options.parent !== undefined
      ? create(options.parent, options)
      : Option.match(runtime, {
          onNone: () => temporary,
          onSome: (path) => Effect.catch(create(path, options), () => temporary)
        })
  return Effect.acquireRelease(made, remove)
}
