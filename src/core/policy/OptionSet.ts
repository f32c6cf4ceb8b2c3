import * as Grammar from "../shell/Grammar.ts"
import * as OptionNames from "../shell/OptionNames.ts"
import type { Program } from "../shell/Program.ts"
import * as Programs from "../shell/Programs.ts"
import * as Pattern from "./Pattern.ts"

/**
 * Commands of listed programs as a set of options and the operands (L1.7): `rm -rf x`, `rm x -fr` and
 * `rm --recursive -f -- x` are one. Only deny and ask rules are read so.
 */

/** One word of a command, as a rule sees it. */
export interface Item {
  readonly text: string
  /** The same with a hole for what is not known; `null` where all of it is known. */
  readonly holed: string | null
  /** It may turn out to be an option, or several words. */
  readonly open: boolean
}

interface Option {
  readonly name: string
  readonly value: Item | null
}

export interface Form {
  readonly name: string
  readonly options: ReadonlyArray<Option>
  /** Operands joined as words are; with holes for what is not known. */
  readonly operands: string
  readonly holed: string | null
  /** Some word may turn out to be any option. */
  readonly open: boolean
  /** The operands are the words: rules without an option have been matched against them already. */
  readonly plain: boolean
}

/** A rule's words in the same way. */
export interface Rule {
  readonly name: string
  readonly options: ReadonlyArray<{
    readonly name: string
    /** The name is only how it begins: `--force*`. */
    readonly prefix: boolean
    readonly value: Pattern.Pattern | null
  }>
  readonly operands: Pattern.Pattern
}

const listed = (name: string): Program | undefined => {
  const program = Programs.find(name)
  return program?.options === undefined && program?.subcommands === undefined ? undefined : program
}

/** The options that the words behind the program's name hold, and the words that are left. */
const read = (
  name: string,
  words: ReadonlyArray<Item>
): { readonly options: ReadonlyArray<Option>; readonly operands: ReadonlyArray<Item> } => {
  const options: Array<Option> = []
  const operands: Array<Item> = []
  let level = levelOf(listed(name), [name], null)
  const add = (option: string, value: Item | null): void => {
    options.push({ name: canonical(level, option), value })
  }
  let ended = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const { text } = word
    if (ended || word.open || text.length < 2 || !text.startsWith("-")) {
      operands.push(word)
      if (!ended && !word.open) level = inside(level, text)
      continue
    }
    if (text === "--") {
      ended = true
      continue
    }
    if (level.grammar?.numeric === true && /^-\d/.test(text)) {
      add(text, null)
      continue
    }
    const equals = text.indexOf("=")
    const written = equals > 0 ? text.slice(0, equals) : text
    const known = ruleOf(level, written)
    if (text.startsWith("--") || (written.length > 2 && known !== null)) {
      const takes = known?.rule.arity === "required"
      add(known?.name ?? written, equals > 0 ? part(word, equals + 1) : takes ? (words[++at] ?? null) : null)
      continue
    }
    for (let letter = 1; letter < text.length; letter++) {
      const option = `-${text[letter]}`
      const rule = ruleOf(level, option)?.rule
      if (rule === undefined || rule.arity === "none") {
        add(option, null)
        continue
      }
      const glued = letter + 1 < text.length ? part(word, letter + 1) : null
      add(option, glued ?? (rule.arity === "required" ? (words[++at] ?? null) : null))
      break
    }
  }
  return { options, operands }
}

/** A program or one of its subcommands, whose options stand here. */
interface Level {
  readonly program: Program | undefined
  readonly grammar: Grammar.Grammar | null
  /** The spellings of its options. */
  readonly names: ReadonlyMap<string, string>
  readonly path: ReadonlyArray<string>
  /** The level above, where its options may stand here too. */
  readonly above: Level | null
}

const levelOf = (program: Program | undefined, path: ReadonlyArray<string>, above: Level | null): Level => ({
  program,
  grammar: program === undefined ? null : Programs.grammar(program),
  names: OptionNames.of(path),
  path,
  above
})

const ruleOf = (
  level: Level,
  written: string
): { readonly name: string; readonly rule: Grammar.OptionRule } | null => {
  for (let at: Level | null = level; at !== null; at = at.above) {
    const name = at.grammar === null ? null : Grammar.long(at.grammar, written)
    if (at.grammar !== null && name !== null) return { name, rule: at.grammar.options.get(name)! }
  }
  return null
}

const canonical = (level: Level, option: string): string => {
  for (let at: Level | null = level; at !== null; at = at.above) {
    const name = at.names.get(option)
    if (name !== undefined) return name
  }
  return option
}

const part = (word: Item, from: number): Item => ({
  ...word,
  text: word.text.slice(from),
  holed: word.holed === null ? null : Pattern.HOLE
})

