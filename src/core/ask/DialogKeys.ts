import type { SessionGrant } from "../policy/Grant.ts"
import type { GrantOffer } from "../policy/GrantOffer.ts"
import type { AskBudget } from "./AskBudget.ts"
import * as AskDialog from "./AskDialog.ts"
import type { AskPayload } from "./AskPayload.ts"
import type { Dialog } from "./Dialog.ts"
import * as DialogFrame from "./DialogFrame.ts"
import * as GrantList from "./GrantList.ts"
import * as GrantPage from "./GrantPage.ts"
import type { Key, NamedKey } from "./Keys.ts"
import * as Scroll from "./Scroll.ts"
import * as TextField from "./TextField.ts"
import type { Row, Size, View } from "./TerminalView.ts"

/** What a person can do with an ask, in the order of the buttons. The first has the focus (P6.2). */
const CHOICES = ["deny", "deny_with_reason", "allow", "allow_session"] as const
type Choice = (typeof CHOICES)[number]

const LABELS: Readonly<Record<Choice, { readonly label: string; readonly short: string }>> = {
  deny: { label: "Deny", short: "Deny" },
  deny_with_reason: { label: "Deny with a reason", short: "Reason" },
  allow: { label: "Allow once", short: "Allow" },
  allow_session: { label: "Allow for session", short: "Session" }
}

/**
 * What a person decided. `cancelled`: they left; it is never consent. Only an allow can hold a grant, and only one
 * that was given on its own page: no denial stores anything.
 */
export type AskResult =
  | { readonly _tag: "allow"; readonly grant?: SessionGrant }
  | { readonly _tag: "deny"; readonly reason: string | null }
  | { readonly _tag: "cancelled" }

export interface State {
  readonly payload: AskPayload
  readonly budget: AskBudget
  readonly offers: ReadonlyArray<GrantOffer>
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
  /** The page of what would be allowed for the session, or `null` while it is not open. */
  readonly grants: Grants | null
  readonly result: AskResult | null
}

interface Grants {
  readonly page: GrantPage.GrantPage
  readonly scroll: Scroll.Scroll
  /** How many rows of the body are the list: they have to have been on the screen. */
  readonly rows: number
}

/** A reason is a remark to an agent, not a document; more is refused as it is typed. */
const REASON_LIMIT = 4000

/** A dialog shows this much of a long reason at once. */
const REASON_ROWS = 4

const REASON_LABEL = " Reason: "

export const open = (
  payload: AskPayload,
  budget: AskBudget,
  size: Size,
  offers: ReadonlyArray<GrantOffer> = []
): State =>
  arrange(
    {
      payload,
      budget,
      offers,
      expanded: false,
      scroll: Scroll.start,
      complete: false,
      focus: "deny",
      field: null,
      grants: null
    },
    size
  )

type Kept = Omit<State, "size" | "layout" | "body" | "armed" | "result">

/** The state for a new size: nothing that was seen or chosen is lost but the place in a body that has changed. */
const arrange = (kept: Kept, size: Size): State => {
  const layout = AskDialog.layout(kept.payload, kept.budget, size.columns)
  return place({ ...kept, size, layout, body: EMPTY_BODY, armed: false, result: null })
}

const EMPTY_BODY: AskDialog.Body = { rows: [], elided: false }

/** The expanded view takes the whole terminal; the bounded one no more than its budget (P2.1). */
const heightOf = (state: State): number =>
  state.expanded ? state.size.rows : Math.min(state.size.rows, state.budget.rows)

const roomOf = (state: State): number =>
  DialogFrame.room(heightOf(state), controls(state, !isSeen(state)).rows.length)

/** Whether what has to be read on this page has been on the screen. */
const isSeen = (state: State): boolean =>
  state.grants === null ? state.complete : Scroll.hasSeen(state.grants.scroll, state.grants.rows)

const scrollOf = (state: State): Scroll.Scroll => state.grants?.scroll ?? state.scroll

const withScroll = (state: State, scroll: Scroll.Scroll): State =>
  state.grants === null ? { ...state, scroll } : { ...state, grants: { ...state.grants, scroll } }

/** Fits the body to the room there is, and the window to the body. */
const place = (state: State): State => {
  if (state.grants !== null) return placeGrants(state, state.grants)
  const room = roomOf(state)
  const body = state.expanded ? AskDialog.full(state.layout) : AskDialog.bounded(state.layout, room)
  return { ...state, body, scroll: Scroll.move(state.scroll, 0, body.rows.length, room) }
}

/** The list stands above the core: what it is about stays within reach (P2.3). */
const placeGrants = (state: State, { page, scroll }: Grants): State => {
  const list = GrantPage.rows(page, state.size.columns)
  const body = { rows: [...list, ...state.layout.core], elided: state.layout.previews.length > 0 }
  const placed = { ...state, body, grants: { page, scroll, rows: list.length } }
  const room = roomOf(placed)
  const focused = GrantPage.focusedRows(page, state.size.columns)
  // The entry in focus is on the screen, its beginning rather than its end.
  const top = focused === null ? scroll.top : Math.min(Math.max(scroll.top, focused.to - room), focused.from)
  return withScroll(placed, Scroll.move({ ...scroll, top }, 0, body.rows.length, room))
}

