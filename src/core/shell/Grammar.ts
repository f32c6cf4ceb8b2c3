import { constant, drop, type Word } from "./ShellTree.ts"

/**
 * What a program does with one of its words.
 *
 * - `_` nothing that concerns us; `maybe` perhaps a file, which deny and ask rules govern; `read`, `write`, `both` a file; `within` a directory and all below it is
 *   written; `chdir` the directory in which the rest happens.
 * - `into` a file, or a directory that the other operands are put in.
 * - `assign` a `NAME=VALUE` for the environment (only words of that shape).
 * - `command` the rest is a command and its words; `words` the rest is joined and read by a shell;
 *   `shell` one word, read by a shell; `split` one word, split into further words.
 * - `script` a file of code; `code` the code itself; `eval` text evaluated as arithmetic or a subscript.
 * - `setting` a `git -c`-like `name=value`; `local` an `ssh -o`-like one, which acts on this machine;
 *   `mount` a `HOST:THERE[:ro]` or `source=…,…` that gives a container part of this machine.
 * - `pair` takes two words; `data` is `@FILE` or text; `sed` and `gdb` are those programs' own scripts.
 * - `list` a file of words for the inner command; `replace` the mark in the inner command that they replace;
 *   `rest` this word and all after it, up to `;`, are the inner command (`fd -x`).
 */
const SLOTS = [
  "_",
  "maybe",
  "read",
  "write",
  "both",
  "within",
  "into",
  "chdir",
  "assign",
  "command",
  "words",
  "shell",
  "split",
  "script",
  "code",
  "eval",
  "setting",
  "local",
  "mount",
  "list",
  "pair",
  "data",
  "sed",
  "gdb",
  "replace",
  "rest"
] as const

export type Slot = (typeof SLOTS)[number]

const slotOf = (name: string): Slot => {
  const slot = SLOTS.find((known) => known === name)
  if (slot === undefined) throw new Error(`slot ${name}`)
  return slot
}

export interface OptionRule {
  readonly arity: "none" | "required" | "optional"
  readonly slot: Slot
  /** The program's mode from here on, e.g. that its first operand is no pattern any more. */
  readonly mode: string | null
}

export interface OperandRule {
  readonly slot: Slot
  readonly many: boolean
}

export interface Grammar {
  readonly options: ReadonlyMap<string, OptionRule>
  readonly long: ReadonlyArray<string>
  /** `-20` is an option. */
  readonly numeric: boolean
}

const TOKEN = /^(-[^:?!]+|\+[^:?!]*)(?:([:?])([a-z_]*))?(?:!(\w+))?$/

/** Several short options in one word of a grammar; only flags may be written so. */
const CLUSTER = /^-[^-:?!,][^:?!,]+[:?]/

/**
 * Reads an option grammar: blank-separated `-x` or `--name`, each with `:SLOT` for a value that is
 * required (glued or next word), `?SLOT` for one that can only be glued, and `!MODE`. Several short flags
 * without value may share a dash: `-abc`. A long name is one with two dashes, or one dash and a `=`-free
 * name listed as `-name,`. `-#` allows numbers.
 */
export const parse = (source: string): Grammar => {
  const options = new Map<string, OptionRule>()
  let numeric = false
  for (const token of source.split(/\s+/)) {
    if (token === "") continue
    if (token === "-#") {
      numeric = true
      continue
    }
    const match = TOKEN.exec(token)
    // The tables are part of the program: a wrong word in them is a bug, found when it is first read.
    if (match === null || (CLUSTER.test(token) && match[2] !== undefined)) throw new Error(`option ${token}`)
    const [, name = "", arity, slot, mode] = match
    const rule: OptionRule = {
      arity: arity === undefined ? "none" : arity === ":" ? "required" : "optional",
      slot: slotOf(slot === undefined || slot === "" ? "_" : slot),
      mode: mode ?? null
    }
    if (name.endsWith(",")) options.set(name.slice(0, -1), rule)
    else if (name.startsWith("--") || name.startsWith("+")) options.set(name, rule)
    else for (const letter of name.slice(1)) options.set(`-${letter}`, rule)
  }
  return { options, long: [...options.keys()].filter((key) => key.startsWith("--")), numeric }
}

export const operands = (source: string): ReadonlyArray<OperandRule> =>
  source
    .split(/\s+/)
    .filter((token) => token !== "")
    .map((token) => ({ slot: slotOf(token.replace("*", "")), many: token.endsWith("*") }))

/** One option as found. `value` is `null` where there is none. */
export interface Found {
  readonly name: string
  readonly rule: OptionRule
  readonly value: Word | null
}

