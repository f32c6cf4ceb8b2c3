import { constant, type Word } from "../shell/ShellTree.ts"
import type { Unit } from "../shell/Site.ts"
import type { Analysis } from "./Analysis.ts"
import * as CommandArity from "./CommandArity.ts"
import { decide, isCertain, judge, type Judged } from "./Decide.ts"
import type { GrantRule } from "./Grant.ts"
import type { Facts } from "./PathFacts.ts"
import * as Pattern from "./Pattern.ts"
import * as Policy from "./Policy.ts"
import * as Subject from "./Subject.ts"
import * as Surfaces from "./Surfaces.ts"

/** A grant that a person may give with their allow (L5.1). */
export interface GrantOffer {
  readonly rule: GrantRule
  /** Surface and value of the unit that it is for, as the ask shows it. */
  readonly surface: string
  readonly value: string
  /** What was asked about, as patterns see it; empty where the rule can be taken or left, but not changed. */
  readonly asked: ReadonlyArray<string>
  readonly places: Pattern.Places
}

/** A longer list is not one that a person reads before they allow. */
const MAX_OFFERS = 12

/** The longest pattern that is suggested or taken, in UTF-16 units. */
export const MAX_PATTERN = 1000

/** An offer may uncover the next question about the same unit: its code, then its command. */
const MAX_ROUNDS = 3

/**
 * The grants under which this very call would have been allowed, the narrowest that make sense (L5.1): none
 * where any asking unit cannot be granted, so that "for this session" never promises what it does not hold. A
 * deny, an `unresolved` unit, an administrator's ask and text that was not understood have none (L5.2, L3.6).
 */
export const suggest = (
  policy: Policy.Policy,
  grants: ReadonlyArray<GrantRule>,
  analysis: Analysis,
  facts: Facts
): ReadonlyArray<GrantOffer> => {
  let offers: ReadonlyArray<GrantOffer> = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const held = [...grants, ...offers.map(({ rule }) => rule)]
    if (decide(policy, held, analysis, facts).action === "allow") return offers
    const found: Array<GrantOffer> = []
    for (const judged of askingOf(policy, held, analysis, facts)) {
      const offer = judged.ruling.winner.action === "deny" ? null : offerFor(judged, analysis, policy)
      if (offer === null) return []
      if (![...offers, ...found].some(({ rule }) => isSame(rule, offer.rule))) found.push(offer)
    }
    offers = [...offers, ...found]
    if (found.length === 0 || offers.length > MAX_OFFERS) return []
  }
  return []
}

/** What stands in the way of an allow. A file that no rule is about still asks: for it the file itself stands. */
const askingOf = (
  policy: Policy.Policy,
  grants: ReadonlyArray<GrantRule>,
  analysis: Analysis,
  facts: Facts
): ReadonlyArray<Judged> => {
  const judged = judge(policy, grants, analysis, facts)
  const [touch] = analysis.touches
  if (judged.length > 0 || touch === undefined) {
    return judged.filter(({ ruling }) => ruling.winner.action !== "allow")
  }
  const [ruling] = decide(policy, grants, analysis, facts).units
  return [{ ruling, subject: Subject.ofPath(touch, facts), unit: null }]
}

const isSame = (left: GrantRule, right: GrantRule): boolean =>
  left.surface === right.surface &&
  left.pattern === right.pattern &&
  left.exact === right.exact &&
  left.line?.command === right.line?.command &&
  left.line?.cwd === right.line?.cwd

/** The offer's rule with another pattern, or why it cannot be that one. */
export const edit = (
  { asked, places, rule }: GrantOffer,
  text: string
):
  | { readonly rule: GrantRule; readonly problem: null }
  | { readonly rule: null; readonly problem: string } => {
  const pattern = text.trim()
  if (pattern === rule.pattern) return { rule, problem: null }
  const kind = Surfaces.kindOf(rule.surface)
  const compiled = Pattern.make(pattern, kind, places)
  const problem =
    asked.length === 0
      ? "This one can be taken out, but not changed."
      : pattern === ""
        ? "It is empty; take it out instead."
        : pattern.length > MAX_PATTERN
          ? "It is too long."
          : !NAMED[kind](pattern, compiled)
            ? TOO_WIDE[kind]
            : asked.some((value) => Pattern.matches(compiled, value))
              ? null
              : "It does not match what is asked."
  return problem === null
    ? { rule: { surface: rule.surface, pattern, exact: false, line: null }, problem }
    : { rule: null, problem }
}

/** Whether a rule that a person gave is one of those offered, as it stood or as it may be changed. */
export const accepts = (offers: ReadonlyArray<GrantOffer>, rule: GrantRule): boolean =>
  offers.some((offer) => {
    const edited = edit(offer, rule.pattern).rule
    return edited !== null && isSame(edited, rule)
  })

