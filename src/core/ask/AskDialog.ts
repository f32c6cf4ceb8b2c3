import type { AskBudget } from "./AskBudget.ts"
import type { Annotation, AskPayload, AskUnit, Evidence } from "./AskPayload.ts"
import * as TerminalText from "./TerminalText.ts"
import * as TerminalView from "./TerminalView.ts"
import { span, type Row, type Span, type Style } from "./TerminalView.ts"

/**
 * The dialog's renderer (P3.2): an ask as aligned `key: value` rows. Pure: the same payload, budget and width
 * give the same rows, and the payload is only read (P2.7).
 */
export interface Layout {
  /** The invariant core, whole, wrapped (P2.3). The first rows of every body. */
  readonly core: ReadonlyArray<Row>
  /** Evidence as it is previewed: one row per line. */
  readonly previews: ReadonlyArray<Preview>
  /** Whether the previews, given all the rows they want, still leave something out. */
  readonly elided: boolean
  /** Evidence and annotations, whole and wrapped (P2.4). Computed when it is asked for. */
  readonly details: () => ReadonlyArray<Row>
}

/** What a dialog shows above its controls. */
export interface Body {
  readonly rows: ReadonlyArray<Row>
  readonly elided: boolean
}

interface Preview {
  /** The heading that carries the mark of a model's words; it counts as a row and never goes missing. */
  readonly heading: ReadonlyArray<Row>
  /** The first rows of the text, no more than any budget shows. */
  readonly rows: ReadonlyArray<Row>
  /** The last row of a preview of `count` rows, marked as cut. */
  readonly marked: (count: number) => Row
}

/** One `key: value` of a render. */
export interface Fact {
  readonly key: string
  readonly text: string
}

/** Keys wider than this get a row of their own, so that one long field name does not narrow every value. */
const KEY_COLUMNS = 11

/** Below this width keys stand above their values. */
const STACKED_BELOW = 40

/** A preview never needs more rows: no budget is larger than what a person takes in at a glance. */
const PREVIEW_ROWS = 200

/** The gutter tells a new line of the text from one that only wraps: `rm x` and `rm` `x` look different. */
const GUTTER_NEW = "│ "
const GUTTER_WRAPPED = "↳ "

/** A terminal this narrow has room for half a gutter; one of a single column for none. */
const WHOLE_GUTTER_FROM = 8

const gutterColumns = (columns: number): number =>
  columns >= WHOLE_GUTTER_FROM ? GUTTER_NEW.length : columns > 1 ? 1 : 0

/** What the decisive value of a surface is, in a word. */
const VALUE_KEYS: ReadonlyMap<string, string> = new Map([
  ["bash", "command"],
  ["code", "command"],
  ["path_read", "path"],
  ["path_write", "path"],
  ["external_directory_read", "path"],
  ["external_directory_write", "path"],
  ["mcp", "target"],
  ["skill", "skill"],
  ["web", "address"],
  ["agent", "agent type"]
])

const MODEL_MARK = "model-generated"

const HIDDEN_WARNING = "hidden characters are shown as escapes"

/** Reads each text once: the core, the evidence and the warning look at the same long ones. */
type Reader = (text: string) => TerminalText.Visible

const reader = (): Reader => {
  const read = new Map<string, TerminalText.Visible>()
  return (text) => {
    const visible = read.get(text) ?? TerminalText.visible(text)
    read.set(text, visible)
    return visible
  }
}

/** The rows of an ask in a terminal of `columns` columns. */
export const layout = (payload: AskPayload, budget: AskBudget, columns: number): Layout => {
  const visible = reader()
  const facts = coreFacts(payload, visible)
  const grid = gridOf(columns, visible, [
    ...facts.map(({ key }) => key),
    ...payload.evidence.map(({ label }) => TerminalText.line(label))
  ])
  const core = facts.flatMap((fact) => factRows(fact.key, fact.text, "bold", grid))
  const shown = payload.evidence.filter((entry) => !repeatsCore(entry, payload.request.units))
  const previews = shown.map((entry) => previewOf(entry, grid, budget.columns))
  return {
    core,
    previews: previews.map(({ preview }) => preview),
    elided: payload.annotations.length > 0 || previews.some(({ cut }) => cut),
    details: () => [
      ...payload.evidence.flatMap((entry) => detailRows(entry, grid)),
      ...payload.annotations.flatMap((entry) => annotationRows(entry, grid))
    ]
  }
}

