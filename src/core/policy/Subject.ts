import type { Target as PathTarget } from "../shell/Place.ts"
import type { Touch, Unit } from "../shell/Site.ts"
import { constant, literal, type Word } from "../shell/ShellTree.ts"
import type { Facts } from "./PathFacts.ts"
import * as OptionSet from "./OptionSet.ts"
import { HOLE, SEPARATOR } from "./Pattern.ts"
import type { Located, Subject } from "./Rule.ts"
import * as RuleIndex from "./RuleIndex.ts"

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

/** Made once, when a rule first asks. */
const lazily = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => (made ??= { value: make() }).value
}

const formOf = (words: ReadonlyArray<Word>, home: string): ReadonlyArray<OptionSet.Form> => {
  const form = OptionSet.ofWords(words.map((word, index) => itemOf(word, index, home)))
  return form === null ? [] : [form]
}

const formsOf = (unit: Unit, home: string): ReadonlyArray<OptionSet.Form> =>
  [unit.words, ...unit.strictForms].flatMap((words) => formOf(words, home))

/** More readings of a command's files than these are left to the path surfaces. */
const MAX_PLACES = 8

/** The words of a command with its files as absolute paths, one list for each place that they may be in. */
const locatedWords = (unit: Unit): ReadonlyArray<ReadonlyArray<Word>> => {
  const most = Math.min(MAX_PLACES, Math.max(0, ...[...unit.located.values()].map((paths) => paths.length)))
  return Array.from({ length: most }, (_, at) =>
    unit.words.map((word, index) => {
      const paths = index === 0 ? undefined : unit.located.get(word)
      return paths === undefined ? word : literal(paths[Math.min(at, paths.length - 1)]!)
    })
  )
}

const locatedOf = (unit: Unit, home: string, allowed: boolean): Located => {
  const lists = locatedWords(unit)
  const texts = lists.map((words) => joined(words, home, asWritten))
  return {
    allow: allowed && texts.length === 1 ? texts : [],
    strict: [...texts, ...texts.map(withBaseName)],
    forms: lists.flatMap((words) => formOf(words, home))
  }
}

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
  const keys = heads.some((item) => item.includes(HOLE))
    ? RuleIndex.ANY
    : { heads: [...new Set(heads)], under: [], tails: tailsOf(strict, possible) }
  return {
    allow: found && !unit.hidden ? written : [],
    strict,
    possible,
    forms: lazily(() => formsOf(unit, home)),
    ...(unit.located.size === 0
      ? {}
      : { located: lazily(() => locatedOf(unit, home, found && !unit.hidden)) }),
    keys
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
    forms: () => (form === null ? [] : [form]),
    keys: { heads: strict.map(head), under: [], tails: tailsOf(strict, []) }
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

/** Rules on a directory, on what it lies in, and on what lies below it. */
const keysBelow = (paths: ReadonlyArray<string>): RuleIndex.Keys => ({
  heads: [...new Set(paths.flatMap((path) => [path === "/" ? "" : path, ...ancestors(path)]))],
  under: paths.map(within),
  tails: null
})

const tailsOf = (
  texts: ReadonlyArray<string>,
  possible: ReadonlyArray<string>
): ReadonlyArray<number> | null => {
  if (texts.length === 1 && possible.length === 0) return [texts[0]!.charCodeAt(texts[0]!.length - 1)]
  const units = new Set<number>()
  for (const text of texts) units.add(text.charCodeAt(text.length - 1))
  for (const text of possible) {
    if (text.endsWith(HOLE)) return null
    units.add(text.charCodeAt(text.length - 1))
  }
  return [...units]
}

/**
 * A file: deny and ask see every alias of it, an allow only the one that it really is (L1.8). A rule that matches a
 * text with a hole in it as it stands matches it whatever fills the hole.
 */
export const ofPath = ({ target, direction, recursive }: Touch, facts: Facts): Subject => {
  switch (target.kind) {
    case "any":
      return { allow: [HOLE], strict: [HOLE], possible: [HOLE], keys: RuleIndex.ANY }
    case "below": {
      const real = facts.canonical(target.raw) ?? target.path
      const places = [...new Set([target.path, real])]
      const all = places.flatMap((path) => [path, within(path) + HOLE])
      const strict = places.map((path) => within(path) + HOLE)
      return { allow: [within(real) + HOLE], strict, possible: all, keys: keysBelow(places) }
    }
    case "glob": {
      const known = directory(target)
      const rest = holes(target.path.slice(within(known).length))
      const real = facts.canonical(known) ?? known
      const places = [...new Set([known, real])]
      const all = places.map((path) => within(path) + rest)
      return { allow: [within(real) + rest], strict: all, possible: all, keys: keysBelow(places) }
    }
    case "exact": {
      const real = facts.canonical(target.raw) ?? target.path
      const plain = target.path === target.raw && target.path === real
      const aliases = plain ? [real] : [...new Set([target.path, target.raw, real])]
      const below = recursive ? aliases.map(within) : []
      return {
        allow: [real],
        strict: aliases,
        possible: below.map((path) => path + HOLE),
        keys: recursive
          ? keysBelow(aliases)
          : {
              heads: plain ? ancestors(real) : [...new Set(aliases.flatMap(ancestors))],
              under: [],
              tails: tailsOf(aliases, [])
            },
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
  keys: RuleIndex.ANY
})

/** What no rule can be matched against. */
export const ofNothing: Subject = {
  allow: [],
  strict: [],
  possible: [],
  keys: { heads: [], under: [], tails: [] }
}
