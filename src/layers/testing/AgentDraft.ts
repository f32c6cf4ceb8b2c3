import type { Key } from "../../core/ask/Keys.ts"

/**
 * Text that is being typed, in pieces: what was typed, and what was pasted and is shown by a label. The cursor
 * stands at the end; a scripted agent has no use for another place.
 */
export interface AgentDraft {
  readonly pieces: ReadonlyArray<{ readonly text: string; readonly label: string | null }>
}

export const empty: AgentDraft = { pieces: [] }

/** The whole text, as it is submitted. */
export const text = (draft: AgentDraft): string => draft.pieces.map((piece) => piece.text).join("")

/** The text as it is shown. */
export const shown = (draft: AgentDraft): string =>
  draft.pieces.map((piece) => piece.label ?? piece.text).join("")

export const isEmpty = (draft: AgentDraft): boolean => text(draft) === ""

/** A terminal's line ends are line feeds in the draft. */
const normalised = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll("\r", "\n")

export const append = (draft: AgentDraft, added: string, label: string | null = null): AgentDraft => {
  const last = draft.pieces.at(-1)
  const text = normalised(added)
  return last !== undefined && last.label === null && label === null
    ? { pieces: [...draft.pieces.slice(0, -1), { text: last.text + text, label }] }
    : { pieces: [...draft.pieces, { text, label }] }
}

/** Without the last piece's end, as far as `kept` keeps it; a pasted piece goes as a whole. */
const shortened = (draft: AgentDraft, kept: (text: string) => string): AgentDraft => {
  const last = draft.pieces.at(-1)
  if (last === undefined) return draft
  const rest = last.label === null ? kept(last.text) : ""
  const before = draft.pieces.slice(0, -1)
  return { pieces: rest === "" ? before : [...before, { text: rest, label: null }] }
}

const withoutLast = (text: string): string => Array.from(text).slice(0, -1).join("")

/** A line is cleared to its start; an empty one is joined to the line before. */
const withoutLine = (text: string): string =>
  text.endsWith("\n") ? text.slice(0, -1) : text.slice(0, text.lastIndexOf("\n") + 1)

/** The draft after an editing key; `null` where the key edits nothing. */
export const edit = (draft: AgentDraft, key: Key): AgentDraft | null => {
  switch (key._tag) {
    case "char":
      return append(draft, key.char)
    case "paste":
      return append(draft, key.text)
    case "ctrl":
      return key.letter === "j"
        ? append(draft, "\n")
        : key.letter === "u"
          ? shortened(draft, withoutLine)
          : null
    case "named":
      if (key.name === "backspace") return shortened(draft, withoutLast)
      // A backslash before Enter makes it a line end.
      return key.name === "enter" && shown(draft).endsWith("\\")
        ? append(shortened(draft, withoutLast), "\n")
        : null
    case "cursor":
    case "unknown":
      return null
  }
}
