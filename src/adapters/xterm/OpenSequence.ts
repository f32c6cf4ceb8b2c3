/**
 * Bytes kept of one sequence that does not end. Nothing that long draws on the screen (images and clipboards
 * are no part of it); the part that is kept still makes the rest of it a part of the same sequence.
 */
const bound = 128 * 1024

const escape = 0x1b
const twoByteControl = 0xc2

/**
 * The character or escape sequence that the output so far breaks off in, as the bytes of it that have come;
 * empty between sequences. Whether there is one, the parser says; this only finds its beginning.
 */
export interface OpenSequence {
  readonly follow: (bytes: Uint8Array, complete: boolean) => void
  readonly bytes: () => Uint8Array
}

const isContinuation = (byte: number) => byte >= 0x80 && byte < 0xc0
const isControl = (byte: number | undefined) => byte !== undefined && byte >= 0x80 && byte < 0xa0

/** Where the last sequence or character begins, if it begins in these bytes; each beginning ends what was before. */
const beginning = (bytes: Uint8Array): number => {
  const escaped = bytes.lastIndexOf(escape)
  for (
    let at = bytes.lastIndexOf(twoByteControl);
    at > escaped;
    at = bytes.lastIndexOf(twoByteControl, at - 1)
  ) {
    if (isControl(bytes[at + 1])) return at
    if (at === 0) break
  }
  if (escaped >= 0) return escaped
  let at = bytes.length - 1
  while (at >= 0 && isContinuation(bytes[at]!)) at -= 1
  return at
}

export const make = (): OpenSequence => {
  let open: Uint8Array = new Uint8Array()
  return {
    follow: (bytes, complete) => {
      if (complete) {
        if (open.length > 0) open = new Uint8Array()
        return
      }
      const from = beginning(bytes)
      const inside = open.length > 0 && (open[0] === escape || open[0] === twoByteControl)
      const restarts = from >= 0 && (!inside || bytes[from] === escape || isControl(bytes[from + 1]))
      const kept = restarts ? new Uint8Array() : open
      const added = restarts ? bytes.subarray(from) : bytes
      const room = Math.max(0, bound - kept.length)
      open = Buffer.concat([kept, added.subarray(0, room)])
    },
    bytes: () => open
  }
}
