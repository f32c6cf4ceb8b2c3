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
/** Ctrl+U: clears to the start of a row, or joins an empty one to the row above. */
export const clearLine = "\u0015"

/** Rows that one clearing of the prompt field takes away at most; a longer draft takes a second one. */
const draftRows = 64

/** Empties the prompt field; in an empty one it does nothing. */
export const clearDraft = clearLine.repeat(2 * draftRows)

/** Everything that is a key and no text: controls but for tab and LF, paste markers among them (S3.4). */
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g

/** A text as one bracketed paste, LF only. */
export const paste = (text: string): string =>
  `\u001B[200~${Answers.normaliseText(text).replaceAll(controls, "")}\u001B[201~`
