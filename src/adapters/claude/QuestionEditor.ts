import type { QuestionAnswer } from "../../core/question/QuestionAnswer.ts"
import type { QuestionDefinition } from "../../core/question/QuestionDefinition.ts"
import type { QuestionRequest } from "../../core/question/QuestionRequest.ts"
import type { EditorStep } from "../../core/session/Dialect.ts"
import type { Frame } from "../../core/session/Frame.ts"
import * as Answers from "./Answers.ts"
import * as Keys from "./Keys.ts"
import * as QuestionView from "./QuestionView.ts"
import * as ScreenRows from "./ScreenRows.ts"

type Wanted = Answers.Wanted
type Options = QuestionView.Options

/** What identifies a question on the screen: as the agent's record gives it, or as a request holds it. */
interface Asked {
  readonly prompt: string
  readonly header?: string | null | undefined
  readonly options: ReadonlyArray<{
    readonly label: string
    readonly description?: string | null | undefined
  }>
  readonly selection: QuestionDefinition["selection"]
  readonly textMode: QuestionDefinition["textMode"]
}

const unrecognised: EditorStep = { _tag: "unrecognised" }
const wait: EditorStep = { _tag: "wait" }

const same = (drawn: string, text: string): boolean => ScreenRows.visible(drawn) === ScreenRows.visible(text)

/** Several questions share an editor with tabs; so does a lone one with checkboxes. */
const isGrouped = (asked: ReadonlyArray<Asked>): boolean =>
  asked.length > 1 || asked.some(({ selection }) => selection === "multiple")

const hasPreviews = (asked: Asked): boolean => asked.selection === "single" && asked.textMode === "additional"

/** The editor's tabs, or its header, are those of these questions, all of them, in order. */
const sameHeads = (
  view: { readonly tabs: ReadonlyArray<string> | null; readonly header?: string | null },
  asked: ReadonlyArray<Asked>
): boolean => {
  if (!isGrouped(asked)) return view.tabs === null && same(view.header ?? "", asked[0]?.header ?? "")
  return (
    view.tabs?.length === asked.length &&
    view.tabs.every((tab, position) => same(tab, asked[position]!.header ?? ""))
  )
}

/** The mark behind the chosen option of a choice, or behind committed own text. */
const chosenMark = "✔"

const sameLabel = (drawn: string, label: string): boolean =>
  same(drawn, label) || same(drawn, label + chosenMark)

const showsQuestion = (view: Options, asked: Asked): boolean =>
  ScreenRows.withoutGutter(view.prompt) === ScreenRows.withoutGutter(asked.prompt) &&
  (view.notes !== null) === hasPreviews(asked) &&
  view.choices.length === asked.options.length &&
  view.choices.every(({ rows, checked }, position) => {
    const { label, description } = asked.options[position]!
    if ((checked !== null) !== (asked.selection === "multiple")) return false
    // Previews take the place of descriptions.
    return (
      sameLabel(rows.join(""), view.notes === null ? label + (description ?? "") : label) ||
      isChosen(rows, label, description ?? "")
    )
  })

/** An option with its mark between label and description, where the agent draws it. */
const isChosen = (rows: ReadonlyArray<string>, label: string, description: string): boolean =>
  same(rows.join(""), label + chosenMark + description)

/** Which of the questions the page shows, or -1 where it is none of them or not one alone. */
const position = (view: Options, asked: ReadonlyArray<Asked>): number => {
  if (!sameHeads(view, asked)) return -1
  const shown = asked.flatMap((one, index) => (showsQuestion(view, one) ? [index] : []))
  return shown.length === 1 ? shown[0]! : -1
}

/** Whether this frame shows these questions' own editor, whole, at any of its pages. */
export const shows = (frame: Frame, definitions: ReadonlyArray<QuestionDefinition>): boolean => {
  const view = QuestionView.read(frame)
  if (view?._tag === "options") return position(view, definitions) !== -1
  return view?._tag === "review" && isGrouped(definitions) && sameHeads(view, definitions)
}

/**
 * The next step of answering `request`, from what the frame shows and nothing else: every page is compared with
 * what it is to hold, changed where it differs, and left when it is right. Only a page whose every part is
 * recognised gets a key; only what commits the whole answer is `submit`.
 */
