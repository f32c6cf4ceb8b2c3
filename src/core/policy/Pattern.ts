/** Between words of a command: no word can hold it, because texts with it are refused (L1.3). */
export const SEPARATOR = "\0"

/** In a subject, text that is not known: any run of characters. No character: texts with it are refused. */
export const HOLE = "\uFFFF"

/**
 * What a pattern is matched against: `words` a command's words, `path` an absolute path, `text` anything else.
 */
export type Kind = "words" | "path" | "text"

/** A compiled pattern. Immutable; made once per policy. */
export interface Pattern {
  /** As the rule writes it. */
  readonly text: string
  /** The runs between stars; one of them where there is no star. */
  readonly runs: ReadonlyArray<string>
  /** The same without a trailing ` *`, which may match nothing at all; else `null`. */
  readonly bare: ReadonlyArray<string> | null
  /** No `?` in it: runs are found by the engine's own search. */
  readonly plain: boolean
  /** Matches everything. */
  readonly universal: boolean
  /** For commands: one of its words behind the first is an absolute path. */
  readonly located: boolean
  /** The last UTF-16 unit of everything that matches `runs`, -1 where that is not fixed. */
  readonly tail: number
  /**
   * What a subject must begin with, where that is fixed: a command's first word, a path's directory. Rules are
   * found by it.
   */
  readonly head: string | null
}

export interface Places {
  /** Absolute. */
  readonly home: string
  /** Absolute; relative paths in rules start here (L1.8). */
  readonly projectRoot: string
  /** Absolute folders of Obstat's own, where they are elsewhere than below `home` by default (L2.7). */
  readonly own?: ReadonlyArray<string>
}

const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/
const WORD_HOME = /(^|\0)(?:~|\$HOME|\$\{HOME\})(?=\/|\0|$)/g

/** `~` and the spellings of home become the home directory; relative paths start at the project root. */
const expand = (text: string, kind: Kind, places: Places): string => {
  switch (kind) {
    case "text":
      return text
    case "words":
      return text
        .trim()
        .replaceAll(/\s+/g, SEPARATOR)
        .replaceAll(WORD_HOME, (_, before: string) => `${before}${places.home}`)
    case "path": {
      const path = text.replace(HOME, () => places.home)
      // A leading star is anywhere: it would make no sense to tie it to one directory.
      if (path.startsWith("/") || path.startsWith("*")) return path
      const relative = path.replace(/^(?:\.\/)+/, "")
      if (relative === "" || relative === ".") return places.projectRoot
      return places.projectRoot === "/" ? `/${relative}` : `${places.projectRoot}/${relative}`
    }
  }
}

/** The words of a rule for commands, joined as subjects are. */
export const wordsOf = (text: string, places: Places): string => expand(text, "words", places)

const split = (source: string): ReadonlyArray<string> => source.split(/\*+/)

export const make = (text: string, kind: Kind, places: Places): Pattern =>
  compile(text, expand(text, kind, places), kind)

/** A pattern of words that are joined already. */
export const ofWords = (source: string): Pattern => compile(source, source, "words")

const compile = (text: string, source: string, kind: Kind): Pattern => {
  const blank = kind === "words" ? SEPARATOR : " "
  const bare = source.endsWith(`${blank}*`) ? split(source.slice(0, -2)) : null
  const runs = split(source)
  return {
    text,
    runs,
    bare,
    plain: !source.includes("?"),
    universal: runs.length > 1 && runs.every((run) => run === ""),
    located: kind === "words" && source.includes(`${SEPARATOR}/`),
    tail: tailOf(runs.at(-1)!),
    head: headOf(source, kind)
  }
}

const tailOf = (run: string): number =>
  run === "" || run.endsWith("?") ? -1 : run.charCodeAt(run.length - 1)

const headOf = (source: string, kind: Kind): string | null => {
  if (kind === "words") return /^[^*?\0]+(?=\0|$)/.exec(source)?.[0] ?? null
  if (kind === "text") return null
  const known = /^[^*?]*/.exec(source)![0]
  return known.includes("/") ? known.slice(0, known.lastIndexOf("/")) : null
}

/** Whether `run` stands at `at`; `?` is one character, but neither a separator nor a hole. */
const standsAt = (subject: string, run: string, at: number): boolean => {
  if (at < 0 || at + run.length > subject.length) return false
  if (!run.includes("?")) return subject.startsWith(run, at)
  for (let index = 0; index < run.length; index++) {
    const char = subject[at + index]!
    const wanted = run[index]!
    if (wanted === "?" ? char === SEPARATOR || char === HOLE : char !== wanted) return false
  }
  return true
}

const findFrom = (subject: string, run: string, from: number): number => {
  if (!run.includes("?")) return subject.indexOf(run, from)
  for (let at = from; at + run.length <= subject.length; at++) if (standsAt(subject, run, at)) return at
  return -1
}

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g
const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800

