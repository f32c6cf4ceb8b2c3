import { assert, describe, it } from "@effect/vitest"
import * as AuthorizerChain from "../../../src/core/authority/AuthorizerChain.ts"
import * as Policy from "../../../src/core/policy/Policy.ts"
import type { PolicyText } from "../../../src/core/policy/PolicyDocument.ts"

const text = (
  scope: PolicyText["scope"],
  authorizerChain: ReadonlyArray<string> | null,
  trusted = true
): PolicyText => {
  const text = JSON.stringify(authorizerChain === null ? {} : { authorizerChain })
  return { scope, file: `${scope}.jsonc`, text, digest: text, unreadable: null, trusted }
}

const chainOf = (...texts: ReadonlyArray<PolicyText>) =>
  AuthorizerChain.of(Policy.compile(texts, { home: "/h", projectRoot: "/p" }))

describe("AuthorizerChain", () => {
  it("is what the scopes name, the administrator's first, each link once [A2.2]", () => {
    assert.deepStrictEqual(chainOf(text("user", null)), [])
    assert.deepStrictEqual(
      chainOf(text("project", ["judge", "late"]), text("user", ["judge"]), text("admin", ["company"])),
      ["company", "judge", "late"]
    )
  })

  it("loses no link to a more specific scope, and gains none from an untrusted one [A2.2] [X7]", () => {
    assert.deepStrictEqual(chainOf(text("admin", ["company"]), text("user", [])), ["company"])
    assert.deepStrictEqual(chainOf(text("user", ["judge"]), text("project", ["mine"], false)), ["judge"])
  })
})
