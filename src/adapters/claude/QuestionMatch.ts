import type { QuestionDefinition } from "../../core/question/QuestionDefinition.ts"
import type { Selection, TextMode } from "../../core/question/QuestionRequest.ts"
import type { Frame } from "../../core/session/Frame.ts"
import type { Choice, Options, Review, Tab } from "./QuestionPage.ts"
import * as QuestionView from "./QuestionView.ts"
import * as ScreenRows from "./ScreenRows.ts"

/** What identifies a question on the screen, as a record defines it or as a request holds it. */
export interface Asked {
  readonly prompt: string
  readonly header?: string | null | undefined
  readonly options: ReadonlyArray<{
    readonly label: string
    readonly description?: string | null | undefined
  }>
  readonly selection: Selection
  readonly textMode: TextMode
}

/** The mark behind a chosen option, and behind own text that is the answer. */
export const chosenMark = "✔"

/** Whether what is drawn is this text, as far as a screen can tell. */
export const same = (drawn: string, text: string): boolean =>
  ScreenRows.visible(drawn) === ScreenRows.visible(text)

/** Several questions share an editor with tabs; so does a lone one with checkboxes. */
export const isGrouped = (asked: ReadonlyArray<Asked>): boolean =>
  asked.length > 1 || asked.some(({ selection }) => selection === "multiple")

/** Options with previews: notes beside the chosen one, and no row for own text. */
export const hasPreviews = ({ selection, textMode }: Asked): boolean =>
  selection === "single" && textMode === "additional"

/** How an option is drawn, or `null` where the row is not this option. */
export const optionState = (
  { rows }: Choice,
  option: Asked["options"][number],
  asked: Asked
): "plain" | "chosen" | null => {
  const drawn = rows.join("")
  // The box with the preview takes the place of the description.
  const description = hasPreviews(asked) ? "" : (option.description ?? "")
  if (same(drawn, option.label + description)) return "plain"
  return same(drawn, option.label + chosenMark + description) ? "chosen" : null
}

const isTabsOf = (tabs: ReadonlyArray<Tab>, asked: ReadonlyArray<Asked>): boolean =>
  tabs.length === asked.length && tabs.every(({ header }, index) => same(header, asked[index]!.header ?? ""))

const isHeadOf = ({ header, tabs }: Options, asked: ReadonlyArray<Asked>): boolean =>
  isGrouped(asked)
    ? tabs !== null && isTabsOf(tabs, asked)
    : tabs === null && same(header ?? "", asked[0]?.header ?? "")

const isQuestion = (page: Options, asked: Asked): boolean =>
  ScreenRows.withoutGutter(page.prompt) === ScreenRows.withoutGutter(asked.prompt) &&
  (page.notes !== null) === hasPreviews(asked) &&
  page.choices.length === asked.options.length &&
  page.choices.every(
    (choice, index) =>
      (choice.checked !== null) === (asked.selection === "multiple") &&
      optionState(choice, asked.options[index]!, asked) !== null
  )

/** Which of the questions the page shows, or -1 where it is none of them, or not one alone. */
export const position = (page: Options, asked: ReadonlyArray<Asked>): number => {
  if (!isHeadOf(page, asked)) return -1
  const shown = asked.flatMap((one, index) => (isQuestion(page, one) ? [index] : []))
  return shown.length === 1 ? shown[0]! : -1
}

/** Whether this may be these questions' review page: by its tabs, where they are on the screen. */
export const isReview = ({ tabs }: Review, asked: ReadonlyArray<Asked>): boolean =>
  isGrouped(asked) && (tabs === null || isTabsOf(tabs, asked))

/** Whether this frame shows these questions' own editor, at a page that says beyond doubt which they are. */
export const shows = (frame: Frame, definitions: ReadonlyArray<QuestionDefinition>): boolean => {
  const page = QuestionView.read(frame)
  if (page?._tag === "options") return position(page, definitions) !== -1
  return page?._tag === "review" && page.tabs !== null && isReview(page, definitions)
}