/** A grant has to name something: the program, a directory, a host. */
const NAMED: Readonly<Record<Pattern.Kind, (pattern: string, compiled: Pattern.Pattern) => boolean>> = {
  words: (_, { head }) => head !== null,
  path: (_, { head }) => head !== null && head !== "",
  text: (pattern) => /^[a-z][a-z0-9+.-]*:\/\/[^/*?]|^(?![a-z]+:\/\/)[^*?]/i.test(pattern)
}

const TOO_WIDE: Readonly<Record<Pattern.Kind, string>> = {
  words: "It has to name the program.",
  path: "It has to name a directory.",
  text: "It has to say where or what."
}

const offerFor = (judged: Judged, analysis: Analysis, policy: Policy.Policy): GrantOffer | null => {
  const { ruling, subject, unit } = judged
  if (subject.allow.length === 0) return null
  const rule =
    unit !== null
      ? commandRule(unit, ruling.surface, ruling.value, analysis)
      : Surfaces.kindOf(ruling.surface) === "path"
        ? pathRule(ruling.surface, subject.allow[0]!)
        : exactly(ruling.surface, subject.allow[0]!)
  if (rule === null || rule.pattern.length > MAX_PATTERN) return null
  return {
    rule,
    surface: ruling.surface,
    value: ruling.value,
    asked: rule.line === null ? subject.allow : [],
    places: policy.places
  }
}

const exactly = (surface: string, pattern: string): GrantRule => ({
  surface,
  pattern,
  exact: true,
  line: null
})

const asPattern = (surface: string, pattern: string): GrantRule => ({
  surface,
  pattern,
  exact: false,
  line: null
})

const commandRule = (unit: Unit, surface: string, text: string, analysis: Analysis): GrantRule | null => {
  const indirect = unit.mark?.indirect
  if (indirect === "unresolved" || analysis.command === null) return null
  if (indirect === "code") {
    const line = { command: analysis.command, cwd: analysis.environment.cwd }
    return isCertain(unit) ? { ...exactly(surface, text), line } : null
  }
  const prefix = prefixOf(unit, analysis.units)
  if (prefix !== null) return asPattern(surface, `${prefix.join(" ")} *`)
  return isCertain(unit) ? exactly(surface, text) : null
}

/** What begins the suggested pattern; `null` where the command is to be taken word for word. */
const prefixOf = (unit: Unit, units: ReadonlyArray<Unit>): ReadonlyArray<string> | null => {
  const kept = prefixLength(unit, units)
  // Global options that the program sets aside (`git -C d`) are set aside by patterns too.
  const words = unit.wraps ? unit.words : (unit.forms[0] ?? unit.words)
  const prefix = words.slice(0, kept).map(constant)
  return kept > 0 && prefix.every((word) => word !== null && PLAIN.test(word)) ? prefix.map(String) : null
}

/** A word that a pattern can hold as it is. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/

const prefixLength = (unit: Unit, units: ReadonlyArray<Unit>): number => {
  if (unit.wraps) {
    // A wrapper keeps what it runs: `sudo git push *`, never `sudo *`.
    const inner = units.find(
      (other) => other.via.length > unit.via.length && endsWith(unit.words, other.words)
    )
    const length = inner === undefined ? 0 : prefixLength(inner, units)
    return length === 0 || inner === undefined ? 0 : unit.words.length - inner.words.length + length
  }
  const words = unit.forms[0] ?? unit.words
  const argv = words.map((word) => constant(word) ?? "")
  const length = CommandArity.of(argv)
  // An option in place of the action says nothing about the action.
  return words.length < length || argv.slice(0, length).some((word) => word.startsWith("-")) ? 0 : length
}

const endsWith = (words: ReadonlyArray<Word>, tail: ReadonlyArray<Word>): boolean =>
  tail.length < words.length &&
  tail.every((word, index) => word.value === words[words.length - tail.length + index]?.value)

const pathRule = (surface: string, real: string): GrantRule | null => {
  const hole = real.indexOf(Pattern.HOLE)
  if (hole === -1) {
    const general = generalise(real)
    return general === real ? exactly(surface, real) : asPattern(surface, general)
  }
  const known = real.slice(0, real.lastIndexOf("/", hole) + 1)
  return known === "/" || /[*?]/.test(known) ? null : asPattern(surface, `${known}*`)
}

const TEMPORARY = /^(?:\/private)?(?:\/var)?\/tmp\//

/** Letters mixed with digits, as temporary names end. */
const MADE_UP = /[A-Za-z0-9]{4,}(?=\.[A-Za-z]+$|$)/

/**
 * A temporary file's name never comes back, and a rule for it would never match again: what was made up for it
 * becomes a star.
 */
const generalise = (path: string): string => {
  if (!TEMPORARY.test(path) || /[*?]/.test(path)) return path
  return path
    .split("/")
    .map((part) => part.replace(MADE_UP, (run) => (/\d/.test(run) ? "*" : run)))
    .join("/")
}
