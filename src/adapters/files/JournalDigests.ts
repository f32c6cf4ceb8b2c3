import { createHash, createHmac } from "node:crypto"
import type { Digests } from "../../core/journal/Digests.ts"

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Node's own digests; `key` is hex. */
export const make = (key: string): Digests => {
  const bytes = Buffer.from(key, "hex")
  return { sha256, fingerprint: (text) => createHmac("sha256", bytes).update(text).digest("hex") }
}
