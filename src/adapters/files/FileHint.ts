import { watch, type FSWatcher } from "node:fs"
import { dirname } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"

/** Where the system tells of changes: how long until we look all the same. Keeps an idle reader idle. */
const SAFETY_POLL = Duration.seconds(10)
/** Where it does not. */
const BLIND_POLL = Duration.millis(500)

/** Tells when it is worth looking at a file again. It may tell too often; it never tells what changed. */
export interface FileHint {
  /** Watches this path from now on, or while it does not exist the nearest directory above it. */
  readonly arm: (path: string) => void
  /**
   * Returns after a change since `arm` or the last `wait`, at once if there was one, or after a while; and
   * whether there was a change.
   */
  readonly wait: Effect.Effect<boolean>
  /** The caller found something new: if nobody told of it, the next waits are short. */
  readonly found: () => void
}

/** Watchers are closed with the scope. */
export const make = Effect.gen(function* () {
  const latch = yield* Latch.make()
  let watcher: FSWatcher | undefined
  let armed: string | undefined
  let byLooking = false
  /** A change was found by looking: the system's word is not waited for until it comes again. */
  let missed = false

  const disarm = (): void => {
    watcher?.close()
    watcher = undefined
  }
  yield* Effect.addFinalizer(() => Effect.sync(disarm))

  const nearest = (path: string): FSWatcher | undefined => {
    try {
      return watch(path, { persistent: false })
    } catch (error) {
      const above = dirname(path)
      const absent =
        error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code))
      return absent && above !== path ? nearest(above) : undefined
    }
  }

  const arm = (path: string): void => {
    disarm()
    armed = path
    watcher = nearest(path)
    watcher?.on("change", (kind) => {
      // What was watched may be another file by now.
      if (kind === "rename" && armed !== undefined) arm(armed)
      latch.openUnsafe()
    })
    watcher?.on("error", () => {
      disarm()
      latch.openUnsafe()
    })
  }

  const wait = Effect.gen(function* () {
    const blind = watcher === undefined || missed
    const told = yield* Effect.timeoutOption(latch.await, blind ? BLIND_POLL : SAFETY_POLL)
    byLooking = Option.isNone(told)
    if (!byLooking) missed = false
    latch.closeUnsafe()
    return !byLooking
  })

  const found = (): void => {
    if (byLooking) missed = true
  }

  return { arm, wait, found } satisfies FileHint
})
