import * as SecretName from "./SecretName.ts"

/** Stands for what was taken out. It says nothing of it, not even its length. */
export const MASK = "***"

/**
 * One shell word, or what is left of one: quoted parts, escapes and plain characters. Every alternative begins with
 * another character, so that there is one way to match and the time is linear. A quote that is not closed reaches
 * to the end: better too much than half a secret.
 */
const WORD = String.raw`(?:\\?"(?:[^"\\]|\\(?!")[\s\S])*(?:\\?"|$)|'[^']*(?:'|$)|\\[\s\S]|[^\s;&|<>()"'\x60\\,{}])+`

/** A name as programs, shells, headers and files write it. */
const NAME = String.raw`[A-Za-z_][\w.-]{0,127}`

/** Takes one kind of secret out of a text. */
type Rule = (text: string) => string

const replace =
  (pattern: RegExp, mask: (whole: string, ...groups: Array<string>) => string): Rule =>
  (text) =>
    text.replaceAll(pattern, (whole, ...groups: Array<string>) => mask(whole, ...groups))

const VALUE = new RegExp(WORD, "y")

/** What is masked already is not looked at again: its closing quote is not another's beginning. */
const MASKED = /^\*{3}(?:[\s"';&|,)}]|$)/

interface Named {
  readonly name: string
  readonly text: string
  /** Where the name begins. */
  readonly from: number
}

interface Masking {
  /** Whether what stands behind this name is a secret. */
  readonly hides: (named: Named) => boolean
  /** Told of each value that is one, and where it ends; `false`: this one may be seen. */
  readonly value?: (value: string, to: number) => boolean
}

/**
 * Masks the values behind the names that `pattern` finds: its first group, up to the value. Only what is masked is
 * passed over, so that no name hides another behind it, as the `https:` of a URL would.
 */
const maskValues =
  (pattern: RegExp, { hides, value: isSecret = () => true }: Masking): Rule =>
  (text) => {
    let masked = ""
    let done = 0
    for (const match of text.matchAll(pattern)) {
      const from = match.index
      const start = from + match[0].length
      if (from < done || MASKED.test(text.slice(start, start + 4))) continue
      if (!hides({ name: match[1]!, text, from })) continue
      VALUE.lastIndex = start
      const value = VALUE.exec(text)?.[0]
      if (value === undefined || !isSecret(value, start + value.length)) continue
      masked += text.slice(done, start) + MASK
      done = start + value.length
    }
    return masked + text.slice(done)
  }

const byName: Masking = { hides: ({ name }) => SecretName.is(name) }

/** Headers that describe a request and authorise nothing. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "connection",
  "content-length",
  "content-type",
  "host",
  "origin",
  "range",
  "referer",
  "user-agent"
])

/** How a header stands in a text: in quotes, which end it, or bare up to the end of its line. */
const QUOTES = [
  { open: '"', rest: String.raw`(?:[^"\\\r\n]|\\[^\r\n])*` },
  { open: "'", rest: String.raw`[^'\r\n]*` },
  { open: String.raw`(?<!["'])`, rest: String.raw`[^\r\n]*` }
] as const

const headerRules = ({ open, rest }: (typeof QUOTES)[number]): ReadonlyArray<Rule> => [
  // Given to a program, whatever its name.
  replace(
    new RegExp(String.raw`((?:^|\s)(?:-H|--header)(?:\s+|=)?${open})([A-Za-z][\w-]{0,63})(\s*:)${rest}`, "g"),
    (whole, before, name, between) =>
      PLAIN_HEADERS.has(name.toLowerCase()) ? whole : `${before}${name}${between} ${MASK}`
  ),
  // One that carries a secret, wherever it stands.
  replace(
    new RegExp(
      String.raw`(${open})\b((?:proxy-)?authorization|(?:set-)?cookie)(\s*[:=])(?!\s*\*{3})${rest}`,
      "gi"
    ),
    (_, before, name, between) => `${before}${name}${between} ${MASK}`
  )
]

/** Values that are nobody's secret: switches, small numbers, and what only the shell knows. */
const PLAIN_VALUE = /^["']?(?:\d{1,3}|true|false|yes|no|on|off|\$(?:\w+|\{\w+\})?)?["']?$/i

/** After these words of a shell an assignment may still come. */
const BEFORE_ASSIGNMENT =
  /(?:^|[;&|(){}\n`"']|\b(?:env|eval|export|local|declare|typeset|readonly|sudo|then|do|else)(?:\s+-[\w-]+)*)\s*$/

/** As much of what stands before an assignment as the words above can be long. */
const BEFORE = 160

const ASSIGNMENT = /(?<![\w.$-])([A-Za-z_]\w{0,127})\+?=/g

/** Variables set by a shell, whatever their names: what one is for does not show in it. */
const maskAssignments: Rule = (text) => {
  let end = -1
  return maskValues(ASSIGNMENT, {
    hides: ({ from, text }) =>
      (end >= 0 && from - end < BEFORE && text.slice(end, from).trim() === "") ||
      BEFORE_ASSIGNMENT.test(text.slice(Math.max(0, from - BEFORE), from)),
    value: (value, to) => {
      end = to
      return !PLAIN_VALUE.test(value)
    }
  })(text)
}

/** Mixed letters and digits of this length are keys; names and digests are not mixed so, or say what they are. */
const isRandom = (run: string): boolean =>
  !/^sha\d{1,3}-/.test(run) &&
  /[a-z]/.test(run) &&
  /[A-Z]/.test(run) &&
  /\d/.test(run) &&
  run.split("/").length <= 4

/**
 * What is taken out of a text, in this order (X3). Each rule knows a secret by what stands around it or by its own
 * form; one that neither shows cannot be known, which is why rows are short and private besides.
 */
const RULES: ReadonlyArray<Rule> = [
  replace(
    /-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,32}PRIVATE KEY-----|$)/g,
    () => MASK
  ),
  // A user and password in a URL, or a token alone.
  replace(/\b(https?:\/\/)[^\s/?#@"'`]{1,512}@/gi, (_, scheme) => `${scheme}${MASK}@`),
  replace(
    /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`]{0,256}:)[^\s/@"'`]{1,512}@/gi,
    (_, before) => `${before}${MASK}@`
  ),
  ...QUOTES.flatMap(headerRules),
  replace(/\b(bearer|basic)(\s+)[A-Za-z0-9+/=._~-]{8,}/gi, (_, scheme, blank) => `${scheme}${blank}${MASK}`),
  // `name = value` and `"name": value`, in any notation.
  maskValues(
    new RegExp(String.raw`(?<![\w.-])-{0,2}(${NAME})\\?["']?\s{0,4}(?::=|=>|[:=])\s{0,4}`, "g"),
    byName
  ),
  // `--name value`.
  maskValues(new RegExp(String.raw`(?<=^|\s)--?(${NAME})\s+(?!-)`, "g"), byName),
  // User and password of curl and its kin; the password of sshpass and mysql.
  replace(
    /((?:^|\s)(?:-u|--user)(?:\s+|=)["']?[^\s:"']{1,128}:)[^\s"']+/g,
    (_, before) => `${before}${MASK}`
  ),
  replace(
    new RegExp(
      String.raw`(\b(?:sshpass|mysql|mysqldump|mariadb)\s(?:[^\n;|&]{0,128}?\s)??-p\s?)${WORD}`,
      "g"
    ),
    (_, before) => `${before}${MASK}`
  ),
  maskAssignments,
  // Keys that show by their own form what they are.
  replace(
    /\b(?:sk-[A-Za-z0-9_-]{8,}|(?:sk|pk|rk)_(?:live|test)_\w{8,}|gsk_\w{8,}|gh[pousr]_\w{8,}|github_pat_\w{8,}|glpat-[\w-]{8,}|xox[abeprs]-[\w-]{8,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[\w-]{20,}|ya29\.[\w-]{10,}|eyJ[\w-]{8,}\.[\w.-]+|npm_\w{16,}|pypi-[\w-]{16,}|hf_\w{16,}|SG\.[\w.-]{16,}|dop_v1_\w{16,}|\d{8,10}:[\w-]{30,})/g,
    () => MASK
  ),
  replace(/(?<![\w+/=.~-])(?!\/)[A-Za-z0-9+/_-]{40,}={0,2}/g, (run) => (isRandom(run) ? MASK : run))
]

/** The text with every secret that shows as one taken out. Total, and linear in the text. */
export const mask = (text: string): string => RULES.reduce((masked, rule) => rule(masked), text)
