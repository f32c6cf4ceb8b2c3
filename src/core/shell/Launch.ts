import type { Slot } from "./Grammar.ts"
import * as Grammar from "./Grammar.ts"
import * as Place from "./Place.ts"
import type { Mode, Program } from "./Program.ts"
import * as Programs from "./Programs.ts"
import { READERS, type Run } from "./Readers.ts"
import {
  type After,
  CODE,
  OPEN,
  type Site,
  stricter,
  type Touch,
  type Unit,
  UNRESOLVED,
  type Walk
} from "./Site.ts"
import * as ShellText from "./ShellText.ts"
import { constant, drop, literal, type Word } from "./ShellTree.ts"
import { GIT_CODE_SETTINGS, GIT_SHELL_SETTINGS } from "./GitTable.ts"
import * as Variables from "./Variables.ts"

/** Wrappers inside wrappers, and texts inside texts, are taken apart so deep. */
const MAX_DEPTH = 32

/** Devices and descriptors that are no files of anybody. */
const DEVICE = /^\/dev\/(?:null|zero|full|random|urandom|tty|std(?:in|out|err)|fd\/\d+)$/

/**
 * One command: its unit, what it opens, and the commands that it runs in turn. The program's entry in the
 * tables says how its words are read; nothing here knows a program by name.
 */
export const launch = (walk: Walk, words: ReadonlyArray<Word>, site: Site): After => {
  const same: After = { ok: site.base, fail: site.base }
  const first = words[0]
  if (first === undefined) return same
  // In a text that is uncertain as a whole, a command without a name of its own says nothing more.
  if (
    site.mark === UNRESOLVED.text &&
    words.length === 1 &&
    first.pieces.every(({ _tag }) => _tag !== "literal")
  ) {
    return same
  }
  const unit: Unit = {
    words,
    via: site.via,
    mark: stricter(site.mark, walk.sticky),
    forms: [],
    strictForms: [],
    transparent: false,
    builtin: false,
    hidden: false,
    wraps: false,
    code: null
  }
  const index = walk.units.push(unit) - 1
  if (words.some((word) => word.pieces.some((piece) => piece._tag === "elsewhere"))) {
    unit.mark = stricter(unit.mark, OPEN)
  }
  if (site.depth >= MAX_DEPTH) {
    unit.mark = UNRESOLVED.depth
    return same
  }
  const name = programName(walk, unit, index, first, site)
  if (name === null) {
    unit.mark = stricter(unit.mark, UNRESOLVED.command)
    for (const word of words.slice(1)) maybe(walk, index, word, site)
    return same
  }
  const alias = constant(first) === name ? walk.aliases.get(name) : undefined
  if (alias !== undefined && words.length > 1) {
    ShellText.read(
      walk,
      literal(
        `${alias} ${words
          .slice(1)
          .map((word) => word.value)
          .join(" ")}`
      ),
      {
        ...site,
        via: [...site.via, name],
        depth: site.depth + 1
      }
    )
  }
  const program = Programs.find(name)
  if (program === undefined) {
    for (const word of words.slice(1)) maybe(walk, index, word, site)
    return same
  }
  unit.builtin = program.builtin === true
  const after = run(walk, unit, index, program, [name], words.slice(1), site) ?? same
  unit.wraps = walk.units.length > index + 1
  return after
}

/** The base name that the tables know a program by; a file outside the system's directories is code. */
const programName = (walk: Walk, unit: Unit, index: number, word: Word, site: Site): string | null => {
  const text = constant(word)
  if (text !== null && !text.includes("/")) return text
  const targets = Place.resolve(word, { base: site.base, home: walk.home })
  const target = targets[0]
  if (text === null && (targets.length !== 1 || target?.kind !== "exact")) return null
  const path = target?.kind === "exact" ? target.path : null
  if (path === null || !Programs.inSystem(path)) {
    unit.mark = stricter(unit.mark, CODE.program)
    touch(walk, index, "read", word, site)
  }
  const whole = path ?? text ?? ""
  return whole.slice(whole.lastIndexOf("/") + 1)
}

const touch = (
  walk: Walk,
  unit: number | null,
  direction: Touch["direction"] | "both",
  word: Word,
  site: Site,
  { certain = true, recursive = false } = {}
): void => {
  if (site.remote || word.pieces.some((piece) => piece._tag === "pipe")) return
  for (const target of Place.resolve(word, { base: site.base, home: walk.home })) {
    if (DEVICE.test(target.path)) continue
    if (direction !== "write") walk.touches.push({ direction: "read", target, certain, recursive, unit })
    if (direction !== "read") walk.touches.push({ direction: "write", target, certain, recursive, unit })
  }
}

