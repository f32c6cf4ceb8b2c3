import * as TerminalText from "../ask/TerminalText.ts"
import * as TerminalView from "../ask/TerminalView.ts"
import { span, type Row, type Style } from "../ask/TerminalView.ts"
import * as TextField from "../ask/TextField.ts"
import * as QuestionEntry from "./QuestionEntry.ts"
import type { Question, QuestionOption } from "./QuestionRequest.ts"

/** The rows of one page of a form, and where in them each thing that can be focused stands. */
export interface Page {
  readonly rows: ReadonlyArray<Row>
  /** Row ranges `[from, to)`, one per focusable row group, in order. */
  readonly items: ReadonlyArray<readonly [from: number, to: number]>
  readonly elided: boolean
}

/** Prompts and labels are never cut. A description shows this many rows until everything is asked for. */
const DESCRIPTION_ROWS = 2

/** Rows of the focused option's preview. */
const PREVIEW_ROWS = 6

const GUTTER = "│ "
const WRAPPED = "↳ "

const HIDDEN_WARNING = "Hidden characters are shown as escapes."

interface Part {
  readonly rows: ReadonlyArray<Row>
  readonly elided: boolean
}

/** One question. `focus` is the focused item's index, beyond the last where none of the page is. */
export const question = (
  question: Question,
  entry: QuestionEntry.QuestionEntry,
  options: { readonly focus: number; readonly expanded: boolean; readonly columns: number }
): Page => {
  const { columns, expanded, focus } = options
  const intro: ReadonlyArray<Row> = [
    ...(hidesSomething(question) ? textRows(HIDDEN_WARNING, " ", columns, "bold") : []),
    ...(question.header === undefined ? [] : textRows(question.header, GUTTER, columns, "dim")),
    ...textRows(question.prompt, GUTTER, columns, "bold"),
    []
  ]
  const parts: ReadonlyArray<Part> = [
    ...question.options.map((option, index) =>
      optionPart(option, {
        head: `${pointer(index === focus)}${index + 1}. ${mark(question, entry.chosen.includes(option.id))} `,
        focused: index === focus,
        expanded,
        columns
      })
    ),
    ...(question.textMode === "none"
      ? []
      : [{ rows: fieldRows(question, entry, focus === question.options.length, columns), elided: false }])
  ]
  return stack(intro, parts)
}

/** The last page of a group: every question with its answer. */
export const review = (
  questions: ReadonlyArray<Question>,
  entries: ReadonlyArray<QuestionEntry.QuestionEntry>,
  options: { readonly focus: number; readonly columns: number }
): Page =>
  stack(
    [],
    questions.map((question, index): Part => {
      const entry = entries[index] ?? QuestionEntry.empty
      const answer = QuestionEntry.answer(entry, question)
      const labels = question.options.filter(({ id }) => answer?.optionIds?.includes(id) === true)
      return {
        rows: [
          ...hanging(
            `${pointer(index === options.focus)}${index + 1}. `,
            question.prompt,
            options.columns,
            "bold"
          ),
          ...(answer === null ? hanging("      ", "not answered", options.columns, "inverse") : []),
          ...labels.flatMap(({ label }) => hanging("      ✓ ", label, options.columns, "plain")),
          ...(answer?.text === undefined ? [] : hanging("      ✎ ", answer.text, options.columns, "plain"))
        ],
        elided: false
      }
    })
  )

const stack = (intro: ReadonlyArray<Row>, parts: ReadonlyArray<Part>): Page => {
  const rows = [...intro]
  const items = parts.map((part): readonly [number, number] => {
    const from = rows.length
    rows.push(...part.rows)
    return [from, rows.length]
  })
  return { rows, items, elided: parts.some(({ elided }) => elided) }
}

const pointer = (focused: boolean): string => (focused ? " ❯ " : "   ")

const mark = (question: Question, chosen: boolean): string =>
  question.selection === "multiple" ? (chosen ? "[x]" : "[ ]") : chosen ? "(•)" : "( )"