/**
 * The texts with one unit for every character, so that `?` is one of those above U+FFFF too. Halves of characters stand
 * for them, which no text holds alone; what has more different ones than there are halves keeps the rest.
 */
const narrow = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const units = new Map<string, string>()
  return texts.map((text) =>
    text.replaceAll(PAIR, (pair) => {
      const known = units.get(pair)
      if (known !== undefined || units.size === SURROGATES) return known ?? pair
      const unit = String.fromCharCode(FIRST_SURROGATE + units.size)
      units.set(pair, unit)
      return unit
    })
  )
}

const isWide = (text: string): boolean => /[\ud800-\udbff][\udc00-\udfff]/.test(text)

/**
 * The first run at the start, the last at the end, each between as far left as it goes. Nothing is ever tried
 * twice, so the time is linear in the subject whatever the number of stars.
 */
const matchRuns = (runs: ReadonlyArray<string>, subject: string): boolean => {
  const first = runs[0]!
  if (runs.length === 1) return subject.length === first.length && standsAt(subject, first, 0)
  if (!standsAt(subject, first, 0)) return false
  let at = first.length
  for (let index = 1; index < runs.length - 1; index++) {
    const run = runs[index]!
    const found = findFrom(subject, run, at)
    if (found === -1) return false
    at = found + run.length
  }
  const last = runs.at(-1)!
  const tail = subject.length - last.length
  return tail >= at && standsAt(subject, last, tail)
}

/** `matchRuns` for runs without `?`. */
const matchPlain = (runs: ReadonlyArray<string>, subject: string): boolean => {
  const first = runs[0]!
  const last = runs.length - 1
  if (last === 0) return subject === first
  if (!subject.startsWith(first)) return false
  let at = first.length
  for (let index = 1; index < last; index++) {
    const run = runs[index]!
    const found = subject.indexOf(run, at)
    if (found === -1) return false
    at = found + run.length
  }
  const end = runs[last]!
  return subject.length - end.length >= at && subject.endsWith(end)
}

export const matches = (pattern: Pattern, subject: string): boolean => {
  if (pattern.universal) return true
  if (!pattern.plain && isWide(subject)) return matchesWide(pattern, subject)
  const match = pattern.plain ? matchPlain : matchRuns
  const fits = pattern.tail === -1 || pattern.tail === subject.charCodeAt(subject.length - 1)
  return (fits && match(pattern.runs, subject)) || (pattern.bare !== null && match(pattern.bare, subject))
}

const matchesWide = (pattern: Pattern, subject: string): boolean => {
  const [text = "", ...runs] = narrow([subject, ...pattern.runs, ...(pattern.bare ?? [])])
  const own = runs.slice(0, pattern.runs.length)
  const bare = runs.slice(pattern.runs.length)
  return matchRuns(own, text) || (bare.length > 0 && matchRuns(bare, text))
}

/** Above this product of lengths a possible match is assumed: an ask too many, never an allow. */
const MAX_WORK = 200_000

/**
 * Whether some text in place of the subject's holes would match. Exact up to a bound, above which the answer
 * is yes.
 */
export const mayMatch = (pattern: Pattern, subject: string): boolean =>
  pattern.universal ||
  mayMatchRuns(pattern.runs, subject) ||
  (pattern.bare !== null && mayMatchRuns(pattern.bare, subject))

const mayMatchRuns = (written: ReadonlyArray<string>, whole: string): boolean => {
  const [subject = "", ...runs] = isWide(whole) ? narrow([whole, ...written]) : [whole, ...written]
  const hole = subject.indexOf(HOLE)
  if (hole === -1) return matchRuns(runs, subject)
  const known = Math.min(hole, runs[0]!.length)
  if (!standsAt(subject, runs[0]!.slice(0, known), 0)) return false
  // What ends in its only hole may go on as the pattern does.
  if (hole === subject.length - 1) return runs.length > 1 || hole <= runs[0]!.length
  const source = runs.join("*")
  if (source.length * subject.length > MAX_WORK) return true
  // One row for each character of the pattern: which beginnings of the subject it may have matched.
  let row: Array<boolean> = [true]
  for (let at = 0; at < subject.length; at++) row.push(row[at]! && subject[at] === HOLE)
  for (const wanted of source) {
    const next: Array<boolean> = [wanted === "*" && row[0]!]
    for (let at = 0; at < subject.length; at++) {
      const char = subject[at]!
      const one = wanted === "?" ? char !== SEPARATOR : char === wanted
      next.push(
        wanted === "*"
          ? row[at + 1]! || next[at]!
          : char === HOLE
            ? // The hole holds this character, and may go on.
              row[at]! || row[at + 1]! || next[at]!
            : one && row[at]!
      )
    }
    row = next
  }
  return row[subject.length]!
}

/** The fixed text before the first wildcard. */
export const fixed = (pattern: Pattern): string => pattern.runs[0]!.split("?")[0]!
