/** Words that make a name one of a secret, wherever a part of it ends with one: `githubToken`, `PGPASSWORD`, `x-api-key`. */
const ENDINGS = [
  "password",
  "passwd",
  "passphrase",
  "pwd",
  "secret",
  "secrets",
  "token",
  "tokens",
  "apikey",
  "accesskey",
  "secretkey",
  "privatekey",
  "credential",
  "credentials",
  "cookie",
  "cookies",
  "authorization",
  "authentication"
]

/** Words that do so only as a whole part: more often than not their endings mean something else. */
const WORDS: ReadonlySet<string> = new Set([
  "pass",
  "auth",
  "bearer",
  "otp",
  "pin",
  "cvv",
  "pw",
  "psk",
  "jwt"
])

/** What a `key` is a secret of; a key of a keyboard or of a map is none. */
const KEY_OF: ReadonlySet<string> = new Set([
  "api",
  "access",
  "account",
  "client",
  "encryption",
  "license",
  "master",
  "private",
  "secret",
  "service",
  "session",
  "shared",
  "signing",
  "ssh",
  "storage"
])

/** Longer names are texts. */
const MAX_LENGTH = 128

/** The parts of a name, lower-cased: `myApiKey`, `my_api_key` and `my-api.key` have the same. */
const parts = (name: string): ReadonlyArray<string> =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)

/** Whether what has this name is a secret: a field of an input, a variable, a header, a flag (X3). */
export const is = (name: string): boolean => {
  if (name.length > MAX_LENGTH) return false
  const words = parts(name)
  return words.some(
    (word, index) =>
      WORDS.has(word) ||
      ENDINGS.some((ending) => word.endsWith(ending)) ||
      ((word === "key" || word === "keys") && KEY_OF.has(words[index - 1] ?? ""))
  )
}
