import type { Frame } from "../../core/session/Frame.ts"

/**
 * A rule as Claude draws it above every dialog and around the prompt field: the whole width, from column 0. What
 * the conversation holds is indented, so none of it can look like one (S6.3).
 */
export const isRule = (frame: Frame, row: number): boolean => {
  const text = frame.lines[row]?.text.trimEnd() ?? ""
  return text.length === frame.cols && /^─+$/.test(text)
}

/** The nearest rule above `before`, or -1. */
export const ruleAbove = (frame: Frame, before: number): number => {
  for (let row = before - 1; row >= 0; row--) if (isRule(frame, row)) return row
  return -1
}

/** A row's text without trailing blanks; empty outside of the screen. */
export const textAt = (frame: Frame, row: number): string => frame.lines[row]?.text.trimEnd() ?? ""

/** The last row that holds anything, or -1. */
export const lastRow = (frame: Frame): number => frame.lines.findLastIndex(({ text }) => text.trim() !== "")

/** Whether the agent draws its text cursor in this row: the one inverse cell of a focused field. */
export const hasFieldCursor = (frame: Frame, row: number): boolean =>
  frame.lines[row]?.marks.some(({ inverse, start, end }) => inverse && end - start <= 2) ?? false

/**
 * Whether the row, from `column` on, is only a field's placeholder: dim, but for the first cell, which is the
 * field's cursor. A text of the same words is not dim. Behind it may stand the mark of a taken answer.
 */
export const isPlaceholder = (frame: Frame, row: number, column: number): boolean => {
  const line = frame.lines[row]
  if (line === undefined) return false
  const end = line.text.replace(/\s*✔?\s*$/, "").length
  return (
    line.marks.some(({ inverse, start }) => inverse && start === column) &&
    line.marks.some((mark) => mark.dim && mark.start === column + 1 && mark.end >= end)
  )
}

/**
 * What of a text the screen is sure to show: no blanks, since the agent wraps at them and expands tabs, and
 * nothing without a width of its own. For comparing what stands on the screen with what should; what the agent
 * took is compared exactly, in its own record.
 */
export const visible = (text: string): string => text.replaceAll(/[\s\p{C}\p{Z}\p{M}\uFFFD]/gu, "")

/** `visible` without the gutter that the agent draws beside a long text. */
export const withoutGutter = (text: string): string => visible(text).replaceAll("│", "")