export const next = (
  frame: Frame,
  request: QuestionRequest,
  answers: ReadonlyArray<QuestionAnswer>
): EditorStep => {
  const wanted = Answers.wanted(request, answers)
  if (wanted === null || wanted.some(({ text }) => text !== null && text.trim() === "")) return unrecognised
  const view = QuestionView.read(frame)
  if (view === null) return unrecognised
  switch (view._tag) {
    case "unrecognised":
      return unrecognised
    case "review":
      return review(view, request.questions, wanted)
    case "tall":
      return tall(view, request.questions, wanted)
    case "options": {
      const index = position(view, request.questions)
      if (index === -1) return unrecognised
      // The agent draws the cursor last: a page with its cursor elsewhere is still being painted.
      if (
        view.notes === null &&
        view.focus._tag === "choice" &&
        frame.cursor.y !== view.choices[view.focus.index]!.at
      ) {
        return wait
      }
      if (view.focus._tag === "text" && view.text?.focused !== true) return wait
      const page: Page = { view, wanted: wanted[index]!, grouped: isGrouped(request.questions) }
      if (view.notes !== null) return previews(page, view.notes)
      if (page.wanted.question.selection === "multiple") return checkboxes(page)
      return choice(page)
    }
  }
}

interface Page {
  readonly view: Options
  readonly wanted: Wanted
  readonly grouped: boolean
}

const type = (view: { readonly stage: string }, keys: string): EditorStep => ({
  _tag: "type",
  keys,
  stage: view.stage
})

/** The key that commits one question: the whole answer where it is the only one. */
const commit = ({ view, grouped }: Page, keys: string): EditorStep =>
  grouped ? type(view, keys) : { _tag: "submit", keys }

const digit = (index: number): string => String(index + 1)

/** Keys that empty a field: each clears to the start of a row, or joins it to the row above. */
const clearField = (rows: number): string => Keys.clearLine.repeat(2 * rows + 2)

/** Brings a focused field to the wanted text; `null` once that is what it shows. */
const fill = (view: Options, field: QuestionView.Field, text: string): EditorStep | null => {
  if (field.rows.length === 0) return type(view, Keys.paste(text))
  if (same(field.rows.join("\n"), text)) return null
  return type(view, clearField(field.rows.length))
}

/** Arrows from the focused row to the one for own text, which stands behind the last option. */
const toText = ({ choices, focus }: Options): string =>
  focus._tag === "choice" ? Keys.down.repeat(choices.length - focus.index) : Keys.up

/** One question with one choice, or own text in its place. */
const choice = (page: Page): EditorStep => {
  const { view, wanted, grouped } = page
  const option = [...wanted.options][0]
  const { focus, text } = view
  if (grouped && isCommitted(page)) {
    return type(view, focus._tag === "choice" ? Keys.nextTab : Keys.up)
  }
  if (option !== undefined) {
    return focus._tag === "choice" ? commit(page, digit(option)) : type(view, Keys.up)
  }
  if (wanted.text === null || text === null) return unrecognised
  // Never by its digit: on a filled field that commits at once.
  if (focus._tag !== "text") return type(view, toText(view))
  return fill(view, text, wanted.text) ?? commit(page, Keys.enter)
}

/** The page already holds the wanted answer, and the agent took it. */
const isCommitted = ({ view, wanted }: Page): boolean => {
  const { options, textMode } = wanted.question
  const chosen = view.choices.findIndex(({ rows }, index) => {
    const { label, description } = options[index]!
    const below = view.notes === null ? (description ?? "") : ""
    return isChosen(rows, label, below) && !same(rows.join(""), label + below)
  })
  if (wanted.options.size > 0) return wanted.options.has(chosen)
  if (textMode !== "alternative" || view.text === null || wanted.text === null || chosen !== -1) return false
  const [first = "", ...rest] = view.text.rows
  return (
    first.endsWith(chosenMark) && same([first.slice(0, -chosenMark.length), ...rest].join("\n"), wanted.text)
  )
}

/** Checkboxes, with own text beside them. */
const checkboxes = ({ view, wanted }: Page): EditorStep => {
  const { choices, focus, text } = view
  const wrong = choices.findIndex(({ checked }, index) => checked !== wanted.options.has(index))
  if (wrong !== -1) return type(view, focus._tag === "choice" ? digit(wrong) : Keys.up)
  if (text === null) return unrecognised
  const field = ownText(view, text, wanted.text)
  if (field !== null) return field
  return type(view, leaveCheckboxes[focus._tag])
}

