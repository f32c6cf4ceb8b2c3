import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Up to here, in bytes, the engine's own parser takes a few milliseconds at most, whatever the text. */
const DIRECT_LIMIT = 256 * 1024
/** Neighbours in a long container are handed to the engine's parser together, up to about this many bytes. */
const RUN = 64 * 1024
/** Bytes of a long string that are read between two pauses. */
const STRING_PIECE = 512 * 1024
/** Containers in each other that are all longer than `DIRECT_LIMIT`: a bound on looking at the same bytes again. */
const LONG_DEPTH_LIMIT = 64

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const LETTER_U = 0x75
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Whether a text has to be parsed in pieces, so that the event loop is not held for long. */
export const isLong = (bytes: Uint8Array): boolean => bytes.length > DIRECT_LIMIT

/** The JSON value that these bytes are, at once; `none` if they are none. */
export const parseShort = (bytes: Uint8Array): Option.Option<unknown> => {
  try {
    return Option.some(native(bytes))
  } catch {
    return Option.none()
  }
}

/**
 * The same value, found a few milliseconds at a time (S7.1). `none` too where more than 64 containers, each
 * longer than 256 KiB, stand in each other, or a number is that long.
 */
export const parseLong = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const steps = read(bytes)
  for (;;) {
    const step = advance(steps)
    if (step !== undefined) return step
    yield* Effect.yieldNow
  }
})

const native = (bytes: Uint8Array): unknown => JSON.parse(utf8.decode(bytes))

/** Runs up to the next pause: `undefined` there, at the end what the bytes were. */
const advance = (steps: Generator<void, unknown>): Option.Option<unknown> | undefined => {
  try {
    const step = steps.next()
    return step.done === true ? Option.some(step.value) : undefined
  } catch {
    return Option.none()
  }
}

/** Each pauses by yielding, and throws on what is no JSON. `end` is the byte after what was read. */
interface Read {
  readonly value: unknown
  readonly end: number
}

function* read(bytes: Uint8Array): Generator<void, unknown> {
  const { value, end } = yield* readLong(bytes, blanks(bytes, 0), 0)
  if (blanks(bytes, end) < bytes.length) throw new SyntaxError()
  return value
}

function* readLong(bytes: Uint8Array, at: number, depth: number): Generator<void, Read> {
  const byte = bytes[at]
  if (byte === QUOTE) return yield* readString(bytes, at)
  if (depth === LONG_DEPTH_LIMIT) throw new SyntaxError()
  if (byte === OPEN_ARRAY) return yield* readArray(bytes, at, depth)
  if (byte === OPEN_OBJECT) return yield* readObject(bytes, at, depth)
  return readScalar(bytes, at)
}

const readScalar = (bytes: Uint8Array, at: number): Read => {
  const end = scalarEnd(bytes, at)
  if (end === undefined) throw new SyntaxError()
  return { value: native(bytes.subarray(at, end)), end }
}

function* readArray(bytes: Uint8Array, begin: number, depth: number): Generator<void, Read> {
  const value: Array<unknown> = []
  const end = yield* readItems(bytes, begin, CLOSE_ARRAY, {
    end: valueEnd,
    run: (text) => {
      const items: Array<unknown> = JSON.parse(`[${text}]`)
      for (const item of items) value.push(item)
    },
    long: function* (at) {
      const item = yield* readLong(bytes, at, depth + 1)
      value.push(item.value)
      return item.end
    }
  })
  return { value, end }
}

function* readObject(bytes: Uint8Array, begin: number, depth: number): Generator<void, Read> {
  const value: Record<string, unknown> = {}
  const end = yield* readItems(bytes, begin, CLOSE_OBJECT, {
    end: (bytes, at) => {
      const key = stringEnd(bytes, at)
      return key === undefined ? undefined : valueEnd(bytes, afterColon(bytes, key))
    },
    run: (text) => {
      const members: Record<string, unknown> = JSON.parse(`{${text}}`)
      for (const [key, member] of Object.entries(members)) put(value, key, member)
    },
    long: function* (at) {
      const key = yield* readString(bytes, at)
      const member = yield* readLong(bytes, afterColon(bytes, key.end), depth + 1)
      put(value, String(key.value), member.value)
      return member.end
    }
  })
  return { value, end }
}

interface Items {
  /** Where the item at this place ends; `undefined` if it is long. */
  readonly end: (bytes: Uint8Array, at: number) => number | undefined
  /** Takes items that are not long, with the commas between them. */
  readonly run: (text: string) => void
  /** Takes one long item, and returns where it ends. */
  readonly long: (at: number) => Generator<void, number>
}

