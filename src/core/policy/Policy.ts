import * as OptionSet from "./OptionSet.ts"
import * as Pattern from "./Pattern.ts"
import * as BuiltinPolicy from "./BuiltinPolicy.ts"
import type { ConfigIssue } from "./ConfigIssue.ts"
import * as PolicyDocument from "./PolicyDocument.ts"
import type { PolicyText, WrittenRule } from "./PolicyDocument.ts"
import type { PolicyFile, StarterGroup } from "./PolicyFile.ts"
import * as Rule from "./Rule.ts"
import { Scope } from "./Ruling.ts"
import * as StarterPolicy from "./StarterPolicy.ts"
import * as Surfaces from "./Surfaces.ts"

/** Everything that the rules of all scopes say, ready to decide with. Immutable but for its cache. */
export interface Policy {
  /** The digests of the texts that it was made from, in order. */
  readonly digest: string
  /** Those texts, so that the same policy can be made again (A4.2). */
  readonly texts: ReadonlyArray<PolicyText>
  readonly places: Pattern.Places
  /** A scope is broken: no allow of anybody counts (L2.2). */
  readonly broken: boolean
  readonly issues: ReadonlyArray<ConfigIssue>
  /** The settings of all scopes, the most specific last. */
  readonly settings: ReadonlyArray<Omit<PolicyFile, "permission">>
  readonly written: ReadonlyArray<Written>
  /** Rules for one surface, weakest scope first; made on first use. */
  readonly surfaces: Map<string, ReadonlyArray<Rule.Ranked>>
}

export interface Written {
  readonly scope: Scope
  readonly file: string | null
  readonly rules: ReadonlyArray<WrittenRule>
}

const ORDER = Scope.literals

/**
 * Makes a policy of the texts of all scopes (L1.4, L1.6). Pure and total: what is wrong with a text is an
 * issue, and a policy with a broken scope allows nothing while its denies hold (L2.2). The caller who starts
 * with `broken` should say so and stop.
 */
export const compile = (texts: ReadonlyArray<PolicyText>, places: Pattern.Places): Policy => {
  const documents = texts
    .map(PolicyDocument.read)
    .toSorted((left, right) => ORDER.indexOf(left.source.scope) - ORDER.indexOf(right.source.scope))
  const issues = documents.flatMap((document) => document.issues)
  const written: Array<Written> = [
    { scope: "builtin", file: null, rules: BuiltinPolicy.make(places.own ?? []) }
  ]
  const starter = starterOf(documents)
  if (starter !== null) written.push({ scope: "default", file: null, rules: StarterPolicy.make(starter) })
  for (const document of documents) {
    const { source } = document
    const kept = document.rules.filter((rule) => source.trusted || rule.value.action !== "allow")
    if (!source.trusted) issues.push(...ignored(document))
    written.push({ scope: source.scope, file: source.file, rules: kept })
  }
  return {
    digest: [
      `builtin:${BuiltinPolicy.VERSION}`,
      ...(starter === null ? [] : [`starter:${StarterPolicy.VERSION}`]),
      ...documents.map(({ source }) => digestOf(source))
    ].join(" "),
    texts,
    places,
    broken: documents.some((document) => document.broken),
    issues,
    // Settings loosen too: a journal switched off, a link named, another agent (X7).
    settings: documents.flatMap((document) => (document.source.trusted ? [document.settings] : [])),
    written: written.toSorted((left, right) => ORDER.indexOf(left.scope) - ORDER.indexOf(right.scope)),
    surfaces: new Map()
  }
}

/** A file that a person accepts, or no longer, is another policy though it says the same. */
const digestOf = ({ digest, scope, trusted }: PolicyText): string =>
  `${scope}${trusted ? "" : "(untrusted)"}:${digest}`

/** What a file that nobody has accepted would allow, each by its place: it is ignored, and never silently (L2.1). */
const ignored = ({ rules, settings, source }: PolicyDocument.PolicyDocument): ReadonlyArray<ConfigIssue> => {
  const notice = (line: number, path: ReadonlyArray<string>, message: string): ConfigIssue => ({
    severity: "notice",
    file: source.file,
    line,
    column: 1,
    path,
    message: `${message} ignored: the file is not trusted`,
    suggestion: "read it, then run: obstat policy trust"
  })
  return [
    ...rules
      .filter((rule) => rule.value.action === "allow")
      .map(({ line, pattern, surface }) =>
        notice(line, ["permission", surface, pattern], `allow ${surface} "${pattern}"`)
      ),
    ...Object.keys(settings)
      .filter((key) => key !== "$schema")
      .map((key) => notice(1, [key], `"${key}"`))
  ]
}

/**
 * The groups that the starter leaves out; `null` where it does not apply: a user has written a policy that does
 * not extend it. Without a user's policy it is all there is (L2.6).
 */
const starterOf = (
  documents: ReadonlyArray<PolicyDocument.PolicyDocument>
): ReadonlyArray<StarterGroup> | null => {
  const entries = documents
    .filter((document) => document.source.trusted)
    .flatMap((document) => document.settings.extends ?? [])
  if (entries.length === 0 && documents.some((document) => document.source.scope === "user")) return null
  return entries.flatMap((entry) => (entry === "starter" ? [] : (entry.starter.without ?? [])))
}

const covers = (key: string, surface: string): boolean =>
  key === surface ||
  Surfaces.PAIRS[key]?.includes(surface) === true ||
  (/[*?]/.test(key) && Surfaces.matches(key, surface))

/** Every rule for a surface, by scope. `path`, `external_directory` and wildcard keys keep their place. */
export const rulesFor = (policy: Policy, surface: string): ReadonlyArray<Rule.Ranked> => {
  const known = policy.surfaces.get(surface)
  if (known !== undefined) return known
  const kind = Surfaces.kindOf(surface)
  const ranked = ORDER.flatMap((scope) => {
    const rules = policy.written
      .filter((item) => item.scope === scope)
      .flatMap((item) =>
        item.rules.filter((rule) => counts(rule, surface)).map((rule) => ruleOf(rule, item, kind, policy))
      )
    return rules.length === 0 ? [] : [Rule.rank(scope, rules)]
  })
  if (policy.surfaces.size < MAX_SURFACES) policy.surfaces.set(surface, ranked)
  return ranked
}

/** Tool names come from agents: the cache must not grow with what they make up. */
const MAX_SURFACES = 256

/** Code is allowed by name alone: no wildcard key opens it (L3.3). */
const counts = (rule: WrittenRule, surface: string): boolean =>
  covers(rule.surface, surface) &&
  !(surface === "code" && rule.surface !== "code" && rule.value.action === "allow")

const ruleOf = (rule: WrittenRule, item: Written, kind: Pattern.Kind, policy: Policy): Rule.Rule => {
  const { value } = rule
  const strict = kind === "words" && value.action !== "allow"
  return {
    action: value.action,
    surface: rule.surface,
    pattern: Pattern.make(rule.pattern, kind, policy.places),
    scope: item.scope,
    source: { file: item.file, line: item.file === null ? null : rule.line },
    reason: "reason" in value ? (value.reason ?? null) : null,
    by: "by" in value ? (value.by ?? null) : null,
    options: strict ? OptionSet.ofRule(Pattern.wordsOf(rule.pattern, policy.places), policy.places) : null
  }
}
