import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Up to here the engine's own parser takes a few milliseconds at most, whatever the text. */
const DIRECT_LIMIT = 256 * 1024
/** Work between two pauses, a few milliseconds of it: tokens, and bytes of one string. */
const TOKENS_PER_TURN = 8192
const STRING_BYTES_PER_TURN = 512 * 1024

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

/**
 * The JSON value that these bytes are, `none` if they are none. The same values as `JSON.parse`, but a long
 * text is parsed in small pieces, so that the event loop is never held for long (S7.1).
 */
export const parse = (bytes: Uint8Array): Effect.Effect<Option.Option<unknown>> =>
  bytes.length > DIRECT_LIMIT ? parsePaced(bytes) : Effect.sync(() => parseDirect(bytes))

const parseDirect = (bytes: Uint8Array): Option.Option<unknown> => {
  try {
    return Option.some(JSON.parse(utf8.decode(bytes)))
  } catch {
    return Option.none()
  }
}

const parsePaced = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const steps = read(bytes)
  for (;;) {
    const step = advance(steps)
    if (step !== undefined) return step
    yield* Effect.yieldNow
  }
})

/** Runs up to the next pause: `undefined` there, at the end what the bytes were. */
const advance = (steps: Generator<void, unknown>): Option.Option<unknown> | undefined => {
  try {
    const step = steps.next()
    return step.done === true ? Option.some(step.value) : undefined
  } catch {
    return Option.none()
  }
}

/** What is open around the place that is read; `key` is that of the value to come. */
type Container =
  | { readonly close: typeof CLOSE_ARRAY; readonly value: Array<unknown> }
  | { readonly close: typeof CLOSE_OBJECT; readonly value: Record<string, unknown>; readonly key: string }

const put = (container: Container, value: unknown): void => {
  if (container.close === CLOSE_ARRAY) container.value.push(value)
  // An assignment would set the prototype instead.
  else if (container.key === "__proto__") {
    Object.defineProperty(container.value, container.key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true
    })
  } else container.value[container.key] = value
}

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Pauses by yielding; throws on what is no JSON. No recursion: depth costs memory, not stack. */
function* read(bytes: Uint8Array): Generator<void, unknown> {
  const open: Array<Container> = []
  let at = 0
  let tokens = 0

  const peek = (): number | undefined => {
    while (isBlank(bytes[at])) at += 1
    return bytes[at]
  }
  const expect = (byte: number): void => {
    if (peek() !== byte) throw new SyntaxError()
    at += 1
  }
  const scalar = (): unknown => {
    const from = at
    for (let byte = bytes[at]; byte !== undefined; byte = bytes[at]) {
      if (isBlank(byte) || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) break
      at += 1
    }
    return JSON.parse(utf8.decode(bytes.subarray(from, at)))
  }
  function* string(): Generator<void, string> {
    expect(QUOTE)
    let end = bytes.indexOf(QUOTE, at)
    while (end >= 0 && backslashesBefore(bytes, end, at) % 2 === 1) {
      if (++tokens % TOKENS_PER_TURN === 0) yield
      end = bytes.indexOf(QUOTE, end + 1)
    }
    if (end < 0) throw new SyntaxError()
    let text = ""
    while (at < end) {
      const to = cut(bytes, at, end)
      const piece: unknown = JSON.parse(`"${utf8.decode(bytes.subarray(at, to))}"`)
      text += String(piece)
      at = to
      if (at < end) yield
    }
    at = end + 1
    return text
  }
  function* key(): Generator<void, string> {
    const text = yield* string()
    expect(COLON)
    return text
  }

  for (;;) {
    let value: unknown
    const byte = peek()
    if (byte === OPEN_ARRAY) {
      at += 1
      if (peek() !== CLOSE_ARRAY) {
        open.push({ close: CLOSE_ARRAY, value: [] })
        if (++tokens % TOKENS_PER_TURN === 0) yield
        continue
      }
      at += 1
      value = []
    } else if (byte === OPEN_OBJECT) {
      at += 1
      if (peek() !== CLOSE_OBJECT) {
        open.push({ close: CLOSE_OBJECT, value: {}, key: yield* key() })
        if (++tokens % TOKENS_PER_TURN === 0) yield
        continue
      }
      at += 1
      value = {}
    } else if (byte === QUOTE) value = yield* string()
    else value = scalar()

    // The value is whole: it goes where it belongs, and closes what ends with it.
    for (;;) {
      if (++tokens % TOKENS_PER_TURN === 0) yield
      const around = open.pop()
      const next = peek()
      if (around === undefined) {
        if (next !== undefined) throw new SyntaxError()
        return value
      }
      put(around, value)
      at += 1
      if (next === COMMA) {
        open.push(around.close === CLOSE_ARRAY ? around : { ...around, key: yield* key() })
        break
      }
      if (next !== around.close) throw new SyntaxError()
      value = around.value
    }
  }
}

const backslashesBefore = (bytes: Uint8Array, at: number, from: number): number => {
  let first = at
  while (first > from && bytes[first - 1] === BACKSLASH) first -= 1
  return at - first
}

/** Where a piece of a string may end: in no character and in no escape. `from` is at neither. */
const cut = (bytes: Uint8Array, from: number, end: number): number => {
  let to = from + STRING_BYTES_PER_TURN
  if (to >= end) return end
  while (((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1
  // The longest escape has six bytes, and only the last one before the cut can reach over it.
  for (let last = to - 1; last >= to - 5 && last >= from; last -= 1) {
    if (bytes[last] !== BACKSLASH) continue
    if (backslashesBefore(bytes, last, from) % 2 === 1) return to
    return last + (bytes[last + 1] === LETTER_U ? 6 : 2) > to ? last : to
  }
  return to
}
