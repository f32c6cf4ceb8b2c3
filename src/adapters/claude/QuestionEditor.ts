import type { QuestionAnswer } from "../../core/question/QuestionAnswer.ts"
import type { QuestionRequest } from "../../core/question/QuestionRequest.ts"
import type { EditorStep } from "../../core/session/Dialect.ts"
import type { Frame } from "../../core/session/Frame.ts"
import * as Answers from "./Answers.ts"
import * as Keys from "./Keys.ts"
import * as QuestionMatch from "./QuestionMatch.ts"
import type { Field, Options, Review, Tall } from "./QuestionPage.ts"
import * as QuestionView from "./QuestionView.ts"
import * as ScreenRows from "./ScreenRows.ts"

type Wanted = Answers.Wanted

const unrecognised: EditorStep = { _tag: "unrecognised" }
const wait: EditorStep = { _tag: "wait" }

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
  // Claude takes a field of blanks for an empty one, and an empty one for a refusal.
  if (wanted === null || wanted.some(({ text }) => text !== null && text.trim() === "")) return unrecognised
  const view = QuestionView.read(frame)
  const grouped = QuestionMatch.isGrouped(request.questions)
  if (view?._tag === "options") {
    const one = wanted[QuestionMatch.position(view, request.questions)]
    if (one === undefined) return unrecognised
    return isPainted(frame, view) ? question({ view, grouped, wanted: one }) : wait
  }
  if (view?._tag === "review" && QuestionMatch.isReview(view, request.questions)) return review(view, wanted)
  return view?._tag === "tall" ? tall(view, grouped, wanted) : unrecognised
}

/**
 * The agent draws its cursor last. It stands in a focused field, on a selected option, and with previews at the
 * screen's lower left: with the cursor elsewhere the page is still being painted.
 */
const isPainted = (frame: Frame, { choices, focus, notes, text }: Options): boolean => {
  if (focus._tag === "text") return text?.focused === true
  if (focus._tag !== "choice") return true
  return notes === null ? frame.cursor.y === choices[focus.index]!.at : frame.cursor.x === 0
}

interface Page {
  readonly view: Options
  /** Other pages follow: what takes this page's answer does not take the whole one. */
  readonly grouped: boolean
  readonly wanted: Wanted
}

const type = ({ stage }: { readonly stage: string }, keys: string): EditorStep => ({
  _tag: "type",
  keys,
  stage
})

/** The key that takes this page's answer, and with it the whole one where there is no other page. */
const commit = ({ grouped, view }: Page, keys: string): EditorStep =>
  grouped ? type(view, keys) : { _tag: "submit", keys }

/** The agent's own number of an option. */
const digit = (option: number): string => String(option + 1)

const question = (page: Page): EditorStep => {
  const { notes, text } = page.view
  if (notes !== null) return previews(page, notes)
  if (text === null) return unrecognised
  return page.wanted.question.selection === "multiple" ? checkboxes(page, text) : choice(page, text)
}

/** One choice, or own text in its place. A digit takes the option at once. */
const choice = (page: Page, text: Field): EditorStep => {
  const { view, wanted } = page
  const [option] = wanted.options
  if (option !== undefined) {
    if (page.grouped && taken(page) === option) return leave(view)
    return view.focus._tag === "choice" ? commit(page, digit(option)) : type(view, Keys.up)
  }
  if (wanted.text === null) return unrecognised
  // Always taken anew: the mark of a taken text stays while the text is changed. And the row is never reached by
  // its digit: with text in it, that takes the text at once.
  if (view.focus._tag !== "text") return type(view, toText(view))
  return fill(view, shownText(page, text), wanted.text) ?? commit(page, Keys.enter)
}

/** To the next page from one that is right. In a field Tab does nothing. */
const leave = (view: Options): EditorStep => type(view, view.focus._tag === "choice" ? Keys.nextTab : Keys.up)

/** Arrows to the row for own text, which stands behind the last option and before what leads on. */
const toText = ({ choices, focus }: Options): string =>
  focus._tag === "choice" ? Keys.down.repeat(choices.length - focus.index) : Keys.up

/** The option that the agent has taken as this page's answer, or -1. */
const taken = ({ view, wanted: { question } }: Page): number =>
  view.choices.findIndex(
    (one, index) => QuestionMatch.optionState(one, question.options[index]!, question) === "chosen"
  )

/** The rows of the field that are text: the mark of a taken text stands behind the first of them. */
const shownText = (page: Page, { rows }: Field): ReadonlyArray<string> => {
  const { header = "" } = page.wanted.question
  const answered = page.view.tabs?.some((tab) => tab.answered && QuestionMatch.same(tab.header, header))
  const [first = "", ...rest] = rows
  return answered === true && taken(page) === -1 && first.endsWith(QuestionMatch.chosenMark)
    ? [first.slice(0, -QuestionMatch.chosenMark.length), ...rest]
    : rows
}

