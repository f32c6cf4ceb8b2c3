import stringWidth from "string-width"

/**
 * Text of others, made safe to show and measurable. Nothing that leaves `visible` can move a cursor, hide, or
 * reorder what stands beside it (P2.6).
 */
export interface Visible {
  /** One entry per line of the original; a line feed is the only thing that breaks one. Never empty. */
  readonly lines: ReadonlyArray<string>
  /** Whether something stands as an escape that a terminal would not have shown as itself. */
  readonly hidden: boolean
}

/** Marks a cut, and says nothing more (P2.2). One column. */
export const ELLIPSIS = "…"

/**
 * Shown as an escape: controls, format characters (bidi, ZWJ, tags), line and paragraph separators, whatever
 * has no meaning assigned, whatever renders as nothing, and every blank that is not the plain space or the
 * wide one of CJK text.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]|(?![\u0020\u3000])\p{Zs}/u

const PLAIN_ASCII = /^[\x20-\x7e]*$/
const PLAIN_LINES = /^[\x20-\x7e\n]*$/

/** Keycap digits are left out: a variation selector after them changes nothing that a person must see. */
const EMOJI_BASE = /(?![0-9#*])\p{Emoji}/u
const VARIATION_SELECTOR = /[\ufe0e\ufe0f]/u
const MARK = /\p{M}/u

/** More marks than this on one letter belong to no writing system; they only smear over the rows around. */
const MARKS_PER_LETTER = 8

/** Blanks and escapes that repeat more often than anyone indents are counted, so that padding hides nothing. */
const SPACES_IN_A_ROW = 40
const PADDING = " ".repeat(SPACES_IN_A_ROW + 1)
const TABS_IN_A_ROW = 10
const ESCAPES_IN_A_ROW = 3

/** More UTF-16 units than a letter with its marks has. */
const UNITS_PER_COLUMN = 24

/** Where terminals put their tab stops. */
const TAB_STOP = 8

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"]
])

