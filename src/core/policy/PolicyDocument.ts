import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Jsonc from "jsonc-parser"
import type { ConfigIssue } from "./ConfigIssue.ts"
import { didYouMean } from "./DidYouMean.ts"
import { DEPRECATED, PolicyFile, RuleValue, StarterGroup } from "./PolicyFile.ts"
import { Action, type Scope } from "./Ruling.ts"

/** A policy text and where it comes from. Reading it is the caller's. */
export interface PolicyText {
  readonly scope: Scope
  /** As people know it; `null` for what ships with Obstat. */
  readonly file: string | null
  readonly text: string
  /** A collision-free digest of the text, made by whoever read it (L2.3). */
  readonly digest: string
  /** Why the text could not be read, though it should be there; then `text` is empty and the scope broken. */
  readonly unreadable: string | null
  /** `false`: only its ask and deny count; its allows are ignored and listed (L2.1). */
  readonly trusted: boolean
}

/** A rule as its file writes it, in the file's order. */
export interface WrittenRule {
  readonly surface: string
  readonly pattern: string
  readonly value: Exclude<RuleValue, string>
  /** From 1. */
  readonly line: number
}

export interface PolicyDocument {
  readonly source: PolicyText
  readonly rules: ReadonlyArray<WrittenRule>
  readonly settings: Omit<PolicyFile, "permission">
  readonly issues: ReadonlyArray<ConfigIssue>
  /** Its allows, and everyone's, count as ask until it is mended (L2.2). */
  readonly broken: boolean
}

type Path = ReadonlyArray<string | number>

const decode = Schema.decodeUnknownResult(PolicyFile, { onExcessProperty: "error", errors: "all" })
const decodeRule = Schema.decodeUnknownResult(RuleValue, { onExcessProperty: "error" })
const isAction = Schema.is(Action)
const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Larger files are no policies that people wrote; reading them would hold up every decision. UTF-16 units. */
const MAX_LENGTH = 1_000_000

/**
 * Reads one policy file (L2.1, L2.2). Total: whatever is wrong is an issue with its place, and every rule that
 * can be read is, so that the denies of a broken file still hold. Rules come from the syntax tree, because an
 * object would reorder keys that look like numbers and drop doubled ones.
 */
export const read = (source: PolicyText): PolicyDocument => {
  const issues: Array<ConfigIssue> = []
  const position = locator(source.text)
  const report = (offset: number, path: Path, message: string, suggestion: string | null = null): void => {
    issues.push({ severity: "error", file: source.file, ...position(offset), path, message, suggestion })
  }
  const done = (rules: ReadonlyArray<WrittenRule>, settings: PolicyDocument["settings"]): PolicyDocument => ({
    source,
    rules,
    settings,
    issues: issues.toSorted((left, right) => left.line - right.line || left.column - right.column),
    broken: issues.some((issue) => issue.severity === "error")
  })
  if (source.unreadable !== null) {
    report(0, [], `the file cannot be read: ${source.unreadable}`, "mend it, or take it away")
    return done([], {})
  }
  if (source.text.length > MAX_LENGTH) {
    report(0, [], "the file is larger than a policy can be", "split it, or write wider patterns")
    return done([], {})
  }
  if (source.text.startsWith("\uFEFF")) {
    report(0, [], "the file starts with a byte order mark", "save it as UTF-8 without BOM")
  }
  const errors: Array<Jsonc.ParseError> = []
  const root = nests(source.text)
    ? Jsonc.parseTree(source.text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true })
    : undefined
  for (const error of errors) {
    report(error.offset, [], `broken syntax: ${SYNTAX[error.error] ?? "the text is no JSON with comments"}`)
  }
  if (root === undefined) {
    if (errors.length === 0) report(0, [], "the file is empty or nests too deep", 'write {"permission": {}}')
    return done([], {})
  }
  doubled(root, [], report)
  const decoded = decode(Jsonc.getNodeValue(root))
  if (Result.isSuccess(decoded)) {
    const { permission: _, ...settings } = decoded.success
    for (const [key] of properties(root)) {
      const name = keyOf(key)
      if (!isDeprecated(name)) continue
      issues.push({
        severity: "notice",
        file: source.file,
        ...position(key.offset),
        path: [name],
        message: `"${name}" is deprecated and ignored`,
        suggestion: "take it out: a prompt is bounded by its own budget, and everything is within reach"
      })
    }
    return done(rulesOf(root, position), settings)
  }
  const seen = new Set<string>()
  for (const { path = [], message } of format(decoded.failure.issue).issues) {
    const keys = path
      .map((key) => (typeof key === "object" ? key.key : key))
      .map((key) => (typeof key === "number" ? key : String(key)))
    const node = nearest(root, keys)
    const id = keys.join("\0")
    if (seen.has(id)) continue
    seen.add(id)
    report(node.offset, keys, explain(keys, message), suggest(keys, node))
  }
  return done(rulesOf(root, position), {})
}

const SYNTAX: Readonly<Record<number, string>> = {
  [1]: "an invalid symbol",
  [2]: "an invalid number",
  [3]: "a property name is expected",
  [4]: "a value is expected",
  [5]: "a colon is expected",
  [6]: "a comma is expected",
  [7]: "a closing brace is expected",
  [8]: "a closing bracket is expected",
  [9]: "the end of the file is expected",
  [10]: "a comment is not closed",
  [11]: "a string is not closed",
  [12]: "a number is not finished",
  [13]: "an invalid unicode escape",
  [14]: "an invalid escape",
  [15]: "an invalid character"
}

const isDeprecated = Schema.is(Schema.Literals(DEPRECATED))

