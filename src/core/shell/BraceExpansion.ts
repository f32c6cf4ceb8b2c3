/** Most words that one brace expression may make; a longer one stays as written and counts as unknown. */
const MAX_WORDS = 256
const MAX_DEPTH = 16

const SEQUENCE = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,9}))?$/

/** The index after a quoted or substituted stretch that starts at `at`, or `at` where none starts. */
const skip = (text: string, at: number): number => {
  const char = text[at]
  if (char === "\\") return at + 2
  if (char === "'" || char === "`") {
    const close = text.indexOf(char, at + 1)
    return close === -1 ? text.length : close + 1
  }
  if (char === '"') {
    let index = at + 1
    while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1
    return index + 1
  }
  const opener = text[at + 1]
  if (char === "$" && (opener === "{" || opener === "(")) {
    const closer = opener === "{" ? "}" : ")"
    let depth = 1
    let index = at + 2
    while (index < text.length && depth > 0) {
      const next = text[index] === opener ? index : skip(text, index)
      if (next > index) {
        index = next
        continue
      }
      if (text[index] === opener) depth++
      if (text[index] === closer) depth--
      index++
    }
    return index
  }
  return at
}

interface Group {
  readonly open: number
  readonly close: number
  readonly choices: ReadonlyArray<string>
}

const sequence = (body: string): ReadonlyArray<string> | null => {
  const match = SEQUENCE.exec(body)
  if (match === null) return null
  const letters = match[3] !== undefined
  const from = letters ? match[3]!.charCodeAt(0) : Number(match[1])
  const to = letters ? match[4]!.charCodeAt(0) : Number(match[2])
  const step = Math.max(1, Math.abs(Number(match[5] ?? 1))) * (from <= to ? 1 : -1)
  if (Math.abs((to - from) / step) >= MAX_WORDS) return null
  const padded = !letters && /^-?0\d/.test(`${match[1]}`) ? match[1]!.replace("-", "").length : 0
  const words: Array<string> = []
  for (let value = from; step > 0 ? value <= to : value >= to; value += step) {
    const digits = String(Math.abs(value)).padStart(padded, "0")
    words.push(letters ? String.fromCharCode(value) : value < 0 ? `-${digits}` : digits)
  }
  return words
}

/** The first brace group that bash would expand, from the left. */
const first = (text: string): Group | null => {
  for (let open = 0; open < text.length;) {
    const next = skip(text, open)
    if (next > open) {
      open = next
      continue
    }
    if (text[open] === "{") {
      const commas: Array<number> = []
      let depth = 0
      let index = open + 1
      for (; index < text.length;) {
        const after = skip(text, index)
        if (after > index) {
          index = after
          continue
        }
        const char = text[index]
        if (char === "{") depth++
        else if (char === "}" && depth === 0) break
        else if (char === "}") depth--
        else if (char === "," && depth === 0) commas.push(index)
        index++
      }
      if (index < text.length) {
        const body = text.slice(open + 1, index)
        const choices = commas.length > 0 ? split(text, open + 1, index, commas) : sequence(body)
        if (choices !== null) return { open, close: index, choices }
      }
    }
    open++
  }
  return null
}

const split = (
  text: string,
  from: number,
  to: number,
  commas: ReadonlyArray<number>
): ReadonlyArray<string> => {
  const ends = [...commas, to]
  return ends.map((end, index) => text.slice(index === 0 ? from : ends[index - 1]! + 1, end))
}

/**
 * Bash's brace expansion of one word's source, quotes still in place. `null` where it would make more words,
 * or nest deeper, than anything written by hand.
 */
export const expand = (text: string, depth = 0): ReadonlyArray<string> | null => {
  if (depth > MAX_DEPTH) return null
  const group = first(text)
  if (group === null) return [text]
  const prefix = text.slice(0, group.open)
  const suffixes = expand(text.slice(group.close + 1), depth + 1)
  if (suffixes === null) return null
  const words: Array<string> = []
  for (const choice of group.choices) {
    const inner = expand(choice, depth + 1)
    if (inner === null || words.length + inner.length * suffixes.length > MAX_WORDS) return null
    for (const middle of inner) for (const suffix of suffixes) words.push(prefix + middle + suffix)
  }
  return words
}
