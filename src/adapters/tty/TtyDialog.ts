import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { Dialog } from "../../core/ask/Dialog.ts"
import * as Keys from "../../core/ask/Keys.ts"
import * as TerminalView from "../../core/ask/TerminalView.ts"
import { SurfaceLost } from "../../core/authority/PersonSurface.ts"
import { SURFACE, type TtyEvent, type TtyHandle } from "./TtyDevice.ts"

/** What reaches a dialog: the terminal's events, and news for its status line. */
export type DialogEvent = TtyEvent | { readonly _tag: "status" }

export interface DialogInput<State, Result> {
  readonly handle: TtyHandle
  readonly events: Queue.Dequeue<DialogEvent>
  readonly dialog: Dialog<State, Result>
  readonly open: (size: TerminalView.Size) => State
  readonly status: () => string
  readonly styled: boolean
  /** Kept by the surface: the rest of a paste that an earlier dialog began to read belongs to none (P6.1). */
  readonly decoder: { current: Keys.Decoder }
}

/** After this much silence a lone escape was the key; terminals send a sequence in one go. */
const ESCAPE_PAUSE = 50

/**
 * A terminal that shows things answers a cursor query at once, also over a slow line. One that has not
 * answered in this time never will, and the dialog could never be armed.
 */
const CONFIRM_LIMIT = 3000

/**
 * The alternate screen, so that what was on the terminal is there again afterwards; no automatic wrap, so that
 * a character wider than we think cannot push our own rows away; pastes in brackets.
 */
const ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[2J"
/** Undoes `ENTER`. */
export const LEAVE = "\x1b[?2004l\x1b[?7h\x1b[0m\x1b[?25h\x1b[?1049l"

const SYNC_BEGIN = "\x1b[?2026h"
const SYNC_END = "\x1b[?2026l"
const SHOW_CURSOR = "\x1b[?25h"
const HIDE_CURSOR = "\x1b[?25l"

/** "Where is the cursor?" The answer proves that all before it has been processed (P6.1). */
const QUERY_CURSOR = "\x1b[6n"

interface Painted<State> {
  readonly state: State
  readonly cursor: { readonly row: number; readonly column: number }
}

/**
 * Runs a dialog to its result, or to none where the terminal does not confirm what it shows. Whatever ends it,
 * the terminal is put back.
 */
export const run = <State, Result>(
  input: DialogInput<State, Result>
): Effect.Effect<Option.Option<Result>, SurfaceLost> =>
  Effect.acquireUseRelease(
    input.handle.write(ENTER),
    () => loop(input),
    () => Effect.ignore(input.handle.write(LEAVE))
  )

const loop = Effect.fnUntraced(function* <State, Result>(input: DialogInput<State, Result>) {
  const { decoder, dialog, events, handle } = input
  let state = input.open(handle.size())
  // Paints whose cursor query has not been answered, oldest first: terminals answer in order.
  let unanswered: ReadonlyArray<Painted<State>> = []
  let unconfirmedSince: number | null = null
  let stale = false

  const paint = Effect.fnUntraced(function* () {
    const view = dialog.view(state, input.status())
    const { bytes, cursor } = TerminalView.encode(view, { styled: input.styled })
    const cursorMode = view.cursor === null ? HIDE_CURSOR : SHOW_CURSOR
    unanswered = [...unanswered, { state, cursor }]
    unconfirmedSince ??= yield* Clock.currentTimeMillis
    yield* handle.write(`${SYNC_BEGIN}${bytes}${cursorMode}${SYNC_END}${QUERY_CURSOR}`)
  })

  /** A report is the answer to the oldest paint that left the cursor there; any other is not ours, or late. */
  const confirm = (at: { readonly row: number; readonly column: number }): void => {
    const index = unanswered.findIndex(({ cursor }) => cursor.row === at.row && cursor.column === at.column)
    const painted = unanswered[index]
    if (painted === undefined) return askAgain()
    unanswered = unanswered.slice(index + 1)
    state = dialog.confirm(state, painted.state)
    if (unanswered.length === 0) unconfirmedSince = null
  }

  /** An answer may be lost in a resize or in the rest of a paste: another paint asks for another. */
  const askAgain = (): void => {
    stale ||= unanswered.length > 0
  }

  const press = (keys: ReadonlyArray<Keys.Key>): void => {
    for (const key of keys) {
      if (dialog.result(state) !== null) return
      if (key._tag === "cursor") confirm(key)
      else {
        if (key._tag === "paste") askAgain()
        state = dialog.press(state, key)
      }
    }
  }

  yield* paint()
  while (true) {
    const before = state
    const pause = Keys.isWaiting(decoder.current)
      ? ESCAPE_PAUSE
      : unconfirmedSince === null
        ? null
        : Math.max(0, unconfirmedSince + CONFIRM_LIMIT - (yield* Clock.currentTimeMillis))
    const event = yield* pause === null
      ? Effect.asSome(Queue.take(events))
      : Effect.timeoutOption(Queue.take(events), pause)
    stale = false
    if (Option.isNone(event)) {
      if (!Keys.isWaiting(decoder.current)) {
        decoder.current = Keys.empty
        return Option.none<Result>()
      }
      const flushed = Keys.flush(decoder.current)
      decoder.current = flushed.decoder
      press(flushed.keys)
    } else if (event.value._tag === "input") {
      const decoded = Keys.decode(decoder.current, event.value.text)
      decoder.current = decoded.decoder
      press(decoded.keys)
    } else if (event.value._tag === "lost") {
      return yield* new SurfaceLost({ surface: SURFACE })
    } else if (event.value._tag === "resize") {
      state = dialog.resize(state, handle.size())
      stale = true
    } else {
      stale = true
    }
    const result = dialog.result(state)
    if (result !== null) return Option.some(result)
    if (stale || state !== before) yield* paint()
  }
})
