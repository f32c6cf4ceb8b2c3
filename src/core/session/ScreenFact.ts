/**
 * What is in front on an agent's screen, as far as its dialect recognises it. Evidence of last resort
 * (S2.8); `unknown` gets no key.
 */
export type ScreenFact =
  /** The prompt field; `draft` is what stands in it, empty if nothing. */
  | { readonly _tag: "composer"; readonly draft: string; readonly working: boolean }
  /** The agent's question editor, at a stage that may or may not be recognised (Q4.8). */
  | { readonly _tag: "question"; readonly recognised: boolean }
  /** The agent's own permission dialog. */
  | { readonly _tag: "permission"; readonly title: string }
  /** A dialog that stands before the prompt field at start (S6.2, S6.4). */
  | { readonly _tag: "startup"; readonly gate: StartupGate }
  | { readonly _tag: "unknown" }

/**
 * A start-up dialog. `trust` gates are answered only on request, `offer`s are declined always, a `blocked`
 * one is left to a person (S6.2, S6.4).
 */
export interface StartupGate {
  readonly label: string
  readonly kind: "trust" | "offer" | "blocked"
  /** The row that the cursor is on. */
  readonly selected: string
  /** Keys that bring the wanted row under the cursor; empty when it is there. */
  readonly move: string
  /** Keys that commit, sent only after the wanted row was seen selected. */
  readonly commit: string
}
