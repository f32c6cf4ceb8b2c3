import { expect, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import * as BuiltinPolicy from "../../../src/core/policy/BuiltinPolicy.ts"
import * as StarterPolicy from "../../../src/core/policy/StarterPolicy.ts"
import { compile, file } from "./Fixtures.ts"

const digest = (rules: unknown): string =>
  createHash("sha256").update(JSON.stringify(rules)).digest("base64url").slice(0, 12)

it("rules that ship have a version, which a ruling's digest names [A4.3, L2.6]", () => {
  // Whoever changes the rules counts the version up and puts their new digest here.
  expect([BuiltinPolicy.VERSION, digest(BuiltinPolicy.make([]))]).toEqual([1, "xPyva5lYS5SR"])
  expect([StarterPolicy.VERSION, digest(StarterPolicy.make([]))]).toEqual([1, "XZYpoec9hgBI"])
  expect(compile().digest).toBe("builtin:1 starter:1")
  expect(compile(file({})).digest).toBe("builtin:1 user:{}")
})
