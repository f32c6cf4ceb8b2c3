import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as Redaction from "../../../src/core/journal/Redaction.ts"
import * as SecretName from "../../../src/core/journal/SecretName.ts"
import * as SecretText from "../../../src/core/journal/SecretText.ts"

describe("names of secrets", () => {
  it.each([
    "password",
    "PGPASSWORD",
    "db_password",
    "githubToken",
    "GH_TOKEN",
    "telegram.token",
    "x-api-key",
    "apiKey",
    "AWS_SECRET_ACCESS_KEY",
    "clientSecret",
    "Authorization",
    "set-cookie",
    "pass",
    "private_key",
    "credentials"
  ])("%s is one [X3]", (name) => {
    expect(SecretName.is(name)).toBe(true)
  })

  it.each(["author", "path", "file_path", "key", "monkey", "passenger", "command", "tokenizer", "spinner"])(
    "%s is none",
    (name) => {
      expect(SecretName.is(name)).toBe(false)
    }
  )
})

/** The secret of a row, and what stays of the text around it. */
const MARKER = "hunter2-MARKER"

describe("texts", () => {
  it.each<[string, string]>([
    [`TOKEN=${MARKER} make`, "TOKEN=*** make"],
    [`FOO=${MARKER} make CC=gcc`, "FOO=*** make CC=gcc"],
    [`export A='${MARKER} x' B=${MARKER}; ls`, "export A=*** B=***; ls"],
    [`a && B=${MARKER} c`, "a && B=*** c"],
    [`env -i X=${MARKER} sh`, "env -i X=*** sh"],
    [`ssh h "T=${MARKER} x"`, `ssh h "T=*** x"`],
    [`eval T=${MARKER}`, "eval T=***"],
    [`curl -H "Authorization: Bearer ${MARKER}" https://h`, `curl -H "Authorization: ***" https://h`],
    [`curl -H 'X-Own: a "${MARKER}" b' -H "Accept: */*" u`, `curl -H 'X-Own: ***' -H "Accept: */*" u`],
    [`Cookie: a="${MARKER}"; b=${MARKER}\nHost: h`, "Cookie: ***\nHost: h"],
    [`curl -u bob:${MARKER} https://h`, "curl -u bob:*** https://h"],
    [`git clone https://bob:${MARKER}@h/r`, "git clone https://***@h/r"],
    [`psql postgres://bob:${MARKER}@h/db`, "psql postgres://bob:***@h/db"],
    [`wget "https://h/?token=${MARKER}&n=1"`, `wget "https://h/?token=***&n=1"`],
    [`tool --password ${MARKER} --name bob`, "tool --password *** --name bob"],
    [`tool --api-key=${MARKER} x`, "tool --api-key=*** x"],
    [`mysql -u root -p${MARKER} db`, "mysql -u root -p*** db"],
    [`sshpass -p '${MARKER}' ssh -p 22 h`, "sshpass -p *** ssh -p 22 h"],
    [`{"password": "${MARKER}", "n": 1}`, `{"password": ***, "n": 1}`],
    [
      String.raw`echo "{\"apiKey\": \"${MARKER}\", \"n\": 1}"`,
      String.raw`echo "{\"apiKey\": ***, \"n\": 1}"`
    ],
    [`telegram.token=12:${MARKER}`, "telegram.token=***"],
    [`secret: ${MARKER}`, "secret: ***"],
    ["use sk-ant-api03-abcdefgh1234 now", "use *** now"],
    ["use sk-proj-abcdefgh1234 now", "use *** now"],
    ["use gsk_abcdefgh1234 now", "use *** now"],
    ["use ghp_abcdefgh1234 now", "use *** now"],
    ["use AKIAIOSFODNN7EXAMPLE now", "use *** now"],
    ["use eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.abc now", "use *** now"],
    ["aws set wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws set ***"],
    ["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx", "***\nx"],
    ["-----BEGIN PRIVATE KEY-----\nnever ends", "***"]
  ])("%s [X3]", (text, masked) => {
    expect(SecretText.mask(text)).toBe(masked)
    expect(SecretText.mask(text)).not.toContain(MARKER)
    // What is masked stays as it is.
    expect(SecretText.mask(masked)).toBe(masked)
  })

  it.each([
    "git push --force",
    "git show 0123456789abcdef0123456789abcdef01234567",
    "dd if=/dev/zero of=/dev/sda",
    "DEBUG=1 npm test",
    "X=$HOME ls",
    "ssh://git@host/repo",
    "cat src/Layers/Testing/AgentQuestionView2WithLongName/abcdefg",
    "npm i --integrity sha512-AbCdEf0123456789AbCdEf0123456789AbCdEf0123456789",
    "echo author: me"
  ])("leaves alone what is no secret: %s", (text) => {
    expect(SecretText.mask(text)).toBe(text)
  })

  it("takes time linear in the text, whatever it is [X8]", () => {
    const bits = [
      "a",
      '"',
      "A=",
      "x ",
      String.raw`\"`,
      "-H ",
      "mysql ",
      "token=",
      "-----BEGIN PRIVATE KEY-----"
    ]
    for (const bit of bits) {
      const text = bit.repeat(200_000 / bit.length)
      const masked = SecretText.mask(text)
      expect(masked.length).toBeLessThanOrEqual(text.length * 2)
    }
  })
})