/** Brings a focused field to the wanted text; `null` once that is what it shows. */
const fill = (view: Options, rows: ReadonlyArray<string>, text: string): EditorStep | null => {
  if (rows.length === 0) return type(view, Keys.paste(text))
  if (QuestionMatch.same(rows.join("\n"), text)) return null
  return type(view, Keys.clearField(rows.length))
}

/** Checkboxes, with own text beside them. A digit turns its box over. */
const checkboxes = ({ view, wanted }: Page, text: Field): EditorStep => {
  const wrong = view.choices.findIndex(({ checked }, index) => checked !== wanted.options.has(index))
  if (wrong !== -1) return type(view, view.focus._tag === "choice" ? digit(wrong) : Keys.up)
  const right = QuestionMatch.same(text.rows.join("\n"), wanted.text ?? "")
  if (right && (text.checked === true) === (wanted.text !== null)) return leaveCheckboxes(view)
  if (view.focus._tag !== "text") return type(view, toText(view))
  if (wanted.text === null) return type(view, Keys.clearField(text.rows.length))
  // The text of a row that a person unchecked: Enter in the row turns its box over.
  return fill(view, text.rows, wanted.text) ?? type(view, Keys.enter)
}

/** Behind the options the row that leads on is nearer than they are. */
const leaveCheckboxes = (view: Options): EditorStep => {
  if (view.focus._tag === "text") return type(view, Keys.down)
  return view.focus._tag === "advance" ? type(view, Keys.enter) : leave(view)
}

/** One choice with previews: a digit only selects, Enter takes; notes go with the option that is taken. */
const previews = (page: Page, notes: Field): EditorStep => {
  const { grouped, view, wanted } = page
  const [option] = wanted.options
  if (option === undefined) return unrecognised
  const text = wanted.text ?? ""
  if (notes.focused) {
    // Enter in the notes takes the selected option of a lone question; a wrong one cannot be left from here.
    if (text === "" || (!grouped && view.selected !== option)) return unrecognised
    return fill(view, notes.rows, text) ?? commit(page, Keys.enter)
  }
  if (view.focus._tag !== "choice") return type(view, Keys.up)
  const noted = QuestionMatch.same(notes.rows.join("\n"), text)
  if (grouped && noted && taken(page) === option) return leave(view)
  if (view.selected !== option) return type(view, digit(option))
  if (noted) return commit(page, Keys.enter)
  return text === "" ? unrecognised : type(view, Keys.notes)
}

/** Submits what the review page shows if it is all that is wanted; else goes back to the first page that differs. */
const review = (view: Review, wanted: ReadonlyArray<Wanted>): EditorStep => {
  const heads = wanted.map(({ question }) => ScreenRows.withoutGutter(`●${question.prompt}→`))
  const entries = wanted.map((one, index) => heads[index]! + ScreenRows.withoutGutter(Answers.value(one)))
  const body = ScreenRows.withoutGutter(view.body)
  const submit: EditorStep =
    view.focus === "submit" ? { _tag: "submit", keys: Keys.enter } : type(view, Keys.up)
  if (body === entries.join("")) return submit
  if (view.tabs === null) return body !== "" && entries.join("").endsWith(body) ? submit : unrecognised
  // An entry ends where the next one begins: one that goes on, or lacks the next, differs.
  const differs = entries.findIndex(
    (_, index) => !body.startsWith(entries.slice(0, index + 1).join("") + (heads[index + 1] ?? ""))
  )
  const pages = differs === -1 ? 1 : entries.length - differs
  return type(view, Keys.previousTab.repeat(pages))
}

/**
 * A field taller than the screen: what is visible of it must be the end of exactly one wanted text, in an editor
 * with as many rows as that question has.
 */
const tall = (view: Tall, grouped: boolean, wanted: ReadonlyArray<Wanted>): EditorStep => {
  const { choices, focus, multiple, rows } = view
  const fits = wanted.filter(
    ({ question, text }) =>
      text !== null &&
      question.options.length === choices &&
      (question.selection === "multiple") === multiple &&
      !QuestionMatch.hasPreviews(question)
  )
  const drawn = ScreenRows.visible(rows.join("\n"))
  const ours = fits.filter(({ text }) => drawn !== "" && ScreenRows.visible(text ?? "").endsWith(drawn))
  if (ours.length !== 1) {
    const clears = !grouped && fits.length === 1 && focus._tag === "text"
    return clears ? type(view, Keys.clearField(rows.length)) : unrecognised
  }
  if (focus._tag === "advance") return type(view, Keys.enter)
  if (focus._tag !== "text") return type(view, Keys.up)
  if (multiple) return type(view, Keys.down)
  return grouped ? type(view, Keys.enter) : { _tag: "submit", keys: Keys.enter }
}
