/**
 * What a person did at the terminal, or what the terminal answered. A pure decoder over text that arrives in
 * pieces; used by every dialog, so that none of them sees half a sequence (P6.1).
 */
export type Key =
  /** One printable character. */
  | { readonly _tag: "char"; readonly char: string }
  | { readonly _tag: "named"; readonly name: NamedKey }
  /** Control and a lower-case letter. */
  | { readonly _tag: "ctrl"; readonly letter: string }
  /** A bracketed paste, whole. */
  | { readonly _tag: "paste"; readonly text: string }
  /** The answer to a cursor query, 0-based. */
  | { readonly _tag: "cursor"; readonly row: number; readonly column: number }
  /** Anything else: it is swallowed whole and means nothing. */
  | { readonly _tag: "unknown" }

export type NamedKey =
  | "enter"
  | "escape"
  | "tab"
  | "back_tab"
  | "backspace"
  | "delete"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "page_up"
  | "page_down"

/** What has arrived of a sequence that is not complete. */
export interface Decoder {
  readonly pending: string
  /** The text of a paste whose end has not come; else `null`. */
  readonly pasting: string | null
}

export const empty: Decoder = { pending: "", pasting: null }

const ESC = "\x1b"
const PASTE_END = "\x1b[201~"

/** No sequence is this long; a longer one is noise and is dropped so that it cannot swallow all that follows. */
const LONGEST_SEQUENCE = 4096

/** More text than any answer takes (Q2.2); the rest of a longer paste is dropped, its end still recognised. */
const LONGEST_PASTE = 8 * 1024 * 1024

const CSI_FINALS: ReadonlyMap<string, NamedKey> = new Map([
  ["A", "up"],
  ["B", "down"],
  ["C", "right"],
  ["D", "left"],
  ["H", "home"],
  ["F", "end"],
  ["Z", "back_tab"]
])

const CSI_TILDES: ReadonlyMap<string, NamedKey> = new Map([
  ["1", "home"],
  ["3", "delete"],
  ["4", "end"],
  ["5", "page_up"],
  ["6", "page_down"],
  ["7", "home"],
  ["8", "end"]
])

const CONTROLS: ReadonlyMap<string, NamedKey> = new Map([
  ["\r", "enter"],
  ["\t", "tab"],
  ["\b", "backspace"],
  ["\x7f", "backspace"]
])

/** Key codes of the terminals that report every key as `CSI code ; modifiers u`. */
const CSI_U: ReadonlyMap<number, NamedKey> = new Map([
  [9, "tab"],
  [13, "enter"],
  [27, "escape"],
  [127, "backspace"]
])
const CSI_U_SHIFT = 1
const CSI_U_CTRL = 4

const UNKNOWN: Key = { _tag: "unknown" }

const named = (name: NamedKey | undefined): Key => (name === undefined ? UNKNOWN : { _tag: "named", name })

/** The keys that `text` completes, and what is left waiting for more. */
export const decode = (
  decoder: Decoder,
  text: string
): { readonly decoder: Decoder; readonly keys: ReadonlyArray<Key> } => {
  const keys: Array<Key> = []
  let pasting = decoder.pasting
  let rest = decoder.pending + text
  while (rest !== "") {
    if (pasting !== null) {
      const end = rest.indexOf(PASTE_END)
      // The end mark itself may arrive in pieces: its possible beginning stays pending.
      const taken = end === -1 ? rest.length - overlap(rest, PASTE_END) : end
      pasting = (pasting + rest.slice(0, taken)).slice(0, LONGEST_PASTE)
      if (end === -1) return { decoder: { pending: rest.slice(taken), pasting }, keys }
      keys.push({ _tag: "paste", text: pasting })
      pasting = null
      rest = rest.slice(end + PASTE_END.length)
      continue
    }
    const read = readOne(rest)
    if (read === null) {
      return { decoder: { pending: rest.length > LONGEST_SEQUENCE ? "" : rest, pasting }, keys }
    }
    rest = rest.slice(read.length)
    if (read.key === "paste_start") pasting = ""
    else keys.push(read.key)
  }
  return { decoder: { pending: "", pasting }, keys }
}

