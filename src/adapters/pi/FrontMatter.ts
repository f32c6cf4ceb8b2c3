import * as Result from "effect/Result"
import * as Yaml from "yaml"
import type { PolicyText } from "../../core/policy/PolicyDocument.ts"

/** An agent's definition, a Markdown file, and where it comes from, as `PolicyText` has it. */
export type Source = Pick<PolicyText, "file" | "digest" | "trusted" | "text">

/** The first lines of the file, between two lines of dashes. */
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/

/** The front matter begins in the second line of the file. */
const ABOVE = 1

const KEY = "permission"

/**
 * The policy in the front matter of one of Pi's agents, as the text of a policy file of the scope `agent`, every
 * rule in the very line that it has in the file (L2.1). Pure. `null` where there is none. One that cannot be
 * understood is unreadable, and so fails closed (L2.2).
 */
export const read = (source: Source): PolicyText | null => {
  const matter = FRONT_MATTER.exec(source.text)?.[1]
  if (matter === undefined) return null
  const lines = new Yaml.LineCounter()
  const lineOf = (offset: number): number => lines.linePos(offset).line + ABOVE
  const policy = (text: string, unreadable: string | null): PolicyText => ({
    ...source,
    scope: "agent",
    text,
    unreadable
  })
  // What nests without end ends the parser's stack, which it does not catch.
  const parsed = Result.try(() =>
    Yaml.parseDocument(matter, {
      lineCounter: lines,
      logLevel: "silent",
      // The reader of policies sees to doubled keys, and names their lines.
      uniqueKeys: false
    })
  )
  if (Result.isFailure(parsed)) return policy("", "it nests too deep")
  const document = parsed.success
  const [error] = [...document.errors, ...document.warnings]
  if (error !== undefined) {
    // Only where the key is not even named is it certain that there is no policy.
    return matter.includes(KEY) ? policy("", `line ${lineOf(error.pos[0])}: ${error.code}`) : null
  }
  const { contents } = document
  const found = Yaml.isMap(contents) ? contents.items.filter(({ key }) => nameOf(key) === KEY) : []
  if (found.length === 0) return null
  const printed = print(found, lineOf)
  return printed.refused === null
    ? policy(printed.text, null)
    : policy("", `line ${printed.refused}: only plain keys and values can be a policy`)
}

const nameOf = (key: unknown): string | null =>
  Yaml.isScalar(key) ? (typeof key.value === "string" ? key.value : (key.source ?? null)) : null

/** No policy nests deeper. */
const MAX_DEPTH = 8

/**
 * The pairs as a JSON object that has each key in the line that it comes from. `refused`: the line of an alias, a
 * key that is no word, or of something that nests too deep; then there is no text.
 */
const print = (
  pairs: ReadonlyArray<Yaml.Pair>,
  lineOf: (offset: number) => number
): { readonly text: string; readonly refused: number | null } => {
  let text = ""
  let line = 1
  let refused: number | null = null
  const refuse = (): void => {
    refused ??= line
  }
  const object = (items: ReadonlyArray<Yaml.Pair>, depth: number): void => {
    text += "{"
    items.forEach(({ key, value }, index) => {
      if (index > 0) text += ","
      const at = Yaml.isNode(key) ? lineOf(key.range?.[0] ?? 0) : line
      text += "\n".repeat(Math.max(0, at - line))
      line = Math.max(line, at)
      const name = nameOf(key)
      if (name === null) return refuse()
      text += `${JSON.stringify(name)}:`
      print(value, depth + 1)
    })
    text += "}"
  }
  const print = (node: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || Yaml.isAlias(node)) return refuse()
    if (Yaml.isMap(node)) return object(node.items, depth)
    if (Yaml.isSeq(node)) {
      text += "["
      node.items.forEach((item, index) => {
        if (index > 0) text += ","
        print(item, depth + 1)
      })
      text += "]"
      return
    }
    const value: unknown = Yaml.isScalar(node) ? node.value : null
    text += JSON.stringify(typeof value === "bigint" ? String(value) : (value ?? null))
  }
  object(pairs, 0)
  return { text, refused }
}
