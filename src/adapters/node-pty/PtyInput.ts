import { writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { PtyProcess } from "../../core/session/Pty.ts"
import { PtyClosed } from "../../core/session/Pty.ts"

/** How often a child that does not read its input is tried again: often enough for a paste, rarely enough to cost nothing. */
const retryAfter = "5 millis"

/** One write at most, so that a long text does not hold up the host. */
const writeBytes = 64 * 1024

export interface PtyInput {
  readonly write: PtyProcess["write"]
  readonly whileOpen: (action: () => void) => Effect.Effect<void, PtyClosed>
}

/** Writes to a pseudo-terminal's controlling end, whose descriptor never blocks. */
export const make = (fd: number, isOpen: () => boolean): PtyInput => {
  const turn = Semaphore.makeUnsafe(1)

  /** The bytes that the system took; 0 where it has no room. */
  const attempt = (bytes: Uint8Array): number | PtyClosed => {
    if (!isOpen()) return new PtyClosed()
    try {
      return writeSync(fd, bytes, 0, Math.min(bytes.length, writeBytes))
    } catch (cause) {
      return cause instanceof Error && "code" in cause && cause.code === "EAGAIN" ? 0 : new PtyClosed()
    }
  }

  const writeAll = Effect.fnUntraced(function* (text: string) {
    let rest: Uint8Array = Buffer.from(text, "utf8")
    while (rest.length > 0) {
      const taken = attempt(rest)
      if (typeof taken !== "number") return yield* taken
      if (taken === 0) yield* Effect.sleep(retryAfter)
      rest = rest.subarray(taken)
    }
  })

  return {
    write: (text) => turn.withPermit(writeAll(text)),
    whileOpen: (action) =>
      Effect.suspend(() => {
        if (!isOpen()) return Effect.fail(new PtyClosed())
        try {
          return Effect.succeed(action())
        } catch {
          return Effect.fail(new PtyClosed())
        }
      })
  }
}
