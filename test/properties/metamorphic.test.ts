import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import type * as Arr from "effect/Array"
import * as Schema from "effect/Schema"
import * as Analysis from "../../src/core/policy/Analysis.ts"
import { decide } from "../../src/core/policy/Decide.ts"
import type { GrantRule } from "../../src/core/policy/Grant.ts"
import * as PathFacts from "../../src/core/policy/PathFacts.ts"
import * as Policy from "../../src/core/policy/Policy.ts"
import * as Generators from "../../src/layers/testing/PolicyGenerators.ts"

/**
 * Commands that do at least what another does, in a spelling or a place of their own: whatever the rules are, none
 * of them may be ruled looser.
 */

const runs = { arbitrary: { runs: 2_000 } }
const environment = { cwd: "/project", home: "/home/u", projectRoot: "/project" }
const RANK = { allow: 0, ask: 1, deny: 2 } as const

const oneOf = <A>(values: Arr.NonEmptyReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: values.length - 1 }))),
    (index) => values[index]!
  )

const words = oneOf<ReadonlyArray<string>>([
  ["rm", "-rf", "x"],
  ["rm", "x", "y"],
  ["git", "push", "--force", "origin"],
  ["git", "-C", "d", "status"],
  ["ls", "-la", "src"],
  ["cat", "data.txt"],
  ["cat", "src/a", "/etc/hosts"],
  ["cp", "-r", "src", "out"],
  ["mv", "a", ".env"],
  ["sed", "-i", "s/a/b/", "f"],
  ["tee", "-a", "log"],
  ["npm", "run", "test"],
  ["docker", "run", "--rm", "image", "ls"],
  ["kubectl", "-n", "prod", "delete", "pod", "x"],
  ["python3", "-c", "pass"],
  ["find", ".", "-name", "x", "-delete"],
  ["curl", "-o", "f", "https://h.example"],
  ["unheard-of", "--file=.env", "x"],
  ["./script.sh", "x"]
])

const actions = oneOf(["allow", "ask", "deny"] as const)
const patterns = oneOf([
  "*",
  "rm *",
  "rm -rf *",
  "rm -r *",
  "git *",
  "git push *",
  "git push --force *",
  "git status *",
  "ls *",
  "cat *",
  "cat data.txt",
  "cp *",
  "cp -r *",
  "mv * .env",
  "sed -i *",
  "npm run *",
  "docker run *",
  "kubectl delete *",
  "python3 *",
  "find *-delete*",
  "curl *",
  "unheard-of *",
  "*x*",
  "*.env*",
  "src/*",
  ".env",
  "/etc/*",
  "data.txt"
])
const rule: Arbitrary.Arbitrary<Generators.GeneratedRule> = Arbitrary.all({
  surface: oneOf(["bash", "bash", "code", "path", "path_read", "path_write", "external_directory", "*"]),
  pattern: patterns,
  action: actions
})
const rules = Arbitrary.array(rule, { minLength: 0, maxLength: 8 })

const policyOf = (list: ReadonlyArray<Generators.GeneratedRule>): Policy.Policy =>
  Policy.compile([Generators.policyText(list)], environment)
const rank = (policy: Policy.Policy, text: string, grants: ReadonlyArray<GrantRule> = []): number =>
  RANK[decide(policy, grants, Analysis.command(text, environment), PathFacts.none).action]

/** Whether the words of a command are denied, whatever its files are. */
const isDeniedByWords = (policy: Policy.Policy, text: string): boolean =>
  decide(policy, [], Analysis.command(text, environment), PathFacts.none).units.some(
    ({ surface, winner }) => (surface === "bash" || surface === "code") && winner.action === "deny"
  )

const plain = (list: ReadonlyArray<string>): string => list.join(" ")
const quote = (word: string): string => `'${word}'`

