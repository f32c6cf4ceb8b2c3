import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as MemoryPolicySource from "../../../src/adapters/memory/MemoryPolicySource.ts"
import * as Policy from "../../../src/core/policy/Policy.ts"
import { PolicySource } from "../../../src/core/policy/PolicySource.ts"

const places = { home: "/home/me", projectRoot: "/work" }
const rules = (action: string) => JSON.stringify({ permission: { bash: { "rm *": action } } })

describe("MemoryPolicySource", () => {
  it.effect("gives the texts of a host by scope, trusted, each with a digest of its own [L2.3]", () =>
    Effect.gen(function* () {
      const texts = yield* PolicySource.use(({ read }) => read).pipe(
        Effect.provide(MemoryPolicySource.layer({ project: rules("allow"), user: rules("deny") }))
      )
      assert.deepStrictEqual(
        texts.map(({ scope, trusted }) => [scope, trusted]),
        [
          ["user", true],
          ["project", true]
        ]
      )
      assert.lengthOf(new Set(texts.map(({ digest }) => digest)), 2)
      assert.deepStrictEqual(Policy.compile(texts, places).issues, [])
    })
  )

  it("has no text that was not given, and gives a broken one as it is [L2.2]", () => {
    assert.deepStrictEqual(MemoryPolicySource.texts({}), [])
    assert.isTrue(Policy.compile(MemoryPolicySource.texts({ user: "{" }), places).broken)
  })
})
