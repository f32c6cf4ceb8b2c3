import * as PatchText from "../call/PatchText.ts"
import type { Scan } from "./Grammar.ts"
import * as Place from "./Place.ts"
import type { Mode, Reader } from "./Program.ts"
import * as ShellText from "./ShellText.ts"
import { type After, CODE, type Mark, type Site, type Unit, UNRESOLVED, type Walk } from "./Site.ts"
import { constant, drop, literal, type Word } from "./ShellTree.ts"
import * as Variables from "./Variables.ts"

/** What a reader may do with the words that it finds. */
export interface Run {
  readonly walk: Walk
  readonly unit: Unit
  readonly index: number
  readonly site: Site
  readonly touch: (
    direction: "read" | "write" | "both",
    word: Word,
    options?: { readonly certain?: boolean; readonly recursive?: boolean }
  ) => void
  readonly command: (words: ReadonlyArray<Word>) => void
  readonly launch: (words: ReadonlyArray<Word>) => After
  readonly shell: (word: Word) => void
  readonly mark: (mark: Mark) => void
}

/** `operands`: the program's operand grammar is read as well; else the directories afterwards. */
type Read = (run: Run, args: ReadonlyArray<Word>, scan: Scan, mode: Mode) => After | null | "operands"

const OPERATION = /^-|^[(!,]$/
const EXEC = new Set(["-exec", "-execdir", "-ok", "-okdir"])
const FIND_WRITES = new Set(["-fprint", "-fprint0", "-fprintf", "-fls"])
const FIND_READS = new Set(["-newer", "-anewer", "-cnewer", "-samefile", "-files0-from"])

const find: Read = (run, args) => {
  let at = 0
  while (at < args.length && /^-(?:[HLP]|D|O\d?)$/.test(args[at]!.value))
    at += args[at]!.value === "-D" ? 2 : 1
  const roots: Array<Word> = []
  for (; at < args.length && !OPERATION.test(args[at]!.value); at++) roots.push(args[at]!)
  const below = roots.length > 0 ? roots : [literal(".")]
  for (const root of below) run.touch("read", root, { recursive: true })
  const found = { _tag: "elsewhere", name: "<found>", below } as const
  for (; at < args.length; at++) {
    const word = args[at]!
    const value = word.value
    if (EXEC.has(value)) {
      let end = at + 1
      while (
        end < args.length &&
        args[end]!.value !== ";" &&
        !(args[end]!.value === "+" && args[end - 1]!.value === "{}")
      )
        end++
      run.launch(args.slice(at + 1, end).map((item) => ShellText.substitute(item, "{}", found)))
      at = end
    } else if (value === "-delete") {
      run.touch("write", { value: found.name, pieces: [found], runs: [] })
    } else if (FIND_WRITES.has(value) && args[at + 1] !== undefined) {
      run.touch("write", args[++at]!)
    } else if (FIND_READS.has(value) && args[at + 1] !== undefined) {
      run.touch("read", args[++at]!)
    } else if (constant(word) === null && word.pieces[0]?._tag === "expansion") {
      // It may expand to any operation, `-exec` too.
      run.mark(UNRESOLVED.option)
    }
  }
  return null
}

const PLACE = /\{[^{}\s]*\}/g

/** Inputs of `parallel` that are taken apart one by one; more are taken as unknown. */
const MAX_INPUTS = 16

const parallel: Read = (run, _args, scan) => {
  const cut = scan.operands.findIndex((word) => /^:::\+?:?$|^::::\+?$/.test(word.value))
  const command = cut === -1 ? scan.operands : scan.operands.slice(0, cut)
  const inputs = cut === -1 ? [] : scan.operands.slice(cut + 1)
  const listed =
    cut !== -1 &&
    scan.operands[cut]!.value === ":::" &&
    inputs.length <= MAX_INPUTS &&
    inputs.every((word) => constant(word) !== null && !word.value.startsWith(":::"))
  if (cut !== -1 && scan.operands[cut]!.value.startsWith("::::"))
    for (const word of inputs) run.touch("read", word)
  if (!listed) {
    if (command.length === 0) {
      run.mark(UNRESOLVED.text)
      return null
    }
    // `{}`, `{.}`, `{/}` and their like stand for an input; without one, inputs are appended.
    const input = { _tag: "elsewhere", name: "<stdin>", below: null } as const
    const placed = command.map((word) =>
      [...new Set(word.value.match(PLACE) ?? [])].reduce(
        (item, mark) => ShellText.substitute(item, mark, input),
        word
      )
    )
    if (placed.some((word, at) => word !== command[at])) run.launch(placed)
    else run.command(command)
    return null
  }
  for (const input of inputs) {
    const replaced = command.some((word) => word.value.search(PLACE) !== -1)
    const words = replaced
      ? command.map((word) =>
          ShellText.substitute(word, "{}", { _tag: "elsewhere", name: input.value, below: null })
        )
      : [...command, input]
    // The words are joined and read by a shell; plain words come out as they went in.
    if (
      command.length > 0 &&
      words.every((word) => constant(word) !== null && /^[\w./:=+,@%-]+$/.test(word.value))
    ) {
      run.launch(words)
    } else run.shell(ShellText.join(words))
  }
  return null
}

const variables: Read = (run, args) => {
  const functions = args.some((word) => /^-\w*f/.test(word.value))
  const integer = args.some((word) => /^-\w*[in]/.test(word.value))
  for (const word of args) {
    if (word.value.startsWith("-") || functions) continue
    const equals = word.value.indexOf("=")
    const value = equals === -1 ? null : drop(word, equals + 1)
    if (word.value.startsWith("HOME=")) Variables.home(run.walk, value, run.site)
    const mark = Variables.word(run.walk, run.index, word, run.site)
    if (mark !== null) {
      run.mark(mark)
      run.walk.sticky = mark
    }
    const name = equals === -1 ? word.value : word.value.slice(0, equals)
    // Quoted, a subscript is no part of the grammar, but the shell evaluates it all the same.
    if (name.includes("[") && word.pieces[0]?._tag === "literal") {
      const subscript = ShellText.evaluate(run.walk, literal(word.pieces[0].text.split("=")[0]!), run.site)
      if (subscript !== null) run.mark(subscript)
    }
    if (integer) run.walk.evaluates = true
    // An integer's value is evaluated as arithmetic, a reference's as a name.
    if (integer && value !== null && ShellText.evaluate(run.walk, value, run.site) !== null) {
      run.mark(UNRESOLVED.arithmetic)
    }
  }
  return null
}

const aliases: Read = (run, args) => {
  for (const word of args) {
    const equals = word.value.indexOf("=")
    if (equals <= 0) continue
    const text = drop(word, equals + 1)
    if (text === null) {
      run.mark(UNRESOLVED.text)
      continue
    }
    const name = word.value.slice(0, equals)
    run.walk.hidden.add(name)
    const certain = constant(text)
    if (certain !== null) run.walk.aliases.set(name, certain)
    run.shell(text)
  }
  return null
}

const dd: Read = (run, args) => {
  for (const word of args) {
    const match = /^(if|of)=/.exec(word.value)
    const file = match === null ? null : drop(word, 3)
    if (match !== null && file !== null) run.touch(match[1] === "if" ? "read" : "write", file)
  }
  return null
}

const UNARY_FILE = /^-[abcdefghkprstuwxGLNOS]$/

const test: Read = (run, args) => {
  args.forEach((word, at) => {
    const before = args[at - 1]?.value ?? ""
    const next = args[at + 1]?.value ?? ""
    if (/^-(?:nt|ot|ef)$/.test(before) || /^-(?:nt|ot|ef)$/.test(next)) run.touch("read", word)
    else if (UNARY_FILE.test(before) && word.value !== "]") run.touch("read", word)
    else if (/^-[vR]$/.test(before)) {
      const mark = ShellText.evaluate(run.walk, word, run.site)
      if (mark !== null) run.mark(mark)
    }
  })
  return null
}

const ADDRESS = String.raw`(?:\d+|\$|\/(?:[^/\\\n]|\\.)*\/I?|\d+~\d+)`
const RANGE = String.raw`\s*(?:${ADDRESS}(?:\s*,\s*(?:${ADDRESS}|[+~]\d+))?)?\s*!?\s*`
/** sed commands that touch nothing but the text that they edit. */
const SED_PLAIN = new RegExp(
  `^(?:${RANGE}(?:[dDgGhHlnNpPqQxz=]\\s*\\d*|s([/|#,@:!])(?:(?!\\1)[^\\\\\\n]|\\\\.)*\\1(?:(?!\\1)[^\\\\\\n]|\\\\.)*\\1[gpiIM0-9]*|y\\/[^/]*\\/[^/]*\\/|[btT]?\\s*\\w*)\\s*[;}{]*\\s*)*$`
)
const SED_RUN = new RegExp(`^${RANGE}e\\s+([^\\n]+)$`)
const SED_FILE = new RegExp(`^${RANGE}([wWrR])\\s+([^\\n]+)$`)

const sed: Read = (run, _args, scan, mode) => {
  const script = mode.operands?.startsWith("_") === true ? scan.operands[0] : undefined
  if (script === undefined) return "operands"
  const text = constant(script)
  if (text === null) {
    run.mark(CODE.program)
    return "operands"
  }
  if (text.length > MAX_SCRIPT) run.mark(CODE.program)
  else for (const line of text.split("\n")) sedLine(run, line)
  return "operands"
}

/** Longer scripts are code: nothing so long is read at a glance. UTF-16 code units. */
const MAX_SCRIPT = 1_000

const sedLine = (run: Run, line: string): void => {
  const command = SED_RUN.exec(line)?.[1]
  const file = SED_FILE.exec(line)
  if (command !== undefined) run.shell(literal(command))
  else if (file !== null) run.touch(/[wW]/.test(file[1]!) ? "write" : "read", literal(file[2]!))
  else if (!sedPlain(line)) {
    run.mark(CODE.program)
    run.unit.code = line
  }
}

const sedPlain = (line: string): boolean =>
  line.split(/(?<!\\);(?=\s*(?:[\d$/sdpq]|$))/).every((part) => SED_PLAIN.test(part))

const AWK_RUNS = /\bsystem\s*\(|\bgetline\b|(?<!\|)\|(?!\|)|@(?:load|include)|\|&/
const AWK_WRITES = /\bprintf?\b[^;}\n]*?>>?\s*("(?:[^"\\]|\\.)*"|[^\s;}]*)/g

