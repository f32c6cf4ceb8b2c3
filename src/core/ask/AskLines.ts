import type { AskBudget } from "./AskBudget.ts"
import * as AskDialog from "./AskDialog.ts"
import type { AskPayload } from "./AskPayload.ts"
import type { AskResult } from "./DialogKeys.ts"
import * as GrantList from "./GrantList.ts"
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

/** What may be allowed for the session, each pattern whole; nothing where nothing was offered (P6.2). */
export const renderGrants = (list: GrantList.GrantList, columns: number): ReadonlyArray<string> => {
  const facts = list.entries.map((entry, index) => ({
    key: GrantList.label(entry, index),
    text: entry.rule.pattern
  }))
  return facts.length === 0
    ? []
    : [
        `Besides, for ${GrantList.SCOPES[list.scope]}, until ${GrantList.limitOf(list).label}:`,
        ...AskDialog.facts(facts, columns).flatMap((rows) => rows.map(TerminalView.text))
      ]
}

/** What may be typed. */
export const instructions = (code: string, list: GrantList.GrantList): ReadonlyArray<string> => [
  `Type "deny ${code}", "deny ${code} and your reason", "allow ${code}" for this once,`,
  ...(list.entries.length === 0
    ? []
    : [
        `"session ${code}" to allow what is listed for the session as well,`,
        '"drop 1" or "change 1 pattern" to change the list,',
        '"scope" and "until" to change for whom and how long,'
      ]),
  `"leave ${code}" to decide nothing, or "all" to see everything.`
]

/** A typed line: a decision, a wish to see everything, another list with what was wrong, or nothing that counts. */
export type Reply =
  | AskResult
  | { readonly _tag: "all" }
  | { readonly _tag: "list"; readonly list: GrantList.GrantList; readonly problem: string | null }
  | { readonly _tag: "unclear" }

export const read = (line: string, code: string, list: GrantList.GrantList): Reply => {
  const [word = "", given = "", ...rest] = line.trim().split(/\s+/)
  if (given === "" && word === "all") return { _tag: "all" }
  const changed = list.entries.length === 0 ? null : readChange(line.trim(), list)
  if (changed !== null) return changed
  if (word === "leave" && given === code) return { _tag: "cancelled" }
  if (given !== code) return { _tag: "unclear" }
  if (word === "allow" && rest.length === 0) return { _tag: "allow" }
  if (word === "session" && rest.length === 0) {
    const grant = GrantList.grantOf(list)
    return grant === null ? { _tag: "unclear" } : { _tag: "allow", grant }
  }
  if (word !== "deny") return { _tag: "unclear" }
  const reason = line.slice(line.indexOf(code) + code.length).trim()
  return { _tag: "deny", reason: reason === "" ? null : reason }
}

/** A change of the list decides nothing, so it needs no code. */
const readChange = (line: string, list: GrantList.GrantList): Reply | null => {
  if (line === "scope") return { _tag: "list", list: GrantList.nextScope(list), problem: null }
  if (line === "until") return { _tag: "list", list: GrantList.nextLimit(list), problem: null }
  const [, word, number, text = ""] = /^(drop|change)\s+(\d{1,3})(?:\s+(.*))?$/su.exec(line) ?? []
  if (word === undefined) return null
  const index = Number(number) - 1
  return word === "drop"
    ? { _tag: "list", list: GrantList.remove(list, index), problem: null }
    : { _tag: "list", ...GrantList.change(list, index, text) }
}
