import * as Cover from "./Cover.ts"
import * as Pattern from "./Pattern.ts"
import type { WrittenRule } from "./PolicyDocument.ts"
import * as Surfaces from "./Surfaces.ts"

/** A rule that was carried over from another gate's file, in the order in which it counts. */
export interface CarriedRule extends Omit<WrittenRule, "line"> {
  /** It stands for a narrower one, so it must not lift a deny that came before. */
  readonly widened?: true
}

/**
 * What a person has to know of an import.
 *
 * - `left`: the rule, or setting, is not in the result.
 * - `changed`: it is, in another form; where it could not be the same, it is stricter, or asks a person.
 */
export interface Note {
  readonly kind: "left" | "changed"
  /** As the other file writes it. */
  readonly rule: string
  readonly why: string
}

/** What an importer found (L2.4). Nothing in it allows what the file that it comes from does not. */
export interface Imported {
  readonly rules: ReadonlyArray<CarriedRule>
  readonly notes: ReadonlyArray<Note>
}

export const NOTHING: Imported = { rules: [], notes: [] }

export const together = (parts: ReadonlyArray<Imported>): Imported => ({
  rules: parts.flatMap(({ rules }) => rules),
  notes: parts.flatMap(({ notes }) => notes)
})

export const carried = (
  surface: string,
  patterns: ReadonlyArray<string>,
  value: CarriedRule["value"]
): Imported => ({ rules: patterns.map((pattern) => ({ surface, pattern, value })), notes: [] })

/** In place of a stricter rule that is narrower, or has no form of its own here. */
export const widened = (
  surface: string,
  patterns: ReadonlyArray<string>,
  value: CarriedRule["value"]
): Imported => ({
  rules: patterns.map((pattern) => ({ surface, pattern, value, widened: true })),
  notes: []
})

export const noted = (kind: Note["kind"], rule: string, why: string): Imported => ({
  rules: [],
  notes: [{ kind, rule, why }]
})

/** What a stricter rule without a form here becomes: a person is asked, and no link may answer. */
export const PERSON: CarriedRule["value"] = { action: "ask", by: "person" }

const EVERYTHING = "*"

/** Where an ask for everything is written, so that it stands above what the starter allows. */
const ASKED = ["bash", "path_read", "path_write"]

/**
 * The rules as the object of a policy file. A key has one place only, so wider keys come first, and a key that
 * has said something already repeats what a wider one says later. A pattern that comes twice keeps its last
 * place (L1.6).
 */
export const layOut = (
  given: ReadonlyArray<CarriedRule>
): ReadonlyMap<string, ReadonlyMap<string, CarriedRule["value"]>> => {
  const rules = directed(given)
  const named = rules.filter((rule) => !isPlainAsk(rule)).map(({ surface }) => surface)
  const keys = new Set([
    ...named.filter((surface) => surface === EVERYTHING),
    ...named.filter(isWide),
    ...(rules.some(isPlainAsk) ? ASKED : []),
    ...named
  ])
  return new Map([...keys].map((key) => [key, patternsOf(key, rules)]))
}

const patternsOf = (
  key: string,
  rules: ReadonlyArray<CarriedRule>
): ReadonlyMap<string, CarriedRule["value"]> => {
  const patterns = new Map<string, CarriedRule["value"]>()
  for (const rule of rules) {
    const own = rule.surface === key || (isPlainAsk(rule) && ASKED.includes(key))
    if (!own && !(patterns.size > 0 && isWide(rule.surface) && Surfaces.matches(rule.surface, key))) continue
    const denies = rule.widened === true ? [...patterns].filter(([, { action }]) => action === "deny") : []
    for (const [pattern, value] of [[rule.pattern, rule.value] as const, ...denies]) {
      patterns.delete(pattern)
      patterns.set(pattern, value)
    }
  }
  return deciding(key, [...patterns])
}

/** Without those that a later one hides: elsewhere they would come into force. */
const deciding = (
  surface: string,
  patterns: ReadonlyArray<readonly [string, CarriedRule["value"]]>
): ReadonlyMap<string, CarriedRule["value"]> => {
  const kind = Surfaces.kindOf(Surfaces.PAIRS[surface]?.[0] ?? surface)
  const compiled = patterns.map(([pattern]) => Pattern.make(pattern, kind, Surfaces.NOWHERE))
  return new Map(
    patterns.filter(
      (_, index) => !compiled.slice(index + 1).some((later) => Cover.covers(later, compiled[index]!))
    )
  )
}

const isWide = (surface: string): boolean => /[*?]/.test(surface)

const isPlainAsk = ({ pattern, surface, value }: CarriedRule): boolean =>
  surface === EVERYTHING && pattern === "*" && value.action === "ask"

/** A key for both directions and one for either would overlap: then it is written as two. */
const directed = (rules: ReadonlyArray<CarriedRule>): ReadonlyArray<CarriedRule> =>
  rules.flatMap((rule) => {
    const pair = Surfaces.PAIRS[rule.surface]
    const overlaps =
      pair !== undefined &&
      rules.some((other) => pair.includes(other.surface) || (isPlainAsk(other) && pair.includes("path_read")))
    return overlaps ? pair.map((surface) => ({ ...rule, surface })) : [rule]
  })