export interface Scan {
  readonly found: ReadonlyArray<Found>
  readonly operands: ReadonlyArray<Word>
  /** Options that are not in the grammar, whole: what they say of files is not known. */
  readonly unknown: ReadonlyArray<Word>
  /** Operands and unknown options, in order: what is left with the known options set aside. */
  readonly kept: ReadonlyArray<Word>
  /** A word in an option's place is unknown, or an option is not in the grammar: what follows may shift. */
  readonly uncertain: boolean
}

/** The name that an option word stands for: itself, or the one long name that it begins. */
export const long = (grammar: Grammar, name: string): string | null => {
  if (grammar.options.has(name)) return name
  const candidates = grammar.long.filter((known) => known.startsWith(name))
  return candidates.length === 1 ? candidates[0]! : null
}

/**
 * Reads words as options and operands. `stop`: options end at the first operand, as for a program that runs
 * another; else they may stand anywhere. Linear in the words.
 */
export const scan = (grammar: Grammar, words: ReadonlyArray<Word>, stop: boolean): Scan => {
  const found: Array<Found> = []
  const rest: Array<Word> = []
  const unknown: Array<Word> = []
  const kept: Array<Word> = []
  let uncertain = false
  let index = 0
  const strange = (word: Word): void => {
    uncertain = true
    unknown.push(word)
    kept.push(word)
  }
  const take = (name: string, rule: OptionRule, glued: Word | null): void => {
    if (rule.arity === "required" && glued === null) {
      index++
      found.push({ name, rule, value: words[index] ?? null })
      if (rule.slot === "pair") index++
    } else found.push({ name, rule, value: glued })
  }
  for (; index < words.length; index++) {
    const word = words[index]!
    const value = word.value
    const first = value[0]
    if (value === "--" && constant(word) !== null) {
      rest.push(...words.slice(index + 1))
      kept.push(...words.slice(index + 1))
      break
    }
    const optionLike = value.length > 1 && (first === "-" || (first === "+" && grammar.options.has("+")))
    if (!optionLike || word.pieces[0]?._tag !== "literal") {
      // An unquoted expansion may turn into options; a quoted one may be one.
      if (grammar.options.size > 0 && startsUnknown(word)) uncertain = true
      if (stop) {
        rest.push(...words.slice(index))
        kept.push(...words.slice(index))
        break
      }
      rest.push(word)
      kept.push(word)
      continue
    }
    if (grammar.numeric && /^[-+]\d/.test(value)) continue
    const equals = value.indexOf("=")
    const head = equals > 0 ? value.slice(0, equals) : value
    const exact = grammar.options.get(head)
    if (exact !== undefined && head.length > 2) {
      take(head, exact, equals > 0 && exact.arity !== "none" ? drop(word, equals + 1) : null)
      continue
    }
    if (value.startsWith("--")) {
      const name = long(grammar, head)
      const rule = name === null ? undefined : grammar.options.get(name)
      if (name === null || rule === undefined) {
        strange(word)
        continue
      }
      take(name, rule, equals > 0 && rule.arity !== "none" ? drop(word, equals + 1) : null)
      continue
    }
    for (let letter = 1; letter < value.length; letter++) {
      const name = `${first}${value[letter]}`
      const rule = grammar.options.get(name) ?? (first === "+" ? grammar.options.get("+") : undefined)
      if (rule === undefined) {
        if (unknown.at(-1) !== word) strange(word)
        continue
      }
      if (rule.arity === "none") {
        take(name, rule, null)
        continue
      }
      const glued = letter + 1 < value.length ? drop(word, letter + 1) : null
      take(name, rule, glued)
      break
    }
  }
  return { found, operands: rest, unknown, kept, uncertain }
}

const startsUnknown = (word: Word): boolean => {
  const piece = word.pieces.find((item) => !(item._tag === "literal" && item.text === ""))
  return piece !== undefined && (piece._tag === "expansion" || piece._tag === "elsewhere")
}

/** Pairs operands with their rules: at most one rule is `many` and takes what the others leave. */
export const pair = (
  rules: ReadonlyArray<OperandRule>,
  words: ReadonlyArray<Word>
): ReadonlyArray<readonly [Slot, ReadonlyArray<Word>]> => {
  const pairs: Array<readonly [Slot, ReadonlyArray<Word>]> = []
  let from = 0
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index]!
    if (rule.slot === "command" || rule.slot === "words") {
      pairs.push([rule.slot, words.slice(from)])
      return pairs
    }
    if (!rule.many) {
      if (from < words.length) pairs.push([rule.slot, [words[from]!]])
      from++
      continue
    }
    let to = words.length - (rules.length - index - 1)
    if (rule.slot === "assign") {
      to = from
      while (to < words.length && /^[A-Za-z_]\w*=/.test(words[to]!.value)) to++
    }
    pairs.push([rule.slot, words.slice(from, Math.max(from, to))])
    from = Math.max(from, to)
  }
  return pairs
}