/** The core and as much evidence as fits into `room` rows; a taller core stands alone and whole (P2.3). */
export const bounded = (layout: Layout, room: number): Body => {
  const counts = allot(layout.previews, room - layout.core.length)
  return {
    rows: [
      ...layout.core,
      ...layout.previews.flatMap((preview, index) => previewRows(preview, counts[index] ?? 0))
    ],
    elided: layout.elided || layout.previews.some((preview, index) => (counts[index] ?? 0) < wanted(preview))
  }
}

/** Everything, whole (P2.4). */
export const full = (layout: Layout): Body => ({ rows: [...layout.core, ...layout.details()], elided: false })

/** The title of an ask: our own words, and the tool's name. */
export const title = ({ request }: AskPayload): string =>
  `Obstat: ${request.agent} asks to use ${request.toolName}`

/**
 * An ask as rows of at most `columns` columns, without controls: what a consumer that cannot scroll prints
 * (P3.3). At most `budget.rows` rows, unless title and core alone are more (P2.3).
 */
export const render = (payload: AskPayload, budget: AskBudget, columns: number): ReadonlyArray<Row> => {
  const head = TerminalText.wrap(TerminalText.line(title(payload)), columns).map((row): Row => [
    span(row, "bold")
  ])
  const body = bounded(layout(payload, budget, columns), budget.rows - head.length - ELISION.length)
  return [...head, ...body.rows, ...(body.elided ? ELISION : [])]
}

/** As `render`, with everything in it: the fallback's "show all" (P2.4, P3.3). */
export const renderAll = (payload: AskPayload, budget: AskBudget, columns: number): ReadonlyArray<Row> => [
  ...TerminalText.wrap(TerminalText.line(title(payload)), columns).map((row): Row => [span(row, "bold")]),
  ...full(layout(payload, budget, columns)).rows
]

/** Facts of another page of the same dialog, as the core's are laid out: whole, and wrapped. */
export const facts = (facts: ReadonlyArray<Fact>, columns: number): ReadonlyArray<ReadonlyArray<Row>> => {
  const keys = facts.map(({ key }) => key)
  const grid = gridOf(columns, reader(), keys)
  return facts.map(({ key, text }) => factRows(key, text, "bold", grid))
}

const ELISION: ReadonlyArray<Row> = [[span(TerminalText.ELLIPSIS, "dim")]]

const coreFacts = (payload: AskPayload, visible: Reader): ReadonlyArray<Fact> => {
  const { agent, requester, toolName, invokedToolName, units } = payload.request
  return [
    ...(hidesSomething(payload, visible) ? [{ key: "warning", text: HIDDEN_WARNING }] : []),
    { key: "agent", text: agent },
    ...(requester.agentName === null ? [] : [{ key: "subagent", text: requester.agentName }]),
    ...(requester.sessionId === null ? [] : [{ key: "session", text: requester.sessionId }]),
    ...(requester.forwarded ? [{ key: "forwarded", text: "yes, from a session without a person" }] : []),
    { key: "tool", text: toolName },
    ...(invokedToolName === null ? [] : [{ key: "invoked as", text: invokedToolName }]),
    ...units.flatMap((unit, index) => unitFacts(unit, units.length === 1 ? "" : ` ${index + 1}`))
  ]
}

