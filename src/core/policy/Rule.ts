import * as OptionSet from "./OptionSet.ts"
import * as Pattern from "./Pattern.ts"
import * as RuleIndex from "./RuleIndex.ts"
import type { Provenance, RuleSource, Scope } from "./Ruling.ts"

/** A rule of one surface, ready to match. */
export interface Rule {
  readonly action: Provenance["action"]
  readonly surface: string
  readonly pattern: Pattern.Pattern
  readonly scope: Scope
  readonly source: RuleSource
  readonly reason: string | null
  readonly by: "person" | null
  /** A deny or ask on a command of a listed program: its options as a set (L1.7). */
  readonly options: OptionSet.Rule | null
}

export const provenance = (rule: Rule): Provenance => ({
  action: rule.action,
  surface: rule.surface,
  pattern: rule.pattern.text,
  scope: rule.scope,
  source: rule.source,
  reason: rule.reason,
  by: rule.by
})

/** The rules of one scope for one surface, in order. */
export interface Ranked {
  readonly scope: Scope
  readonly rules: ReadonlyArray<Rule>
  readonly index: RuleIndex.RuleIndex
}

export const rank = (scope: Scope, rules: ReadonlyArray<Rule>): Ranked => ({
  scope,
  rules,
  index: RuleIndex.make(rules.map(({ pattern }) => pattern))
})

/**
 * What is matched.
 *
 * - `allow`: the texts of which an allow must match one; empty where nothing may allow.
 * - `strict`: the texts of which a deny or an ask must match one.
 * - `possible`: texts with holes; a deny or an ask that may match one of them asks.
 * - `keys`: by which rules that may match any of these are found.
 */
export interface Subject {
  readonly allow: ReadonlyArray<string>
  readonly strict: ReadonlyArray<string>
  readonly possible: ReadonlyArray<string>
  readonly keys: RuleIndex.Keys
  /** Directories, with their slash, that are meant as a whole: a deny on anything in them holds. */
  readonly below?: ReadonlyArray<string>
  /**
   * For a command: its words with its files as absolute paths, for rules that name one. `allow` where each of them
   * is certain.
   */
  readonly located?: () => Located
  /** The command as options and operands, where its program is listed. */
  readonly forms?: () => ReadonlyArray<OptionSet.Form>
  /** Rules that match everything say nothing about this one: it is only perhaps what the surface is about. */
  readonly particular?: boolean
}

export interface Located {
  readonly allow: ReadonlyArray<string>
  readonly strict: ReadonlyArray<string>
  readonly forms: ReadonlyArray<OptionSet.Form>
}

/** What one scope says: its last match, and the match before it. */
export interface Verdict {
  readonly rule: Rule
  /** `possible`: a stricter rule may apply, so the answer is at least ask. */
  readonly certainty: "certain" | "possible"
  readonly next: Rule | null
}

const anyMatches = (rule: Rule, texts: ReadonlyArray<string>): boolean => {
  for (const text of texts) if (Pattern.matches(rule.pattern, text)) return true
  return false
}

/** The last rule of a scope that matches, and the one before it. */
export const matchIn = (ranked: Ranked, subject: Subject): Verdict | null => {
  const positions = RuleIndex.find(ranked.index, subject.keys)
  let forms: ReadonlyArray<OptionSet.Form> | null = null
  let found: Rule | null = null
  let possible: Rule | null = null
  for (let index = positions.length - 1; index >= 0; index--) {
    const rule = ranked.rules[positions[index]!]!
    if (subject.particular === true && rule.pattern.universal) continue
    const { action } = rule
    if (action === "allow") {
      if (!anyMatches(rule, subject.allow) && !anyMatches(rule, locatedIn(rule, subject)?.allow ?? NONE))
        continue
      if (found !== null) return verdict(found, possible, rule)
      found = rule
      continue
    }
    let cover: OptionSet.Cover = "no"
    if (rule.options !== null && subject.forms !== undefined) {
      forms ??= subject.forms()
      cover = coverOf(rule.options, forms)
      const located = cover === "certain" ? null : locatedIn(rule, subject)
      if (located !== null) cover = stricterCover(cover, coverOf(rule.options, located.forms))
    }
    if (
      anyMatches(rule, subject.strict) ||
      anyMatches(rule, locatedIn(rule, subject)?.strict ?? NONE) ||
      reached(rule, subject) ||
      (cover === "certain" && action === "deny")
    ) {
      if (found !== null) return verdict(found, possible, rule)
      found = rule
    } else if (
      found === null &&
      possible === null &&
      // An ask that only the options match must not stand before a deny that the words match.
      (cover !== "no" ||
        (subject.possible.length > 0 &&
          subject.possible.some((text) => Pattern.mayMatch(rule.pattern, text))))
    ) {
      possible = rule
    }
  }
  return found === null && possible === null ? null : verdict(found, possible, null)
}

const NONE: ReadonlyArray<string> = []

const locatedIn = (rule: Rule, subject: Subject): Located | null =>
  rule.pattern.located && subject.located !== undefined ? subject.located() : null

const stricterCover = (left: OptionSet.Cover, right: OptionSet.Cover): OptionSet.Cover =>
  left === "certain" || right === "certain" ? "certain" : left === "no" ? right : left

const coverOf = (rule: OptionSet.Rule, forms: ReadonlyArray<OptionSet.Form>): OptionSet.Cover => {
  let best: OptionSet.Cover = "no"
  for (const form of forms) {
    const cover = OptionSet.covers(rule, form)
    if (cover === "certain") return cover
    if (cover === "possible") best = cover
  }
  return best
}

const reached = (rule: Rule, subject: Subject): boolean =>
  rule.action === "deny" &&
  subject.below !== undefined &&
  subject.below.some((path) => Pattern.fixed(rule.pattern).startsWith(path))

const verdict = (found: Rule | null, possible: Rule | null, next: Rule | null): Verdict =>
  possible !== null && found?.action !== "deny"
    ? { rule: possible, certainty: "possible", next: found }
    : { rule: found!, certainty: "certain", next }