/** Goes through a container's items, and returns where it ends. Items that are not long go in runs. */
function* readItems(bytes: Uint8Array, begin: number, close: number, items: Items): Generator<void, number> {
  let at = blanks(bytes, begin + 1)
  if (bytes[at] === close) return at + 1
  let runFrom = at
  let runTo = at
  for (;;) {
    const end = items.end(bytes, at)
    if (runTo > runFrom && (end === undefined || end - runFrom > RUN)) {
      items.run(utf8.decode(bytes.subarray(runFrom, runTo)))
      runFrom = at
      yield
    }
    if (end === undefined) {
      at = yield* items.long(at)
      runFrom = at
    } else at = end
    runTo = at
    at = blanks(bytes, at)
    const next = bytes[at]
    if (next !== COMMA && next !== close) throw new SyntaxError()
    if (next === close) {
      if (runTo > runFrom) items.run(utf8.decode(bytes.subarray(runFrom, runTo)))
      return at + 1
    }
    at = blanks(bytes, at + 1)
    if (runTo === runFrom) {
      runFrom = at
      runTo = at
    }
  }
}

const put = (object: Record<string, unknown>, key: string, value: unknown): void => {
  // An assignment would set the prototype instead.
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true })
  } else object[key] = value
}

function* readString(bytes: Uint8Array, begin: number): Generator<void, Read> {
  if (bytes[begin] !== QUOTE) throw new SyntaxError()
  let at = begin + 1
  let end = at
  let pause = at + STRING_PIECE
  for (; bytes[end] !== QUOTE; end += bytes[end] === BACKSLASH ? 2 : 1) {
    if (end >= bytes.length) throw new SyntaxError()
    if (end >= pause) {
      pause = end + STRING_PIECE
      yield
    }
  }
  let text = ""
  while (at < end) {
    const to = cut(bytes, at, end)
    text += String(JSON.parse(`"${utf8.decode(bytes.subarray(at, to))}"`))
    at = to
    yield
  }
  return { value: text, end: end + 1 }
}

/** Where a piece of a string may end: in no character and in no escape. `from` is at neither. */
const cut = (bytes: Uint8Array, from: number, end: number): number => {
  let to = from + STRING_PIECE
  if (to >= end) return end
  while (((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1
  // The longest escape has six bytes, and only the last one before the cut can reach over it.
  for (let last = to - 1; last >= to - 5 && last >= from; last -= 1) {
    if (bytes[last] !== BACKSLASH) continue
    let first = last
    while (first > from && bytes[first - 1] === BACKSLASH) first -= 1
    if ((last - first) % 2 === 1) return to
    return last + (bytes[last + 1] === LETTER_U ? 6 : 2) > to ? last : to
  }
  return to
}

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const blanks = (bytes: Uint8Array, from: number): number => {
  let at = from
  while (isBlank(bytes[at])) at += 1
  return at
}

const afterColon = (bytes: Uint8Array, from: number): number => {
  const at = blanks(bytes, from)
  if (bytes[at] !== COLON) throw new SyntaxError()
  return blanks(bytes, at + 1)
}

/**
 * Where the value at this place ends, as its brackets and quotes say; the engine's parser says later whether
 * it is one. `undefined` if that is more than `DIRECT_LIMIT` away.
 */
const valueEnd = (bytes: Uint8Array, at: number): number | undefined => {
  const byte = bytes[at]
  if (byte === QUOTE) return stringEnd(bytes, at)
  return byte === OPEN_ARRAY || byte === OPEN_OBJECT ? containerEnd(bytes, at) : scalarEnd(bytes, at)
}

const stringEnd = (bytes: Uint8Array, begin: number): number | undefined => {
  if (bytes[begin] !== QUOTE) throw new SyntaxError()
  const limit = Math.min(begin + DIRECT_LIMIT, bytes.length)
  for (let at = begin + 1; at < limit; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at += 1
  }
  return undefined
}

const containerEnd = (bytes: Uint8Array, begin: number): number | undefined => {
  const limit = Math.min(begin + DIRECT_LIMIT, bytes.length)
  let depth = 0
  let inString = false
  for (let at = begin; at < limit; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) inString = !inString
    else if (inString) at += byte === BACKSLASH ? 1 : 0
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

const scalarEnd = (bytes: Uint8Array, begin: number): number | undefined => {
  const limit = begin + DIRECT_LIMIT
  for (let at = begin; at < limit; at += 1) {
    const byte = bytes[at]
    const ends =
      byte === undefined || isBlank(byte) || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT
    if (!ends) continue
    if (at === begin) throw new SyntaxError()
    return at
  }
  return undefined
}
