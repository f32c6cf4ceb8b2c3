import type { AskBudget } from "./AskBudget.ts"
import * as AskDialog from "./AskDialog.ts"
import type { AskPayload } from "./AskPayload.ts"
import type { Dialog } from "./Dialog.ts"
import * as DialogFrame from "./DialogFrame.ts"
import type { Key, NamedKey } from "./Keys.ts"
import * as Scroll from "./Scroll.ts"
import * as TextField from "./TextField.ts"
import { span, type Row, type Size, type View } from "./TerminalView.ts"

/** What a person can do with an ask, in the order of the buttons. The first has the focus (P6.2). */
const CHOICES = ["deny", "deny_with_reason", "allow"] as const
type Choice = (typeof CHOICES)[number]

const LABELS: Readonly<Record<Choice, { readonly label: string; readonly short: string }>> = {
  deny: { label: "Deny", short: "Deny" },
  deny_with_reason: { label: "Deny with a reason", short: "Reason" },
  allow: { label: "Allow once", short: "Allow" }
}

/** What a person decided. `cancelled`: they left; it is never consent. */
export type AskResult =
  | { readonly _tag: "allow" }
  | { readonly _tag: "deny"; readonly reason: string | null }
  | { readonly _tag: "cancelled" }

export interface State {
  readonly payload: AskPayload
  readonly budget: AskBudget
  readonly size: Size
  readonly layout: AskDialog.Layout
  readonly body: AskDialog.Body
  readonly expanded: boolean
  readonly scroll: Scroll.Scroll
  /** Whether every core row has been on the screen: from then on allow can be chosen (P6.2). */
  readonly complete: boolean
  /** Whether the terminal has confirmed a paint of this size: keys before that mean nothing (P6.1). */
  readonly armed: boolean
  readonly focus: Choice
  /** The reason being typed, or `null` while choosing. */
  readonly field: TextField.TextField | null
  readonly result: AskResult | null
}

/** A reason is a remark to an agent, not a document; more is refused as it is typed. */
const REASON_LIMIT = 4000

/** A dialog shows this much of a long reason at once. */
const REASON_ROWS = 4

const REASON_LABEL = " Reason: "

export const open = (payload: AskPayload, budget: AskBudget, size: Size): State =>
  arrange(
    { payload, budget, expanded: false, scroll: Scroll.start, complete: false, focus: "deny", field: null },
    size
  )

type Kept = Pick<State, "payload" | "budget" | "expanded" | "scroll" | "complete" | "focus" | "field">

/** The state for a new size: nothing that was seen or chosen is lost but the place in a body that has changed. */
const arrange = (kept: Kept, size: Size): State => {
  const layout = AskDialog.layout(kept.payload, kept.budget, size.columns)
  return place({ ...kept, size, layout, body: EMPTY_BODY, armed: false, result: null })
}

const EMPTY_BODY: AskDialog.Body = { rows: [], elided: false }

/** The expanded view takes the whole terminal; the bounded one no more than its budget (P2.1). */
const heightOf = (state: State): number =>
  state.expanded ? state.size.rows : Math.min(state.size.rows, state.budget.rows)

const roomOf = (state: State): number => {
  const rows =
    state.field === null ? choiceRows(state, !state.complete) : fieldControls(state, state.field).rows
  return DialogFrame.room(heightOf(state), rows.length)
}

/** Fits the body to the room there is, and the window to the body. */
const place = (state: State): State => {
  const room = roomOf(state)
  const body = state.expanded ? AskDialog.full(state.layout) : AskDialog.bounded(state.layout, room)
  return { ...state, body, scroll: Scroll.move(state.scroll, 0, body.rows.length, room) }
}

export const resize: Dialog<State, AskResult>["resize"] = (state, size) =>
  // Rows of another width are other rows: what was seen of them counts only if it was all.
  arrange({ ...state, scroll: Scroll.start }, size)

export const confirm: Dialog<State, AskResult>["confirm"] = (state, painted) => {
  if (painted.layout !== state.layout) return state
  const scroll = seeWindow(state.scroll, painted)
  if (state.armed && scroll === state.scroll) return state
  const complete = state.complete || Scroll.hasSeen(scroll, state.layout.core.length)
  return { ...state, armed: true, scroll, complete }
}

/** With the rows that `painted` has in its window. */
const seeWindow = (scroll: Scroll.Scroll, painted: State): Scroll.Scroll => {
  const { top } = painted.scroll
  return Scroll.see(scroll, top, Math.min(top + roomOf(painted), painted.body.rows.length))
}

/** Whether allow stays locked even once this very window is confirmed: so that no label changes by itself. */
const isLocked = (state: State): boolean =>
  !state.complete && !Scroll.hasSeen(seeWindow(state.scroll, state), state.layout.core.length)

export const result: Dialog<State, AskResult>["result"] = (state) => state.result

export const press: Dialog<State, AskResult>["press"] = (state, key) => {
  if (!state.armed || state.result !== null) return state
  if (key._tag === "ctrl" && key.letter === "c") return { ...state, result: { _tag: "cancelled" } }
  if (key._tag === "ctrl" && key.letter === "o") return place({ ...state, expanded: !state.expanded })
  return state.field === null ? choose(state, key) : type(state, state.field, key)
}

