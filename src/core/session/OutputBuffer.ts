/**
 * Output that waits, oldest first: a byte queue that splits and joins chunks, so that batches have a bound
 * whatever the size of the reads (S1.2). Mutable, single owner.
 */
export interface OutputBuffer {
  /** Bytes that wait. */
  readonly size: () => number
  readonly push: (bytes: Uint8Array) => void
  /** Removes the oldest bytes, at most `limit` of them, as one array that nothing else refers to. */
  readonly take: (limit: number) => Uint8Array<ArrayBuffer>
  readonly clear: () => void
}

export const make = (): OutputBuffer => {
  let chunks: Array<Uint8Array> = []
  let size = 0
  return {
    size: () => size,
    push: (bytes) => {
      chunks.push(bytes)
      size += bytes.length
    },
    take: (limit) => {
      const batch = new Uint8Array(Math.min(limit, size))
      let filled = 0
      let used = 0
      while (filled < batch.length) {
        const chunk = chunks[used]!
        const room = batch.length - filled
        if (chunk.length > room) {
          batch.set(chunk.subarray(0, room), filled)
          chunks[used] = chunk.subarray(room)
          break
        }
        batch.set(chunk, filled)
        filled += chunk.length
        used += 1
      }
      chunks = chunks.slice(used)
      size -= batch.length
      return batch
    },
    clear: () => {
      chunks = []
      size = 0
    }
  }
}
