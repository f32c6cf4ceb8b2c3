/**
 * Command text as a tree, independent of the parser that read it: what the analysis needs and no more.
 * Every place where a command can hide is a `Node` of its own, reachable from the root.
 */

/** A part of a word, in order. Only `literal` is certain before the shell runs. */
export type Piece =
  | { readonly _tag: "literal"; readonly text: string; readonly quoted: boolean }
  /** Unquoted `*`, `?`, `[…]`, `@(…)`: file names decide. */
  | { readonly _tag: "glob"; readonly text: string }
  /** A leading unquoted `~`, `~+`, `~name`, as written. */
  | { readonly _tag: "tilde"; readonly text: string }
  /** `$x`, `${…}`, `$(…)`, `$((…))`; `name` where it is a plain variable. */
  | {
      readonly _tag: "expansion"
      readonly source: string
      readonly name: string | null
      readonly quoted: boolean
    }
  /** `<(…)`, `>(…)`: a pipe, not a file. */
  | { readonly _tag: "pipe"; readonly source: string }
  /** Read while running: `<stdin>`, `<found>`, `<FILE>`. `below`: the directories that it must lie in, if known. */
  | { readonly _tag: "elsewhere"; readonly name: string; readonly below: ReadonlyArray<Word> | null }

export interface Word {
  /** After quote removal; expansions keep their source. */
  readonly value: string
  readonly pieces: ReadonlyArray<Piece>
  /** Commands that the shell runs to make this word. */
  readonly runs: ReadonlyArray<Node>
}

export interface Assignment {
  readonly name: string
  /** The whole assignment after quote removal, as a declaration shows it. */
  readonly word: Word
  /** `null` for an array. */
  readonly value: Word | null
}

export type Redirect =
  | {
      readonly _tag: "file"
      readonly direction: "read" | "write" | "both"
      readonly target: Word
      /** `{name}>`: the variable that holds the descriptor. */
      readonly variable: string | null
    }
  /** `>&word`: a descriptor, or a file where the word is neither a number nor `-`. */
  | { readonly _tag: "descriptor"; readonly target: Word }
  /** A here-document or here-string: what the command reads from its standard input. */
  | { readonly _tag: "text"; readonly word: Word }

export interface Command {
  readonly _tag: "Command"
  readonly assignments: ReadonlyArray<Assignment>
  readonly words: ReadonlyArray<Word>
  readonly redirects: ReadonlyArray<Redirect>
}

/** How an entry of a list follows the one before it. */
export type Join = ";" | "&&" | "||"

export type Node =
  | Command
  | { readonly _tag: "List"; readonly entries: ReadonlyArray<{ readonly join: Join; readonly node: Node }> }
  | { readonly _tag: "Pipeline"; readonly stages: ReadonlyArray<Node> }
  | { readonly _tag: "Not"; readonly body: Node }
  /** A change of directory inside does not leak out. */
  | { readonly _tag: "Subshell"; readonly body: Node }
  /** `if`, `case`, loops: `words` are expanded, then each body may run. */
  | {
      readonly _tag: "Branches"
      readonly words: ReadonlyArray<Word>
      readonly bodies: ReadonlyArray<Node>
      readonly loop: boolean
      /** The variable that takes each of the words in turn. */
      readonly variable: string | null
    }
  | { readonly _tag: "Function"; readonly name: string; readonly body: Node }
  | { readonly _tag: "Redirected"; readonly body: Node; readonly redirects: ReadonlyArray<Redirect> }
  /** `[[ … ]]`, its operators among the words; `subscripts` are operands that the shell evaluates. */
  | {
      readonly _tag: "Test"
      readonly words: ReadonlyArray<Word>
      readonly subscripts: ReadonlyArray<Word>
    }
  /** `(( … ))` and arithmetic elsewhere; `evaluates`: a variable or an expansion in it is evaluated again. */
  | { readonly _tag: "Arithmetic"; readonly runs: ReadonlyArray<Node>; readonly evaluates: boolean }
  /** Text that a variable may come to hold: an array's element, a default value. */
  | { readonly _tag: "Kept"; readonly word: Word }
  /** `${x@P}`: the value of a variable is run through the shell's expansion. */
  | { readonly _tag: "Unseen"; readonly source: string }

/** Why a text could not be taken apart with certainty. */
export type Flaw = "invalid_characters" | "too_long" | "too_deep" | "syntax" | "unsupported"

export type Parsed =
  | { readonly _tag: "Parsed"; readonly root: Node }
  /** Never better than ask. `recovered` holds what was still seen, so that a deny on it holds. */
  | { readonly _tag: "Unknown"; readonly flaw: Flaw; readonly recovered: Node | null }

/** A shell grammar behind a plain function: total, bounded, without I/O (L3.1). */
export type Parse = (text: string) => Parsed

export const literal = (text: string, quoted = true): Word => ({
  value: text,
  pieces: [{ _tag: "literal", text, quoted }],
  runs: []
})

/** A piece as a word shows it: quotes removed, expansions as written. */
export const sourceOf = (piece: Piece): string => {
  switch (piece._tag) {
    case "literal":
    case "glob":
    case "tilde":
      return piece.text
    case "expansion":
    case "pipe":
      return piece.source
    case "elsewhere":
      return piece.name
  }
}

/** The word's text where it is certain, else `null`. */
export const constant = (word: Word): string | null =>
  word.pieces.every((piece) => piece._tag === "literal") ? word.value : null

const SAFE = /^[A-Za-z0-9_@%+=:,./#^~-]+$/

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/

/** A word for reading: single-quoted where it holds blanks or shell characters of its own (L6.3). */
export const show = (word: Word): string => {
  const [first] = word.pieces
  if (first?._tag === "literal" && word.pieces.length === 1 && PLAIN.test(word.value)) return word.value
  const bare =
    word.value !== "" &&
    word.pieces.every((piece) => piece._tag !== "literal" || piece.text === "" || SAFE.test(piece.text)) &&
    !(word.pieces[0]?._tag === "literal" && word.value.startsWith("~"))
  return bare ? word.value : `'${word.value.replaceAll("'", `'\\''`)}'`
}

/** The word without its first `count` characters, which have to be literal; else `null`. */
export const drop = (word: Word, count: number): Word | null => {
  const pieces: Array<Piece> = []
  let rest = count
  for (const piece of word.pieces) {
    if (rest === 0) pieces.push(piece)
    else if (piece._tag !== "literal") return null
    else {
      const cut = Math.min(rest, piece.text.length)
      rest -= cut
      if (cut < piece.text.length) pieces.push({ ...piece, text: piece.text.slice(cut) })
    }
  }
  return rest > 0 ? null : { value: word.value.slice(count), pieces, runs: word.runs }
}
