import { Worker } from "node:worker_threads"
import type { RenderRequest, RenderResponse } from "./RenderProtocol.ts"

/** One screen's side of a worker. */
export interface RenderClient {
  readonly onResponse: (response: RenderResponse) => void
  readonly onLost: (reason: string) => void
}

export interface RenderHandle {
  /** Sends a request that is answered once; `transfer` moves the bytes instead of copying them. */
  readonly ask: (request: RenderRequest, transfer?: ReadonlyArray<ArrayBuffer>) => void
  /** Ends the screen; open requests get no answer. */
  readonly close: () => void
}

export interface RenderPool {
  readonly open: (screen: number, cols: number, rows: number, client: RenderClient) => RenderHandle
  readonly end: () => Promise<void>
}

interface Slot {
  readonly worker: Worker
  readonly clients: Map<number, { readonly client: RenderClient; unanswered: number }>
  unanswered: number
}

/**
 * Render threads, started as screens need them, at most `size`. They keep the process alive only while an
 * answer is due. One that crashes takes its own screens with it and is replaced for the next one.
 */
export const make = (size: number, entry: URL): RenderPool => {
  const slots = new Set<Slot>()

  const due = (slot: Slot, change: number) => {
    const before = slot.unanswered
    slot.unanswered += change
    if (before === 0 && slot.unanswered > 0) slot.worker.ref()
    if (before > 0 && slot.unanswered === 0) slot.worker.unref()
  }

  const start = (): Slot => {
    const worker = new Worker(entry, { name: "obstat-render", execArgv: [] })
    const slot: Slot = { worker, clients: new Map(), unanswered: 0 }
    let reason = "the render thread ended"
    worker.on("message", (response: RenderResponse) => {
      const entry = slot.clients.get(response.screen)
      if (entry === undefined) return
      entry.unanswered -= 1
      due(slot, -1)
      entry.client.onResponse(response)
    })
    worker.on("error", (error) => {
      reason = error instanceof Error ? error.name : "unknown"
    })
    worker.on("exit", () => {
      slots.delete(slot)
      for (const { client } of slot.clients.values()) client.onLost(reason)
      slot.clients.clear()
    })
    // After its listeners, which would keep the process alive again.
    worker.unref()
    slots.add(slot)
    return slot
  }

  const choose = (): Slot => {
    const least = [...slots].reduce<Slot | null>(
      (best, slot) => (best === null || slot.clients.size < best.clients.size ? slot : best),
      null
    )
    return least === null || (least.clients.size > 0 && slots.size < size) ? start() : least
  }

  return {
    open: (screen, cols, rows, client) => {
      const slot = choose()
      const entry = { client, unanswered: 0 }
      slot.clients.set(screen, entry)
      const send = (request: RenderRequest, transfer: ReadonlyArray<ArrayBuffer> = []) =>
        slot.worker.postMessage(request, transfer)
      send({ _tag: "open", screen, cols, rows })
      return {
        ask: (request, transfer) => {
          entry.unanswered += 1
          due(slot, 1)
          send(request, transfer)
        },
        close: () => {
          if (!slot.clients.delete(screen)) return
          due(slot, -entry.unanswered)
          send({ _tag: "close", screen })
        }
      }
    },
    end: async () => {
      await Promise.all([...slots].map((slot) => slot.worker.terminate()))
    }
  }
}