/** Line and column of an offset; the lines are found once. */
type Locate = (offset: number) => { readonly line: number; readonly column: number }

const locator = (text: string): Locate => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - starts[low]! + 1 }
  }
}

const properties = (node: Jsonc.Node | undefined): ReadonlyArray<readonly [Jsonc.Node, Jsonc.Node]> =>
  node?.type === "object"
    ? (node.children ?? []).flatMap((property) => {
        const [key, value] = property.children ?? []
        return key === undefined || value === undefined ? [] : [[key, value] as const]
      })
    : []

const keyOf = (node: Jsonc.Node): string => String(node.value)

/** A key that stands twice, or that objects treat in a way of their own, says nothing certain. */
const doubled = (
  node: Jsonc.Node,
  path: Path,
  report: (offset: number, path: Path, message: string, suggestion?: string) => void
): void => {
  const seen = new Set<string>()
  for (const [key, value] of properties(node)) {
    const name = keyOf(key)
    const here = [...path, name]
    if (seen.has(name)) report(key.offset, here, `the key "${name}" stands twice`, "keep one of them")
    if (name === "__proto__") report(key.offset, here, 'the key "__proto__" is not allowed')
    seen.add(name)
    if (path.length < MAX_NESTING) doubled(value, here, report)
  }
}

/** No part of a policy nests deeper. */
const MAX_NESTING = 6

const rulesOf = (root: Jsonc.Node, position: Locate): ReadonlyArray<WrittenRule> => {
  const permission = properties(root).filter(([key]) => keyOf(key) === "permission")
  const rules: Array<WrittenRule> = []
  for (const [, surfaces] of permission) {
    for (const [surface, value] of properties(surfaces)) {
      if (value.type === "string") {
        const rule = ruleValue(value)
        if (rule !== null)
          rules.push({
            surface: keyOf(surface),
            pattern: "*",
            value: rule,
            line: position(surface.offset).line
          })
      }
      for (const [pattern, inner] of properties(value)) {
        const rule = ruleValue(inner)
        if (rule !== null) {
          rules.push({
            surface: keyOf(surface),
            pattern: keyOf(pattern),
            value: rule,
            line: position(pattern.offset).line
          })
        }
      }
    }
  }
  return rules
}

const ruleValue = (node: Jsonc.Node): WrittenRule["value"] | null => {
  const value: unknown = Jsonc.getNodeValue(node)
  if (typeof value === "string") return isAction(value) ? { action: value } : null
  const decoded = decodeRule(value)
  if (Result.isSuccess(decoded)) {
    return typeof decoded.success === "string" ? { action: decoded.success } : decoded.success
  }
  // Something in it is wrong; a deny still denies.
  const action = properties(node).find(([key]) => keyOf(key) === "action")?.[1].value as unknown
  return action === "deny" ? { action } : action === "ask" ? { action, by: "person" } : null
}

/** The parser calls itself for each level; a file that nests beyond reason would end the process. */
const nests = (text: string): boolean => {
  let depth = 0
  for (const char of text) {
    if (char === "{" || char === "[") depth++
    else if (char === "}" || char === "]") depth--
    if (depth > MAX_BRACKETS) return false
  }
  return true
}

/** Brackets in comments and strings count too, so this is far above what a policy needs. */
const MAX_BRACKETS = 500

/** The node at a path, or the deepest one on the way that exists; for a key the key itself. */
const nearest = (root: Jsonc.Node, path: Path): Jsonc.Node => {
  let node = root
  for (const [index, key] of path.entries()) {
    if (node.type === "array" && typeof key === "number") {
      const item = node.children?.[key]
      if (item === undefined) return node
      node = item
      continue
    }
    const property = properties(node).find(([name]) => keyOf(name) === String(key))
    if (property === undefined) return node
    if (index === path.length - 1) return property[0]
    node = property[1]
  }
  return node
}

const FIELDS = Object.keys(PolicyFile.fields)
const RULE_FIELDS = ["action", "reason", "by"]
const ACTIONS = ["allow", "ask", "deny"]

const explain = (path: Path, message: string): string => {
  const key = path.at(-1)
  if (path.length === 1 && !FIELDS.includes(String(key))) return `unknown key "${String(key)}"`
  if (path.length === 4 && path[0] === "permission" && !RULE_FIELDS.includes(String(key))) {
    return `unknown key "${String(key)}" in a rule`
  }
  if (path[0] === "permission" && path.length >= 2 && path.length <= 3) {
    return `the rule for "${String(key)}" is none of "allow", "ask", "deny", and no object with an action`
  }
  const place = path.length === 0 ? "the document" : `"${path.join(".")}"`
  return `${place}: ${message.split("\n")[0] ?? "wrong"}`
}

const suggest = (path: Path, node: Jsonc.Node): string | null => {
  const key = String(path.at(-1) ?? "")
  if (path.length === 1 && !FIELDS.includes(key)) return didYouMean(key, FIELDS)
  if (path[0] === "permission" && path.length === 4) return didYouMean(key, RULE_FIELDS)
  if (path[0] === "permission" && path.length >= 2) {
    const written = valueAt(node)
    return (
      didYouMean(written ?? "", ACTIONS) ??
      'write "allow", "ask", "deny" or {"action": "deny", "reason": "…"}'
    )
  }
  if (path[0] === "extends") return `write "starter", or leave out of ${StarterGroup.literals.join(", ")}`
  return null
}

const valueAt = (key: Jsonc.Node): string | null => {
  const value: unknown = key.parent?.type === "property" ? key.parent.children?.[1]?.value : key.value
  return typeof value === "string" ? value : null
}