/** Where a secret may stand in a call; each keeps the secret out of any other rule's reach. */
const carriers = [
  (secret: string) => ({ password: secret }),
  (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } }),
  (secret: string) => ({ nested: [{ "x-api-key": secret }] }),
  (secret: string) => ({ command: `TOKEN=${secret} make` }),
  (secret: string) => ({ command: `A=1 B='${secret}' make` }),
  (secret: string) => ({ command: `curl -H 'X-Own: ${secret}' https://h` }),
  (secret: string) => ({ command: `tool --token ${secret}` }),
  (secret: string) => ({ url: `https://bob:${secret}@host/` }),
  (secret: string) => ({ text: JSON.stringify({ secret }) })
] as const

const secret = Arbitrary.map(
  Arbitrary.schema(Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_+~-]{8,40}$/))),
  (text) => `q${text}`
)
const index = Arbitrary.schema(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: carriers.length - 1 }))
)
const padding = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12_000 })))

describe("Redaction", () => {
  it.prop(
    "no secret that shows as one is in a row, wherever it stands and wherever the row is cut [X3]",
    [index, secret, padding],
    ([index, secret, padding]) => {
      const carried = carriers[index]!(secret)
      for (const value of [carried, { ...carried, more: `${"x ".repeat(padding)}PASSWORD=${secret}` }]) {
        const { altered, value: redacted } = Redaction.redact(value)
        expect(JSON.stringify(redacted)).not.toContain(secret)
        expect(altered).toContain("masked")
      }
    },
    { arbitrary: { runs: 500 } }
  )

  it("bounds every text, list and row, and says that it did [A4.5]", () => {
    const long = Redaction.redact({ note: "x ".repeat(100_000) })
    expect(long.altered).toEqual(["cut"])
    expect(JSON.stringify(long.value).length).toBeLessThan(5000)
    const many = Redaction.redact(Array.from({ length: 1000 }, () => "y ".repeat(5000)))
    expect(many.altered).toEqual(["cut"])
    expect(JSON.stringify(many.value).length).toBeLessThan(100_000)
  })

  it("never cuts a character in two", () => {
    expect(String(Redaction.redact("😀".repeat(5000)).value).isWellFormed()).toBe(true)
  })

  it("bounds an input of any shape, and says whether it is all there [A4.5]", () => {
    expect(Redaction.bound({ a: [1, { b: 2 }] })).toEqual({ value: { a: [1, { b: 2 }] }, complete: true })
    const wide = Redaction.bound(Array.from({ length: 100_000 }, (_, at) => at))
    expect(wide.complete).toBe(false)
    expect(JSON.stringify(wide.value).length).toBeLessThan(3000)
    let deep: unknown = "end"
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(Redaction.bound(deep).complete).toBe(false)
  })

  it("what is no JSON becomes null, and is told [A4.5]", () => {
    expect(Redaction.redact({ a: Number.NaN, b: undefined, c: 1n, d: () => 1 })).toEqual({
      value: { a: null, c: null, d: null },
      altered: ["cut"]
    })
  })

  it("leaves what it redacted as it is, so that a row can be read and written again", () => {
    const once = Redaction.redact({ password: "x", note: "TOKEN=abcdef ls", long: "z ".repeat(9000) }).value
    expect(Redaction.redact(once).value).toMatchObject({ password: "***", note: "TOKEN=*** ls" })
  })
})