const awk: Read = (run, _args, scan, mode) => {
  const script = mode.operands?.startsWith("_") === true ? scan.operands[0] : undefined
  if (script === undefined) return "operands"
  const text = constant(script)
  if (text === null || text.length > MAX_SCRIPT) {
    run.mark(CODE.program)
    return "operands"
  }
  const bare = text.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""')
  if (AWK_RUNS.test(bare)) {
    run.mark(CODE.program)
    run.unit.code = text
  }
  for (const match of text.matchAll(AWK_WRITES)) {
    const target = match[1]!
    if (target.startsWith('"')) run.touch("write", literal(target.slice(1, -1)))
    else
      run.touch("write", {
        value: target,
        pieces: [{ _tag: "elsewhere", name: target, below: null }],
        runs: []
      })
  }
  return "operands"
}

/** A patch in the form of `apply_patch`, as an operand or on standard input. */
const patch: Read = (run, args) => {
  const { stdin } = run.site
  const word = args[0] ?? (stdin._tag === "text" ? stdin.word : undefined)
  const text = word === undefined ? null : constant(word)
  const files = text === null ? null : PatchText.files(text)
  for (const file of files ?? []) run.touch("write", literal(file))
  if (files === null) {
    const anywhere = { _tag: "elsewhere", name: "<patch>", below: null } as const
    run.touch("write", { value: anywhere.name, pieces: [anywhere], runs: [] })
  }
  return null
}

const cd: Read = (run, _args, scan) => {
  const { base } = run.site
  const operand = scan.operands[0]
  const known = run.walk.sticky === null && !scan.uncertain && scan.operands.length <= 1
  const name = run.unit.words[0]!.value
  if (!known || name === "popd" || operand?.value === "-" || (name === "pushd" && operand === undefined)) {
    return { ok: Place.UNKNOWN, fail: base }
  }
  if (operand === undefined)
    return { ok: run.walk.home === null ? Place.UNKNOWN : [run.walk.home], fail: base }
  const targets = Place.resolve(operand, { base, home: run.walk.home })
  return {
    ok: targets.every((target) => target.kind === "exact")
      ? targets.map((target) => target.path)
      : Place.UNKNOWN,
    fail: base
  }
}

/** Grammars of words that options and operands cannot express, by the name that the tables use. */
export const READERS: Readonly<Record<Reader, Read>> = {
  patch,
  find,
  parallel,
  variables,
  aliases,
  dd,
  test,
  sed,
  awk,
  cd
}