/** The key that takes a page of checkboxes, all right by now, towards the next page from where the keys are. */
const leaveCheckboxes: Readonly<Record<QuestionView.Focus["_tag"], string>> = {
  choice: Keys.nextTab,
  text: Keys.down,
  advance: Keys.enter,
  chat: Keys.up,
  notes: Keys.up
}

/** The step that brings the checkbox row for own text to what it is to hold, or `null`. */
const ownText = (view: Options, field: QuestionView.Field, text: string | null): EditorStep | null => {
  const right = same(field.rows.join("\n"), text ?? "")
  const checked = view.textChecked === true
  if (right && checked === (text !== null)) return null
  if (view.focus._tag !== "text") return type(view, toText(view))
  if (text === null) return type(view, clearField(field.rows.length))
  // Right, but unchecked by a person: Enter in the row checks it again.
  return fill(view, field, text) ?? type(view, Keys.enter)
}

/** One choice with previews: a digit only moves, Enter chooses; notes go with the chosen option. */
const previews = (page: Page, notes: QuestionView.Field): EditorStep => {
  const { view, wanted, grouped } = page
  const option = [...wanted.options][0]
  if (option === undefined) return unrecognised
  const text = wanted.text ?? ""
  const focused = view.focus._tag === "choice" ? view.focus.index : view.selected
  if (notes.focused) {
    if (text === "" || focused === -1) return unrecognised
    // Enter in the notes submits the focused option of a lone question; a wrong one cannot be left from here.
    if (!grouped && focused !== option) return unrecognised
    return fill(view, notes, text) ?? commit(page, Keys.enter)
  }
  if (view.focus._tag === "chat") return type(view, Keys.up)
  const noted = same(notes.rows.join("\n"), text)
  if (grouped && noted && isCommitted(page)) return type(view, Keys.nextTab)
  if (focused !== option) return type(view, digit(option))
  if (noted) return commit(page, Keys.enter)
  return text === "" ? unrecognised : type(view, Keys.notes)
}

/** One entry of the review page. */
const entry = (wanted: Wanted): string =>
  ScreenRows.withoutGutter(`●${wanted.question.prompt}→${Answers.value(wanted)}`)

/** Submits what the page shows if it is all that is wanted; else goes back to the first question that is not. */
const review = (
  view: QuestionView.Review,
  asked: ReadonlyArray<Asked>,
  wanted: ReadonlyArray<Wanted>
): EditorStep => {
  if (!isGrouped(asked) || !sameHeads(view, asked)) return unrecognised
  let rest = ScreenRows.withoutGutter(view.body)
  for (const [index, one] of wanted.entries()) {
    const shown = entry(one)
    if (!rest.startsWith(shown)) return type(view, Keys.previousTab.repeat(wanted.length - index))
    rest = rest.slice(shown.length)
  }
  if (rest !== "") return unrecognised
  return view.submits ? { _tag: "submit", keys: Keys.enter } : type(view, Keys.up)
}

/**
 * A field taller than the screen: what is visible of it must be the end of exactly one wanted text, in an editor
 * with as many rows as that question has.
 */
const tall = (
  view: QuestionView.Tall,
  asked: ReadonlyArray<Asked>,
  wanted: ReadonlyArray<Wanted>
): EditorStep => {
  const fits = wanted.filter(
    ({ question, text }) =>
      text !== null &&
      question.options.length + 1 === view.choices &&
      (question.selection === "multiple") === view.multiple &&
      !hasPreviews(question)
  )
  const grouped = isGrouped(asked)
  const shown = ScreenRows.visible(view.rows.join("\n"))
  const ours = fits.filter(({ text }) => ScreenRows.visible(text ?? "").endsWith(shown))
  if (ours.length !== 1) {
    const alone = !grouped && fits.length === 1 && view.focus._tag === "text"
    return alone ? type(view, clearField(view.rows.length)) : unrecognised
  }
  if (view.focus._tag === "chat") return type(view, Keys.up)
  if (!view.multiple) return grouped ? type(view, Keys.enter) : { _tag: "submit", keys: Keys.enter }
  return type(view, view.focus._tag === "text" ? Keys.down : Keys.enter)
}
