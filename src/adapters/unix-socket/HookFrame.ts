import { timingSafeEqual } from "node:crypto"

/** Bytes of a launch's token: random, so that guessing it is out of the question. */
export const TOKEN_SIZE = 32
/** Longest event or reply, in bytes (S5.1). */
export const ENVELOPE_LIMIT = 8 * 1024 * 1024

const REQUEST_MAGIC = "OBH1"
const REPLY_MAGIC = "OBR1"
const REQUEST_HEADER = REQUEST_MAGIC.length + TOKEN_SIZE + 4
const REPLY_HEADER = REPLY_MAGIC.length + 1 + 4
const SILENT = 0
const OUTPUT = 1

/** What is known of a request once these bytes came; `partial` asks for more. */
export type Progress =
  | { readonly _tag: "partial" }
  | { readonly _tag: "complete"; readonly event: Uint8Array }
  | { readonly _tag: "refused"; readonly reason: "malformed" | "oversized" | "wrong_token" }

const partial: Progress = { _tag: "partial" }
const refused = (reason: "malformed" | "oversized" | "wrong_token"): Progress => ({ _tag: "refused", reason })

/**
 * Reads one request as its bytes come. Nothing of an event is kept before the token is known to be right, and
 * never more than the envelope. The token is compared in constant time. After `complete` or `refused` the
 * reader is done: any further byte is `malformed`.
 */
export const reader = (token: Uint8Array): ((bytes: Uint8Array) => Progress) => {
  const header = Buffer.alloc(REQUEST_HEADER)
  let headerSize = 0
  let event: Buffer | undefined
  let eventSize = 0
  let done = false

  const readHeader = (): Progress | undefined => {
    if (header.toString("latin1", 0, REQUEST_MAGIC.length) !== REQUEST_MAGIC) return refused("malformed")
    const given = header.subarray(REQUEST_MAGIC.length, REQUEST_MAGIC.length + TOKEN_SIZE)
    if (!timingSafeEqual(given, token)) return refused("wrong_token")
    const length = header.readUInt32BE(REQUEST_MAGIC.length + TOKEN_SIZE)
    if (length > ENVELOPE_LIMIT) return refused("oversized")
    event = Buffer.allocUnsafe(length)
    return undefined
  }

  const read = (bytes: Uint8Array): Progress => {
    let rest = bytes
    if (event === undefined) {
      const taken = rest.subarray(0, REQUEST_HEADER - headerSize)
      header.set(taken, headerSize)
      headerSize += taken.length
      rest = rest.subarray(taken.length)
      if (headerSize < REQUEST_HEADER) return partial
      const verdict = readHeader()
      if (verdict !== undefined) return verdict
    }
    if (event === undefined || eventSize + rest.length > event.length) return refused("malformed")
    event.set(rest, eventSize)
    eventSize += rest.length
    return eventSize === event.length ? { _tag: "complete", event } : partial
  }

  return (bytes) => {
    if (done) return refused("malformed")
    const progress = read(bytes)
    done = progress._tag !== "partial"
    return progress
  }
}

const frame = (kind: number, output: Uint8Array): Uint8Array => {
  const bytes = Buffer.allocUnsafe(REPLY_HEADER + output.length)
  bytes.write(REPLY_MAGIC, "latin1")
  bytes.writeUInt8(kind, REPLY_MAGIC.length)
  bytes.writeUInt32BE(output.length, REPLY_MAGIC.length + 1)
  bytes.set(output, REPLY_HEADER)
  return bytes
}

/** The reply after which the client exits 0 and prints nothing. */
export const silent: Uint8Array = frame(SILENT, new Uint8Array())

/** The reply after which the client prints these bytes; they may not be empty. */
export const output = (bytes: Uint8Array): Uint8Array => frame(OUTPUT, bytes)
