import type { Target as PathTarget } from "../shell/Place.ts"
import type { Touch, Unit } from "../shell/Site.ts"
import { constant, type Word } from "../shell/ShellTree.ts"
import type { Facts } from "./PathFacts.ts"
import * as OptionSet from "./OptionSet.ts"
import { HOLE, SEPARATOR } from "./Pattern.ts"
import type { Subject } from "./Rule.ts"

/** A word as patterns see it: home spelled out, and as its source where it is not known. */
const matched = (word: Word, home: string, unknown: (source: string) => string): string => {
  let text = ""
  word.pieces.forEach((piece, index) => {
    if (piece._tag === "literal") text += piece.text
    else if (piece._tag === "tilde") text += piece.text === "~" ? home : unknown(piece.text)
    else if (piece._tag === "expansion" && piece.name === "HOME" && index === 0) text += home
    else if (piece._tag === "elsewhere") text += unknown(piece.name)
    else text += unknown(piece._tag === "glob" ? piece.text : piece.source)
  })
  return text
}

const joined = (words: ReadonlyArray<Word>, home: string, unknown: (source: string) => string): string =>
  words.map((word) => matched(word, home, unknown)).join(SEPARATOR)

const asWritten = (source: string): string => source
const asHole = (): string => HOLE

const baseName = (name: string): string => name.slice(name.lastIndexOf("/") + 1)

/** The same words with the command's base name for its path. */
const withBaseName = (subject: string): string => {
  const end = subject.indexOf(SEPARATOR)
  const name = end === -1 ? subject : subject.slice(0, end)
  return name.includes("/") ? baseName(name) + (end === -1 ? "" : subject.slice(end)) : subject
}

const head = (subject: string): string => {
  const end = subject.indexOf(SEPARATOR)
  return end === -1 ? subject : subject.slice(0, end)
}

const itemOf = (word: Word, index: number, home: string): OptionSet.Item => {
  const text = matched(word, home, asWritten)
  const first = word.pieces.find((piece) => !(piece._tag === "literal" && piece.text === ""))
  return {
    text: index === 0 ? baseName(text) : text,
    holed: constant(word) === null ? matched(word, home, asHole) : null,
    // Home is a directory; what begins with a letter is no option.
    open:
      first !== undefined &&
      (first._tag === "glob" ||
        first._tag === "elsewhere" ||
        (first._tag === "expansion" && first.name !== "HOME"))
  }
}

const formsOf = (unit: Unit, home: string): ReadonlyArray<OptionSet.Form> =>
  [unit.words, ...unit.strictForms].flatMap((words) => {
    const form = OptionSet.ofWords(words.map((word, index) => itemOf(word, index, home)))
    return form === null ? [] : [form]
  })

/** A command: an allow has to match it as written, deny and ask also by base name and by its other forms. */
export const ofUnit = (unit: Unit, home: string, facts: Facts): Subject => {
  const forms = [unit.words, ...unit.forms]
  const written = forms.map((words) => joined(words, home, asWritten))
  const strictWritten = [...written, ...unit.strictForms.map((words) => joined(words, home, asWritten))]
  const strict = [...new Set([...strictWritten, ...strictWritten.map(withBaseName)])]
  const dynamic = unit.words.some((word) => constant(word) === null)
  const possible = dynamic
    ? [...forms, ...unit.strictForms].flatMap((words) => {
        const text = joined(words, home, asHole)
        return [text, withBaseName(text)]
      })
    : []
  const name = constant(unit.words[0]!)
  const found = unit.builtin || name === null || name.includes("/") || facts.trusted(name)
  const heads = [...strict, ...possible].map(head)
  return {
    allow: found && !unit.hidden ? written : [],
    strict,
    possible,
    forms: formsOf(unit, home),
    heads: heads.some((item) => item.includes(HOLE)) ? null : [...new Set(heads)]
  }
}

/** A piece of a text that was not understood: only deny and ask see it. */
export const ofPiece = (words: ReadonlyArray<string>): Subject => {
  const [name = "", ...rest] = words
  const strict = [...new Set([words, [baseName(name), ...rest]].map((item) => item.join(SEPARATOR)))]
  const form = OptionSet.ofWords(
    [baseName(name), ...rest].map((text) => ({ text, holed: null, open: false }))
  )
  return {
    allow: [],
    strict,
    possible: [],
    forms: form === null ? [] : [form],
    heads: strict.map(head)
  }
}

/** The directory that what a target stands for certainly lies in. */
export const directory = (target: PathTarget): string => {
  if (target.kind !== "glob") return target.path
  const wild = target.path.search(/[*?[\\(]/)
  const known = wild === -1 ? target.path : target.path.slice(0, wild)
  return known.slice(0, known.lastIndexOf("/")) || "/"
}

/** In a glob, what stands for text that only the file system knows. */
const WILD = /\\.|[@+!?*]\([^)]*\)|[*?]|\[[^\]]*\]/g

const holes = (glob: string): string =>
  glob.replaceAll(WILD, (part) => (part.startsWith("\\") ? part.slice(1) : HOLE))

const within = (path: string): string => (path === "/" ? "/" : `${path}/`)

/** Every directory above a path, "" for the root. */
const ancestors = (path: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let at = path.lastIndexOf("/"); at >= 0; at = at === 0 ? -1 : path.lastIndexOf("/", at - 1)) {
    found.push(path.slice(0, at))
  }
  return found
}

/** A file: deny and ask see every alias of it, an allow only the one that it really is (L1.8). */
export const ofPath = ({ target, direction, recursive }: Touch, facts: Facts): Subject => {
  switch (target.kind) {
    case "any":
      return { allow: [HOLE], strict: [], possible: [HOLE], heads: null }
    case "below": {
      const real = facts.canonical(target.raw) ?? target.path
      const all = [...new Set([target.path, real])].flatMap((path) => [path, within(path) + HOLE])
      return { allow: [within(real) + HOLE], strict: [], possible: all, heads: null }
    }
    case "glob": {
      const known = directory(target)
      const rest = holes(target.path.slice(within(known).length))
      const real = facts.canonical(known) ?? known
      const all = [...new Set([known, real])].map((path) => within(path) + rest)
      return { allow: [within(real) + rest], strict: [], possible: all, heads: null }
    }
    case "exact": {
      const real = facts.canonical(target.raw) ?? target.path
      const aliases = [...new Set([target.path, target.raw, real])]
      const below = recursive ? aliases.map(within) : []
      return {
        allow: [real],
        strict: aliases,
        possible: below.map((path) => path + HOLE),
        heads: recursive ? null : [...new Set(aliases.flatMap(ancestors))],
        // What is written as a whole is written in every part.
        below: direction === "write" ? below : []
      }
    }
  }
}

export const ofText = (text: string): Subject => ({
  allow: [text],
  strict: [text],
  possible: [],
  heads: null
})

/** What no rule can be matched against. */
export const ofNothing: Subject = { allow: [], strict: [], possible: [], heads: [] }
