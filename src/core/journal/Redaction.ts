import * as Predicate from "effect/Predicate"
import * as SecretName from "./SecretName.ts"
import * as SecretText from "./SecretText.ts"

/** What a value lost on its way into a row. */
export type Alteration = "masked" | "cut"

export interface Redacted {
  /** JSON of the same shape. */
  readonly value: unknown
  readonly altered: ReadonlyArray<Alteration>
}

/** UTF-16 units of one text: a long command line, not a file. */
const MAX_TEXT = 4096
/** UTF-16 units of all longer texts of one row together. */
const MAX_TOTAL = 48 * 1024
/** Up to this length a text does not count towards the total: names, ids and words of our own. */
const SHORT = 64
/** Items of one list. A first one is always kept, since some lists may not be empty. */
const MAX_ITEMS = 128
/** Values of an input of unknown shape, all levels together. */
const MAX_VALUES = 512

/** Stands at the end of what was cut. */
const ELLIPSIS = "…"

/**
 * The one redactor of everything that is written down (X3): values under the name of a secret are masked whole,
 * texts lose what shows as a secret, and sizes are bounded. Total: what is no JSON becomes `null`.
 */
export const redact = (value: unknown): Redacted => {
  const altered = new Set<Alteration>()
  let left = MAX_TOTAL

  const text = (original: string): string => {
    // What is cut off later must not have been half of a secret: the last, perhaps broken, word goes first.
    const read =
      original.length > 2 * MAX_TEXT ? original.slice(0, 2 * MAX_TEXT).replace(/\S{1,512}$/, "") : original
    const masked = SecretText.mask(read)
    if (masked !== read) altered.add("masked")
    const limit = masked.length <= SHORT ? SHORT : Math.min(MAX_TEXT, left)
    if (masked.length > SHORT) left = Math.max(0, left - masked.length)
    if (masked.length <= limit && read === original) return masked
    altered.add("cut")
    return `${masked.slice(0, limit).toWellFormed()}${ELLIPSIS}`
  }

  const visit = (value: unknown): unknown => {
    if (typeof value === "string") return text(value)
    if (value === null || typeof value === "boolean") return value
    if (typeof value === "number" && Number.isFinite(value)) return value
    if (Array.isArray(value)) {
      if (value.length > MAX_ITEMS) altered.add("cut")
      return value.slice(0, MAX_ITEMS).map(visit)
    }
    if (Predicate.isObject(value)) {
      return Object.fromEntries(
        Object.entries(value)
          .filter(([, inner]) => inner !== undefined)
          .map(([name, inner]) => [text(name), SecretName.is(name) ? masked(inner) : visit(inner)])
      )
    }
    altered.add("cut")
    return null
  }

  const masked = (value: unknown): unknown => {
    if (value === null || value === "" || typeof value === "boolean") return value
    altered.add("masked")
    return SecretText.MASK
  }

  const redacted = visit(value)
  return { value: redacted, altered: [...altered].toSorted() }
}

/** A value of unknown shape within bounds, and whether all of it is there. */
export const bound = (value: unknown): { readonly value: unknown; readonly complete: boolean } => {
  let left = MAX_VALUES
  let complete = true
  const visit = (value: unknown): unknown => {
    left -= 1
    if (Array.isArray(value)) return take(value).map(visit)
    if (Predicate.isObject(value)) {
      return Object.fromEntries(take(Object.entries(value)).map(([name, inner]) => [name, visit(inner)]))
    }
    return value
  }
  const take = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => {
    const kept = items.slice(0, Math.max(0, left))
    if (kept.length < items.length) complete = false
    return kept
  }
  const bounded = visit(value)
  return { value: bounded, complete }
}
