import * as Jsonc from "jsonc-parser"
import { type CarriedRule, layOut, type Note } from "./ImportedRules.ts"
import { Action } from "./Ruling.ts"
import * as Surfaces from "./Surfaces.ts"

/** A policy file with rules added; everything else of it, comments too, is as it was (L2.1, L2.4). */
export interface Edited {
  readonly text: string
  /** Rules that were not taken in, because the file has a stricter word on them. */
  readonly notes: ReadonlyArray<Note>
}

/** `allow` is the least of them. */
const rankOf = (action: string): number => Action.literals.findIndex((known) => known === action)

const FORMATTING = { insertSpaces: true, tabSize: 2, eol: "\n" } as const

/** What stands there, by key; a plain action is a rule for everything. */
interface Entry {
  readonly pattern: string
  readonly action: string
}

const actionOf = (node: Jsonc.Node): string =>
  String(node.type === "object" ? Jsonc.findNodeAtLocation(node, ["action"])?.value : node.value)

const entriesOf = (node: Jsonc.Node | undefined): ReadonlyArray<Entry> =>
  node?.type === "object"
    ? (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
        key === undefined || value === undefined
          ? []
          : [{ pattern: String(key.value), action: actionOf(value) }]
      )
    : []

const set = (text: string, path: ReadonlyArray<string>, value: unknown): string =>
  Jsonc.applyEdits(text, Jsonc.modify(text, [...path], value, { formattingOptions: FORMATTING }))

/**
 * What follows an offset in its line: a comma, and comments, which belong to what stands before. `end` is behind
 * them all; `last` that nothing but comments follows.
 */
const restOfLine = (
  text: string,
  from: number
): { readonly comma: number | null; readonly end: number; readonly last: boolean } => {
  const scanner = Jsonc.createScanner(text, false)
  scanner.setPosition(from)
  let comma: number | null = null
  let end = from
  for (let kind = scanner.scan(); ; kind = scanner.scan()) {
    const after = scanner.getTokenOffset() + scanner.getTokenLength()
    if (kind === Jsonc.SyntaxKind.CommaToken && comma === null) comma = end = after
    else if (kind === Jsonc.SyntaxKind.LineCommentTrivia || kind === Jsonc.SyntaxKind.BlockCommentTrivia)
      end = after
    else if (kind !== Jsonc.SyntaxKind.Trivia)
      return { comma, end, last: kind === Jsonc.SyntaxKind.LineBreakTrivia }
  }
}

const lineStart = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset))![0]

/**
 * Adds a property to an object at a place among its others. Comments stay with the property that they are about,
 * which the library's own insertion does not see to; where an object stands in one line, it does it well.
 */
const insert = (
  text: string,
  path: ReadonlyArray<string>,
  key: string,
  value: unknown,
  index: number
): string => {
  const object = at(text, path)
  const properties = object?.children ?? []
  const before = properties[index - 1]
  const start = before === undefined ? (object?.offset ?? 0) + 1 : before.offset + before.length
  const { comma, end, last } = restOfLine(text, start)
  if (object === undefined || properties.length === 0 || !last) {
    return Jsonc.applyEdits(
      text,
      Jsonc.modify(text, [...path, key], value, {
        formattingOptions: FORMATTING,
        getInsertionIndex: () => index
      })
    )
  }
  const indent = lineStart(text, properties[0]!.offset)
  const spelled = JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`)
  const isLast = index === properties.length
  const line = `\n${indent}${JSON.stringify(key)}: ${spelled}${isLast && comma === null ? "" : ","}`
  const joined = before !== undefined && comma === null ? "," : ""
  return text.slice(0, start) + joined + text.slice(start, end) + line + text.slice(end)
}

const written = (value: CarriedRule["value"]): unknown =>
  Object.keys(value).length === 1 ? value.action : value

const at = (text: string, path: ReadonlyArray<string>): Jsonc.Node | undefined => {
  const root = Jsonc.parseTree(text)
  return root === undefined ? undefined : Jsonc.findNodeAtLocation(root, [...path])
}

/**
 * Adds rules to a policy file that is whole. What the file says itself goes first: an allow or ask that is added
 * counts after its leading rule for everything and before all others, a deny after all of them, and where a
 * pattern is there already the stricter of the two stays.
 */
export const add = (text: string, rules: ReadonlyArray<CarriedRule>): Edited => {
  const notes: Array<Note> = []
  let edited = at(text, ["permission"]) === undefined ? set(text, ["permission"], {}) : text
  for (const [surface, patterns] of layOut(rules)) {
    const path = ["permission", surface]
    edited = withObject(edited, surface)
    let position = leading(entriesOf(at(edited, path)))
    for (const [pattern, value] of patterns) {
      const known = entriesOf(at(edited, path)).find((entry) => entry.pattern === pattern)
      if (known === undefined) {
        const index = value.action === "deny" ? entriesOf(at(edited, path)).length : position++
        edited = insert(edited, path, pattern, written(value), index)
      } else if (rankOf(value.action) > rankOf(known.action)) {
        edited = set(edited, [...path, pattern], written(value))
      } else if (known.action !== value.action) {
        notes.push({
          kind: "left",
          rule: `${surface} ${pattern}: ${value.action}`,
          why: `your file says ${known.action}`
        })
      }
    }
  }
  return { text: edited, notes }
}

/** Behind the rule for everything that the surface may begin with; a deny stays behind what is added. */
const leading = ([first]: ReadonlyArray<Entry>): number =>
  first?.pattern === "*" && first.action !== "deny" ? 1 : 0

/** Makes the surface one with patterns: a new one before any wider key that denies, else at the end. */
const withObject = (text: string, surface: string): string => {
  const path = ["permission", surface]
  const node = at(text, path)
  if (node?.type === "object") return text
  if (node !== undefined) return set(text, path, { "*": node.value })
  const keys = (at(text, ["permission"])?.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [{ key: String(key.value), value }]
  )
  const denying = keys.findIndex(
    ({ key, value }) =>
      (Surfaces.PAIRS[key]?.includes(surface) === true ||
        Surfaces.PAIRS[surface]?.includes(key) === true ||
        (/[*?]/.test(key) && Surfaces.matches(key, surface))) &&
      (value.type === "object"
        ? entriesOf(value).some(({ action }) => action === "deny")
        : value.value === "deny")
  )
  return insert(text, ["permission"], surface, {}, denying === -1 ? keys.length : denying)
}