/** Spellings of the same words. */
const SPELLINGS: Arr.NonEmptyReadonlyArray<readonly [string, (list: ReadonlyArray<string>) => string]> = [
  ["single quotes", (list) => list.map(quote).join(" ")],
  ["double quotes", (list) => list.map((word) => `"${word}"`).join(" ")],
  ["a quoted name", ([name = "", ...rest]) => plain([`"${name}"`, ...rest])],
  ["quotes inside words", (list) => list.map((word) => `${word[0]}''${word.slice(1)}`).join(" ")],
  ["backslashes", (list) => list.map((word) => `\\${word}`).join(" ")],
  ["ANSI-C quotes", (list) => list.map((word) => `$'${word}'`).join(" ")],
  ["wide blanks", (list) => `  ${list.join("  \t ")}  `],
  ["a continued line", (list) => list.join(" \\\n ")],
  ["a comment behind", (list) => `${list.map(quote).join(" ")} # allowed`],
  ["a comment before", (list) => `# harmless\n${list.map(quote).join(" ")}`],
  [
    "braces",
    (list) => (list.some((word) => /[,(]/.test(word)) ? list.map(quote).join(" ") : `{${list.join(",")}}`)
  ]
]

/** Places that run the same text, and perhaps more. */
const PLACES: Arr.NonEmptyReadonlyArray<readonly [string, (text: string) => string]> = [
  ["a list", (text) => `true; ${text}`],
  ["a chain", (text) => `ls && ${text}`],
  ["an alternative", (text) => `false || ${text}`],
  ["a pipe's end", (text) => `echo a | ${text}`],
  ["a pipe's begin", (text) => `${text} | cat`],
  ["the background", (text) => `${text} &`],
  ["a subshell", (text) => `( ${text} )`],
  ["a group", (text) => `{ ${text}; }`],
  ["a negation", (text) => `! ${text}`],
  ["a branch", (text) => `if true; then ${text}; fi`],
  ["a condition", (text) => `while ${text}; do break; done`],
  ["a loop", (text) => `for i in 1 2; do ${text}; done`],
  ["a case", (text) => `case a in a) ${text} ;; esac`],
  ["a function", (text) => `f() { ${text}; }; f`],
  ["a substitution", (text) => `echo "$( ${text} )"`],
  ["a process substitution", (text) => `cat <( ${text} )`],
  ["a redirect", (text) => `${text} > out 2>&1`],
  ["an input", (text) => `${text} < /dev/null`],
  ["an assignment", (text) => `A=1 ${text}`],
  ["a coprocess", (text) => `coproc { ${text}; }`],
  ["a here-document", (text) => `cat <<E\n$( ${text} )\nE`],
  ["a shell", (text) => `bash -c '${text.replaceAll("'", `'\\''`)}'`],
  ["eval", (text) => `eval '${text.replaceAll("'", `'\\''`)}'`],
  ["a trap", (text) => `trap '${text.replaceAll("'", `'\\''`)}' EXIT`],
  ["a shell's input", (text) => `bash <<'E'\n${text}\nE`]
]

/** Those that take a whole text, not a command alone. */
const AROUND: typeof PLACES = [PLACES[0], ...PLACES.slice(1).filter(([name]) => name !== "an assignment")]

/** Those whose text may stand anywhere: a negation may not stand in a pipe. */
const INSIDE: typeof PLACES = [PLACES[0], ...PLACES.slice(1).filter(([name]) => name !== "a negation")]

/** Programs that run the same words. */
const WRAPPERS = oneOf([
  "sudo ",
  "sudo -n -u root ",
  "env ",
  "env -i A=1 ",
  "timeout 5 ",
  "nice -n 5 ",
  "nohup ",
  "setsid ",
  "stdbuf -o0 ",
  "time ",
  "command ",
  "exec ",
  "ionice -c2 ",
  "flock /tmp/lock ",
  "xargs -I% ",
  "watch -n 1 ",
  "strace -f ",
  "busybox ",
  "parallel -I% ",
  "systemd-run --user ",
  "unshare -n ",
  "npx ",
  "uv run ",
  "bundle exec ",
  "entr "
])

describe("a command is ruled no looser", () => {
  it.prop(
    "in another spelling of its words [L1.3]",
    [rules, words, oneOf(SPELLINGS)],
    ([list, command, [name, spell]]) => {
      const policy = policyOf(list)
      expect([name, rank(policy, spell(command))]).toEqual([name, rank(policy, plain(command.map(quote)))])
    },
    runs
  )

  it.prop(
    "in any place of a larger text [L3.2]",
    [rules, words, oneOf(PLACES)],
    ([list, command, [name, place]]) => {
      const policy = policyOf(list)
      const text = command.map(quote).join(" ")
      const inside = rank(policy, place(text))
      expect([name, inside >= rank(policy, text)]).toEqual([name, true])
    },
    runs
  )

  it.prop(
    "behind a program that runs it [L3.3]",
    [rules, words, WRAPPERS],
    ([list, command, wrapper]) => {
      const policy = policyOf(list)
      const text = command.map(quote).join(" ")
      expect([wrapper, rank(policy, wrapper + text) >= rank(policy, text)]).toEqual([wrapper, true])
    },
    runs
  )

  it.prop(
    "behind several of all of these [L3.2, L3.3]",
    [rules, words, WRAPPERS, WRAPPERS, oneOf(INSIDE), oneOf(AROUND)],
    ([list, command, first, second, [, inner], [, outer]]) => {
      const policy = policyOf(list)
      const text = command.map(quote).join(" ")
      const wrapped = outer(inner(first + second + text))
      const inside = rank(policy, wrapped)
      // Where a loop may have changed the directory, a relative file may be any: a deny on files is an ask there.
      expect([wrapped, inside >= Math.min(rank(policy, text), RANK.ask)]).toEqual([wrapped, true])
      expect([wrapped, inside === RANK.deny || !isDeniedByWords(policy, text)]).toEqual([wrapped, true])
    },
    runs
  )

  it.prop(
    "with one more command beside it [L3.2, L4.3]",
    [rules, words, words],
    ([list, one, other]) => {
      const policy = policyOf(list)
      const [left, right] = [one.map(quote).join(" "), other.map(quote).join(" ")]
      const both = rank(policy, `${left}; ${right}`)
      expect(both).toBeGreaterThanOrEqual(Math.max(rank(policy, left), rank(policy, right)))
    },
    runs
  )

  it.prop(
    "once there is one deny more, wherever it stands among the rules of another scope [L1.4]",
    [rules, rule, words, oneOf(["admin", "project", "agent"] as const)],
    ([list, added, command, scope]) => {
      const text = plain(command.map(quote))
      const more = Generators.policyText([{ ...added, action: "deny" }], scope)
      const policy = Policy.compile([Generators.policyText(list), more], environment)
      expect(rank(policy, text)).toBeGreaterThanOrEqual(rank(policyOf(list), text))
    },
    runs
  )
})

describe("a grant", () => {
  it.prop(
    "never lifts a deny, an ask of the administrator, or what cannot be seen [L1.4, L5.2]",
    [rules, words, oneOf(PLACES)],
    ([list, command, [, place]]) => {
      const text = place(command.map(quote).join(" "))
      const grants = [
        "bash",
        "code",
        "path_read",
        "path_write",
        "external_directory_read",
        "external_directory_write"
      ].map((surface): GrantRule => ({ surface, pattern: "*", exact: false, line: null }))
      const policy = policyOf(list)
      if (rank(policy, text) === RANK.deny) expect(rank(policy, text, grants)).toBe(RANK.deny)
      const admin = Policy.compile(
        [
          Generators.policyText([{ surface: "*", pattern: "*", action: "ask" }], "admin"),
          Generators.policyText(list)
        ],
        environment
      )
      expect(rank(admin, text, grants)).toBeGreaterThanOrEqual(RANK.ask)
      expect(rank(policy, `$x; ${text}`, grants)).toBeGreaterThanOrEqual(RANK.ask)
    },
    runs
  )
})

describe("any text", () => {
  const long = Arbitrary.map(
    Arbitrary.all([
      Generators.shellText,
      Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 400 })))
    ]),
    ([text, times]) => text.repeat(times)
  )

  it.prop(
    "is taken apart within bounds, however long it is [L3.6]",
    [long],
    ([text]) => {
      const { flaw, touches, units } = Analysis.command(text, environment)
      // Each character starts at most one command, and what a text runs is read so often at most.
      expect(units.length).toBeLessThanOrEqual(64 * (Math.min(text.length, 16_384) + 1))
      expect(touches.length).toBeLessThanOrEqual(64 * 8 * (Math.min(text.length, 16_384) + 1))
      if (text.length > 16_384) expect(flaw).not.toBeNull()
    },
    { arbitrary: { runs: 300 } }
  )
})