/** After a pause: an escape that nothing followed was the key itself; any other remnant is dropped. */
export const flush = (decoder: Decoder): { readonly decoder: Decoder; readonly keys: ReadonlyArray<Key> } =>
  decoder.pasting !== null || decoder.pending === ""
    ? { decoder, keys: [] }
    : { decoder: empty, keys: [decoder.pending === ESC ? named("escape") : UNKNOWN] }

/** Whether only a pause can tell what the pending text is. */
export const isWaiting = (decoder: Decoder): boolean => decoder.pending !== "" && decoder.pasting === null

interface Read {
  readonly length: number
  readonly key: Key | "paste_start"
}

/** The first key of `text`, or `null` where more has to arrive. `text` is not empty. */
const readOne = (text: string): Read | null => {
  const first = text[0] ?? ""
  if (first === ESC) return readEscape(text)
  if (first === "\x9b") return readCsi(text, 1)
  const char = String.fromCodePoint(text.codePointAt(0) ?? 0)
  const code = char.charCodeAt(0)
  const control = CONTROLS.get(char)
  if (control !== undefined) return { length: 1, key: named(control) }
  if (code >= 1 && code <= 26)
    return { length: 1, key: { _tag: "ctrl", letter: String.fromCharCode(code + 96) } }
  if (/\p{Cc}/u.test(char)) return { length: 1, key: UNKNOWN }
  return { length: char.length, key: { _tag: "char", char } }
}

const readEscape = (text: string): Read | null => {
  const next = text[1]
  if (next === undefined) return null
  if (next === "[") return readCsi(text, 2)
  if (next === "O") {
    const final = text[2]
    return final === undefined ? null : { length: 3, key: named(CSI_FINALS.get(final)) }
  }
  // A second escape starts a sequence of its own; the first was the key.
  if (next === ESC) return { length: 1, key: named("escape") }
  if ("]P_^X".includes(next)) return readString(text)
  const char = String.fromCodePoint(text.codePointAt(1) ?? 0)
  return { length: 1 + char.length, key: UNKNOWN }
}

/** A string sequence (OSC, DCS, APC, PM, SOS): an answer of the terminal to somebody else. */
const readString = (text: string): Read | null => {
  const end = /\x07|\x1b\\|\x9c/.exec(text.slice(2))
  return end === null ? null : { length: 2 + end.index + end[0].length, key: UNKNOWN }
}

const readCsi = (text: string, start: number): Read | null => {
  const match = /^([\x30-\x3f]*)([\x20-\x2f]*)([\x40-\x7e])/.exec(text.slice(start))
  if (match === null) {
    const broken = /[^\x20-\x3f]/.exec(text.slice(start))
    return broken === null ? null : { length: start + broken.index, key: UNKNOWN }
  }
  const [whole, parameters = "", intermediates = "", final = ""] = match
  return {
    length: start + whole.length,
    key: intermediates === "" ? csiKey(parameters, final) : UNKNOWN
  }
}

const csiKey = (parameters: string, final: string): Key | "paste_start" => {
  const [first = "", second = ""] = parameters.split(";")
  switch (final) {
    case "~":
      return first === "200" ? "paste_start" : named(CSI_TILDES.get(first))
    case "R":
      return /^\d+;\d+$/.test(parameters)
        ? { _tag: "cursor", row: Number(first) - 1, column: Number(second) - 1 }
        : UNKNOWN
    case "u":
      return csiUKey(Number(first.split(":")[0]), Number(second.split(":")[0] || "1") - 1)
    default:
      return named(CSI_FINALS.get(final))
  }
}

const csiUKey = (code: number, modifiers: number): Key => {
  const name = CSI_U.get(code)
  if (name === "tab" && modifiers === CSI_U_SHIFT) return named("back_tab")
  if (name !== undefined && modifiers === 0) return named(name)
  const letter = code >= 97 && code <= 122 ? String.fromCharCode(code) : null
  return letter !== null && modifiers === CSI_U_CTRL ? { _tag: "ctrl", letter } : UNKNOWN
}

/** How many characters at the end of `text` could be the beginning of `mark`. */
const overlap = (text: string, mark: string): number => {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (mark.startsWith(text.slice(-length))) return length
  }
  return 0
}
