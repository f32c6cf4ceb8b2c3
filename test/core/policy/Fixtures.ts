import * as Analysis from "../../../src/core/policy/Analysis.ts"
import { decide } from "../../../src/core/policy/Decide.ts"
import type { GrantRule } from "../../../src/core/policy/Grant.ts"
import * as PathFacts from "../../../src/core/policy/PathFacts.ts"
import * as Policy from "../../../src/core/policy/Policy.ts"
import type { PolicyText } from "../../../src/core/policy/PolicyDocument.ts"
import type { Ruling, Scope } from "../../../src/core/policy/Ruling.ts"

export const environment = { cwd: "/project", home: "/home/u", projectRoot: "/project" }

/** A policy file of one scope, as text or as what it says. */
export const file = (content: object | string, scope: Scope = "user", trusted = true): PolicyText => {
  const text = typeof content === "string" ? content : JSON.stringify(content)
  return { scope, file: `${scope}.jsonc`, text, digest: text, trusted, unreadable: null }
}

export const compile = (...texts: ReadonlyArray<PolicyText>): Policy.Policy =>
  Policy.compile(texts, environment)

/** A grant of a pattern; or, with `line`, of exactly this in that command. */
export const grant = (surface: string, pattern: string, command?: string): GrantRule => ({
  surface,
  pattern,
  exact: command !== undefined,
  line: command === undefined ? null : { command, cwd: environment.cwd }
})

/** A user policy of these permissions. */
export const permit = (permission: object): Policy.Policy => compile(file({ permission }))

export const rule = (
  policy: Policy.Policy,
  command: string,
  { facts = PathFacts.none, grants = [] }: { facts?: PathFacts.Facts; grants?: ReadonlyArray<GrantRule> } = {}
): Ruling => decide(policy, grants, Analysis.command(command, environment), facts)

export const call = (
  policy: Policy.Policy,
  tool: string,
  input: unknown,
  facts: PathFacts.Facts = PathFacts.none
): Ruling => decide(policy, [], Analysis.analyse({ agent: "claude", tool, input }, environment), facts)
