import * as AskBudget from "../ask/AskBudget.ts"
import type { Dialog } from "../ask/Dialog.ts"
import * as DialogFrame from "../ask/DialogFrame.ts"
import type { Key, NamedKey } from "../ask/Keys.ts"
import * as TextField from "../ask/TextField.ts"
import { span, type Row, type Size, type View } from "../ask/TerminalView.ts"
import type { QuestionAnswer } from "./QuestionAnswer.ts"
import * as QuestionEntry from "./QuestionEntry.ts"
import * as QuestionForm from "./QuestionForm.ts"
import type { Question, QuestionRequest } from "./QuestionRequest.ts"

/** What a person made of a request. `left`: they left it to the agent's own dialog. */
export type QuestionResult =
  | { readonly _tag: "answered"; readonly answers: ReadonlyArray<QuestionAnswer> }
  | { readonly _tag: "left" }

export interface State {
  readonly request: QuestionRequest
  readonly size: Size
  readonly entries: ReadonlyArray<QuestionEntry.QuestionEntry>
  /** A question's index; the number of questions for the review of a group. */
  readonly page: number
  /** An item of the page; the number of items for the button below them. */
  readonly focus: number
  readonly expanded: boolean
  readonly top: number
  /** Whether the terminal has confirmed a paint: keys before that mean nothing (P6.1). */
  readonly armed: boolean
  /** Whether an answer is missing that the person wanted to submit. */
  readonly refused: boolean
  readonly result: QuestionResult | null
}

/** Rows of a text being edited that are shown at once. */
const FIELD_ROWS = 5

const FIELD_LABEL = " ✎ "

export const open = (request: QuestionRequest, size: Size): State => ({
  request,
  size,
  entries: request.questions.map(() => QuestionEntry.empty),
  page: 0,
  focus: 0,
  expanded: false,
  top: 0,
  armed: false,
  refused: false,
  result: null
})

export const resize: Dialog<State, QuestionResult>["resize"] = (state, size) =>
  follow({ ...state, size, armed: false })

export const confirm: Dialog<State, QuestionResult>["confirm"] = (state, painted) =>
  painted.size === state.size && !state.armed ? { ...state, armed: true } : state

export const result: Dialog<State, QuestionResult>["result"] = (state) => state.result

export const press: Dialog<State, QuestionResult>["press"] = (state, key) => {
  if (!state.armed || state.result !== null) return state
  const asked = { ...state, refused: false }
  if (key._tag === "ctrl" && key.letter === "c") return { ...state, result: { _tag: "left" } }
  if (key._tag === "ctrl" && key.letter === "o") return follow({ ...asked, expanded: !state.expanded })
  if (key._tag === "named" && (key.name === "page_down" || key.name === "page_up")) {
    return scrollBy(key.name === "page_down" ? 1 : -1)(asked)
  }
  return follow((isTyping(state) ? type(asked, key) : null) ?? choose(asked, key))
}

const questionOf = (state: State): Question | null => state.request.questions[state.page] ?? null

const isGroup = (state: State): boolean => state.request.questions.length > 1

/** How many items the page has; the button comes after them. */
const itemCount = (state: State): number => {
  const question = questionOf(state)
  if (question === null) return state.request.questions.length
  return question.options.length + (question.textMode === "none" ? 0 : 1)
}

const isTyping = (state: State): boolean => {
  const question = questionOf(state)
  return question !== null && question.textMode !== "none" && state.focus === question.options.length
}

const entryOf = (state: State): QuestionEntry.QuestionEntry =>
  state.entries[state.page] ?? QuestionEntry.empty

const withEntry = (state: State, entry: QuestionEntry.QuestionEntry): State => ({
  ...state,
  entries: state.entries.with(state.page, entry)
})

const focusBy =
  (step: number) =>
  (state: State): State => ({
    ...state,
    focus: Math.max(0, Math.min(state.focus + step, itemCount(state)))
  })

const toButton = (state: State): State => ({ ...state, focus: itemCount(state) })

const toPage =
  (page: number) =>
  (state: State): State => {
    const last = isGroup(state) ? state.request.questions.length : 0
    const next = Math.max(0, Math.min(page, last))
    // A review is left by its button more often than not.
    return { ...state, page: next, top: 0, focus: next === state.request.questions.length ? next : 0 }
  }

const pageBy =
  (step: number) =>
  (state: State): State =>
    toPage(state.page + step)(state)

const leave = (state: State): State => ({ ...state, result: { _tag: "left" } })

/** Chooses the focused option; of a single choice nothing is left but the button. */
const toggle = (state: State, index: number): State => {
  const question = questionOf(state)
  const option = question?.options[index]
  if (question === null || option === undefined) return state
  const chosen = withEntry(
    { ...state, focus: index },
    QuestionEntry.toggle(entryOf(state), question, option.id)
  )
  if (question.selection !== "single") return chosen
  return question.textMode === "additional"
    ? focusBy(question.options.length - index)(chosen)
    : toButton(chosen)
}

const submit = (state: State): State => {
  const answers: Array<QuestionAnswer> = []
  for (const [index, question] of state.request.questions.entries()) {
    const answer = QuestionEntry.answer(state.entries[index] ?? QuestionEntry.empty, question)
    if (answer === null) return { ...toPage(index)(state), refused: true }
    answers.push(answer)
  }
  return { ...state, result: { _tag: "answered", answers } }
}

const take = (state: State): State => {
  if (state.focus < itemCount(state)) {
    return questionOf(state) === null ? toPage(state.focus)(state) : toggle(state, state.focus)
  }
  return isGroup(state) && questionOf(state) !== null ? pageBy(1)(state) : submit(state)
}