/** Short facts first: what may be long comes last, and scrolls. */
const unitFacts = (unit: AskUnit, number: string): ReadonlyArray<Fact> => [
  { key: `surface${number}`, text: unit.surface },
  { key: `rule${number}`, text: unit.matchedPattern },
  { key: `${VALUE_KEYS.get(unit.surface) ?? "value"}${number}`, text: unit.value },
  ...(unit.executedUnit === null || unit.executedUnit === unit.value
    ? []
    : [{ key: `${unit.surface === "code" ? "code" : "runs"}${number}`, text: unit.executedUnit }])
]

const hidesSomething = ({ request, evidence, annotations }: AskPayload, visible: Reader): boolean =>
  [
    request.toolName,
    request.invokedToolName ?? "",
    request.requester.agentName ?? "",
    request.requester.sessionId ?? "",
    ...request.units.flatMap((unit) => [
      unit.surface,
      unit.value,
      unit.matchedPattern,
      unit.executedUnit ?? ""
    ]),
    ...evidence.flatMap(({ label, text }) => [label, text]),
    ...annotations.flatMap(({ source, text }) => [source, text])
  ].some((text) => visible(text).hidden)

/** Evidence that the core shows word for word needs no second place, unless everything is asked for. */
const repeatsCore = (entry: Evidence, units: ReadonlyArray<AskUnit>): boolean =>
  !entry.modelGenerated && units.some((unit) => entry.text === unit.value || entry.text === unit.executedUnit)

/** Where keys and values stand. `keyColumns` is `null` where keys stand above their values. */
interface Grid {
  readonly columns: number
  readonly keyColumns: number | null
  readonly valueColumns: number
  readonly visible: Reader
}

const gridOf = (columns: number, visible: Reader, keys: ReadonlyArray<string>): Grid => {
  const fitting = keys.map(TerminalText.width).filter((width) => width <= KEY_COLUMNS)
  // A blank before the key, a colon and a blank behind it.
  const keyColumns = columns < STACKED_BELOW ? null : Math.max(...fitting, 0) + 3
  return {
    columns,
    visible,
    keyColumns,
    valueColumns: Math.max(1, columns - (keyColumns ?? 0) - gutterColumns(columns))
  }
}

const isAligned = (key: string, grid: Grid): grid is Grid & { readonly keyColumns: number } =>
  grid.keyColumns !== null && TerminalText.width(key) <= KEY_COLUMNS

const headingRows = (text: string, style: Style, grid: Grid): ReadonlyArray<Row> =>
  TerminalText.wrap(`${text}:`, Math.max(1, grid.columns - 1)).map((row) => [
    span(grid.columns > 1 ? ` ${row}` : row, style)
  ])

const gutter = (begins: boolean, grid: Grid): Span =>
  span((begins ? GUTTER_NEW : GUTTER_WRAPPED).slice(0, gutterColumns(grid.columns)), "dim")

/**
 * The value's rows behind `blank`, whole: each says whether a line begins there or goes on. Text may have many
 * thousand of them, so they share what is the same in each.
 */
const valueRows = (text: string, blank: Span, grid: Grid): Array<Row> => {
  const begins = gutter(true, grid)
  const goesOn = gutter(false, grid)
  const rows: Array<Row> = []
  for (const line of grid.visible(text).lines) {
    let mark = begins
    for (const row of TerminalText.wrap(line, grid.valueColumns)) {
      rows.push([blank, mark, span(row)])
      mark = goesOn
    }
  }
  return rows
}

const keyCell = (key: string, keyColumns: number): string => {
  const cell = ` ${key}:`
  return cell + " ".repeat(Math.max(0, keyColumns - TerminalText.width(cell)))
}

const factRows = (key: string, text: string, style: Style, grid: Grid): ReadonlyArray<Row> => {
  const rows = valueRows(text, span(" ".repeat(grid.keyColumns ?? 0), style), grid)
  const [first = [], second] = rows
  if (grid.keyColumns === null && second === undefined) {
    const row = [span(` ${key}: `, style), ...first.slice(1)]
    if (TerminalText.width(TerminalView.text(row)) <= grid.columns) return [row]
  }
  if (!isAligned(key, grid)) return [...headingRows(key, style, grid), ...rows]
  rows[0] = [span(keyCell(key, grid.keyColumns), style), ...first.slice(1)]
  return rows
}

