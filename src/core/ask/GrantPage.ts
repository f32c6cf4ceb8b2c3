import * as GrantOffer from "../policy/GrantOffer.ts"
import * as AskDialog from "./AskDialog.ts"
import * as DialogFrame from "./DialogFrame.ts"
import * as GrantList from "./GrantList.ts"
import type { Key, NamedKey } from "./Keys.ts"
import * as TerminalText from "./TerminalText.ts"
import { span, type Row, type Size } from "./TerminalView.ts"
import * as TextField from "./TextField.ts"

/**
 * The second page of an ask's dialog: what would be allowed for the session, each pattern whole, to be changed or
 * taken out before it is (P6.2, L5.1).
 */
export interface GrantPage {
  readonly list: GrantList.GrantList
  /** An entry, or behind them a button. */
  readonly focus: number
  /** The pattern being typed for the entry in focus. */
  readonly field: TextField.TextField | null
  readonly problem: string | null
}

/** What a key on this page comes to. */
export type Step =
  | { readonly _tag: "stay"; readonly page: GrantPage }
  | { readonly _tag: "back" }
  | { readonly _tag: "allow" }

/** In the order of the focus, behind the entries. Leaving comes first, allowing last. */
const BUTTONS = ["back", "scope", "limit", "allow"] as const
type Button = (typeof BUTTONS)[number]

const FIELD_LABEL = " Pattern: "

/** A dialog shows this much of a long pattern at once. */
const FIELD_ROWS = 4

const HEADING = "Allowed for the session besides this call:"
const NOTHING_LEFT = "Nothing is left to be allowed for the session."

/** On the first entry, where Enter only opens it for changes: the focus never starts on allow. */
export const open = (offers: ReadonlyArray<GrantOffer.GrantOffer>): GrantPage => ({
  list: GrantList.open(offers),
  focus: 0,
  field: null,
  problem: null
})

interface Layout {
  readonly heading: ReadonlyArray<Row>
  /** One for each entry. */
  readonly entries: ReadonlyArray<ReadonlyArray<Row>>
}

const layout = ({ list }: GrantPage, columns: number): Layout => {
  const heading = list.entries.length === 0 ? NOTHING_LEFT : HEADING
  return {
    heading: TerminalText.wrap(heading, Math.max(1, columns - 1)).map((row) => [
      span(columns > 1 ? ` ${row}` : row, "bold")
    ]),
    entries: AskDialog.facts(
      list.entries.map((entry, index) => ({ key: GrantList.label(entry, index), text: entry.rule.pattern })),
      columns
    )
  }
}

/** The rows of the list, each pattern whole: all of them have to have been on the screen before an allow. */
export const rows = (page: GrantPage, columns: number): ReadonlyArray<Row> => {
  const { entries, heading } = layout(page, columns)
  return [...heading, ...entries.flatMap((rows, index) => (index === page.focus ? marked(rows) : rows))]
}

/** Where the entry in focus stands in `rows`: `[from, to)`; `null` where a button has the focus. */
export const focusedRows = (
  page: GrantPage,
  columns: number
): { readonly from: number; readonly to: number } | null => {
  const { entries, heading } = layout(page, columns)
  const focused = entries[page.focus]
  if (focused === undefined) return null
  const from = heading.length + entries.slice(0, page.focus).flat().length
  return { from, to: from + focused.length }
}

/** The arrow stands where rows of a body have a blank, so that no text can put one there (P2.6). */
const marked = ([first, ...rest]: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const [key, ...others] = first ?? []
  return key === undefined ? rest : [[span(`❯${key.text.slice(1)}`, "inverse"), ...others], ...rest]
}

const ring = (page: GrantPage): number => page.list.entries.length + BUTTONS.length

const focusBy = (page: GrantPage, step: 1 | -1): GrantPage => ({
  ...page,
  focus: (page.focus + step + ring(page)) % ring(page),
  problem: null
})

const stay = (page: GrantPage): Step => ({ _tag: "stay", page })

/** `complete`: every row of the list has been on the screen. */
export const press = (page: GrantPage, key: Key, complete: boolean): Step =>
  page.field === null ? choose(page, key, complete) : type(page, page.field, key)

