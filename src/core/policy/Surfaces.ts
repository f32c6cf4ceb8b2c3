import * as Pattern from "./Pattern.ts"

/** The surfaces that are no tool's own name (L1.2). */
export const KNOWN = [
  "bash",
  "code",
  "path_read",
  "path_write",
  "external_directory_read",
  "external_directory_write",
  "mcp",
  "skill",
  "web",
  "agent"
] as const

/** Keys that stand for two surfaces. */
export const PAIRS: Readonly<Record<string, ReadonlyArray<string>>> = {
  path: ["path_read", "path_write"],
  external_directory: ["external_directory_read", "external_directory_write"]
}

/** As much of a policy as says which surfaces there are. */
interface Rules {
  readonly places: Pattern.Places
  readonly written: ReadonlyArray<{ readonly rules: ReadonlyArray<{ readonly surface: string }> }>
}

/** Any tool whose name a wildcard key may meet: nothing but a key that is as wide covers it. */
const unheard = (key: string): string => key.replaceAll("*", Pattern.HOLE).replaceAll("?", "\u0002")

/** Every surface that a key speaks of; a wildcard key also of one that nobody has named. */
export const named = (key: string, { places, written }: Rules): ReadonlyArray<string> => {
  const pair = PAIRS[key]
  if (pair !== undefined) return pair
  if (!/[*?]/.test(key)) return [key]
  const pattern = Pattern.make(key, "text", places)
  const keys = written.flatMap(({ rules }) => rules.map(({ surface }) => surface))
  const all = [...KNOWN, ...keys.filter((other) => !/[*?]/.test(other) && PAIRS[other] === undefined)]
  return [...new Set(all.filter((surface) => Pattern.matches(pattern, surface))), unheard(key)]
}
