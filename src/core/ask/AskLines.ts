import type { AskBudget } from "./AskBudget.ts"
import * as AskDialog from "./AskDialog.ts"
import type { AskPayload } from "./AskPayload.ts"
import type { AskResult } from "./DialogKeys.ts"
import * as TerminalView from "./TerminalView.ts"

/**
 * The fallback renderer (P3.3): plain lines for a terminal that can neither scroll back into a dialog nor say
 * where its cursor is. Every answer carries a code that the prompt has just shown, so that nothing typed
 * earlier can be one (P6.1).
 */
export const render = (payload: AskPayload, budget: AskBudget, columns: number): ReadonlyArray<string> =>
  AskDialog.render(payload, budget, columns).map(TerminalView.text)

/** Everything, whole: the answer to `all`. */
export const renderAll = (payload: AskPayload, budget: AskBudget, columns: number): ReadonlyArray<string> =>
  AskDialog.renderAll(payload, budget, columns).map(TerminalView.text)

/** What may be typed. */
export const instructions = (code: string): ReadonlyArray<string> => [
  `Type "deny ${code}", "deny ${code} and your reason", "allow ${code}" for this once,`,
  `"leave ${code}" to decide nothing, or "all" to see everything.`
]

/** A typed line: a decision, a wish to see everything, or nothing that counts. */
export type Reply = AskResult | { readonly _tag: "all" } | { readonly _tag: "unclear" }

export const read = (line: string, code: string): Reply => {
  const [word = "", given = "", ...rest] = line.trim().split(/\s+/)
  if (given === "" && word === "all") return { _tag: "all" }
  if (word === "leave" && given === code) return { _tag: "cancelled" }
  if (given !== code) return { _tag: "unclear" }
  if (word === "allow" && rest.length === 0) return { _tag: "allow" }
  if (word !== "deny") return { _tag: "unclear" }
  const reason = line.slice(line.indexOf(code) + code.length).trim()
  return { _tag: "deny", reason: reason === "" ? null : reason }
}
