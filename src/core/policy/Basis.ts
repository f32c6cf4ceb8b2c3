import * as Schema from "effect/Schema"
import type { Analysis } from "./Analysis.ts"
import { Grant } from "./Grant.ts"
import type { Facts } from "./PathFacts.ts"

/**
 * What a ruling rested on besides the call and the policy: written down beside it, the same decision can be made
 * again without a file system (A4.2). Lists instead of records: paths are never keys.
 */
export const Basis = Schema.Struct({
  /** The places of the analysis; its directory is the call's. */
  home: Schema.String,
  projectRoot: Schema.String,
  temporary: Schema.NullOr(Schema.String),
  paths: Schema.Array(Schema.Struct({ path: Schema.String, real: Schema.NullOr(Schema.String) })),
  /** Programs that the project cannot have put there. */
  trusted: Schema.Array(Schema.String),
  grants: Schema.Array(Grant)
})
export type Basis = typeof Basis.Type

/** The facts that a decision on this analysis can ask for, as they were. */
export const take = (analysis: Analysis, facts: Facts, grants: ReadonlyArray<Grant>): Basis => ({
  home: analysis.environment.home,
  projectRoot: analysis.environment.projectRoot,
  temporary: analysis.environment.temporary ?? null,
  paths: analysis.paths.map((path) => ({ path, real: facts.canonical(path) })),
  trusted: analysis.programs.filter((program) => facts.trusted(program)),
  grants
})

/** The same facts again. What was not asked for then is unknown now. */
export const facts = (basis: Basis): Facts => {
  const real = new Map(basis.paths.map(({ path, real }) => [path, real]))
  const trusted = new Set(basis.trusted)
  return { canonical: (path) => real.get(path) ?? null, trusted: (program) => trusted.has(program) }
}
