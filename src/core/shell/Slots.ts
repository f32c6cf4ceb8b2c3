import type { Slot } from "./Grammar.ts"
import * as Grammar from "./Grammar.ts"
import { GIT_CODE_SETTINGS, GIT_SHELL_SETTINGS } from "./GitTable.ts"
import * as Place from "./Place.ts"
import type { Mode, Program } from "./Program.ts"
import * as Programs from "./Programs.ts"
import { READERS, type Run } from "./Readers.ts"
import * as ShellText from "./ShellText.ts"
import { constant, drop, literal, sourceOf, type Word } from "./ShellTree.ts"
import { type After, CODE, type Site, stricter, type Unit, UNRESOLVED, type Walk } from "./Site.ts"
import { maybe, touch } from "./Touching.ts"
import * as Variables from "./Variables.ts"

/** One program while its words are read. */
export interface State {
  readonly walk: Walk
  readonly unit: Unit
  readonly index: number
  readonly program: Program
  readonly mode: Mode
  /** Where the inner command runs. */
  readonly site: Site
  /** Where the word that is read now names files: on this machine, for options of a program that goes elsewhere. */
  files: Site
  readonly operands: ReadonlyArray<Word>
  /** What stands for inner words that come from elsewhere, e.g. `<list>`. */
  sentinel: string | null
  replace: string | null
  after: After | null
  /** Directories are read with all that lies below. */
  readonly deep: boolean
  /** The operands already belong to a command that an option has begun. */
  taken: boolean
}

