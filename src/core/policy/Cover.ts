import * as Pattern from "./Pattern.ts"

/** Stands for one character that is not known; no pattern holds it. */
const ANY = "\u0002"

const open = (runs: ReadonlyArray<string>): string => runs.join(Pattern.HOLE).replaceAll("?", ANY)

/**
 * Whether everything that `narrow` matches is matched by `wide`. `true` is certain; a `false` may be wrong only
 * where `wide` covers by several of its ways at once. Both of one kind.
 */
export const covers = (wide: Pattern.Pattern, narrow: Pattern.Pattern): boolean =>
  Pattern.matches(wide, open(narrow.runs)) &&
  (narrow.bare === null || Pattern.matches(wide, open(narrow.bare)))