/** What an operand leads to: a subcommand, or the program that a wrapper runs; else where we are. */
const inside = (level: Level, word: string): Level => {
  const { path, program } = level
  if (program === undefined) return level
  const { subcommands } = program
  if (subcommands !== undefined) {
    const sub = Object.hasOwn(subcommands, word) ? subcommands[word] : UNLISTED
    return levelOf(sub, [...path, word], program.spread === true ? level : null)
  }
  if (program === UNLISTED) return levelOf(program, [...path, word], level.above)
  if (!/\b(?:command|words)\b/.test(program.operands ?? "")) return level
  const name = word.slice(word.lastIndexOf("/") + 1)
  const inner = listed(name)
  return inner === undefined ? level : levelOf(inner, [name], null)
}

/** A subcommand that no table describes: its options are flags, for rule and command alike. */
const UNLISTED: Program = {}

/** A command's form; `null` for a program that is not listed. The first item is the program's base name. */
export const ofWords = (items: ReadonlyArray<Item>): Form | null => {
  const [first, ...rest] = items
  if (first === undefined || first.holed !== null || listed(first.text) === undefined) return null
  const { operands, options } = read(first.text, rest)
  const all = [first, ...operands]
  const holed = all.some((item) => item.holed !== null)
  return {
    name: first.text,
    options,
    operands: all.map((item) => item.text).join(Pattern.SEPARATOR),
    holed: holed ? all.map((item) => item.holed ?? item.text).join(Pattern.SEPARATOR) : null,
    open: rest.some((item) => item.open),
    plain: operands.length === rest.length
  }
}

/** `*--force*`: an option anywhere among the words. */
const STARRED = /^(\*?)(--?[A-Za-z0-9][\w-]*)(\*?)$/

/**
 * A rule's form, of its words as `Pattern` expands them; `null` where its words say no more than the pattern
 * does: no listed program, a wildcard inside an option, or no option and no free end.
 */
export const ofRule = (source: string, places: Pattern.Places): Rule | null => {
  const [name = "", ...words] = source.split(Pattern.SEPARATOR)
  if (/[*?]/.test(name) || listed(name) === undefined) return null
  const items: Array<Item> = []
  const prefixes: Array<string> = []
  for (const word of words) {
    const match = STARRED.exec(word)
    if (match !== null && (match[1] !== "" || match[3] !== "")) {
      if (match[1] !== "") items.push(itemOf("*"))
      if (match[3] !== "" && match[2]!.startsWith("--")) prefixes.push(match[2]!)
      else items.push(itemOf(match[2]!))
      if (match[3] !== "") items.push(itemOf("*"))
    } else if (word.startsWith("-") && /[*?]/.test(word.split("=")[0]!)) return null
    else items.push(itemOf(word))
  }
  const { operands, options } = read(name, items)
  const free = words.at(-1)?.endsWith("*") === true
  if (options.length + prefixes.length === 0 && !free) return null
  // A star in an option's place is any value, and more words after it.
  const starred = options.some(({ value }) => value?.text === "*")
  const texts = [name, ...operands.map(({ text }) => text), ...(starred ? ["*"] : [])]
  const kept = texts.filter((text, index) => text !== "*" || texts[index - 1] !== "*")
  return {
    name,
    options: [
      ...options.map(({ name: option, value }) => ({
        name: option,
        prefix: false,
        value: value === null || value.text === "*" ? null : Pattern.make(value.text, "text", places)
      })),
      ...prefixes.map((option) => ({ name: option, prefix: true, value: null }))
    ],
    operands: Pattern.ofWords(kept.join(Pattern.SEPARATOR))
  }
}

const itemOf = (text: string): Item => ({ text, holed: null, open: false })

export type Cover = "no" | "possible" | "certain"

/** Whether a command has all of a rule's options, whatever else it has, and its operands. */
export const covers = (rule: Rule, form: Form): Cover => {
  if (rule.name !== form.name || (form.plain && rule.options.length === 0)) return "no"
  let certain = true
  for (const wanted of rule.options) {
    const found = optionIn(wanted, form)
    if (found === "no" && !form.open) return "no"
    certain &&= found === "certain"
  }
  if (Pattern.matches(rule.operands, form.operands)) return certain ? "certain" : "possible"
  // A free word may be an operand or several, wherever it stands.
  return form.holed !== null && Pattern.mayMatch(rule.operands, form.holed) ? "possible" : "no"
}

const optionIn = (wanted: Rule["options"][number], form: Form): Cover => {
  let best: Cover = "no"
  for (const { name, value } of form.options) {
    if (
      wanted.prefix ? !(name.startsWith(wanted.name) || name === spelled(wanted, form)) : name !== wanted.name
    )
      continue
    if (wanted.value === null || (value !== null && Pattern.matches(wanted.value, value.text)))
      return "certain"
    if (value !== null && value.holed !== null && Pattern.mayMatch(wanted.value, value.holed))
      best = "possible"
  }
  return best
}

/** The group's name of an option that a rule only begins: `--force*` is `-f` too. */
const spelled = (wanted: Rule["options"][number], form: Form): string =>
  OptionNames.of(form.operands.split(Pattern.SEPARATOR).slice(0, 2)).get(wanted.name) ??
  OptionNames.of([form.name]).get(wanted.name) ??
  wanted.name
