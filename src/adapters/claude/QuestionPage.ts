/** One numbered row of the editor. */
export interface Choice {
  /** What stands behind its number and box, row by row as drawn: label, description, a mark where it is chosen. */
  readonly rows: ReadonlyArray<string>
  readonly at: number
  /** Checkbox state; `null` where the row has no box. */
  readonly checked: boolean | null
}

/** A text field: the row for own text, or the notes beside previews. */
export interface Field {
  /** As drawn, row by row, without indentation; empty where only the placeholder stands. */
  readonly rows: ReadonlyArray<string>
  /** The agent draws its text cursor in it: keys are text. */
  readonly focused: boolean
  /** Checkbox state; `null` where it has no box. */
  readonly checked: boolean | null
}

/** What has the keys. */
export type Focus =
  | { readonly _tag: "choice"; readonly index: number }
  | { readonly _tag: "text" }
  | { readonly _tag: "notes" }
  | { readonly _tag: "advance" }
  | { readonly _tag: "chat" }

/** One question of a grouped editor, in its row of tabs. */
export interface Tab {
  readonly header: string
  readonly answered: boolean
}

/** What stands above the choices of a question. */
export interface Head {
  /** `null` for a lone choice. */
  readonly tabs: ReadonlyArray<Tab> | null
  /** The header of a lone choice. */
  readonly header: string | null
  readonly prompt: string
  /** Identity of what is drawn: changes with every key that had an effect. */
  readonly stage: string
}

/** A question with its options, and a row for own text or notes beside previews. */
export interface Options extends Head {
  readonly _tag: "options"
  readonly choices: ReadonlyArray<Choice>
  readonly text: Field | null
  readonly notes: Field | null
  /** The choice with the caret, or -1. While notes have the keys it is still drawn. */
  readonly selected: number
  readonly focus: Focus
}

/** The page that shows all answers before they are submitted. */
export interface Review {
  readonly _tag: "review"
  /** `null` where the page is taller than the screen, and only its end is drawn. */
  readonly tabs: ReadonlyArray<Tab> | null
  /** Its entries as drawn, without the page's own words. */
  readonly body: string
  /** Which of its two rows is selected. */
  readonly focus: "submit" | "cancel"
  readonly stage: string
}

/** A field so tall that everything above its last rows is off the screen. */
export interface Tall {
  readonly _tag: "tall"
  /** Numbered options of the editor. */
  readonly choices: number
  readonly multiple: boolean
  /** The last rows of what is in the field. */
  readonly rows: ReadonlyArray<string>
  readonly focus: Focus
  readonly stage: string
}

export type QuestionPage = Options | Review | Tall | { readonly _tag: "unrecognised" }

/** There is a question editor, but not one whose parts are all known. */
export const unrecognised = { _tag: "unrecognised" } as const
