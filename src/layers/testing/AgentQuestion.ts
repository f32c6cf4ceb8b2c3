import * as Schema from "effect/Schema"
import type { Key, NamedKey } from "../../core/ask/Keys.ts"
import * as AgentDraft from "./AgentDraft.ts"

/** The input of Claude Code's question tool. */
export const Input = Schema.Struct({
  questions: Schema.NonEmptyArray(
    Schema.Struct({
      question: Schema.NonEmptyString,
      header: Schema.String,
      multiSelect: Schema.optionalKey(Schema.Boolean),
      options: Schema.Array(
        Schema.Struct({ label: Schema.String, description: Schema.optionalKey(Schema.String) })
      )
    })
  )
})
export type Input = typeof Input.Type
export type Question = Input["questions"][number]

/** What was entered for one question. */
export interface Entry {
  /** Option rows that are chosen: at most one where one choice is asked for. */
  readonly chosen: ReadonlySet<number>
  readonly text: AgentDraft.AgentDraft
  /** Whether the text is (part of) the answer. */
  readonly textChosen: boolean
}

/** Claude Code's question editor: one tab per question, and a review page behind them where it has one. */
export interface AgentQuestion {
  readonly questions: Input["questions"]
  readonly entries: ReadonlyArray<Entry>
  /** The open tab; `questions.length` is the review page. */
  readonly tab: number
  /** The focused row: the options, the text row, then for several choices `Submit`, then `Chat about this`. */
  readonly focus: number
}

export type Outcome =
  /** The answers by the questions' text; an unanswered question has none. */
  | { readonly _tag: "answered"; readonly answers: Readonly<Record<string, string>>; readonly free: boolean }
  | { readonly _tag: "declined" }
  | { readonly _tag: "chat"; readonly answers: Readonly<Record<string, string>> }

const NO_ENTRY: Entry = { chosen: new Set(), text: AgentDraft.empty, textChosen: false }

export const make = ({ questions }: Input): AgentQuestion => ({
  questions,
  entries: questions.map(() => NO_ENTRY),
  tab: 0,
  focus: 0
})

/** A question alone with one choice has neither tabs nor a review page. */
export const isPlain = ({ questions }: AgentQuestion): boolean =>
  questions.length === 1 && questions[0].multiSelect !== true

export const isAnswered = (entry: Entry): boolean => entry.chosen.size > 0 || entry.textChosen

/** What stands behind the options of the open tab, by row. */
export const rowsOf = (question: Question) => {
  const text = question.options.length
  const submit = question.multiSelect === true ? text + 1 : null
  return { text, submit, chat: (submit ?? text) + 1 }
}

