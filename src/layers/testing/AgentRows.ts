import stringWidth from "string-width"

/** How the terminal draws a part of a row. */
export type Style = "bold" | "dim" | "inverse"

/** A part of a row's text, in string positions, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly style: Style
}

/** One row of a scripted agent's screen. Its text is what a person reads; it holds no control character. */
export interface Row {
  readonly text: string
  readonly spans: ReadonlyArray<Span>
}

/** Rows, and where the terminal's cursor stands in them: `null` for the screen's last row. */
export interface Block {
  readonly rows: ReadonlyArray<Row>
  readonly cursor: { readonly x: number; readonly y: number } | null
}

const SGR: Readonly<Record<Style, readonly [on: string, off: string]>> = {
  bold: ["\u001b[1m", "\u001b[22m"],
  dim: ["\u001b[2m", "\u001b[22m"],
  inverse: ["\u001b[7m", "\u001b[27m"]
}

const CONTROLS = /[\p{Cc}]/gu

const TAB_STOP = 8

/** One line with its tabs as blanks. */
const expanded = (line: string): string =>
  line.split("\t").reduce((before, after) => {
    const gap = TAB_STOP - (stringWidth(before) % TAB_STOP)
    return before + " ".repeat(gap) + after
  })

export const row = (text: string, ...spans: ReadonlyArray<Span>): Row => ({
  text: expanded(text).replace(CONTROLS, "\ufffd"),
  spans
})

export const blank: Row = row("")
export const rule = (width: number): Row => row("─".repeat(width))
export const dashes = (width: number): Row => row("╌".repeat(width))

/** A row whose text is drawn in one style as a whole. */
export const styled = (style: Style, text: string): Row =>
  row(text, { start: text.length - text.trimStart().length, end: text.length, style })

const chars = (text: string, width: number): ReadonlyArray<string> => {
  const out: Array<string> = []
  let line = ""
  for (const char of text) {
    if (line !== "" && stringWidth(line + char) > width) {
      out.push(line)
      line = ""
    }
    line += char
  }
  return [...out, line]
}

/** Whether a word that no row holds begins in the row that is open: where that makes no more rows of it. */
const beginsHere = (columns: number, taken: number, width: number): boolean =>
  Math.floor((columns - (width - taken) - 1) / width) < Math.floor((columns - 1) / width)

/** Text in rows of at most `width` columns: at line ends, else between words, else inside a word. */
export const wrap = (text: string, width: number): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => {
    const out: Array<string> = []
    let open = ""
    for (const word of line.split(/(?<= )(?=[^ ])/)) {
      const bare = word.trimEnd()
      if (stringWidth(open + bare) <= width) {
        open += word
        continue
      }
      const taken = stringWidth(open)
      const columns = stringWidth(bare)
      if (open !== "" && !(columns > width && beginsHere(columns, taken, width))) {
        out.push(open.trimEnd())
        open = ""
      }
      const pieces = chars(open + word, width)
      out.push(...pieces.slice(0, -1))
      open = pieces.at(-1) ?? ""
    }
    return [...out, open]
  })

/** A text field: its lines behind a prefix, an inverse cell at the end while it is focused. */
export const field = (options: {
  readonly prefix: string
  readonly text: string
  readonly placeholder: string
  readonly focused: boolean
  readonly width: number
}): Block => {
  const { prefix, text, placeholder, focused } = options
  const indent = stringWidth(prefix)
  if (text === "") {
    const shown = focused && placeholder === "" ? " " : placeholder
    const at = prefix.length
    const spans: ReadonlyArray<Span> = focused
      ? [
          { start: at, end: at + 1, style: "inverse" },
          { start: at + 1, end: at + shown.length, style: "dim" }
        ]
      : []
    return { rows: [row(prefix + shown, ...spans)], cursor: { x: indent, y: 0 } }
  }
  // The cell behind the text belongs to the field: a line that fills the width has its cursor on the next row.
  const lines = wrap(text.split("\n").map(expanded).join("\n"), options.width - indent - 1)
  const rows = lines.map((line, index) => (index === 0 ? prefix : " ".repeat(indent)) + line)
  const last = rows.at(-1) ?? prefix
  const cursor = { x: stringWidth(last), y: rows.length - 1 }
  const end = last.length
  return {
    rows: rows.map((line, index) =>
      focused && index === rows.length - 1
        ? row(`${line} `, { start: end, end: end + 1, style: "inverse" })
        : row(line)
    ),
    cursor
  }
}

const drawn = ({ text, spans }: Row): string => {
  const marks = spans.flatMap(({ start, end, style }) => [
    { at: start, sgr: SGR[style][0], opens: true },
    { at: end, sgr: SGR[style][1], opens: false }
  ])
  // Where one style ends and another begins, the end is written first.
  const ordered = marks.toSorted((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens))
  let out = ""
  let from = 0
  for (const { at, sgr } of ordered) {
    out += text.slice(from, at) + sgr
    from = at
  }
  return out + text.slice(from)
}

/** The bytes that draw a whole screen from any state, as one synchronised update; the last rows win. */
export const paint = (block: Block, size: { readonly cols: number; readonly rows: number }): string => {
  const cut = Math.max(0, block.rows.length - size.rows)
  const lines = block.rows
    .slice(cut)
    .map((line, index) => `\u001b[${index + 1};1H${drawn(line)}\u001b[K`)
    .join("")
  const below = block.rows.length < size.rows ? `\u001b[${block.rows.length + 1};1H\u001b[J` : ""
  const cursor =
    block.cursor === null
      ? `\u001b[${size.rows};1H`
      : `\u001b[${Math.max(1, block.cursor.y - cut + 1)};${Math.min(size.cols, block.cursor.x + 1)}H`
  return `\u001b[?2026h${lines}${below}${cursor}\u001b[?2026l`
}
