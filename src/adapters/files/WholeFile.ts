import { randomUUID } from "node:crypto"
import { constants } from "node:fs"
import { open, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A file could not be put in place; the old one is still there. `reason`: the system's code, such as `EROFS`. */
export class WholeFileFailed extends Schema.TaggedError<WholeFileFailed>()("WholeFileFailed", {
  path: Schema.String,
  reason: Schema.String
}) {}

const io = <A>(path: string, run: () => Promise<A>): Effect.Effect<A, WholeFileFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (error) =>
      new WholeFileFailed({
        path,
        reason: error instanceof Error && "code" in error ? String(error.code) : "unknown"
      })
  })

/** Makes a folder's entries outlast a crash of the system. */
export const syncFolder = (path: string): Effect.Effect<void, WholeFileFailed> =>
  Effect.acquireUseRelease(
    io(path, () => open(path, constants.O_RDONLY)),
    (file) => io(path, () => file.sync()),
    (file) => Effect.ignore(io(path, () => file.close()))
  )

const FRESH = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/**
 * Puts a whole file in place of what is there: a reader sees the old content or the new one, and the new one has
 * reached the disk when this returns (X5). A link is replaced, not followed.
 */
export const write = Effect.fnUntraced(function* (path: string, text: string, mode: number) {
  const folder = dirname(path)
  const fresh = join(folder, `.${randomUUID()}`)
  yield* Effect.acquireUseRelease(
    io(fresh, () => open(fresh, FRESH, mode)),
    (file) =>
      io(path, async () => {
        // The mode at creation is less what the process masks.
        await file.chmod(mode)
        await file.writeFile(text)
        await file.sync()
      }),
    (file) => Effect.ignore(io(fresh, () => file.close()))
  ).pipe(
    Effect.andThen(io(path, () => rename(fresh, path))),
    Effect.onError(() => Effect.ignore(io(fresh, () => rm(fresh, { force: true }))))
  )
  yield* syncFolder(folder)
})