const underHeading = (text: string, grid: Grid): ReadonlyArray<Row> =>
  valueRows(text, span(" ".repeat(grid.keyColumns ?? 0)), grid)

const modelHeading = (label: string): string => `${label} (${MODEL_MARK})`

const detailRows = (entry: Evidence, grid: Grid): ReadonlyArray<Row> => {
  const label = TerminalText.line(entry.label)
  if (!entry.modelGenerated) return factRows(label, entry.text, "dim", grid)
  return [...headingRows(modelHeading(label), "dim", grid), ...underHeading(entry.text, grid)]
}

const annotationRows = (entry: Annotation, grid: Grid): ReadonlyArray<Row> => [
  ...headingRows(modelHeading(`note by ${TerminalText.line(entry.source)}`), "dim", grid),
  ...underHeading(entry.text, grid)
]

const previewOf = (
  entry: Evidence,
  grid: Grid,
  cap: number
): { readonly preview: Preview; readonly cut: boolean } => {
  const label = TerminalText.line(entry.label)
  const own = entry.modelGenerated || !isAligned(label, grid)
  const columns = Math.min(cap, grid.valueColumns)
  const { lines } = grid.visible(entry.text)
  const toRow = (text: string, index: number): Row => [
    span(
      !own && index === 0 && grid.keyColumns !== null
        ? keyCell(label, grid.keyColumns)
        : " ".repeat(grid.keyColumns ?? 0),
      "dim"
    ),
    gutter(true, grid),
    span(text)
  ]
  // The mark of a model's words is core: where there is no room it wraps, and only the label is cut.
  const room = Math.min(cap, grid.columns - 2 - (entry.modelGenerated ? MODEL_MARK.length + 3 : 0))
  const heading = TerminalText.cut(label, Math.max(1, room))
  return {
    preview: {
      heading: own ? headingRows(entry.modelGenerated ? modelHeading(heading) : heading, "dim", grid) : [],
      rows: lines.slice(0, PREVIEW_ROWS).map((line, index) => toRow(TerminalText.cut(line, columns), index)),
      marked: (count) => {
        const line = TerminalText.cut(lines[count - 1] ?? "", columns - 2)
        return toRow(
          line.endsWith(TerminalText.ELLIPSIS)
            ? line
            : TerminalText.cut(`${line} ${TerminalText.ELLIPSIS}`, columns),
          count - 1
        )
      }
    },
    cut:
      (own && heading !== label) ||
      lines.length > PREVIEW_ROWS ||
      lines.some((line) => TerminalText.width(line) > columns)
  }
}

const wanted = (preview: Preview): number => preview.heading.length + preview.rows.length

/** A row for each entry in turn, then what is left over, row by row: a long entry does not starve the others. */
const allot = (previews: ReadonlyArray<Preview>, room: number): ReadonlyArray<number> => {
  const counts = previews.map(() => 0)
  let left = room
  for (const [index, preview] of previews.entries()) {
    const least = preview.heading.length + 1
    if (least > left) break
    counts[index] = least
    left -= least
  }
  for (let grew = true; grew && left > 0;) {
    grew = false
    for (const [index, preview] of previews.entries()) {
      const count = counts[index] ?? 0
      if (left > 0 && count > 0 && count < wanted(preview)) {
        counts[index] = count + 1
        left -= 1
        grew = true
      }
    }
  }
  return counts
}

const previewRows = (preview: Preview, count: number): ReadonlyArray<Row> => {
  if (count === 0) return []
  const rows = count - preview.heading.length
  return rows >= preview.rows.length
    ? [...preview.heading, ...preview.rows]
    : [...preview.heading, ...preview.rows.slice(0, rows - 1), preview.marked(rows)]
}
