import { type Mark, type Site, stricter, type Unit, type Walk } from "./Site.ts"
import { constant, literal, type Piece, sourceOf, type Word } from "./ShellTree.ts"

/**
 * Constants that a text gives its variables (`a=rm; $a x`). A variable's value is never certain, so nothing is
 * allowed by it; but a deny or an ask on what the words come to holds.
 */

/** Values of one variable, and readings of one command, that are looked at; the rest stays unknown. */
const MAX_VALUES = 4
const MAX_READINGS = 8

/** Notes that a variable may have this value from here on. */
export const keep = (walk: Walk, name: string, value: Word | null): void => {
  const text = value === null ? null : constant(value)
  if (text === null) return
  const values = walk.values.get(name) ?? []
  if (values.length < MAX_VALUES && !values.includes(text)) walk.values.set(name, [...values, text])
}

/** The values of a piece that is a plain variable with a constant. */
const valuesOf = (walk: Walk, piece: Piece): ReadonlyArray<string> =>
  piece._tag === "expansion" && piece.name !== null ? (walk.values.get(piece.name) ?? []) : []

/** One word's readings, each of them words: unquoted, a value is split at blanks. */
const readWord = (walk: Walk, word: Word): ReadonlyArray<ReadonlyArray<Word>> => {
  let readings: ReadonlyArray<ReadonlyArray<Word>> = [[{ value: "", pieces: [], runs: [] }]]
  for (const piece of word.pieces) {
    const values = valuesOf(walk, piece)
    if (values.length === 0) {
      readings = readings.map((words) => glue(words, [piece], sourceOf(piece)))
      continue
    }
    const quoted = piece._tag === "expansion" && piece.quoted
    readings = readings
      .flatMap((words) =>
        values.map((value) => {
          const parts = quoted ? [value] : value.split(/\s+/)
          return parts.reduce((all, text, index) => {
            const next = index === 0 ? all : [...all, { value: "", pieces: [], runs: [] }]
            return glue(next, literal(text).pieces, text)
          }, words)
        })
      )
      .slice(0, MAX_READINGS)
  }
  return readings.map((words) => words.filter((item) => item.value !== "" || words.length === 1))
}

const glue = (
  words: ReadonlyArray<Word>,
  pieces: ReadonlyArray<Piece>,
  text: string
): ReadonlyArray<Word> => {
  const last = words.at(-1)!
  return [...words.slice(0, -1), { value: last.value + text, pieces: [...last.pieces, ...pieces], runs: [] }]
}

/** What a command's words come to with the constants in place; empty where they hold none. */
export const readings = (walk: Walk, words: ReadonlyArray<Word>): ReadonlyArray<ReadonlyArray<Word>> => {
  const known = (word: Word): boolean => word.pieces.some((piece) => valuesOf(walk, piece).length > 0)
  if (walk.values.size === 0 || !words.some(known)) return []
  let all: ReadonlyArray<ReadonlyArray<Word>> = [[]]
  for (const word of words) {
    const options = known(word) ? readWord(walk, word) : [[word]]
    all = all.flatMap((before) => options.map((option) => [...before, ...option])).slice(0, MAX_READINGS)
  }
  return all.filter((reading) => reading.length > 0)
}

/**
 * Takes the readings of a command apart, aside from the walk: their commands become forms that only deny and ask
 * rules see, their files are perhaps opened, and what cannot be seen in them marks the command.
 */
export const fold = (walk: Walk, unit: Unit, index: number, site: Site): void => {
  for (const words of readings(walk, unit.words)) {
    const aside: Walk = { ...walk, units: [], touches: [], values: new Map() }
    walk.launch(aside, words, site)
    let mark: Mark | null = null
    for (const found of aside.units) {
      unit.strictForms.push(found.words, ...found.forms, ...found.strictForms)
      mark = stricter(mark, found.mark)
    }
    unit.mark = stricter(unit.mark, mark)
    for (const touch of aside.touches) walk.touches.push({ ...touch, certain: false, unit: index })
  }
}
