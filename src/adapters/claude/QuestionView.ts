import type { Frame } from "../../core/session/Frame.ts"
import * as ChoiceRows from "./ChoiceRows.ts"
import * as PreviewRows from "./PreviewRows.ts"
import { type QuestionPage, type Tab, unrecognised } from "./QuestionPage.ts"
import * as ScreenRows from "./ScreenRows.ts"

const footer =
  /^Enter to select · (?:↑\/↓|Tab\/Arrow keys) to navigate(?: · n to add notes)?(?: · Tab to switch questions)?(?: · ctrl\+g to edit in .+)? · Esc to cancel$/
const chatRow = /^(❯| ) (?:(\d+)\. )?Chat about this$/
const submitRow = /^(❯| ) 1\. Submit answers$/
const cancelRow = /^(❯| ) 2\. Cancel$/
const headerRow = /^ [☐☒] (.+)$/
const tabsRow = /^← +(.+?) +✔ Submit +→$/

/** The page of the editor's own words: above its entries, and below them. */
const reviewTitle = "Review your answers"
const incomplete = /^⚠ (?:You have not answered all questions|Some questions are unanswered)$/
const ready = "Ready to submit your answers?"
/** Newer versions say it where the entries are taller than the screen. */
const above = /^ ↑ \d+ more lines?$/

/**
 * The question editor in front, or `null` where there is none. It is the last thing on the screen and stands
 * under its own rule in column 0, where the conversation cannot write (S6.3).
 */
export const read = (frame: Frame): QuestionPage | null => {
  const last = ScreenRows.lastRow(frame)
  if (cancelRow.test(ScreenRows.textAt(frame, last))) return readReview(frame, last)
  const legend = footerRow(frame, last)
  return legend === -1 ? null : readQuestion(frame, legend, last)
}

/** The row where the key legend begins: it is the last one, or wraps into it; -1 where there is none. */
const footerRow = (frame: Frame, last: number): number => {
  const text = ScreenRows.textAt(frame, last)
  if (footer.test(text)) return last
  return footer.test(`${ScreenRows.textAt(frame, last - 1)} ${text}`) ? last - 1 : -1
}

const stageOf = (frame: Frame, from: number, to: number): string =>
  [
    `${frame.cursor.x},${frame.cursor.y}`,
    ...frame.lines.slice(Math.max(0, from), to + 1).map(({ text }) => text.trimEnd())
  ].join("\n")

const tabsOf = (text: string): ReadonlyArray<Tab> | null => {
  const found = tabsRow.exec(text)
  return found === null
    ? null
    : [...found[1]!.matchAll(/([☐☒]) ([^☐☒]*)/g)].map(([, box, header]) => ({
        header: header!.trim(),
        answered: box === "☒"
      }))
}

const readQuestion = (frame: Frame, legend: number, last: number): QuestionPage => {
  // Rule, chat row, blank, legend: the fixed lower end of every question.
  const rule = legend - 3
  const found = chatRow.exec(ScreenRows.textAt(frame, legend - 2))
  if (found === null || !ScreenRows.isRule(frame, rule)) return unrecognised
  const chat = found[2] === undefined ? null : { number: Number(found[2]), focused: found[1] === "❯" }
  const top = ScreenRows.ruleAbove(frame, rule)
  const stage = stageOf(frame, top, last)
  if (top === -1) return chat === null ? unrecognised : ChoiceRows.readTall(frame, stage, rule, chat)

  const title = ScreenRows.textAt(frame, top + 1)
  const tabs = tabsOf(title)
  const header = headerRow.exec(title)?.[1]?.trim() ?? null
  if (tabs === null && header === null) return unrecognised
  const first = skip(frame, top + 2, rule, true)
  const end = skip(frame, first, rule, false)
  const prompt = frame.lines.slice(first, end).map(({ text }) => text.trimEnd())
  const head = { tabs, header, prompt: prompt.join("\n"), stage }
  const place = { first: skip(frame, end, rule, true), rule }
  return chat === null
    ? PreviewRows.read(frame, head, place, found[1] === "❯")
    : ChoiceRows.read(frame, head, place, chat)
}

/** The first row from `row` on that is not blank, or not filled. */
const skip = (frame: Frame, row: number, end: number, blank: boolean): number => {
  let at = row
  while (at < end && (ScreenRows.textAt(frame, at) === "") === blank) at++
  return at
}

const readReview = (frame: Frame, last: number): QuestionPage | null => {
  const submit = submitRow.exec(ScreenRows.textAt(frame, last - 1))
  const cancel = cancelRow.exec(ScreenRows.textAt(frame, last))
  if (submit === null || cancel === null) return null
  const top = ScreenRows.ruleAbove(frame, last)
  const tabs = tabsOf(ScreenRows.textAt(frame, top + 1))
  if ((submit[1] === "❯") === (cancel[1] === "❯") || (top !== -1 && tabs === null)) return unrecognised
  const rows = frame.lines
    .slice(top === -1 ? 0 : top + 2, last - 1)
    .map(({ text }) => text.trimEnd())
    .filter((text) => text !== "")
  if (top !== -1 && rows.shift() !== reviewTitle) return unrecognised
  if (top !== -1 && incomplete.test(rows[0] ?? "")) rows.shift()
  if (rows.at(-1) === ready || above.test(rows.at(-1) ?? "")) rows.pop()
  return {
    _tag: "review",
    tabs,
    body: rows.join("\n"),
    focus: submit[1] === "❯" ? "submit" : "cancel",
    stage: stageOf(frame, top, last)
  }
}
