import * as Analysis from "./Analysis.ts"
import * as Cover from "./Cover.ts"
import { decide } from "./Decide.ts"
import * as PathFacts from "./PathFacts.ts"
import * as Pattern from "./Pattern.ts"
import * as Policy from "./Policy.ts"
import type { WrittenRule } from "./PolicyDocument.ts"
import * as LintForms from "./LintForms.ts"
import type * as Rule from "./Rule.ts"
import type { Provenance, Scope } from "./Ruling.ts"
import * as Surfaces from "./Surfaces.ts"

/** What is wrong with a rule; the text goes on from `surface "pattern" …`. */
export interface Fault {
  readonly message: string
  readonly suggestion: string | null
}

/** A rule where it stands. */
export interface Item {
  readonly rule: WrittenRule
  readonly scope: Scope
  readonly policy: Policy.Policy
}

/** The rules of a scope for a surface, and where in them the item's own stands. */
interface Standing {
  readonly surface: string
  readonly own: Rule.Rule
  readonly later: ReadonlyArray<Rule.Rule>
  readonly elsewhere: ReadonlyArray<Rule.Ranked>
}

const standings = ({ policy, rule, scope }: Item): ReadonlyArray<Standing> =>
  Surfaces.named(rule.surface, policy).flatMap((surface) => {
    const scopes = Policy.rulesFor(policy, surface)
    const rules = scopes.find((ranked) => ranked.scope === scope)?.rules ?? []
    const at = rules.findIndex(
      ({ pattern, source, surface: key }) =>
        source.line === rule.line && key === rule.surface && pattern.text === rule.pattern
    )
    const own = rules[at]
    if (own === undefined) return []
    const elsewhere = scopes.filter((ranked) => ranked.scope !== scope)
    return [{ surface, own, later: rules.slice(at + 1), elsewhere }]
  })

const place = ({ scope, source }: Pick<Provenance, "scope" | "source">): string =>
  source?.file === null || source?.file === undefined
    ? `the ${scope} policy`
    : `${source.file}:${source.line ?? 1}`

const quote = (rule: Rule.Rule): string => `"${rule.pattern.text}": ${rule.action}`

/** Everything that a rule for options as a set may match (L1.7) begins like this. */
const widest = (rule: Rule.Rule): Pattern.Pattern =>
  rule.options === null ? rule.pattern : Pattern.ofWords(`${rule.options.name}${Pattern.SEPARATOR}*`)

const hides =
  (own: Rule.Rule) =>
  (later: Rule.Rule): boolean =>
    Cover.covers(
      later.pattern,
      own.action === "allow" || later.action !== "allow" ? widest(own) : own.pattern
    )

/** What decides in its place on every surface that it speaks of, `null` if on some nothing does. */
const everywhere = <A>(
  found: ReadonlyArray<Standing>,
  look: (standing: Standing) => A | undefined
): A | null => {
  const all = found.map(look)
  return all.length > 0 && all.every((one) => one !== undefined) ? (all[0] ?? null) : null
}

const shadowed = (_: Item, found: ReadonlyArray<Standing>): Fault | null => {
  const later = everywhere(found, ({ later, own }) => later.find(hides(own)))
  return later === null
    ? null
    : {
        message: `never decides: ${quote(later)} in line ${later.source.line} comes later and matches all of it`,
        suggestion: "the last rule that matches decides: put the wider one first, or take this one out"
      }
}

/** A deny, or an ask of the admin's, that another scope has for all of it. */
const overruled = ({ rule }: Item, found: ReadonlyArray<Standing>): Fault | null => {
  if (rule.value.action === "deny") return null
  const stricter = everywhere(found, ({ elsewhere, own }) =>
    elsewhere
      .flatMap(({ rules, scope }) =>
        rules.filter(
          (other, at) =>
            (other.action === "deny" ||
              (scope === "admin" && other.action === "ask" && own.action === "allow")) &&
            Cover.covers(other.pattern, own.pattern) &&
            !rules.slice(at + 1).some((after) => Cover.covers(after.pattern, own.pattern))
        )
      )
      .at(0)
  )
  if (stricter === null) return null
  const final = stricter.action === "deny" ? "a deny is final" : "the administrator's ask goes first"
  return {
    message: `has no effect: ${quote(stricter)} of ${place(stricter)} matches all of it, and ${final}`,
    suggestion:
      stricter.scope === "default"
        ? 'the starter\'s denies can be left out by group: {"starter": {"without": […]}}'
        : null
  }
}

/** An ask for everything stands above every allow of the starter, which is the weaker scope. */
const outranks = ({ rule, scope }: Item, found: ReadonlyArray<Standing>): Fault | null => {
  if (rule.value.action !== "ask" || scope === "admin") return null
  const allows = found.flatMap(({ elsewhere, own }) =>
    own.pattern.universal
      ? elsewhere
          .filter((ranked) => ranked.scope === "default")
          .flatMap(({ rules }) => rules.filter(({ action }) => action === "allow"))
      : []
  )
  return allows.length === 0
    ? null
    : {
        message: `asks for all that the starter allows here (${allows.length} rules)`,
        suggestion: "leave it out: what no rule speaks of is asked for anyway"
      }
}

