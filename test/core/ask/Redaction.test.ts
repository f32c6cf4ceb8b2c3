import { assert, describe, it } from "@effect/vitest"
import * as Redaction from "../../../src/core/ask/Redaction.ts"

const MARKER = "hunter2hunter2"

describe("Redaction", () => {
  for (const text of [
    `KEY=${MARKER} curl https://x.example`,
    `export DB_PASSWORD='${MARKER} and more'`,
    `env lower="${MARKER}" run`,
    `curl -H 'Authorization: Bearer ${MARKER}' https://x.example`,
    `curl --header "X-Anything: ${MARKER}" https://x.example`,
    `curl -u me:${MARKER} https://x.example`,
    `git clone https://me:${MARKER}@x.example/r.git`,
    `curl 'https://x.example/?a=1&access_token=${MARKER}'`,
    `mysql --password=${MARKER} -u root`,
    `tool --api-key "${MARKER}"`,
    `{"apiKey": "${MARKER}", "n": 1}`,
    `Cookie: ${MARKER}`,
    `echo sk-${MARKER}abcdefgh`,
    `-----BEGIN RSA PRIVATE KEY-----\n${MARKER}\n-----END RSA PRIVATE KEY-----`,
    `cat <<E\n-----BEGIN PRIVATE KEY-----\n${MARKER}`
  ]) {
    it(`masks the secret in ${JSON.stringify(text)} [P3.4] [X3]`, () => {
      const redacted = Redaction.text(text)
      assert.notInclude(redacted.text, MARKER)
      assert.isTrue(redacted.masked)
    })
  }

  it("leaves what is no secret as it is [P3.4]", () => {
    for (const text of [
      "git push --force origin main",
      "git commit -m 'fix: key handling'",
      "docker run --rm -it alpine sh",
      "monkey: see"
    ]) {
      assert.deepStrictEqual(Redaction.text(text), { text, masked: false })
    }
  })

  it("knows secrets by the words of their name [X3]", () => {
    for (const name of ["apiKey", "API_KEY", "x-auth-token", "dbPassword", "GITHUB_TOKEN", "clientsecret"]) {
      assert.isTrue(Redaction.isSecretName(name), name)
    }
    for (const name of ["author", "keyboard", "tokenizer", "path", "monkey"]) {
      assert.isFalse(Redaction.isSecretName(name), name)
    }
  })

  it("masks values under secret names in JSON, and secrets in its texts [X3]", () => {
    assert.deepStrictEqual(
      Redaction.json({ a: [{ token: { deep: MARKER } }], command: `K=${MARKER} ls`, n: 1, no: null }),
      { a: [{ token: Redaction.MASK }], command: `K=${Redaction.MASK} ls`, n: 1, no: null }
    )
  })

  it("never lets a value through that nests too deep to be looked at [X3]", () => {
    let value: unknown = MARKER
    for (let depth = 0; depth < 1000; depth++) value = [value]
    assert.notInclude(JSON.stringify(Redaction.json(value)), MARKER)
  })
})
