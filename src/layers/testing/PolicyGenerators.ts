import * as Arbitrary from "effect/Arbitrary"
import type * as Arr from "effect/Array"
import * as Schema from "effect/Schema"
import type { PolicyText } from "../../core/policy/PolicyDocument.ts"

const oneOf = <A>(values: Arr.NonEmptyReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: values.length - 1 }))),
    (index) => values[index]!
  )

const few = <A>(item: Arbitrary.Arbitrary<A>, maxLength: number): Arbitrary.Arbitrary<Array<A>> =>
  Arbitrary.array(item, { minLength: 0, maxLength })

/** Pieces of shell text, whole and broken, that meet every construct and many half ones. */
const pieces = [
  "rm -rf x",
  "git push origin main",
  "ls ",
  "cat data.txt",
  "sudo ",
  "env A=1 ",
  "xargs -I{} ",
  "find . -exec ",
  " {} +",
  "sh -c '",
  "'",
  '"',
  "$(",
  ")",
  "`",
  "${x:-",
  "}",
  "$((",
  "))",
  "{ ",
  "; }",
  "( ",
  " && ",
  " || ",
  " | ",
  " ; ",
  "\n",
  " & ",
  " > out",
  " < in",
  " <<E\nbody $(rm y)\nE\n",
  "if ",
  "; then ",
  "; fi",
  "for i in a b; do ",
  "; done",
  "f() { ",
  "[[ -n $x ]]",
  "a=(1 2)",
  "{a,b{1..3}}",
  "\\",
  "$'\\x72m'",
  "*",
  "[ab]?",
  "~/",
  "漢字",
  "\ud800",
  "\0",
  "\u0001",
  "#",
  "eval ",
  "cd sub; ",
  "python3 -c 'x'",
  "$x "
] as const

/** Shell text as an agent, or somebody behind it, may send it. */
export const shellText: Arbitrary.Arbitrary<string> = Arbitrary.map(few(oneOf(pieces), 14), (parts) =>
  parts.join("")
)

const action = oneOf<GeneratedRule["action"]>(["allow", "ask", "deny"])

/** Patterns that meet the texts of `shellText`. */
export const pattern: Arbitrary.Arbitrary<string> = oneOf([
  "*",
  "rm *",
  "rm -rf *",
  "git *",
  "git push *",
  "ls *",
  "ls",
  "cat *",
  "cat data.txt",
  "sudo *",
  "*x*",
  "??",
  "xargs *",
  "src/*",
  "data.txt",
  "~/*"
])

const surface = oneOf(["bash", "code", "path", "path_read", "path_write", "external_directory", "*", "b*"])

/** Rules in order: surface key, pattern, action. */
export interface GeneratedRule {
  readonly surface: string
  readonly pattern: string
  readonly action: "allow" | "ask" | "deny"
}

export const rule: Arbitrary.Arbitrary<GeneratedRule> = Arbitrary.all({ surface, pattern, action })

export const rules: Arbitrary.Arbitrary<ReadonlyArray<GeneratedRule>> = few(rule, 8)

/** The rules as a policy file. A pattern that stands twice under a surface keeps its last place (L1.6). */
export const policyText = (
  rules: ReadonlyArray<GeneratedRule>,
  scope: PolicyText["scope"] = "user"
): PolicyText => {
  const surfaces = new Map<string, Map<string, string>>()
  for (const { action, pattern, surface } of rules) {
    const patterns = surfaces.get(surface) ?? new Map<string, string>()
    patterns.delete(pattern)
    surfaces.set(surface, patterns.set(pattern, action))
  }
  const permission = Object.fromEntries(
    [...surfaces].map(([surface, patterns]) => [surface, Object.fromEntries(patterns)])
  )
  const text = JSON.stringify({ permission })
  return { scope, file: `${scope}.jsonc`, text, digest: text, trusted: true, unreadable: null }
}