const scrollBy =
  (pages: number) =>
  (state: State): State => {
    const room = roomOf(state)
    const last = DialogFrame.lastTop(pageOf(state).rows.length, room)
    return { ...state, top: Math.max(0, Math.min(state.top + pages * Math.max(1, room - 1), last)) }
  }

const CHOOSING: Partial<Record<NamedKey, (state: State) => State>> = {
  enter: take,
  escape: leave,
  tab: pageBy(1),
  right: pageBy(1),
  back_tab: pageBy(-1),
  left: pageBy(-1),
  down: focusBy(1),
  up: focusBy(-1),
  home: focusBy(-Infinity),
  end: toButton
}

/** In a text the arrows edit; these keys go on to the form, the others stay. */
const LEAVING_TEXT: Partial<Record<NamedKey, (state: State) => State>> = {
  enter: toButton,
  escape: toButton,
  tab: pageBy(1),
  back_tab: pageBy(-1),
  down: focusBy(1),
  up: focusBy(-1)
}

const type = (state: State, key: Key): State | null => {
  const away = key._tag === "named" ? LEAVING_TEXT[key.name] : undefined
  if (away !== undefined) return away(state)
  const question = questionOf(state)
  const entry = entryOf(state)
  const field = TextField.press(entry.field, key)
  return field === null || question === null
    ? null
    : withEntry(state, QuestionEntry.write(entry, question, field))
}

/** Whether the first row of the focused item is in the window: the button always is. */
const isVisible = (state: State): boolean => {
  const [from] = pageOf(state).items[state.focus] ?? [state.top]
  return from >= state.top && from < state.top + roomOf(state)
}

const choose = (state: State, key: Key): State => {
  // What is not on the screen is brought there first, and only then taken.
  if (!isVisible(state) && isTaking(key)) return reveal(state)
  if (key._tag === "named") return CHOOSING[key.name]?.(state) ?? state
  if (key._tag !== "char") return state
  if (key.char === " " && state.focus < itemCount(state)) return toggle(state, state.focus)
  return /^[1-9]$/.test(key.char) ? toggle(state, Number(key.char) - 1) : state
}

const pageOf = (state: State): QuestionForm.Page => {
  const question = questionOf(state)
  const { columns } = state.size
  return question === null
    ? QuestionForm.review(state.request.questions, state.entries, { focus: state.focus, columns })
    : QuestionForm.question(question, entryOf(state), {
        focus: state.focus,
        expanded: state.expanded,
        columns
      })
}

/** The expanded view takes the whole terminal; the bounded one no more than an ask may (P2.1). */
const heightOf = (state: State): number =>
  state.expanded ? state.size.rows : Math.min(state.size.rows, AskBudget.defaults.rows)

const roomOf = (state: State): number => DialogFrame.room(heightOf(state), controls(state).rows.length)

const isTaking = (key: Key): boolean =>
  (key._tag === "named" && key.name === "enter") || (key._tag === "char" && key.char === " ")

/**
 * Moves the window as little as it takes to show the focused item. The first item leaves the prompt above it
 * on the screen: a person reads that first.
 */
const follow = (state: State): State => (state.focus === 0 && state.top === 0 ? state : reveal(state))

const reveal = (state: State): State => {
  const page = pageOf(state)
  const room = roomOf(state)
  const end = page.rows.length
  const [from, to] = page.items[state.focus] ?? [end, end]
  const down = Math.max(state.top, to - room)
  return { ...state, top: Math.max(0, Math.min(down, from, DialogFrame.lastTop(end, room))) }
}

interface Controls {
  readonly rows: ReadonlyArray<Row>
  readonly cursor: { readonly row: number; readonly column: number } | null
}

const controls = (state: State): Controls => {
  const question = questionOf(state)
  const label = isGroup(state) && question !== null ? "Next" : "Submit"
  const buttons = DialogFrame.buttonRows(
    [
      {
        label,
        short: label,
        focused: state.focus >= itemCount(state),
        locked: state.refused ? "not answered yet" : null
      }
    ],
    state.size
  )
  if (!isTyping(state)) return { rows: buttons, cursor: null }
  const indent = FIELD_LABEL.length
  const height = Math.max(1, Math.min(FIELD_ROWS, heightOf(state) - FIELD_ROWS))
  const field = TextField.view(entryOf(state).field, Math.max(1, state.size.columns - indent), height)
  return {
    rows: [
      ...field.rows.map((row, index): Row => [
        span(index === 0 ? FIELD_LABEL : " ".repeat(indent), "bold"),
        span(row)
      ]),
      ...buttons
    ],
    cursor: { row: field.cursor.row, column: field.cursor.column + indent }
  }
}

const title = (state: State): string => {
  const { agent, questions } = state.request
  if (!isGroup(state)) return `Obstat: ${agent} asks you a question`
  return questionOf(state) === null
    ? `Obstat: your answers to ${agent}`
    : `Obstat: ${agent} asks you, ${state.page + 1} of ${questions.length}`
}

const hint = (state: State, elided: boolean): string => {
  if (isTyping(state)) return "Enter done · Ctrl+J new line · ↑↓ move · Esc end text"
  return [
    "↑↓ move",
    "Enter take",
    ...(isGroup(state) ? ["←→ questions"] : []),
    ...(state.expanded ? ["^O less"] : elided ? ["^O all"] : []),
    "Esc leave"
  ].join(" · ")
}

export const view: Dialog<State, QuestionResult>["view"] = (state, status): View => {
  const page = pageOf(state)
  const { rows, cursor } = controls(state)
  return DialogFrame.compose(
    {
      title: title(state),
      status,
      body: page.rows,
      top: state.top,
      elided: page.elided,
      controls: rows,
      cursor,
      hint: hint(state, page.elided)
    },
    { columns: state.size.columns, rows: heightOf(state) }
  )
}