const scrollBy =
  (rows: (room: number) => number) =>
  (state: State): State => {
    const room = roomOf(state)
    return { ...state, scroll: Scroll.move(state.scroll, rows(room), state.body.rows.length, room) }
  }

/** A page keeps one row of the last, so that nobody loses the line. */
const page = (room: number): number => Math.max(1, room - 1)

const toTop = scrollBy(() => -Infinity)
const toEnd = scrollBy(() => Infinity)
const pageDown = scrollBy(page)
const pageUp = scrollBy((room) => -page(room))

const focusBy =
  (step: 1 | -1) =>
  (state: State): State => {
    const open = CHOICES.filter((choice) => choice !== "allow" || state.complete)
    const next = open[(open.indexOf(state.focus) + step + open.length) % open.length] ?? "deny"
    return { ...state, focus: next }
  }

const take = (state: State): State => {
  switch (state.focus) {
    case "deny":
      return { ...state, result: { _tag: "deny", reason: null } }
    case "deny_with_reason":
      return place({ ...state, field: TextField.make(REASON_LIMIT) })
    case "allow":
      return state.complete ? { ...state, result: { _tag: "allow" } } : state
  }
}

const CHOOSING: Partial<Record<NamedKey, (state: State) => State>> = {
  enter: take,
  escape: (state) => ({ ...state, result: { _tag: "cancelled" } }),
  tab: focusBy(1),
  right: focusBy(1),
  back_tab: focusBy(-1),
  left: focusBy(-1),
  down: scrollBy(() => 1),
  up: scrollBy(() => -1),
  page_down: pageDown,
  page_up: pageUp,
  home: toTop,
  end: toEnd
}

/** No letter decides: a person may be typing something else when the dialog comes up. */
const CHOOSING_CHARS: ReadonlyMap<string, (state: State) => State> = new Map([
  ["e", (state) => place({ ...state, expanded: !state.expanded })],
  [" ", pageDown],
  ["b", pageUp],
  ["g", toTop],
  ["G", toEnd]
])

const choose = (state: State, key: Key): State => {
  if (key._tag === "named") return CHOOSING[key.name]?.(state) ?? state
  if (key._tag === "char") return CHOOSING_CHARS.get(key.char)?.(state) ?? state
  return state
}

const TYPING: Partial<Record<NamedKey, (state: State, field: TextField.TextField) => State>> = {
  enter: (state, field) => ({
    ...state,
    result: { _tag: "deny", reason: TextField.isBlank(field) ? null : TextField.value(field) }
  }),
  escape: (state) => place({ ...state, field: null }),
  up: (state) => scrollBy(() => -1)(state),
  down: (state) => scrollBy(() => 1)(state),
  page_down: pageDown,
  page_up: pageUp
}

const type = (state: State, field: TextField.TextField, key: Key): State => {
  const own = key._tag === "named" ? TYPING[key.name] : undefined
  if (own !== undefined) return own(state, field)
  const edited = TextField.press(field, key)
  return edited === null ? state : place({ ...state, field: edited })
}

const choiceRows = (state: State, locked: boolean): ReadonlyArray<Row> =>
  DialogFrame.buttonRows(
    CHOICES.map((choice) => ({
      ...LABELS[choice],
      focused: choice === state.focus,
      locked: choice === "allow" && locked ? "read all first" : null
    })),
    state.size
  )

interface Controls {
  readonly rows: ReadonlyArray<Row>
  readonly cursor: { readonly row: number; readonly column: number } | null
}

const controls = (state: State): Controls =>
  state.field === null
    ? { rows: choiceRows(state, isLocked(state)), cursor: null }
    : fieldControls(state, state.field)

const fieldControls = (state: State, field: TextField.TextField): Controls => {
  const indent = REASON_LABEL.length
  const height = Math.max(1, Math.min(REASON_ROWS, state.size.rows - REASON_ROWS))
  const { rows, cursor } = TextField.view(field, Math.max(1, state.size.columns - indent), height)
  return {
    rows: rows.map((row, index): Row => [
      span(index === 0 ? REASON_LABEL : " ".repeat(indent), "bold"),
      span(row)
    ]),
    cursor: { row: cursor.row, column: cursor.column + indent }
  }
}

const hint = (state: State): string => {
  if (state.field !== null) return "Enter denies with this reason · Esc back · Ctrl+J new line"
  const scrolls = state.body.rows.length > roomOf(state)
  return [
    "←→ choose",
    "Enter confirm",
    ...(scrolls ? ["↑↓ scroll"] : []),
    ...(state.expanded ? ["e less"] : state.body.elided ? ["e all"] : []),
    "Esc leave"
  ].join(" · ")
}

export const view: Dialog<State, AskResult>["view"] = (state, status): View => {
  const { rows, cursor } = controls(state)
  return DialogFrame.compose(
    {
      title: AskDialog.title(state.payload),
      status,
      body: state.body.rows,
      top: state.scroll.top,
      elided: state.body.elided,
      controls: rows,
      cursor,
      hint: hint(state)
    },
    { columns: state.size.columns, rows: heightOf(state) }
  )
}
