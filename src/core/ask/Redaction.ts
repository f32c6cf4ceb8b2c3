import * as Predicate from "effect/Predicate"

/**
 * Keeps secrets out of what outlives the ask (X3, P3.4): values under names that say what they are, shell
 * assignments, headers, credentials in addresses, and keys that are recognised by their form. What a person is
 * shown in order to decide never passes through here (P2.8).
 */

/** Stands for what was taken out. */
export const MASK = "[masked]"

/** A text without its secrets, and whether there was one. */
export interface Redacted {
  readonly text: string
  readonly masked: boolean
}

/** Words that, alone or beside others, make a name the name of a secret. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "apikey",
  "auth",
  "authorization",
  "bearer",
  "cookie",
  "cookies",
  "credential",
  "credentials",
  "key",
  "keys",
  "otp",
  "passcode",
  "passphrase",
  "passwd",
  "password",
  "passwords",
  "pat",
  "pin",
  "pwd",
  "secret",
  "secrets",
  "signature",
  "token",
  "tokens"
])

/** Longer than any name; what is longer is not looked at. */
const MAX_NAME = 200

/** Whether a field, variable, option or header of this name holds a secret: `apiKey`, `DB_PASSWORD`, `x-auth-token`. */
export const isSecretName = (name: string): boolean =>
  name
    .slice(0, MAX_NAME)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => SECRET_WORDS.has(word) || /(?:password|secret|token|apikey)$/.test(word))

/** A shell word: quoted parts, escapes and plain characters, as far as the next blank or operator. */
const WORD = String.raw`(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|\\.|[^\s"'\\;&|()<>])+`

/** In this order. Each keeps what its groups hold and masks the rest. */
const RULES: ReadonlyArray<{
  readonly pattern: RegExp
  readonly replace: (match: ReadonlyArray<string>) => string | null
}> = [
  // Keys by their form.
  {
    pattern:
      /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?|\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)/g,
    replace: () => MASK
  },
  // `curl -H 'Name: value'`: the value of every header, up to the end of the word.
  {
    pattern: /(\s(?:-H|--header)[ =]?["']?)([\w-]{1,200}:)([^"'\n]*)/g,
    replace: ([, option = "", name = ""]) => `${option}${name} ${MASK}`
  },
  // `Authorization: Bearer x` anywhere; what stands after a secret name and a colon.
  {
    pattern:
      /\b([\w-]{1,200})(["']?\s?:\s?)((?:(?:Bearer|Basic|Token)\s+)?(?:"[^"]*"?|'[^']*'?|[^\s"',;}]+))/gi,
    replace: ([, name = "", colon = "", value = ""]) =>
      isSecretName(name) && value !== MASK ? `${name}${colon}${MASK}` : null
  },
  // `https://user:password@host`.
  {
    pattern: /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"']{0,200}:)([^\s/@"']+)@/gi,
    replace: ([, before = ""]) => `${before}${MASK}@`
  },
  // `-u name:password`, `--user name:password`.
  {
    pattern: /(\s(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"']{1,200}:)([^\s"']+)/g,
    replace: ([, before = ""]) => `${before}${MASK}`
  },
  // `--token x`, `--api-key=x`.
  {
    pattern: new RegExp(String.raw`(--?)([A-Za-z][\w-]{0,200})([ =])(${WORD})`, "g"),
    replace: ([, dashes = "", name = "", separator = "", value = ""]) =>
      isSecretName(name) && !(separator === " " && value.startsWith("-"))
        ? `${dashes}${name}${separator}${MASK}`
        : null
  },
  // `?token=x&sig=y` in an address.
  {
    pattern: /([?&])([\w-]{1,200})=([^\s&"']+)/g,
    replace: ([, before = "", name = ""]) => (isSecretName(name) ? `${before}${name}=${MASK}` : null)
  },
  // Every shell assignment, whatever its name.
  {
    pattern: new RegExp(String.raw`(^|[\s;&|(])([A-Za-z_]\w{0,200}\+?=)(${WORD})`, "gm"),
    replace: ([, before = "", name = ""]) => `${before}${name}${MASK}`
  }
]

/** A text, a shell command among them, with its secrets masked. Linear in its length. */
export const text = (source: string): Redacted => {
  let result = source
  let masked = false
  for (const { pattern, replace } of RULES) {
    result = result.replaceAll(pattern, (...match: ReadonlyArray<unknown>) => {
      const groups = match.filter((part) => typeof part === "string")
      const replaced = replace(groups)
      masked ||= replaced !== null && replaced !== groups[0]
      return replaced ?? groups[0] ?? ""
    })
  }
  return { text: result, masked }
}

/** Deeper values are masked whole. */
const MAX_DEPTH = 64

/** A JSON value with everything under a secret name masked, and every text in it as `text` leaves it. */
export const json = (value: unknown, depth = 0): unknown => {
  if (typeof value === "string") return text(value).text
  if (depth > MAX_DEPTH) return MASK
  if (Array.isArray(value)) return value.map((item) => json(item, depth + 1))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecretName(name) ? MASK : json(item, depth + 1)])
  )
}
