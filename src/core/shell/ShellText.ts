import { type After, type Mark, type Site, UNRESOLVED, type Walk } from "./Site.ts"
import { constant, type Piece, sourceOf, type Word } from "./ShellTree.ts"

/** Prefix of made-up variables that stand for a piece in a text that is read again. */
const STAND_IN = "obstat_elsewhere_"

/** The words as one text, as `eval` and `watch` join them. */
export const join = (words: ReadonlyArray<Word>): Word => ({
  value: words.map((word) => word.value).join(" "),
  pieces: words.flatMap((word, index) =>
    index === 0 ? word.pieces : [{ _tag: "literal", text: " ", quoted: true } as const, ...word.pieces]
  ),
  runs: []
})

/** A word with every `mark` in its literal text replaced. */
export const substitute = (word: Word, mark: string, piece: Piece & { readonly name: string }): Word => {
  if (mark === "" || !word.value.includes(mark)) return word
  const pieces = word.pieces.flatMap((item): ReadonlyArray<Piece> => {
    if (item._tag !== "literal" || !item.text.includes(mark)) return [item]
    return item.text
      .split(mark)
      .flatMap((text, index) => [
        ...(index === 0 ? [] : [piece]),
        ...(text === "" ? [] : [{ ...item, text }])
      ])
  })
  return { value: word.value.replaceAll(mark, piece.name), pieces, runs: word.runs }
}

/** Reads a text as the shell would, and walks what it runs. A text that is not certain marks all of it. */
export const read = (
  walk: Walk,
  word: Word,
  site: Site
): { readonly mark: Mark | null; readonly after: After } => {
  const certain = constant(word)
  const parsed = walk.parse(certain ?? standIns(walk, word))
  const mark = certain === null ? UNRESOLVED.text : null
  const inside: Site = mark === null ? site : { ...site, mark }
  const same: After = { ok: site.base, fail: site.base }
  if (parsed._tag === "Parsed") return { mark, after: walk.visit(walk, parsed.root, inside) }
  walk.flaw ??= parsed.flaw
  if (parsed.recovered !== null) walk.visit(walk, parsed.recovered, inside)
  return { mark: UNRESOLVED.text, after: same }
}

/** The text with a made-up variable for every piece that is not certain: what it runs is walked elsewhere. */
const standIns = (walk: Walk, word: Word): string => {
  let text = ""
  for (const piece of word.pieces) {
    if (piece._tag === "literal") {
      text += piece.text
      continue
    }
    const name = `${STAND_IN}${walk.standIns.size}`
    walk.standIns.set(name, piece)
    text += `\${${name}}`
  }
  return text
}

/** Puts the pieces back in place of their stand-ins. */
export const restore = (walk: Walk, word: Word): Word => {
  if (walk.standIns.size === 0 || !word.value.includes(STAND_IN)) return word
  let value = word.value
  const pieces = word.pieces.map((piece) => {
    const original =
      piece._tag === "expansion" && piece.name !== null ? walk.standIns.get(piece.name) : undefined
    if (original === undefined || piece._tag !== "expansion") return piece
    value = value.replaceAll(piece.source, sourceOf(original))
    return original
  })
  return { value, pieces, runs: word.runs }
}

/** One word split into words by quotes and blanks (`env -S`); `null` where it is not certain. */
export const split = (walk: Walk, word: Word): ReadonlyArray<Word> | null => {
  const text = constant(word)
  if (text === null || /[$`\\;&|<>()]/.test(text)) return null
  const parsed = walk.parse(`: ${text}`)
  return parsed._tag === "Parsed" && parsed.root._tag === "Command" ? parsed.root.words.slice(1) : null
}

const NAME = /[A-Za-z_]/

const SUBSTITUTION = /\$\(|`|\$\{/

/** A text that the shell evaluates as arithmetic or as a variable's name, subscript and all. */
export const evaluate = (walk: Walk, word: Word, site: Site): Mark | null => {
  const text = constant(word)
  if (text === null) {
    // A name or number from elsewhere may hold a subscript, and a subscript runs commands.
    return UNRESOLVED.arithmetic
  }
  if (NAME.test(text)) walk.evaluates = true
  if (!SUBSTITUTION.test(text)) return null
  const parsed = walk.parse(`((${text}))`)
  if (parsed._tag === "Parsed") {
    // What it runs is listed here and now.
    walk.latent.delete(text)
    walk.visit(walk, parsed.root, site)
    return null
  }
  walk.flaw ??= parsed.flaw
  return UNRESOLVED.arithmetic
}

/**
 * Keeps literal text that would run commands if the shell ever evaluated it as arithmetic: a variable, a
 * positional parameter, a line that `read` takes may carry it there.
 */
export const remember = (walk: Walk, word: Word): void => {
  if (!word.value.includes("[")) return
  for (const piece of word.pieces) {
    // A bracket with quotes in it is read as a pattern of file names, where it may be a subscript too.
    if (piece._tag === "glob" && /['"]/.test(piece.text) && SUBSTITUTION.test(piece.text)) {
      walk.latent.add(piece.text.replaceAll(/['"]/g, ""))
    }
    if (piece._tag !== "literal" || !piece.quoted || !SUBSTITUTION.test(piece.text)) continue
    walk.latent.add(constant(word) ?? piece.text)
  }
}