const escape = (char: string): string =>
  SHORT_ESCAPES.get(char) ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`

/** The text as its lines, everything invisible made visible. Total: lone surrogates are escaped too. */
export const visible = (text: string): Visible => {
  // What is plain as a whole, as most text is, needs no look at each line.
  if (PLAIN_LINES.test(text) && !text.includes(PADDING)) return { lines: text.split("\n"), hidden: false }
  const lines: Array<string> = []
  let hidden = false
  for (const source of text.split("\n")) {
    const line = visibleLine(source)
    lines.push(line.text)
    hidden ||= line.hidden
  }
  return { lines, hidden }
}

/** The text as one line: a line feed becomes an escape as well. */
export const line = (text: string): string => visible(text).lines.join(escape("\n"))

const visibleLine = (source: string): { readonly text: string; readonly hidden: boolean } => {
  if (PLAIN_ASCII.test(source) && !source.includes(PADDING)) {
    return { text: source, hidden: false }
  }
  const chars = Array.from(source)
  const shown: Array<string> = []
  let hidden = false
  // Columns up to the last tab, and where in `shown` that was: a tab reaches to the next stop.
  let column = 0
  let sinceTab = 0
  let base = ""
  let marks = 0
  for (let index = 0; index < chars.length;) {
    const char = chars[index] ?? ""
    if (char === "\t") {
      const repeats = runLength(chars, index)
      column += width(shown.slice(sinceTab).join(""))
      const tabs = repeats > TABS_IN_A_ROW ? counted(char, repeats) : ""
      if (tabs === "") {
        for (let tab = 0; tab < repeats; tab++) {
          const gap = TAB_STOP - (column % TAB_STOP)
          shown.push("⇥".padEnd(gap))
          column += gap
        }
        sinceTab = shown.length
      } else {
        shown.push(tabs)
      }
      base = ""
      index += repeats
    } else if (char === " ") {
      const repeats = runLength(chars, index)
      shown.push(repeats > SPACES_IN_A_ROW ? counted(char, repeats) : " ".repeat(repeats))
      base = ""
      index += repeats
    } else if (VARIATION_SELECTOR.test(char) && EMOJI_BASE.test(base)) {
      shown.push(char)
      base = ""
      index += 1
    } else if (HIDDEN.test(char)) {
      const repeats = runLength(chars, index)
      shown.push(repeats > ESCAPES_IN_A_ROW ? counted(char, repeats) : escape(char).repeat(repeats))
      hidden = true
      base = ""
      index += repeats
    } else if (MARK.test(char)) {
      marks += 1
      const bare = base === "" || marks > MARKS_PER_LETTER
      shown.push(bare ? escape(char) : char)
      hidden ||= bare
      if (bare) base = ""
      index += 1
    } else {
      shown.push(char)
      base = char
      marks = 0
      index += 1
    }
  }
  return { text: shown.join(""), hidden }
}

const runLength = (chars: ReadonlyArray<string>, from: number): number => {
  let end = from + 1
  while (end < chars.length && chars[end] === chars[from]) end++
  return end - from
}

const counted = (char: string, times: number): string => `${escape(char)}×${times}`

/** Columns that a line of visible text takes in a terminal (P2.5). */
export const width = (text: string): number =>
  PLAIN_ASCII.test(text)
    ? text.length
    : graphemes(text).reduce((sum, grapheme) => sum + columnsOf(grapheme), 0)

// The same few thousand graphemes come again and again; measuring one costs far more than finding it.
const measured = new Map<string, number>()
const MEASURED_AT_MOST = 10_000

const columnsOf = (grapheme: string): number => {
  if (grapheme.length === 1 && PLAIN_ASCII.test(grapheme)) return 1
  const known = measured.get(grapheme)
  if (known !== undefined) return known
  const columns = stringWidth(grapheme)
  if (measured.size >= MEASURED_AT_MOST) measured.clear()
  measured.set(grapheme, columns)
  return columns
}

// A fixed locale: the same text is cut at the same place on every machine.
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Between two ASCII characters there is always a boundary, so only what lies around others is segmented. */
const ASCII_THEN_OTHER = /([\x20-\x7e]*)([^\x20-\x7e]*)/gu

/** The text's grapheme clusters: what a person takes for one character. */
export const graphemes = (text: string): ReadonlyArray<string> => {
  if (PLAIN_ASCII.test(text)) return text.split("")
  const result: Array<string> = []
  for (const [, ascii = "", other = ""] of text.matchAll(ASCII_THEN_OTHER)) {
    const alone = other === "" ? ascii.length : ascii.length - 1
    for (let index = 0; index < alone; index++) result.push(ascii.charAt(index))
    if (other === "") continue
    const joined = ascii.slice(-1) + other
    if (other.length === 1 && !MARK.test(other)) result.push(...joined.split(""))
    else for (const { segment } of segmenter.segment(joined)) result.push(segment)
  }
  return result
}

/** A visible line in at most `columns` columns; what is cut is marked by an ellipsis. */
export const cut = (text: string, columns: number): string => {
  if (columns <= 0) return ""
  // A beginning is enough to tell, unless it holds more marks than letters: a megabyte is not measured for a row.
  const beginning = text.slice(0, columns * UNITS_PER_COLUMN)
  const source = width(beginning) > columns ? beginning : text
  if (width(source) <= columns) return text
  if (columns === 1) return ELLIPSIS
  const [head = ""] = rows(source, columns - 1)
  return `${head}${ELLIPSIS}`
}

/** A visible line in rows of at most `columns` columns, cut between graphemes. Joined they are the line. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> =>
  width(text) <= columns ? [text] : rows(text, Math.max(1, columns))

/** As `wrap`, but broken after a blank where one is near: for prose. */
export const wrapWords = (text: string, columns: number): ReadonlyArray<string> => {
  if (width(text) <= columns) return [text]
  const limit = Math.max(1, columns)
  const result: Array<string> = []
  let row: Array<Piece> = []
  let used = 0
  for (const piece of pieces(text, limit)) {
    if (used + piece.columns > limit) {
      const blank = row.findLastIndex(({ text }) => text === " ")
      // A word longer than half a row is cut rather than left alone on a short row.
      const end = blank >= row.length / 2 ? blank + 1 : row.length
      result.push(joined(row.slice(0, end)))
      row = row.slice(end)
      used = row.reduce((sum, { columns }) => sum + columns, 0)
    }
    row.push(piece)
    used += piece.columns
  }
  return [...result, joined(row)]
}

/** A grapheme, or one character of an escape. */
interface Piece {
  readonly text: string
  readonly columns: number
}

const joined = (row: ReadonlyArray<Piece>): string => row.map(({ text }) => text).join("")

/** The text in pieces of at most `limit` columns: what is wider than that stands as its escape, never left out. */
const pieces = (text: string, limit: number): ReadonlyArray<Piece> =>
  graphemes(text).flatMap((grapheme): ReadonlyArray<Piece> => {
    const columns = columnsOf(grapheme)
    if (columns <= limit) return [{ text: grapheme, columns }]
    return Array.from(Array.from(grapheme, escape).join(""), (char) => ({ text: char, columns: 1 }))
  })

/** Rows of exactly `limit` columns, but for the last and where a wide character does not fit. `limit` ≥ 1. */
const rows = (text: string, limit: number): ReadonlyArray<string> => {
  const result: Array<string> = []
  if (PLAIN_ASCII.test(text)) {
    for (let from = 0; from < text.length; from += limit) result.push(text.slice(from, from + limit))
    return result
  }
  let row = ""
  let used = 0
  for (const piece of pieces(text, limit)) {
    if (used + piece.columns > limit) {
      result.push(row)
      row = ""
      used = 0
    }
    row += piece.text
    used += piece.columns
  }
  return [...result, row]
}
