import type { Key } from "../../core/ask/Keys.ts"
import * as AgentDraft from "./AgentDraft.ts"
import * as AgentRows from "./AgentRows.ts"

/** What a permission dialog asks about. */
export interface Subject {
  /** `Bash command`, `Create file`. */
  readonly title: string
  readonly description: string | null
  /** The command, the file's content. */
  readonly detail: string
  readonly question: string
  /** The rule of the settings that made it ask, where the dialog names it; else `null`. */
  readonly rule: string | null
}

/** Claude Code's permission dialog. */
export interface AgentPermission {
  readonly subject: Subject
  readonly focus: 0 | 1
  /** The row's own words for Claude, while it is being amended. */
  readonly amend: AgentDraft.AgentDraft | null
}

export type Outcome =
  | { readonly _tag: "allowed"; readonly words: string }
  /** With words the turn goes on; without it is interrupted. */
  | { readonly _tag: "rejected"; readonly words: string }

export const make = (subject: Subject): AgentPermission => ({ subject, focus: 0, amend: null })

const ROWS = [
  { label: "Yes", amended: "Yes, and tell Claude what to do next", tag: "allowed" },
  { label: "No", amended: "No, and tell Claude what to do differently", tag: "rejected" }
] as const

const REJECTED: Outcome = { _tag: "rejected", words: "" }

const choose = (row: 0 | 1, words: string): Outcome => ({ _tag: ROWS[row].tag, words })

type Pressed = AgentPermission | Outcome

export const isOutcome = (pressed: Pressed): pressed is Outcome => "_tag" in pressed

/** The dialog after one key, or how it ended. */
export const press = (state: AgentPermission, key: Key): Pressed => {
  if (state.amend !== null) {
    const amend = AgentDraft.edit(state.amend, key)
    if (amend !== null) return { ...state, amend }
    if (key._tag !== "named") return state
    if (key.name === "escape") return REJECTED
    return key.name === "enter" ? choose(state.focus, AgentDraft.text(state.amend)) : state
  }
  if (key._tag === "char") return key.char === "1" ? choose(0, "") : key.char === "2" ? REJECTED : state
  if (key._tag !== "named") return state
  if (key.name === "escape") return REJECTED
  if (key.name === "enter") return choose(state.focus, "")
  if (key.name === "tab") return { ...state, amend: AgentDraft.empty }
  // Two rows that wrap around: up and down are the same.
  return key.name === "up" || key.name === "down" ? { ...state, focus: state.focus === 0 ? 1 : 0 } : state
}

const PERMISSION_RULE = " Permission rule "

/** The dialog as Claude Code draws it. */
export const view = ({ subject, focus, amend }: AgentPermission, width: number): AgentRows.Block => {
  const head = [
    AgentRows.blank,
    AgentRows.rule(width),
    AgentRows.styled("bold", ` ${subject.title}`),
    ...(subject.description === null ? [] : [AgentRows.row(` ${subject.description}`)]),
    AgentRows.dashes(width),
    ...AgentRows.wrap(subject.detail, width - 2).map((line) => AgentRows.row(` ${line}`)),
    AgentRows.dashes(width),
    ...(subject.rule === null
      ? []
      : [
          AgentRows.row(`${PERMISSION_RULE}${subject.rule} requires confirmation for this command.`, {
            start: PERMISSION_RULE.length,
            end: PERMISSION_RULE.length + subject.rule.length,
            style: "bold"
          }),
          AgentRows.row(" /permissions to update rules"),
          AgentRows.blank
        ]),
    AgentRows.row(` ${subject.question}`)
  ]
  const blocks = ROWS.map(({ label, amended }, index): AgentRows.Block => {
    const prefix = `${focus === index ? " ❯ " : "   "}${index + 1}. ${label}`
    return amend === null || focus !== index
      ? { rows: [AgentRows.row(prefix)], cursor: { x: 1, y: 0 } }
      : AgentRows.field({
          prefix: `${prefix}, `,
          text: AgentDraft.shown(amend),
          placeholder: amended.slice(label.length + 2),
          focused: true,
          width
        })
  })
  const above = blocks.slice(0, focus).flatMap((block) => block.rows).length
  const cursor = blocks[focus]?.cursor ?? null
  return {
    rows: [
      ...head,
      ...blocks.flatMap((block) => block.rows),
      AgentRows.blank,
      AgentRows.row(` Esc to cancel${amend === null ? " · Tab to amend" : ""}`)
    ],
    cursor: cursor === null ? null : { x: cursor.x, y: head.length + above + cursor.y }
  }
}