const MOVES: Partial<Record<NamedKey, 1 | -1>> = {
  up: -1,
  left: -1,
  back_tab: -1,
  down: 1,
  right: 1,
  tab: 1
}

const choose = (page: GrantPage, key: Key, complete: boolean): Step => {
  if (key._tag === "char" && key.char === "d") return stay(takeOut(page))
  if (key._tag !== "named") return stay(page)
  if (key.name === "escape") return { _tag: "back" }
  if (key.name === "delete" || key.name === "backspace") return stay(takeOut(page))
  if (key.name === "enter") return enter(page, complete)
  const step = MOVES[key.name]
  return stay(step === undefined ? page : focusBy(page, step))
}

const takeOut = (page: GrantPage): GrantPage =>
  page.focus < page.list.entries.length
    ? { ...page, list: GrantList.remove(page.list, page.focus), problem: null }
    : page

const enter = (page: GrantPage, complete: boolean): Step => {
  const entry = page.list.entries[page.focus]
  if (entry !== undefined) {
    return stay(
      entry.offer.asked.length === 0
        ? { ...page, problem: "This one can be taken out, but not changed." }
        : { ...page, field: TextField.from(entry.rule.pattern, GrantOffer.MAX_PATTERN), problem: null }
    )
  }
  switch (BUTTONS[page.focus - page.list.entries.length] ?? "back") {
    case "back":
      return { _tag: "back" }
    case "scope":
      return stay({ ...page, list: GrantList.nextScope(page.list) })
    case "limit":
      return stay({ ...page, list: GrantList.nextLimit(page.list) })
    case "allow":
      return complete && page.list.entries.length > 0 ? { _tag: "allow" } : stay(page)
  }
}

const type = (page: GrantPage, field: TextField.TextField, key: Key): Step => {
  if (key._tag === "named" && key.name === "escape") return stay({ ...page, field: null, problem: null })
  if (key._tag === "named" && key.name === "enter") {
    const { list, problem } = GrantList.change(page.list, page.focus, TextField.value(field))
    return stay(problem === null ? { ...page, list, field: null, problem } : { ...page, problem })
  }
  const edited = TextField.press(field, key)
  return stay(edited === null ? page : { ...page, field: edited, problem: null })
}

export interface Controls {
  readonly rows: ReadonlyArray<Row>
  readonly cursor: { readonly row: number; readonly column: number } | null
}

export const controls = (page: GrantPage, size: Size, complete: boolean): Controls => {
  const problem: ReadonlyArray<Row> =
    page.problem === null ? [] : [[span(TerminalText.cut(` ${page.problem}`, size.columns), "bold")]]
  if (page.field !== null) {
    const field = DialogFrame.fieldRows(FIELD_LABEL, page.field, size, FIELD_ROWS)
    return { rows: [...field.rows, ...problem], cursor: field.cursor }
  }
  // Where there is room for the button in focus alone, and an entry has it, the keys stand in their place.
  const shown = DialogFrame.buttonRows(buttons(page, complete), size)
  const keys: Row = [span(TerminalText.cut(ENTRY_KEYS, size.columns))]
  return { rows: [...problem, ...(shown.length === 0 ? [keys] : shown)], cursor: null }
}

const ENTRY_KEYS = " Enter change · d take out"

const buttons = (page: GrantPage, complete: boolean): ReadonlyArray<DialogFrame.Button> => {
  const { list } = page
  const limit = GrantList.limitOf(list)
  const texts: Readonly<Record<Button, { readonly label: string; readonly short: string }>> = {
    back: { label: "Back", short: "Back" },
    scope: {
      label: `For: ${GrantList.SCOPES[list.scope]}`,
      short: list.scope === "session" ? "all agents" : "this agent"
    },
    limit: { label: `Until: ${limit.label}`, short: limit.short },
    allow: { label: "Allow all this", short: "Allow" }
  }
  return BUTTONS.map((button, index) => ({
    ...texts[button],
    focused: page.focus === list.entries.length + index,
    locked:
      button !== "allow"
        ? null
        : list.entries.length === 0
          ? "nothing left"
          : complete
            ? null
            : "read all first"
  }))
}

export const hint = (page: GrantPage): string =>
  page.field === null
    ? "↑↓ choose · Enter change · d take out · Esc back"
    : "Enter keeps this pattern · Esc leaves it as it was"