export { touch }

/** A word of a program that we do not know: whatever in it may be a file's name. */
const maybe = (walk: Walk, unit: number, word: Word, site: Site): void => {
  const value = word.value
  const equals = value.indexOf("=")
  const options = { certain: false }
  if (!value.startsWith("-")) touch(walk, unit, "both", word, site, options)
  const tails = [equals > 0 ? equals + 1 : 0, /^-[A-Za-z]./.test(value) ? 2 : 0]
  for (const count of tails) {
    const tail = count === 0 ? null : drop(word, count)
    if (tail !== null && tail.value !== "") touch(walk, unit, "both", tail, site, options)
  }
}

/** Whether options end at the first operand: it is a command, a script or a subcommand. */
const stops = (program: Program): boolean =>
  program.subcommands !== undefined || /\b(command|words|script)\b/.test(program.operands ?? "")

const runsOthers = (program: Program): boolean =>
  program.subcommands !== undefined || /\b(command|words|shell)\b/.test(program.operands ?? "")

const run = (
  walk: Walk,
  unit: Unit,
  index: number,
  program: Program,
  path: ReadonlyArray<string>,
  args: ReadonlyArray<Word>,
  site: Site
): After | null => {
  if (program.transparent === true) unit.transparent = true
  const scan = Grammar.scan(Programs.grammar(program), args, stops(program))
  const modes = scan.found.flatMap(({ rule }) => {
    const mode = rule.mode === null ? undefined : program.modes?.[rule.mode]
    return mode === undefined ? [] : [mode]
  })
  // A look-up wins over all else that the options say, if nothing about them is uncertain.
  if (!scan.uncertain && modes.some((mode) => mode.inert === true)) return null
  const mode: Mode = modes.findLast((item) => item.inert !== true) ?? program
  if (scan.uncertain && runsOthers(program)) unit.mark = stricter(unit.mark, UNRESOLVED.option)

  let base = site.base
  for (const { rule, value } of scan.found) {
    if (rule.slot !== "chdir" || value === null) continue
    const targets = Place.resolve(value, { base, home: walk.home })
    touch(walk, index, "read", value, { ...site, base })
    base = targets.every((target) => target.kind === "exact")
      ? targets.map((target) => target.path)
      : Place.UNKNOWN
  }
  const subcommandWord = scan.operands[0]
  const subcommand =
    program.subcommands === undefined || subcommandWord === undefined ? null : constant(subcommandWord)
  const sub = subcommand === null ? undefined : own(program.subcommands, subcommand)
  if (program.subcommands !== undefined && scan.found.length > 0 && scan.operands.length > 0) {
    const aside = [...unit.words.slice(0, unit.words.length - args.length), ...scan.operands]
    const harmless = scan.found.every(({ rule }) => rule.slot === "_" || rule.slot === "chdir")
    ;(harmless ? unit.forms : unit.strictForms).push(aside)
  }

  const inner: Site = {
    ...site,
    base,
    via: [...site.via, path.join(" ")],
    remote: site.remote || program.remote === true,
    depth: site.depth + 1
  }
  const state: State = {
    walk,
    unit,
    index,
    program,
    mode,
    site: inner,
    sentinel: null,
    replace: null,
    after: null,
    taken: false,
    operands: scan.operands
  }
  for (const { rule, value } of scan.found) {
    if (value !== null && (rule.slot === "list" || rule.slot === "replace")) apply(state, rule.slot, [value])
    else if (value === null && rule.slot === "replace") state.replace = "{}"
  }
  for (const { rule, value } of scan.found) {
    if (value === null || rule.slot === "list" || rule.slot === "replace" || rule.slot === "chdir") continue
    if (rule.slot === "rest") {
      const from = args.indexOf(value)
      if (from >= 0) apply(state, "rest", args.slice(from))
      break
    }
    apply(state, rule.slot, [value])
  }
  if (sub !== undefined && subcommand !== null) {
    if (modes.some((item) => item.code === true)) unit.mark = stricter(unit.mark, CODE.program)
    return run(walk, unit, index, sub, [...path, subcommand], scan.operands.slice(1), {
      ...site,
      base,
      remote: inner.remote
    })
  }
  if (mode.code === true || modes.some((item) => item.code === true)) {
    unit.mark = stricter(unit.mark, CODE.program)
  }
  if (mode.unresolved === true) unit.mark = stricter(unit.mark, UNRESOLVED.command)
  if (program.reader !== undefined) {
    const handled = READERS[program.reader](runOf(state), args, scan, mode)
    if (handled !== "operands") return handled
  }
  if (state.taken) return null
  const takesCode = mode.stdin === true && !(mode.operands ?? "_").startsWith("shell")
  if (takesCode && (scan.operands.length === 0 || !(mode.operands ?? "").startsWith("script"))) {
    standardInput(state)
  } else {
    for (const [slot, slotWords] of Grammar.pair(Programs.operands(mode.operands ?? "_*"), scan.operands)) {
      apply(state, slot, slotWords)
    }
  }
  return program.builtin === true ? state.after : null
}

