/**
 * The digests that rows need. The core computes none itself, and a chain of many rows is checked in one go, so they
 * are plain functions of whoever has a cryptographic library. Both give lower-case hex.
 */
export interface Digests {
  /** SHA-256 of the text as UTF-8: the same everywhere. */
  readonly sha256: (text: string) => string
  /**
   * HMAC-SHA-256 under a key of this user's. Equal texts have equal fingerprints, and nobody without the key can
   * find a short text by trying (X3).
   */
  readonly fingerprint: (text: string) => string
}
