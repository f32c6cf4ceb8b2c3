import * as Schema from "effect/Schema"
import * as LintChecks from "./LintChecks.ts"
import type { Places } from "./Pattern.ts"
import * as Policy from "./Policy.ts"
import type { PolicyText } from "./PolicyDocument.ts"
import { Scope } from "./Ruling.ts"

/** A rule that cannot do what it seems to say, or says more than it seems to (L2.5). */
export const Finding = Schema.Struct({
  check: Schema.Literals(LintChecks.NAMES),
  scope: Scope,
  file: Schema.NullOr(Schema.String),
  /** From 1. */
  line: Schema.Int,
  /** Where in the document, e.g. `["permission", "bash", "rm *"]`. */
  path: Schema.Array(Schema.String),
  message: Schema.String,
  /** What to write instead, `null` where nothing better is known. */
  suggestion: Schema.NullOr(Schema.String)
})
export type Finding = typeof Finding.Type

/**
 * Looks at every rule of the files among these texts, each beside all the others (L2.5). Pure. A file that no
 * one has accepted is looked at as if it were; one that is broken is the caller's to refuse.
 */
export const lint = (texts: ReadonlyArray<PolicyText>, places: Places): ReadonlyArray<Finding> => {
  const policy = Policy.compile(
    texts.map((text) => ({ ...text, trusted: true })),
    places
  )
  return policy.written
    .filter(({ file }) => file !== null)
    .flatMap(({ file, rules, scope }) =>
      rules.flatMap((rule) =>
        LintChecks.check({ rule, scope, policy }).map(({ check, message, suggestion }): Finding => ({
          check,
          scope,
          file,
          line: rule.line,
          path: ["permission", rule.surface, rule.pattern],
          message,
          suggestion
        }))
      )
    )
}

/** `file:line: check: action surface "pattern": message (suggestion)` */
const show = ({ check, file, line, message, path, suggestion }: Finding): string =>
  `${file ?? "policy"}:${line}: ${check}: ${path[1]} "${path[2]}" ${message}${suggestion === null ? "" : `\n    ${suggestion}`}`

/** The same for people, a finding a line and what to do below it. */
export const render = (findings: ReadonlyArray<Finding>): string => findings.map(show).join("\n")