/** Text with a comma or a quote is quoted, so that it stays one answer among several. */
const quoted = (text: string): string => (/[",]/.test(text) ? JSON.stringify(text) : text)

const value = (question: Question, entry: Entry): string | null => {
  const text = entry.textChosen ? AgentDraft.text(entry.text) : ""
  const labels = question.options.flatMap((option, index) => (entry.chosen.has(index) ? [option.label] : []))
  const parts = question.multiSelect === true && text !== "" ? [...labels, quoted(text)] : [...labels, text]
  const all = parts.filter((part) => part !== "")
  return all.length === 0 ? null : all.join(", ")
}

export const answers = (state: AgentQuestion): Readonly<Record<string, string>> =>
  Object.fromEntries(
    state.questions.flatMap((question, index) => {
      const answer = value(question, state.entries[index] ?? NO_ENTRY)
      return answer === null ? [] : [[question.question, answer]]
    })
  )

const answered = (state: AgentQuestion): Outcome => ({
  _tag: "answered",
  answers: answers(state),
  free: state.entries.some((entry) => entry.textChosen && !AgentDraft.isEmpty(entry.text))
})

type Pressed = AgentQuestion | Outcome

const DECLINED: Outcome = { _tag: "declined" }

export const isOutcome = (pressed: Pressed): pressed is Outcome => "_tag" in pressed

const goTo = (state: AgentQuestion, tab: number): AgentQuestion =>
  tab < 0 || tab > state.questions.length ? state : { ...state, tab, focus: 0 }

const advance = (state: AgentQuestion): Pressed =>
  isPlain(state) ? answered(state) : goTo(state, state.tab + 1)

const enter = (state: AgentQuestion, entry: Partial<Entry>): AgentQuestion => ({
  ...state,
  entries: state.entries.map((old, index) => (index === state.tab ? { ...old, ...entry } : old))
})

const toggled = (chosen: ReadonlySet<number>, option: number): ReadonlySet<number> =>
  new Set(chosen.has(option) ? [...chosen].filter((other) => other !== option) : [...chosen, option])

/** What Enter does on a row; a digit does the same to the row of its number, but for the text row. */
const act = (state: AgentQuestion, question: Question, entry: Entry, at: number): Pressed => {
  const rows = rowsOf(question)
  const multiple = question.multiSelect === true
  if (at === rows.chat) return { _tag: "chat", answers: answers(state) }
  if (at === rows.submit) return goTo(state, state.tab + 1)
  if (at === rows.text) {
    if (multiple) return enter(state, { textChosen: !entry.textChosen })
    return AgentDraft.isEmpty(entry.text)
      ? DECLINED
      : advance(enter(state, { chosen: new Set(), textChosen: true }))
  }
  return multiple
    ? enter(state, { chosen: toggled(entry.chosen, at) })
    : advance(enter(state, { chosen: new Set([at]), textChosen: false }))
}

const TABS: ReadonlyMap<NamedKey, 1 | -1> = new Map([
  ["tab", 1],
  ["right", 1],
  ["back_tab", -1],
  ["left", -1]
])

const moved = (state: AgentQuestion, name: NamedKey, last: number): AgentQuestion => {
  const by = name === "up" ? -1 : name === "down" ? 1 : 0
  return { ...state, focus: Math.min(last, Math.max(0, state.focus + by)) }
}

const digit = (state: AgentQuestion, question: Question, entry: Entry, char: string): Pressed => {
  const rows = rowsOf(question)
  // The row of `Submit` has no number.
  const numbered = [...question.options.keys(), rows.text, rows.chat]
  const at = numbered[Number(char) - 1]
  if (at === undefined) return state
  return at === rows.text && question.multiSelect !== true
    ? { ...state, focus: at }
    : act(state, question, entry, at)
}

/** From an option the tab keys change the tab; from the rows below they go between the text and its submission. */
const tabbed = (state: AgentQuestion, question: Question, by: 1 | -1): AgentQuestion => {
  const { text, submit } = rowsOf(question)
  if (state.focus < text) return isPlain(state) ? state : goTo(state, state.tab + by)
  if (submit === null) return state
  if (state.focus === submit && by === 1) return goTo(state, state.tab + 1)
  return { ...state, focus: by === 1 ? submit : text }
}

const pressTab = (state: AgentQuestion, question: Question, entry: Entry, key: Key): Pressed => {
  const rows = rowsOf(question)
  if (state.focus === rows.text) {
    const text = AgentDraft.edit(entry.text, key)
    if (text !== null) {
      return enter(
        state,
        question.multiSelect === true ? { text, textChosen: !AgentDraft.isEmpty(text) } : { text }
      )
    }
  }
  if (key._tag === "char") {
    if (key.char === " " && question.multiSelect === true && state.focus < rows.text) {
      return act(state, question, entry, state.focus)
    }
    return /[1-9]/.test(key.char) ? digit(state, question, entry, key.char) : state
  }
  if (key._tag !== "named") return state
  if (key.name === "escape") return DECLINED
  if (key.name === "enter") return act(state, question, entry, state.focus)
  const by = TABS.get(key.name)
  return by === undefined ? moved(state, key.name, rows.chat) : tabbed(state, question, by)
}

const pressReview = (state: AgentQuestion, key: Key): Pressed => {
  if (key._tag === "char") return key.char === "1" ? answered(state) : key.char === "2" ? DECLINED : state
  if (key._tag !== "named") return state
  if (key.name === "escape") return DECLINED
  if (key.name === "enter") return state.focus === 0 ? answered(state) : DECLINED
  const tab = TABS.get(key.name)
  return tab === undefined ? moved(state, key.name, 1) : goTo(state, state.tab + tab)
}

/** The editor after one key, or how it ended. */
export const press = (state: AgentQuestion, key: Key): Pressed => {
  const question = state.questions[state.tab]
  return question === undefined
    ? pressReview(state, key)
    : pressTab(state, question, state.entries[state.tab] ?? NO_ENTRY, key)
}