export const resize: Dialog<State, AskResult>["resize"] = (state, size) =>
  // Rows of another width are other rows: what was seen of them counts only if it was all.
  arrange(
    {
      ...state,
      scroll: Scroll.start,
      grants: state.grants === null ? null : { ...state.grants, scroll: Scroll.start }
    },
    size
  )

export const confirm: Dialog<State, AskResult>["confirm"] = (state, painted) => {
  if (painted.layout !== state.layout) return state
  // What was painted of another page, or of a list that has changed since, says nothing about this one.
  const same = painted.grants?.page.list.entries === state.grants?.page.list.entries
  const scroll = same ? seeWindow(scrollOf(state), painted) : scrollOf(state)
  if (state.armed && scroll === scrollOf(state)) return state
  const seen = { ...withScroll(state, scroll), armed: true }
  return {
    ...seen,
    complete: seen.complete || Scroll.hasSeen(seen.scroll, state.layout.core.length)
  }
}

/** With the rows that `painted` has in its window. */
const seeWindow = (scroll: Scroll.Scroll, painted: State): Scroll.Scroll => {
  const { top } = scrollOf(painted)
  return Scroll.see(scroll, top, Math.min(top + roomOf(painted), painted.body.rows.length))
}

/** Whether allow stays locked even once this very window is confirmed: so that no label changes by itself. */
const isLocked = (state: State): boolean => {
  if (isSeen(state)) return false
  const needed = state.grants?.rows ?? state.layout.core.length
  return !Scroll.hasSeen(seeWindow(scrollOf(state), state), needed)
}

export const result: Dialog<State, AskResult>["result"] = (state) => state.result

export const press: Dialog<State, AskResult>["press"] = (state, key) => {
  if (!state.armed || state.result !== null) return state
  if (key._tag === "ctrl" && key.letter === "c") return { ...state, result: { _tag: "cancelled" } }
  if (key._tag === "ctrl" && key.letter === "o") return place({ ...state, expanded: !state.expanded })
  if (state.grants !== null) return pressGrants(state, state.grants, key)
  return state.field === null ? choose(state, key) : type(state, state.field, key)
}

const scrollBy =
  (rows: (room: number) => number) =>
  (state: State): State => {
    const room = roomOf(state)
    return withScroll(state, Scroll.move(scrollOf(state), rows(room), state.body.rows.length, room))
  }

/** A page keeps one row of the last, so that nobody loses the line. */
const page = (room: number): number => Math.max(1, room - 1)

const toTop = scrollBy(() => -Infinity)
const toEnd = scrollBy(() => Infinity)
const pageDown = scrollBy(page)
const pageUp = scrollBy((room) => -page(room))

/** What can be chosen: a grant only where there is one, an allow only when its ask has been read. */
const choicesOf = (state: State): ReadonlyArray<Choice> =>
  CHOICES.filter((choice) => choice !== "allow_session" || state.offers.length > 0)

const ALLOWING: ReadonlySet<Choice> = new Set(["allow", "allow_session"])

const focusBy =
  (step: 1 | -1) =>
  (state: State): State => {
    const open = choicesOf(state).filter((choice) => !ALLOWING.has(choice) || state.complete)
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
    case "allow_session": {
      const grants = { page: GrantPage.open(state.offers), scroll: Scroll.start, rows: 0 }
      return state.complete ? place({ ...state, expanded: false, grants }) : state
    }
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

const SCROLLING: Partial<Record<NamedKey, (state: State) => State>> = {
  page_down: pageDown,
  page_up: pageUp,
  home: toTop,
  end: toEnd
}

const pressGrants = (state: State, grants: Grants, key: Key): State => {
  const scrolling =
    key._tag === "named" && grants.page.field === null ? SCROLLING[key.name]?.(state) : undefined
  if (scrolling !== undefined) return scrolling
  const step = GrantPage.press(grants.page, key, isSeen(state))
  switch (step._tag) {
    case "back":
      return place({ ...state, grants: null })
    case "allow": {
      const grant = GrantList.grantOf(grants.page.list)
      return grant === null ? state : { ...state, result: { _tag: "allow", grant } }
    }
    case "stay": {
      if (step.page === grants.page) return state
      // Another list is other rows: none of them has been on the screen.
      const same = step.page.list.entries === grants.page.list.entries
      const scroll = same ? grants.scroll : { ...grants.scroll, seen: [] }
      return place({ ...state, grants: { ...grants, page: step.page, scroll } })
    }
  }
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
    choicesOf(state).map((choice) => ({
      ...LABELS[choice],
      focused: choice === state.focus,
      locked: ALLOWING.has(choice) && locked ? "read all first" : null
    })),
    state.size
  )

const controls = (state: State, locked: boolean): GrantPage.Controls => {
  if (state.grants !== null) return GrantPage.controls(state.grants.page, state.size, !locked)
  return state.field === null
    ? { rows: choiceRows(state, locked), cursor: null }
    : DialogFrame.fieldRows(REASON_LABEL, state.field, state.size, REASON_ROWS)
}

const hint = (state: State): string => {
  if (state.grants !== null) return GrantPage.hint(state.grants.page)
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
  const { rows, cursor } = controls(state, isLocked(state))
  return DialogFrame.compose(
    {
      title: AskDialog.title(state.payload),
      status,
      body: state.body.rows,
      top: scrollOf(state).top,
      elided: state.body.elided,
      controls: rows,
      cursor,
      hint: hint(state)
    },
    { columns: state.size.columns, rows: heightOf(state) }
  )
}