const own = (table: Program["subcommands"], name: string): Program | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined

interface State {
  readonly walk: Walk
  readonly unit: Unit
  readonly index: number
  readonly program: Program
  readonly mode: Mode
  readonly site: Site
  readonly operands: ReadonlyArray<Word>
  /** What stands for inner words that come from elsewhere, e.g. `<list>`. */
  sentinel: string | null
  replace: string | null
  after: After | null
  /** The operands already belong to a command that an option has begun. */
  taken: boolean
}

const apply = (state: State, slot: Slot, words: ReadonlyArray<Word>): void => {
  const { walk, index, unit, site } = state
  const mark = (found: typeof unit.mark): void => {
    unit.mark = stricter(unit.mark, found)
  }
  switch (slot) {
    case "_":
    case "pair":
      return
    case "maybe":
      for (const word of words) maybe(walk, index, word, site)
      return
    case "read":
    case "write":
    case "both":
      for (const word of words) if (word.value !== "-") touch(walk, index, slot, word, site)
      return
    case "within":
      for (const word of words) touch(walk, index, "write", word, site, { recursive: true })
      return
    case "into":
      intoDirectory(state, words[0]!)
      return
    case "chdir": {
      const targets = words.flatMap((word) => Place.resolve(word, { base: site.base, home: walk.home }))
      state.walk.touches.push(
        ...targets.map((target) => ({
          direction: "read" as const,
          target,
          certain: true,
          recursive: false,
          unit: index
        }))
      )
      return
    }
    case "data": {
      const value = words[0]!
      const at = /^(?:[^=]*=)?[@<]/.exec(value.value)?.[0].length ?? 0
      const file = at === 0 ? null : drop(value, at)
      if (file !== null && file.value !== "-") touch(walk, index, "read", file, site)
      return
    }
    case "list": {
      touch(walk, index, "read", words[0]!, site)
      state.sentinel = `<${words[0]!.value}>`
      return
    }
    case "replace":
      state.replace = words[0]!.value
      return
    case "assign":
      for (const word of words) mark(Variables.word(walk, index, word, site))
      return
    case "command": {
      if (words[0]?.value.startsWith("-") !== true) return innerCommand(state, words)
      // Options after the first operands: `flock FILE -c TEXT`.
      const later = Grammar.scan(Programs.grammar(state.program), words, true)
      for (const { rule, value } of later.found) if (value !== null) apply(state, rule.slot, [value])
      if (later.uncertain) mark(UNRESOLVED.option)
      return innerCommand(state, later.operands)
    }
    case "rest": {
      const end = words.findIndex((word) => word.value === ";")
      innerCommand({ ...state, sentinel: "<found>", replace: "{}" }, end === -1 ? words : words.slice(0, end))
      return
    }
    case "words":
      if (words.length > 0) shellText(state, ShellText.join(words))
      return
    case "shell":
      for (const word of words) shellText(state, word)
      return
    case "split": {
      const pieces = ShellText.split(walk, words[0]!)
      if (pieces === null) {
        mark(UNRESOLVED.text)
        return
      }
      state.taken = true
      const args = unit.words
      const at = args.findIndex((word) => word.value.endsWith(words[0]!.value))
      innerCommand(state, [...pieces, ...(at === -1 ? [] : args.slice(at + 1))])
      return
    }
    case "script":
      script(state, words[0])
      return
    case "code":
      mark(CODE.program)
      unit.code = words.map((word) => word.value).join("\n")
      return
    case "eval":
      for (const word of words) mark(ShellText.evaluate(walk, word, site))
      return
    case "setting":
      setting(state, words[0]!)
      return
    case "sed":
      READERS.sed(runOf(state), [], { found: [], operands: words, uncertain: false }, { operands: "_" })
      return
    case "gdb": {
      const text = constant(words[0]!)
      const command = text === null ? null : /^\s*(?:shell\s+|!)([^]*)$/.exec(text)?.[1]
      if (command === null || command === undefined) mark(CODE.program)
      else shellText(state, literal(command))
    }
  }
}

