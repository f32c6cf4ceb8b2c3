import { ReadStream } from "node:tty"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { PtyProcess } from "../../core/session/Pty.ts"

/** More than one read of a pseudo-terminal ever returns. */
const readBytes = 64 * 1024

/**
 * After the child's exit its last output is read until the system says that the terminal's other end is
 * closed. A program that left the group may keep that end open; then reading ends after this many rounds
 * without a byte, or this many in all. A round is a timer *and* a turn of the event loop that reads what is
 * there, so a host that stood still loses nothing.
 */
const roundMillis = 25
const quietRounds = 4
const allRounds = 40

export interface PtyOutput extends Pick<PtyProcess, "onData" | "drained"> {
  readonly flow: NonNullable<PtyProcess["flow"]>
  readonly isOpen: () => boolean
  /** From now on nothing is held back, and the end is looked for. */
  readonly childEnded: () => void
  /** Stops reading and gives the descriptor back. */
  readonly close: Effect.Effect<void>
}

/** Reads a pseudo-terminal's controlling end as bytes, and owns its descriptor. */
export const make = (fd: number): PtyOutput => {
  const drained = Deferred.makeUnsafe<void>()
  let listener: ((bytes: Uint8Array) => void) | null = null
  let open = true
  let ended = false
  let held = false
  let total = 0
  let round: NodeJS.Timeout | undefined

  const socket = new ReadStream(fd, {
    onread: {
      buffer: new Uint8Array(readBytes),
      callback: (length, buffer) => {
        total += length
        listener?.(buffer.slice(0, length))
        return !held
      }
    }
  })
  // Linux reports the closed other end as an error (EIO); there is nothing else to be done about any error.
  socket.on("error", () => {})
  socket.on("close", () => {
    open = false
    clearTimeout(round)
    Deferred.doneUnsafe(drained, Exit.void)
  })

  const watchForEnd = (quiet: number, rounds: number, seen: number) => {
    round = setTimeout(() => {
      setImmediate(() => {
        if (!open) return
        const stillQuiet = total === seen ? quiet + 1 : 0
        if (stillQuiet >= quietRounds || rounds >= allRounds) socket.destroy()
        else watchForEnd(stillQuiet, rounds + 1, total)
      })
    }, roundMillis)
  }

  const begin = () => {
    if (!held && listener !== null && open) socket.resume()
  }

  return {
    isOpen: () => open,
    onData: (next) => {
      listener = next
      begin()
      if (ended) watchForEnd(0, 0, total)
    },
    drained: Deferred.await(drained),
    flow: {
      pause: () => {
        if (ended || held) return
        held = true
        socket.pause()
      },
      resume: () => {
        held = false
        begin()
      }
    },
    childEnded: () => {
      ended = true
      held = false
      begin()
      if (listener !== null) watchForEnd(0, 0, total)
    },
    close: Effect.suspend(() => {
      socket.destroy()
      return Deferred.await(drained)
    })
  }
}
