import * as Schema from "effect/Schema"

const atLeastOne = Schema.Int.pipe(Schema.check(Schema.isGreaterThanOrEqualTo(1)))

/**
 * How much room the dialog, and the fallback that shares its budget, may take by default (P2.1, P3.3).
 *
 * - `rows`: rows of the whole dialog. A smaller terminal lowers it; a taller core outranks it (P2.3).
 * - `columns`: columns of one row of evidence; the rest is elided. A core field wraps instead.
 */
export const AskBudget = Schema.Struct({ rows: atLeastOne, columns: atLeastOne })
export type AskBudget = typeof AskBudget.Type

/** The height of the classic terminal, so that a dialog never buries what a tall window shows; two such widths. */
export const defaults: AskBudget = { rows: 24, columns: 160 }