/** Whether the target is a directory is not known here: it may be written itself, or get the sources' names. */
const intoDirectory = ({ walk, index, site, operands }: State, target: Word): void => {
  const directory = /(?:^|\/)\.{0,2}$/.test(target.value) || target.pieces.at(-1)?._tag === "tilde"
  if (!directory) touch(walk, index, "write", target, site)
  for (const source of operands) {
    const name =
      constant(source) === null ? null : (source.value.split("/").findLast((part) => part !== "") ?? null)
    if (source === target || name === null || name === ".." || name === ".") continue
    const pieces = [...target.pieces, { _tag: "literal", text: `/${name}`, quoted: true } as const]
    const child = { value: `${target.value}/${name}`, pieces, runs: [] }
    touch(walk, index, "write", child, site, { certain: directory })
  }
}

/** The command inside a wrapper; words from elsewhere are appended, or put where the wrapper says. */
const innerCommand = (state: State, words: ReadonlyArray<Word>): void => {
  const { walk, program, site } = state
  if (words.length === 0) return
  if (words.length === 1 && words[0]!.pieces.every((piece) => piece._tag === "elsewhere")) {
    state.unit.mark = UNRESOLVED.command
    return
  }
  const sentinel = state.sentinel ?? program.appends ?? null
  if (program.code === true && program.remote !== true && Programs.find(words[0]!.value) === undefined) {
    // A package runner: the name is a package's, not a program's; deny rules see it all the same.
    state.unit.strictForms.push(words)
    return
  }
  if (sentinel === null) {
    state.after = launch(walk, words, site)
    return
  }
  const { stdin } = site
  const below = sentinel === "<stdin>" && stdin._tag === "paths" ? stdin.below : null
  const elsewhere = { _tag: "elsewhere", name: sentinel, below } as const
  const inner =
    state.replace === null
      ? [...words, { value: sentinel, pieces: [elsewhere], runs: [] }]
      : words.map((word) => ShellText.substitute(word, state.replace!, elsewhere))
  launch(walk, inner, site)
}

const shellText = (state: State, word: Word): void => {
  const read = ShellText.read(state.walk, word, state.site)
  state.unit.mark = stricter(state.unit.mark, read.mark)
  state.after = read.after
}

const script = (state: State, word: Word | undefined): void => {
  const { unit, walk, index, site } = state
  if (word === undefined || word.value === "-" || word.value === "/dev/stdin") {
    standardInput(state)
    return
  }
  unit.mark = stricter(unit.mark, CODE.program)
  touch(walk, index, "read", word, site)
}

/** A program text on standard input: read where a shell reads literal text, else code. */
const standardInput = (state: State): void => {
  const { stdin } = state.site
  if (state.program.shell === true && stdin._tag === "text") shellText(state, stdin.word)
  else {
    state.unit.mark = stricter(state.unit.mark, CODE.stdin)
    if (stdin._tag === "text") state.unit.code = stdin.word.value
  }
}

/** `-c name=value`: some settings are commands, some say where commands are. */
const setting = (state: State, word: Word): void => {
  const equals = word.value.indexOf("=")
  const name = equals === -1 ? word.value : word.value.slice(0, equals)
  const value = equals === -1 ? null : drop(word, equals + 1)
  if (value === null) {
    state.unit.mark = stricter(state.unit.mark, constant(word) === null ? UNRESOLVED.text : null)
  } else if (/^alias\./i.test(name)) {
    if (value.value.startsWith("!")) shellText(state, drop(value, 1) ?? value)
    else state.unit.mark = stricter(state.unit.mark, UNRESOLVED.command)
  } else if (GIT_SHELL_SETTINGS.test(name)) shellText(state, value)
  else if (GIT_CODE_SETTINGS.test(name)) state.unit.mark = stricter(state.unit.mark, CODE.environment)
}

const runOf = (state: State): Run => ({
  walk: state.walk,
  unit: state.unit,
  index: state.index,
  site: state.site,
  touch: (direction, word, options) => touch(state.walk, state.index, direction, word, state.site, options),
  command: (words) => innerCommand(state, words),
  launch: (words) => launch(state.walk, words, state.site),
  shell: (word) => shellText(state, word),
  mark: (mark) => {
    state.unit.mark = stricter(state.unit.mark, mark)
  }
})
