/** How a gate with patterns as `.gitignore` has them names files. */
export interface Base {
  /** What a leading single slash stands for: a directory as rules here write it, `null` if that is not known. */
  readonly root: string | null
}

/** The same files as patterns of ours; `exact: false` where they match more, which only a stricter rule may. */
export interface Translated {
  readonly patterns: ReadonlyArray<string>
  readonly exact: boolean
}

/**
 * Reads a `.gitignore` pattern (L2.4). There `*` stays within one folder and here it does not, a name without a
 * slash is meant at any depth, and a folder means all that is in it. `null`: it cannot be said here at all.
 *
 * @param strict also what the pattern's folders hold, as a deny needs it
 */
export const translate = (pattern: string, { root }: Base, strict: boolean): Translated | null => {
  if (/^!|[\\{}]/.test(pattern) || pattern === "") return null
  const [start, rest] = anchor(pattern, root)
  if (start === null)
    return strict ? { patterns: within(`*/${rest.replaceAll(/\*+/g, "*")}`), exact: false } : null
  const classes = rest.replaceAll(/\[[^\]]*\]/g, "?")
  let exact = classes === rest && !rest.includes("?")
  // Any depth and any name is what a single star says here.
  const folded = classes.replaceAll(/\*\*(?:\/\*\*)*\/\*(?!\*)/g, "**").replaceAll(/\*\*(?:\/\*\*)+/g, "**")
  if (/(?<!\*)\*(?!\*)/.test(folded) && !(start === "" && /^\*[^*/]*$/.test(folded))) exact = false
  const named = folded
    .split("/**/")
    .reduce<ReadonlyArray<string>>(
      (before, part) =>
        before.length === 0 ? [part] : before.flatMap((text) => [`${text}/${part}`, `${text}/*/${part}`]),
      []
    )
  const texts = named.map((text) => text.replaceAll(/\*+/g, "*"))
  const placed = texts.flatMap((text) => place(start, text, strict))
  return { patterns: [...new Set(strict ? placed.flatMap(within) : placed)], exact }
}

/** A name without a slash is meant at any depth; `**` in front says the same. */
const ANYWHERE = ""

const anchor = (pattern: string, root: string | null): readonly [string | null, string] => {
  const text = pattern.replace(/^(?:\.\/)+/, "").replace(/\/$/, "/**")
  if (pattern.startsWith("//")) return ["/", pattern.slice(2)]
  if (/^(?:~|\$HOME|\$\{HOME\})\//.test(pattern)) return ["~/", pattern.slice(pattern.indexOf("/") + 1)]
  if (pattern.startsWith("/")) return [root === null ? null : `${root}/`, text.slice(1)]
  if (text.startsWith("**/")) return [ANYWHERE, text.slice(3)]
  const anchored = pattern.startsWith("./") || pattern.replace(/\/$/, "").includes("/")
  return [anchored ? "./" : ANYWHERE, text]
}

const place = (start: string, text: string, strict: boolean): ReadonlyArray<string> => {
  if (start !== ANYWHERE) return [start + text]
  if (strict) return [text.startsWith("*") ? text : `*/${text}`]
  return text.startsWith("*") ? [`./${text}`] : [`./${text}`, `./*/${text}`]
}

const within = (pattern: string): ReadonlyArray<string> =>
  pattern.endsWith("*") ? [pattern] : [pattern, `${pattern}/*`]
