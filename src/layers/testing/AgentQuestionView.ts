import * as AgentDraft from "./AgentDraft.ts"
import * as AgentQuestion from "./AgentQuestion.ts"
import * as AgentRows from "./AgentRows.ts"

const tabs = (state: AgentQuestion.AgentQuestion): string => {
  const boxes = state.questions.map((question, index) => {
    const entry = state.entries[index]
    return `${entry !== undefined && AgentQuestion.isAnswered(entry) ? "☒" : "☐"} ${question.header}`
  })
  return AgentQuestion.isPlain(state) ? ` ${boxes[0]} ` : `←  ${[...boxes, "✔ Submit"].join("  ")}  →`
}

/** A question longer than the screen is wide stands behind a gutter. */
const prompt = (text: string, width: number): ReadonlyArray<AgentRows.Row> =>
  AgentRows.wrap(text, width).length === 1
    ? [AgentRows.styled("bold", text)]
    : AgentRows.wrap(text, width - 2).map((line) =>
        AgentRows.row(
          `│ ${line}`,
          { start: 0, end: 1, style: "dim" },
          { start: 2, end: 2 + line.length, style: "bold" }
        )
      )

const caret = (focused: boolean): string => (focused ? "❯ " : "  ")
const box = (multiple: boolean, checked: boolean): string => (multiple ? `[${checked ? "✔" : " "}] ` : "")

const tabView = (
  state: AgentQuestion.AgentQuestion,
  question: AgentQuestion.Question,
  width: number
): AgentRows.Block => {
  const multiple = question.multiSelect === true
  const entry = state.entries[state.tab]
  const rows = AgentQuestion.rowsOf(question)
  const chosen = (index: number): boolean => entry?.chosen.has(index) ?? false
  const indent = multiple ? 9 : 5
  const head = [
    AgentRows.rule(width),
    AgentRows.row(tabs(state)),
    AgentRows.blank,
    ...prompt(question.question, width),
    AgentRows.blank
  ]
  const options = question.options.map((option, index) => [
    AgentRows.row(
      `${caret(state.focus === index)}${index + 1}. ${box(multiple, chosen(index))}${option.label}` +
        (!multiple && chosen(index) ? " ✔" : "")
    ),
    ...(option.description === undefined
      ? []
      : AgentRows.wrap(option.description, width - indent).map((line) =>
          AgentRows.row(" ".repeat(indent) + line)
        ))
  ])
  const field = AgentRows.field({
    prefix: `${caret(state.focus === rows.text)}${rows.text + 1}. ${box(multiple, entry?.textChosen ?? false)}`,
    text: AgentDraft.shown(entry?.text ?? AgentDraft.empty),
    placeholder: multiple ? "Type something" : "Type something.",
    focused: state.focus === rows.text,
    width
  })
  const onward = state.tab + 1 < state.questions.length ? "Next" : "Submit"
  const submit =
    rows.submit === null
      ? []
      : [
          AgentRows.row(`${caret(state.focus === rows.submit)}   ${onward}`, {
            start: 5,
            end: 5 + onward.length,
            style: "bold"
          })
        ]
  const navigate = state.questions.length > 1 ? "Tab/Arrow keys" : "↑/↓"
  const edit = state.focus >= rows.text ? "ctrl+g to edit in Vim · " : ""
  const optionStarts = options.map((_, index) => options.slice(0, index).flat().length)
  const top = head.length
  return {
    rows: [
      ...head,
      ...options.flat(),
      ...field.rows,
      ...submit,
      AgentRows.rule(width),
      AgentRows.row(`${caret(state.focus === rows.chat)}${rows.text + 2}. Chat about this`),
      AgentRows.blank,
      AgentRows.row(`Enter to select · ${navigate} to navigate · ${edit}Esc to cancel`)
    ],
    cursor:
      state.focus < rows.text
        ? { x: 0, y: top + (optionStarts[state.focus] ?? 0) }
        : state.focus === rows.text && field.cursor !== null
          ? { x: field.cursor.x, y: top + options.flat().length + field.cursor.y }
          : null
  }
}

const reviewView = (state: AgentQuestion.AgentQuestion, width: number): AgentRows.Block => {
  const answers = AgentQuestion.answers(state)
  const complete = Object.keys(answers).length === state.questions.length
  const lines = state.questions.flatMap(({ question }) => {
    const answer = answers[question]
    return answer === undefined
      ? []
      : [
          AgentRows.row(` ● ${question}`),
          ...AgentRows.wrap(`→ ${answer}`, width - 3).map((line) => AgentRows.row(`   ${line}`))
        ]
  })
  const head = [
    AgentRows.blank,
    AgentRows.rule(width),
    AgentRows.row(tabs(state)),
    AgentRows.blank,
    AgentRows.styled("bold", "Review your answers"),
    AgentRows.blank,
    ...(complete ? [] : [AgentRows.row("⚠ You have not answered all questions"), AgentRows.blank]),
    ...lines,
    AgentRows.blank,
    AgentRows.row("Ready to submit your answers?"),
    AgentRows.blank
  ]
  return {
    rows: [
      ...head,
      AgentRows.row(`${caret(state.focus === 0)}1. Submit answers`),
      AgentRows.row(`${caret(state.focus === 1)}2. Cancel`)
    ],
    cursor: { x: 0, y: head.length + state.focus }
  }
}

/** The editor as Claude Code draws it. */
export const view = (state: AgentQuestion.AgentQuestion, width: number): AgentRows.Block => {
  const question = state.questions[state.tab]
  return question === undefined ? reviewView(state, width) : tabView(state, question, width)
}