/** What nobody means to allow by a rule that does not name it, and the words that would. */
const SAMPLES: ReadonlyArray<{
  readonly tool: string
  readonly input: unknown
  readonly shown: string
  readonly named: string
}> = [
  ...[
    ["git push --force origin main", "--force"],
    ["git reset --hard HEAD~1", "git reset"],
    ["git clean -fdx", "git clean"],
    ["rm -rf build", "rm "],
    ["npm publish", "publish"],
    ["sudo id", "sudo"],
    ["chmod -R 777 .", "chmod"],
    ["docker run --privileged image", "docker run"],
    ["kubectl delete namespace x", "delete"],
    ["terraform destroy", "destroy"],
    ["curl -d @data https://example.org", "curl"],
    ["python3 -c x", "python"],
    ["node -e x", "node"],
    ["sh script.sh", "sh"]
  ].map(([command = "", named = ""]) => ({ tool: "Bash", input: { command }, shown: command, named })),
  ...[
    [".git/hooks/pre-commit", ".git"],
    [".github/workflows/ci.yml", ".github"],
    ["/etc/hosts", "/etc"],
    ["/usr/local/bin/git", "/usr"]
  ].map(([path = "", named = ""]) => ({
    tool: "Write",
    input: { file_path: path },
    shown: `writing ${path}`,
    named
  }))
]

/** More examples do not make it clearer. */
const MAX_EXAMPLES = 3

const tooWide = ({ policy, rule }: Item): Fault | null => {
  if (rule.value.action !== "allow") return null
  const environment = { ...policy.places, cwd: policy.places.projectRoot }
  const examples = SAMPLES.filter(({ input, named, tool }) => {
    if (rule.pattern.includes(named)) return false
    const analysis = Analysis.analyse({ agent: "claude", tool, input }, environment)
    const ruling = decide(policy, [], analysis, PathFacts.none)
    return (
      ruling.action === "allow" &&
      ruling.units.some(
        ({ winner }) =>
          winner.surface === rule.surface &&
          winner.pattern === rule.pattern &&
          winner.source?.line === rule.line
      )
    )
  })
  return examples.length === 0
    ? null
    : {
        message: `also allows ${examples
          .slice(0, MAX_EXAMPLES)
          .map(({ shown }) => shown)
          .join(", ")}`,
        suggestion: "name what you mean, or ask for the rest below it"
      }
}

/** Code needs both: the command under `bash`, and what it runs under `code`. */
const half = ({ policy, rule }: Item): Fault | null => {
  if (rule.surface !== "code" || rule.value.action !== "allow") return null
  const own = Pattern.make(rule.pattern, "words", policy.places)
  const allowed = Policy.rulesFor(policy, "bash").some(({ rules }) =>
    rules.some(({ action, pattern }) => action === "allow" && Cover.covers(pattern, own))
  )
  return allowed
    ? null
    : {
        message: "still asks: no rule allows the command itself",
        suggestion: `write ${JSON.stringify(rule.pattern)}: "allow" under "bash" too`
      }
}

/** A deny or ask of a bare name, which a person means for every call of it. */
const bare = ({ policy, rule }: Item): Fault | null => {
  const { pattern, surface, value } = rule
  if (surface !== "bash" || value.action === "allow" || !/^[^\s*?]+$/.test(pattern)) return null
  const wider = policy.written.some(({ rules }) =>
    rules.some((other) => other.surface === "bash" && other.pattern.startsWith(`${pattern} `))
  )
  return wider
    ? null
    : {
        message: "matches the command only without arguments",
        suggestion: `write ${JSON.stringify(`${pattern} *`)}`
      }
}

const form = ({ rule }: Item): Fault | null => LintForms.find(rule)

const CHECKS = {
  shadowed,
  ineffective: overruled,
  "outranks-starter": outranks,
  "too-wide": tooWide,
  "half-allowed": half,
  "bare-command": bare,
  "never-matches": form
} as const satisfies Record<string, (item: Item, found: ReadonlyArray<Standing>) => Fault | null>

type Name = keyof typeof CHECKS

export const NAMES = [
  "shadowed",
  "ineffective",
  "outranks-starter",
  "too-wide",
  "half-allowed",
  "bare-command",
  "never-matches"
] as const satisfies ReadonlyArray<Name>

/** Everything that is wrong with one rule. */
export const check = (item: Item): ReadonlyArray<Fault & { readonly check: Name }> => {
  const found = standings(item)
  return NAMES.flatMap((check) => {
    const fault = CHECKS[check](item, found)
    return fault === null ? [] : [{ check, ...fault }]
  })
}
