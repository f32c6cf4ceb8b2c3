import type { Frame } from "../../core/session/Frame.ts"
import * as ScreenRows from "./ScreenRows.ts"

/** The caret of the prompt field. The conversation draws prompts with a plain blank behind it. */
const caret = "❯\u00A0"

/** Columns before the draft in each of its rows. */
const indent = 2

export interface Composer {
  /** What stands in the field, row by row as drawn; a long paste is its stand-in (`[Pasted text #1 +19 lines]`). */
  readonly draft: string
  /** A turn is running. */
  readonly working: boolean
}

/**
 * The prompt field: between the last two rules, the caret in column 0, the cursor inside, and below it nothing
 * but the footer.
 */
export const read = (frame: Frame): Composer | null => {
  const bottom = ScreenRows.ruleAbove(frame, frame.rows)
  const top = ScreenRows.ruleAbove(frame, bottom)
  if (top === -1 || bottom < top + 2) return null
  if (frame.cursor.y <= top || frame.cursor.y >= bottom) return null
  const rows = frame.lines.slice(top + 1, bottom).map(({ text }) => text.trimEnd())
  const first = frame.lines[top + 1]!.text
  if (!first.startsWith(caret)) return null
  if (!rows.slice(1).every((text) => text === "" || text.startsWith(" ".repeat(indent)))) return null
  const footer = frame.lines.slice(bottom + 1).map(({ text }) => text.trimEnd())
  if (!footer.some((text) => text !== "")) return null
  if (!footer.every((text) => text === "" || text.startsWith("  "))) return null
  return {
    draft: ScreenRows.isPlaceholder(frame, top + 1, indent)
      ? ""
      : rows
          .map((text) => text.slice(indent))
          .join("\n")
          .trimEnd(),
    // With a draft in the field the footer does not say it; the title does.
    working: footer.some((text) => text.includes("esc to interrupt")) || /^[◐◑◒◓] /.test(frame.title)
  }
}

/** The sign that turns the prompt field into a shell, which no hook of ours hears of, if it comes first. */
const shellMark = "!"

/** A text as a prompt: with a blank before it, a leading shell mark is a character like others (measured). */
export const asPrompt = (text: string): string => (text.startsWith(shellMark) ? ` ${text}` : text)

/** Claude's own commands, and those that a person wrote for it, begin with a slash. */
export const isCommand = (text: string): boolean => text.startsWith("/")