const optionPart = (
  option: QuestionOption,
  at: {
    readonly head: string
    readonly focused: boolean
    readonly expanded: boolean
    readonly columns: number
  }
): Part => {
  const indent = " ".repeat(TerminalText.width(at.head))
  const description = hanging(indent, option.description ?? "", at.columns, "dim")
  const preview = textRows(option.preview ?? "", `${indent}${GUTTER}`, at.columns, "plain")
  const described = bound(
    option.description === undefined ? [] : description,
    at.expanded ? Infinity : DESCRIPTION_ROWS,
    at.columns
  )
  const previewed = bound(
    option.preview === undefined ? [] : preview,
    at.expanded ? Infinity : at.focused ? PREVIEW_ROWS : 0,
    at.columns
  )
  return {
    rows: [
      ...hanging(at.head, option.label, at.columns, at.focused ? "bold" : "plain"),
      ...described.rows,
      ...previewed.rows
    ],
    elided: described.elided || previewed.elided
  }
}

/** The first rows; an ellipsis at the end of the last says that there are more (P2.2). */
const bound = (rows: ReadonlyArray<Row>, limit: number, columns: number): Part => {
  if (rows.length <= limit) return { rows, elided: false }
  const last = rows[limit - 1]
  if (last === undefined) return { rows: [], elided: true }
  const text = TerminalView.text(last).trimEnd()
  const marked = TerminalText.cut(`${text}${TerminalText.ELLIPSIS}`, columns)
  return { rows: [...rows.slice(0, limit - 1), [span(marked, last.at(-1)?.style ?? "plain")]], elided: true }
}

const FIELD_LABELS = { alternative: "Something else:", additional: "Note:" } as const

const fieldRows = (
  question: Question,
  entry: QuestionEntry.QuestionEntry,
  focused: boolean,
  columns: number
): ReadonlyArray<Row> => {
  if (question.textMode === "none") return []
  const chosen =
    question.textMode === "alternative" && question.selection !== "none"
      ? `${mark(question, entry.textCounts)} `
      : ""
  const label = question.selection === "none" ? "Answer:" : FIELD_LABELS[question.textMode]
  const text = TerminalText.line(TextField.value(entry.field))
  // While it is focused the text is edited below; here a look at it is enough.
  const head = `${pointer(focused)}${question.options.length + 1}. ${chosen}${label} `
  return [[span(TerminalText.cut(`${head}${text}`, columns), focused ? "bold" : "plain")]]
}

/** Text in rows under a head: the rows after the first stand where the text began. */
const hanging = (head: string, text: string, columns: number, style: Style): ReadonlyArray<Row> => {
  const indent = TerminalText.width(head) <= columns / 2 ? TerminalText.width(head) : 2
  const room = Math.max(1, columns - Math.max(indent, TerminalText.width(head)))
  return TerminalText.visible(text)
    .lines.flatMap((line) => TerminalText.wrapWords(line, room))
    .map((row, index) => [span(index === 0 ? head : " ".repeat(indent), style), span(row, style)])
}

/** Text in rows behind a gutter that tells a new line from one that only wraps. */
const textRows = (text: string, gutter: string, columns: number, style: Style): ReadonlyArray<Row> => {
  const wrapped = gutter.replace(GUTTER, WRAPPED)
  const room = Math.max(1, columns - TerminalText.width(gutter))
  return TerminalText.visible(text).lines.flatMap((line) =>
    TerminalText.wrapWords(line, room).map((row, index): Row => [
      span(index === 0 ? gutter : wrapped, "dim"),
      span(row, style)
    ])
  )
}

const hidesSomething = (question: Question): boolean =>
  [
    question.prompt,
    question.header ?? "",
    ...question.options.flatMap(({ description, label, preview }) => [
      label,
      description ?? "",
      preview ?? ""
    ])
  ].some((text) => TerminalText.visible(text).hidden)
