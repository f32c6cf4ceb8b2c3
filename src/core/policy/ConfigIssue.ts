import * as Schema from "effect/Schema"

/** One thing wrong in a policy file (L2.2). Lines and columns count from 1, columns in UTF-16 code units. */
export const ConfigIssue = Schema.Struct({
  /** `error`: the scope fails closed. `notice`: something is ignored on purpose, and says so. */
  severity: Schema.Literals(["error", "notice"]),
  file: Schema.NullOr(Schema.String),
  line: Schema.Int,
  column: Schema.Int,
  /** Where in the document, e.g. `["permission", "bash", "rm *"]`. */
  path: Schema.Array(Schema.Union([Schema.String, Schema.Int])),
  message: Schema.String,
  /** What to write instead, `null` where nothing better is known. */
  suggestion: Schema.NullOr(Schema.String)
})
export type ConfigIssue = typeof ConfigIssue.Type

/** `file:line:column: message (suggestion)` */
export const show = (issue: ConfigIssue): string =>
  `${issue.file ?? "policy"}:${issue.line}:${issue.column}: ${issue.message}${
    issue.suggestion === null ? "" : ` (${issue.suggestion})`
  }`