/** Does what the table says of these words. */
export const apply = (state: State, slot: Slot, words: ReadonlyArray<Word>): void => {
  const { files, walk, index, unit, site } = state
  const mark = (found: typeof unit.mark): void => {
    unit.mark = stricter(unit.mark, found)
  }
  switch (slot) {
    case "_":
    case "pair":
      return
    case "maybe":
      for (const word of words) maybe(walk, index, word, files)
      return
    case "read":
    case "write":
    case "both":
      for (const word of words)
        if (word.value !== "-")
          touch(walk, index, slot, word, files, { recursive: state.deep && slot !== "write" })
      return
    case "within":
      for (const word of words) touch(walk, index, "write", word, files, { recursive: true })
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
      if (file !== null && file.value !== "-") touch(walk, index, "read", file, files)
      return
    }
    case "list": {
      touch(walk, index, "read", words[0]!, files)
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
    case "local":
      local(state, words[0]!)
      return
    case "mount":
      mount(state, words[0]!)
      return
    case "sed":
      READERS.sed(
        runOf(state),
        [],
        { found: [], operands: words, unknown: [], kept: words, uncertain: false },
        { operands: "_" }
      )
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
const intoDirectory = ({ files: site, walk, index, operands }: State, target: Word): void => {
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
  const dashes = words.findIndex(({ value }) => value === "--")
  // What a runner puts before `--` is about packages and versions.
  if (program.code === true && dashes > 0) walk.launch(walk, words.slice(dashes + 1), site)
  if (words.length === 1 && words[0]!.pieces.every((piece) => piece._tag === "elsewhere")) {
    state.unit.mark = UNRESOLVED.command
    return
  }
  const sentinel = state.sentinel ?? program.appends ?? null
  if (program.code === true && program.remote !== true && Programs.find(words[0]!.value) === undefined) {
    // A package runner: the name is a package's, not a program's; deny rules see it all the same.
    if (!words[0]!.value.includes("/")) {
      state.unit.strictForms.push(words)
      for (const word of words.slice(1)) maybe(walk, state.index, word, site)
      return
    }
  }
  if (sentinel === null) {
    state.after = walk.launch(walk, words, site)
    return
  }
  const { stdin } = site
  const below = sentinel === "<stdin>" && stdin._tag === "paths" ? stdin.below : null
  const elsewhere = { _tag: "elsewhere", name: sentinel, below } as const
  const inner =
    state.replace === null
      ? [...words, { value: sentinel, pieces: [elsewhere], runs: [] }]
      : words.map((word) => ShellText.substitute(word, state.replace!, elsewhere))
  walk.launch(walk, inner, site)
}

const shellText = (state: State, word: Word): void => {
  const read = ShellText.read(state.walk, word, state.site)
  state.unit.mark = stricter(state.unit.mark, read.mark)
  state.after = read.after
}

const script = (state: State, word: Word | undefined): void => {
  const { files, unit, walk, index } = state
  if (word === undefined || word.value === "-" || word.value === "/dev/stdin") {
    standardInput(state)
    return
  }
  unit.mark = stricter(unit.mark, CODE.program)
  touch(walk, index, "read", word, files)
}

/** A program text on standard input: read where a shell reads literal text, else code. */
export const standardInput = (state: State): void => {
  const { stdin } = state.site
  if (state.program.shell === true && stdin._tag === "text") shellText(state, stdin.word)
  else {
    state.unit.mark = stricter(state.unit.mark, CODE.stdin)
    if (stdin._tag === "text") state.unit.code = stdin.word.value
  }
}

/** Of `mount`: a directory of this machine that the inner command gets. */
const mount = ({ files, index, walk }: State, word: Word): void => {
  const listed = word.value.includes("=")
  const from = listed ? /(?:^|,)(?:source|src)=/.exec(word.value) : null
  const start = from === null ? 0 : from.index + from[0].length
  const rest = drop(word, start)
  const end = (rest?.value ?? "").search(listed ? /,/ : /:/)
  if (rest === null || (listed && from === null)) {
    if (constant(word) === null) touch(walk, index, "both", word, files, { certain: false })
    return
  }
  const host = end === -1 ? rest : keep(rest, end)
  // A name without a slash is a volume of the container program's own.
  if (!listed && !/^[./~$]/.test(host.value)) return
  const read = /(?:^|[:,])(?:ro|readonly)(?:[:,=]|$)/.test(word.value)
  const direction = read ? "read" : "both"
  touch(walk, index, direction, host, files)
  // What the container does with what lies in it is not known here.
  const inside = { _tag: "elsewhere", name: host.value, below: [host] } as const
  touch(walk, index, direction, { value: host.value, pieces: [inside], runs: [] }, files)
}

/** The first `count` characters of a word. */
const keep = (word: Word, count: number): Word => {
  let left = count
  const pieces = word.pieces.flatMap((piece) => {
    const text = piece._tag === "literal" ? piece.text.slice(0, Math.max(0, left)) : null
    const length = text === null ? sourceOf(piece).length : text.length
    const gone = left <= 0
    left -= length
    return gone ? [] : [text === null || piece._tag !== "literal" ? piece : { ...piece, text }]
  })
  return { value: word.value.slice(0, count), pieces, runs: [] }
}

/** Settings of `ssh` that a shell here runs, before there is another machine. */
const LOCAL_SETTINGS = /^(?:proxycommand|localcommand|knownhostscommand|match)$/i
const LOCAL_CODE = /^(?:pkcs11provider|securitykeyprovider|xauthlocation|include|permitlocalcommand)$/i

/** `-o Name=value`. */
const local = (state: State, word: Word): void => {
  const [name = ""] = /^\w+/.exec(word.value) ?? []
  const gap = /^\w+\s*=?\s*/.exec(word.value)?.[0].length ?? 0
  const value = drop(word, gap)
  if (LOCAL_SETTINGS.test(name) && value !== null) {
    const read = ShellText.read(state.walk, value, state.files)
    state.unit.mark = stricter(state.unit.mark, read.mark)
  } else if (LOCAL_CODE.test(name)) state.unit.mark = stricter(state.unit.mark, CODE.environment)
  else if (name === "") state.unit.mark = stricter(state.unit.mark, UNRESOLVED.text)
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

export const runOf = (state: State): Run => ({
  walk: state.walk,
  unit: state.unit,
  index: state.index,
  site: state.site,
  touch: (direction, word, options) => touch(state.walk, state.index, direction, word, state.site, options),
  command: (words) => innerCommand(state, words),
  launch: (words) => state.walk.launch(state.walk, words, state.site),
  shell: (word) => shellText(state, word),
  mark: (mark) => {
    state.unit.mark = stricter(state.unit.mark, mark)
  }
})
