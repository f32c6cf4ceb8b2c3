import { readlinkSync } from "node:fs"
import { getPriority, setPriority } from "node:os"
import { basename } from "node:path"
import { parentPort } from "node:worker_threads"
import * as Emulator from "./Emulator.ts"
import type { RenderRequest, RenderResponse } from "./RenderProtocol.ts"

/** The thread that renders: a number of emulators, each batch answered before the next is looked at. */

/**
 * Below the host's own loop, which answers hooks and people while this thread renders (V3), and not so far that
 * an agent's build could hold up the screens. Only Linux knows a priority of single threads.
 */
const niceness = 5
const nicest = 19
if (process.platform === "linux") {
  try {
    const thread = Number(basename(readlinkSync("/proc/thread-self")))
    setPriority(thread, Math.min(nicest, getPriority(thread) + niceness))
  } catch {
    // Without /proc the threads share one priority, and nothing else changes.
  }
}

const emulators = new Map<number, Emulator.Emulator>()
const host = parentPort!

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
const answer = (response: RenderResponse) => host.postMessage(response)

const frame = (screen: number, emulator: Emulator.Emulator) =>
  answer({ _tag: "frame", screen, change: emulator.change(), replies: emulator.replies() })

host.on("message", (request: RenderRequest) => {
  if (request._tag === "open") {
    emulators.set(request.screen, Emulator.make(request.cols, request.rows))
    return
  }
  const emulator = emulators.get(request.screen)
  if (emulator === undefined) return
  switch (request._tag) {
    case "write":
      emulator.write(request.bytes)
      return frame(request.screen, emulator)
    case "resize":
      emulator.resize(request.cols, request.rows)
      return frame(request.screen, emulator)
    case "serialize":
      return answer({ _tag: "serialized", screen: request.screen, bytes: emulator.serialize() })
    case "close":
      emulators.delete(request.screen)
      return emulator.dispose()
  }
})
