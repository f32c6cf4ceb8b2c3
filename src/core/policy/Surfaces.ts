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

/** What the values of a surface are. */
export const kindOf = (surface: string): Pattern.Kind =>
  surface === "bash" || surface === "code"
    ? "words"
    : /^(?:path|external_directory)_/.test(surface)
      ? "path"
      : "text"

/** Keys that stand for two surfaces. Without a prototype: keys come from files, and `constructor` is one like any. */
export const PAIRS: Readonly<Record<string, ReadonlyArray<string>>> = {
  // @ts-expect-error The compiler takes this for a key.
  __proto__: null,
  path: ["path_read", "path_write"],
  external_directory: ["external_directory_read", "external_directory_write"]
}

/** Places for patterns that are only compared with each other. */
export const NOWHERE = { home: "", projectRoot: "" }

/** Whether a wildcard key stands for a surface too. */
export const matches = (key: string, surface: string): boolean =>
  Pattern.matches(Pattern.make(key, "text", NOWHERE), surface)

/** As much of a policy as says which surfaces there are. */
interface Rules {
  readonly written: ReadonlyArray<{ readonly rules: ReadonlyArray<{ readonly surface: string }> }>
}

/** Any tool whose name a wildcard key may meet: nothing but a key that is as wide covers it. */
const unheard = (key: string): string => key.replaceAll("*", Pattern.HOLE).replaceAll("?", "\u0002")

/** Every surface that a key speaks of; a wildcard key also of one that nobody has named. */
export const named = (key: string, { written }: Rules): ReadonlyArray<string> => {
  const pair = PAIRS[key]
  if (pair !== undefined) return pair
  if (!/[*?]/.test(key)) return [key]
  const keys = written.flatMap(({ rules }) => rules.map(({ surface }) => surface))
  const all = [...KNOWN, ...keys.filter((other) => !/[*?]/.test(other) && PAIRS[other] === undefined)]
  return [...new Set(all.filter((surface) => matches(key, surface))), unheard(key)]
}
