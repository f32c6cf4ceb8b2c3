import type { Key } from "./Keys.ts"
import type { Size, View } from "./TerminalView.ts"

/**
 * A dialog as a pure state machine. A surface paints `view`, asks the terminal where the cursor is, and calls
 * `confirm` with the state it painted once the terminal has answered; it hands on every key in between, and
 * the dialog ignores those that came before it was armed (P6.1).
 */
export interface Dialog<State, Result> {
  readonly press: (state: State, key: Key) => State
  /**
   * The terminal has shown `painted`: a state of this dialog that was painted earlier. Returns `state` itself
   * where that changes nothing, so that a confirmed paint does not ask for another.
   */
  readonly confirm: (state: State, painted: State) => State
  readonly resize: (state: State, size: Size) => State
  /** `status` is the surface's own: since when, how many wait. */
  readonly view: (state: State, status: string) => View
  /** What the person decided, or `null` while they have not. Final. */
  readonly result: (state: State) => Result | null
}
