import * as Answers from "./Answers.ts"

export const enter = "\r"
export const up = "\u001B[A"
export const down = "\u001B[B"
export const nextTab = "\t"
export const previousTab = "\u001B[Z"
/** Opens the notes beside previews. */
export const notes = "n"
/** Ends a running turn. */
export const interrupt = "\u001B"
/** Ctrl+K and Ctrl+U: clear to the end and to the start of a row, or join an empty one to its neighbour. */
const clearForward = "\u000B"
const clearBack = "\u0015"

/** Empties a field of so many rows, wherever its cursor is; in an empty one it does nothing. */
export const clearField = (rows: number): string =>
  clearForward.repeat(2 * rows + 2) + clearBack.repeat(2 * rows + 2)

/** Rows of a draft that one clearing takes away at most; the prompt field is never taller than the screen. */
const draftRows = 64

/** Empties the prompt field. */
export const clearDraft = clearField(draftRows)

/** Everything that is a key and no text: controls but for tab and LF, paste markers among them (S3.4). */
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g

/** A text as one bracketed paste, LF only. */
export const paste = (text: string): string =>
  `\u001B[200~${Answers.normaliseText(text).replaceAll(controls, "")}\u001B[201~`
