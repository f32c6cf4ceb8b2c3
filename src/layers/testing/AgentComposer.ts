import type { Key } from "../../core/ask/Keys.ts"
import * as AgentDraft from "./AgentDraft.ts"
import * as AgentRows from "./AgentRows.ts"

/** The prompt field of a scripted agent, with Claude Code's rules. */
export interface AgentComposer {
  readonly draft: AgentDraft.AgentDraft
  /** Pastes so far; each that is shown by a label has its number. */
  readonly pastes: number
  /** Control-C was the last key: another one ends the program. */
  readonly leaving: boolean
}

export const empty: AgentComposer = { draft: AgentDraft.empty, pastes: 0, leaving: false }

export type Act =
  | { readonly _tag: "none" }
  | { readonly _tag: "submit"; readonly text: string }
  | { readonly _tag: "interrupt" }
  | { readonly _tag: "leave" }

const NONE: Act = { _tag: "none" }

/** A paste of more characters, or of more line ends, is shown by a label (measured: 801, and four lines). */
const SHOWN_CHARS = 800
const SHOWN_LINE_ENDS = 2

const pasted = (composer: AgentComposer, text: string): AgentComposer => {
  const lineEnds = text.replaceAll("\r\n", "\n").split(/[\r\n]/).length - 1
  if (text.length <= SHOWN_CHARS && lineEnds <= SHOWN_LINE_ENDS) {
    return { ...composer, draft: AgentDraft.append(composer.draft, text) }
  }
  const number = composer.pastes + 1
  const label = `[Pasted text #${number}${lineEnds === 0 ? "" : ` +${lineEnds} lines`}]`
  return { ...composer, pastes: number, draft: AgentDraft.append(composer.draft, text, label) }
}

/** The field after one key, and what the key asks of the session. */
export const press = (composer: AgentComposer, key: Key): readonly [AgentComposer, Act] => {
  const staying = { ...composer, leaving: false }
  if (key._tag === "paste") return [pasted(staying, key.text), NONE]
  if (key._tag === "ctrl" && key.letter === "c") {
    return composer.leaving
      ? [composer, { _tag: "leave" }]
      : [{ ...composer, draft: AgentDraft.empty, leaving: true }, NONE]
  }
  const edited = AgentDraft.edit(composer.draft, key)
  if (edited !== null) return [{ ...staying, draft: edited }, NONE]
  if (key._tag !== "named") return [staying, NONE]
  if (key.name === "escape") return [staying, { _tag: "interrupt" }]
  if (key.name !== "enter" || AgentDraft.text(composer.draft).trim() === "") return [staying, NONE]
  return [
    { ...staying, draft: AgentDraft.empty },
    { _tag: "submit", text: AgentDraft.text(composer.draft) }
  ]
}

/** Rows of a long draft that are drawn: the last ones. */
const DRAWN_ROWS = 15

const footer = (composer: AgentComposer, working: boolean): string => {
  if (composer.leaving) return "  Press Ctrl-C again to exit"
  const idle = AgentDraft.isEmpty(composer.draft) ? " · ? for shortcuts" : ""
  return `  ⏸ manual mode on${working && idle !== "" ? " · esc to interrupt" : idle}`
}

/** The field between its rules, the footer below; `queued` prompts wait for the turn's end. */
export const view = (
  composer: AgentComposer,
  options: { readonly working: boolean; readonly queued: number; readonly width: number }
): AgentRows.Block => {
  const field = AgentRows.field({
    prefix: "❯\u00a0",
    text: AgentDraft.shown(composer.draft),
    placeholder: options.queued === 0 ? "" : "Press up to edit queued messages",
    focused: true,
    width: options.width
  })
  const cut = Math.max(0, field.rows.length - DRAWN_ROWS)
  const aside = "◐ medium · /effort"
  return {
    rows: [
      AgentRows.row(aside.padStart(options.width - 2)),
      AgentRows.rule(options.width),
      ...field.rows.slice(cut),
      AgentRows.rule(options.width),
      AgentRows.row(footer(composer, options.working))
    ],
    cursor: field.cursor === null ? null : { x: field.cursor.x, y: field.cursor.y - cut + 2 }
  }
}
