import type { Word } from "./ShellTree.ts"

/** Directories that a command may run in, absolute; empty where that is not known. */
export type Base = ReadonlyArray<string>

/** More possible directories than this are as good as unknown. */
const MAX_BASES = 8

export const UNKNOWN: Base = []

/**
 * Where a word points.
 *
 * - `exact`: this path. `glob`: paths of this pattern. `below`: anything in this directory. `any`: unknown.
 */
export interface Target {
  readonly kind: "exact" | "glob" | "below" | "any"
  /** Absolute, dots folded; as written where `any`. */
  readonly path: string
  /** Absolute, as the system would walk it: `a/../b` still goes through `a`. */
  readonly raw: string
}

/** Anything that folding would change: no leading slash, a doubled or last one, a part that begins with a dot. */
const UNTIDY = /^(?!\/.)|\/(?:[./]|$)/

/** Folds `.` and `..` by text alone. */
export const normalise = (path: string): string => {
  if (!UNTIDY.test(path)) return path
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue
    if (part === "..") parts.pop()
    else parts.push(part)
  }
  return `/${parts.join("/")}`
}

export const union = (left: Base, right: Base): Base => {
  if (left === right) return left
  if (left.length === 0 || right.length === 0) return UNKNOWN
  const all = [...new Set([...left, ...right])]
  return all.length > MAX_BASES ? UNKNOWN : all
}

export interface Places {
  readonly base: Base
  /** `null` once the text has set it to something unknown. */
  readonly home: string | null
}

const escapeGlob = (text: string): string => text.replaceAll(/[*?[\]\\]/g, "\\$&")

/** A bracket of one plain character is that character. */
const SINGLE = /^\[([^!^\]\\])\]$/

/** Every place that a word may mean, one for each possible directory. */
export const resolve = (word: Word, places: Places): ReadonlyArray<Target> => {
  const any: Target = { kind: "any", path: word.value, raw: word.value }
  let prefix: string | null = null
  let text = ""
  const glob = word.pieces.some((piece) => piece._tag === "glob" && !SINGLE.test(piece.text))
  const pattern: Array<string> = []
  for (let index = 0; index < word.pieces.length; index++) {
    const piece = word.pieces[index]!
    if (piece._tag === "literal") {
      text += piece.text
      if (glob) pattern.push(escapeGlob(piece.text))
    } else if (piece._tag === "glob") {
      const single = SINGLE.exec(piece.text)?.[1]
      text += single ?? piece.text
      if (glob) pattern.push(single === undefined ? piece.text : escapeGlob(single))
    } else if (piece._tag === "elsewhere" && piece.below !== null && index === 0) {
      return piece.below.flatMap((root) =>
        resolve(root, places).map((target) =>
          target.kind === "exact" ? { ...target, kind: "below" as const } : any
        )
      )
    } else if (text === "" && prefix === null) {
      const home =
        piece._tag === "tilde" ? piece.text === "~" : piece._tag === "expansion" && piece.name === "HOME"
      const here =
        piece._tag === "tilde" ? piece.text === "~+" : piece._tag === "expansion" && piece.name === "PWD"
      if (home && places.home !== null) prefix = places.home
      else if (here) prefix = "."
      else return [any]
    } else return [any]
  }
  if (prefix === null && word.value === "") return [any]
  const kind = glob ? ("glob" as const) : ("exact" as const)
  const finish = (root: string): Target => {
    const full = glob ? pattern.join("") : text
    const raw = `${root}${root === "" ? "" : "/"}${full}`
    return { kind, path: normalise(raw), raw }
  }
  if (prefix !== null && prefix !== ".") return [finish(prefix)]
  if (prefix === null && text.startsWith("/")) return [finish("")]
  return places.base.length === 0 ? [any] : places.base.map(finish)
}
