import * as Option from "effect/Option"

/** Deeper values have no canonical text: a bound on the stack, far above what a tool's input nests. */
const MAX_DEPTH = 512

/**
 * The one text of a JSON value: keys in UTF-16 order, no blanks, numbers as ECMAScript prints them (which is
 * RFC 8785). Two values have the same text exactly if they are equal, key order aside. `none` for what is no
 * JSON value, or nests deeper than 512: compare that to nothing.
 */
export const print = (value: unknown): Option.Option<string> => {
  const parts: Array<string> = []
  return write(parts, value, 0) ? Option.some(parts.join("")) : Option.none()
}

const write = (parts: Array<string>, value: unknown, depth: number): boolean => {
  if (depth > MAX_DEPTH) return false
  if (value === null || typeof value === "boolean" || typeof value === "string") {
    parts.push(JSON.stringify(value))
    return true
  }
  if (typeof value === "number") {
    parts.push(JSON.stringify(value))
    return Number.isFinite(value)
  }
  if (Array.isArray(value)) return writeArray(parts, value, depth)
  return isRecord(value) && writeObject(parts, value, depth)
}

/** A date, a map or a class instance is no JSON value, though it has entries. */
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const writeArray = (parts: Array<string>, value: ReadonlyArray<unknown>, depth: number): boolean => {
  parts.push("[")
  for (const [index, item] of value.entries()) {
    if (index > 0) parts.push(",")
    if (!write(parts, item, depth + 1)) return false
  }
  parts.push("]")
  return true
}

const writeObject = (
  parts: Array<string>,
  value: Readonly<Record<string, unknown>>,
  depth: number
): boolean => {
  parts.push("{")
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  for (const [index, [key, item]] of entries.entries()) {
    if (index > 0) parts.push(",")
    parts.push(JSON.stringify(key), ":")
    if (!write(parts, item, depth + 1)) return false
  }
  parts.push("}")
  return true
}
