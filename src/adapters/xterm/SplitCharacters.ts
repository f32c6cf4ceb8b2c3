/**
 * Keeps characters whole: bytes of a UTF-8 character that its chunk breaks off in are held until the rest comes.
 * The emulator means to do the same, but loses characters with a byte 0x80 in them (dashes, joiners) when they
 * come in parts (S1.4).
 */
export interface SplitCharacters {
  /** What was held and these bytes, up to the end of the last whole character. */
  readonly join: (bytes: Uint8Array) => Uint8Array
  readonly held: () => Uint8Array
}

const longest = 4

/** Length of a character by its first byte; 0 for a byte that begins none. */
const lengthOf = (lead: number): number => {
  if (lead < 0x80) return 1
  if (lead < 0xc2) return 0
  if (lead < 0xe0) return 2
  if (lead < 0xf0) return 3
  return lead < 0xf5 ? 4 : 0
}

/** How many bytes at the end begin a character without completing it. */
const unfinished = (bytes: Uint8Array): number => {
  for (let back = 1; back < longest && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back]!
    if ((byte & 0xc0) === 0x80) continue
    return lengthOf(byte) > back ? back : 0
  }
  return 0
}

export const make = (): SplitCharacters => {
  let held: Uint8Array = new Uint8Array()
  return {
    join: (bytes) => {
      const whole = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      const end = whole.length - unfinished(whole)
      held = whole.slice(end)
      return whole.subarray(0, end)
    },
    held: () => held
  }
}
