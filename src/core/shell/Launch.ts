import * as Folding from "./Folding.ts"
import * as Grammar from "./Grammar.ts"
import * as Place from "./Place.ts"
import type { Mode, Program } from "./Program.ts"
import * as Programs from "./Programs.ts"
import { READERS } from "./Readers.ts"
import * as ShellText from "./ShellText.ts"
import { constant, literal, type Word } from "./ShellTree.ts"
import { type After, CODE, OPEN, type Site, stricter, type Unit, UNRESOLVED, type Walk } from "./Site.ts"
import { apply, runOf, standardInput, type State } from "./Slots.ts"
import { maybe, touch } from "./Touching.ts"

/** Wrappers inside wrappers, and texts inside texts, are taken apart so deep. */
const MAX_DEPTH = 32

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
    located: new Map(),
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
  Folding.fold(walk, unit, index, site)
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
  const after =
    run(
      walk,
      unit,
      index,
      program,
      { path: [name], before: [first], harmless: true },
      words.slice(1),
      site
    ) ?? same
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

/** Whether options end at the first operand: it is a command, a script or a subcommand. */
const stops = (program: Program): boolean =>
  program.subcommands !== undefined || /\b(command|words|script)\b/.test(program.operands ?? "")

const runsOthers = (program: Program): boolean =>
  program.subcommands !== undefined || /\b(command|words|shell)\b/.test(program.operands ?? "")

/** A program or one of its subcommands, while its words are read. */
interface Level {
  /** Its names, outermost first. */
  readonly path: ReadonlyArray<string>
  /** Its words so far, options set aside. */
  readonly before: ReadonlyArray<Word>
  /** Nothing that was set aside changes what the rest means. */
  readonly harmless: boolean
}

/** Words after an unknown option that are tried as the subcommand, so that a deny on it holds. */
const MAX_SHIFTS = 4

/** The same command without the options before its subcommand, to which rules apply as well (L3.8). */
const setAside = (
  unit: Unit,
  program: Program,
  scan: Grammar.Scan,
  args: ReadonlyArray<Word>,
  level: Level
): boolean => {
  if (program.subcommands === undefined || scan.operands.length === 0) return level.harmless
  const all = program.spread === true ? Grammar.scan(Programs.grammar(program), args, false) : scan
  const harmless = level.harmless && all.found.every(({ rule }) => rule.slot === "_" || rule.slot === "chdir")
  if (all.found.length > 0 || level.before.length + args.length < unit.words.length) {
    const kept = program.spread === true ? all.kept : scan.operands
    ;(harmless && !scan.uncertain ? unit.forms : unit.strictForms).push([...level.before, ...kept])
  }
  if (!scan.uncertain) return harmless
  for (let shift = 0; shift < Math.min(MAX_SHIFTS, scan.operands.length); shift++) {
    unit.strictForms.push([...level.before, ...scan.operands.slice(shift)])
  }
  return false
}

const run = (
  walk: Walk,
  unit: Unit,
  index: number,
  program: Program,
  level: Level,
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
  const mode: Mode = modes.findLast((item) => item.inert !== true && item.deep !== true) ?? program
  const deep = program.deep === true || modes.some((item) => item.deep === true)
  for (const word of scan.unknown) maybe(walk, index, word, site)
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
  const harmless = setAside(unit, program, scan, args, level)

  const here: Site = {
    ...site,
    base,
    via: [...site.via, level.path.join(" ")],
    depth: site.depth + 1
  }
  const inner: Site = program.remote === true ? { ...here, remote: true } : here
  const state: State = {
    walk,
    unit,
    index,
    program,
    mode,
    site: inner,
    files: here,
    sentinel: null,
    replace: null,
    after: null,
    deep,
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
  state.files = inner
  if (sub !== undefined && subcommand !== null) {
    if (modes.some((item) => item.code === true)) unit.mark = stricter(unit.mark, CODE.program)
    const next = {
      path: [...level.path, subcommand],
      before: [...level.before, subcommandWord!],
      harmless
    }
    return run(walk, unit, index, sub, next, scan.operands.slice(1), { ...site, base, remote: inner.remote })
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
    const slots = Grammar.pair(Programs.operands(mode.operands ?? "_*"), scan.operands)
    for (const [slot, slotWords] of slots) apply(state, slot, slotWords)
    const reads = slots.some(([slot, slotWords]) => slot === "read" && slotWords.length > 0)
    if (deep && program.here === true && !reads && site.stdin._tag === "outside") apply(state, "read", HERE)
  }
  return program.builtin === true ? state.after : null
}

const HERE: ReadonlyArray<Word> = [literal(".")]

const own = (table: Program["subcommands"], name: string): Program | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
