/**
 * Bytes kept of one sequence that does not end. Nothing that long draws on the screen (images and clipboards
 * are no part of it); the part that is kept still makes the rest of it a part of the same sequence.
 */
const bound = 128 * 1024

const escape = 0x1b
/** The first of the two bytes of a control character beyond ASCII. */
const control = 0xc2

/**
 * The escape sequence that the output so far breaks off in, as the bytes of it that have come; empty between
 * sequences. Whether there is one, the parser says; this only finds its beginning.
 */
export interface OpenSequence {
  readonly follow: (bytes: Uint8Array, complete: boolean) => void
  readonly bytes: () => Uint8Array
}

const isControl = (byte: number | undefined) => byte !== undefined && byte >= 0x80 && byte < 0xa0

/** Where the last sequence begins, or -1; each beginning ends what was before it. */
const beginning = (bytes: Uint8Array): number => {
  const escaped = bytes.lastIndexOf(escape)
  for (let at = bytes.length; at > escaped + 1;) {
    at = bytes.lastIndexOf(control, at - 1)
    if (at <= escaped) break
    if (isControl(bytes[at + 1])) return at
  }
  return escaped
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
      const kept = from < 0 ? open : new Uint8Array()
      const added = bytes.subarray(Math.max(0, from))
      open = Buffer.concat([kept, added.subarray(0, Math.max(0, bound - kept.length))])
    },
    bytes: () => open
  }
}
