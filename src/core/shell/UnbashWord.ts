import {
  parse as parseBash,
  type ArithmeticExpression,
  type ParameterExpansionPart,
  type ParsedScript,
  type Word as BashWord,
  type WordPart
} from "unbash"
import * as BraceExpansion from "./BraceExpansion.ts"
import { sourceOf, type Flaw, type Node, type Piece, type Word } from "./ShellTree.ts"

/** Words that brace expansion may add to one text; more is a text that nobody wrote to be read. */
const MAX_EXPANDED = 4_096

/** What lowering a text gathers and may still spend. */
export interface State {
  flaw: Flaw | null
  depth: number
  expanded: number
  /** Lowers a nested script; a field, because words hold scripts and scripts hold words. */
  readonly script: (node: ParsedScript | undefined) => Node
}

export const flawed = (state: State, flaw: Flaw): void => {
  state.flaw ??= flaw
}

/** The end of a closed switch: a node type that is not listed is never skipped in silence. */
export const unsupported = (state: State, _node: never): Node => {
  flawed(state, "unsupported")
  return EMPTY
}

export const EMPTY: Node = { _tag: "List", entries: [] }

/** A word that the shell may turn into several by brace expansion, which the grammar leaves to us. */
export const expanded = (state: State, node: BashWord): ReadonlyArray<Word> => {
  if (node.parts === undefined || !node.parts.some((part) => part.type === "BraceExpansion")) {
    return [word(state, node)]
  }
  const sources = BraceExpansion.expand(node.text)
  if (sources === null || (sources.length === 1 && sources[0] === node.text)) return [word(state, node)]
  state.expanded += sources.length
  if (state.expanded > MAX_EXPANDED) {
    flawed(state, "too_long")
    return [word(state, node)]
  }
  return sources.flatMap((source) => {
    const reread = parseBash(`: ${source}`)
    const only = reread.commands.length === 1 ? reread.commands[0]!.command : undefined
    if (only?.type !== "Command" || only.suffix.length > 1 || (reread.errors?.length ?? 0) > 0) {
      flawed(state, "unsupported")
      return []
    }
    const item = only.suffix[0]
    if (item === undefined) return []
    if (item.type !== "Word") {
      flawed(state, "unsupported")
      return []
    }
    return [word(state, item)]
  })
}

/** Where a substitution starts; inside double quotes `<(` is text. */
const OPENER = /[`]|\$[({[]|[<>]\(/
export const QUOTED_OPENER = /[`]|\$[({[]/

/** Whether an opener stands in a text without a backslash before it. */
export const opened = (source: string, opener: RegExp): boolean =>
  opener.test(source) && opener.test(source.replaceAll(/\\[^]/g, "__"))

export const word = (state: State, node: BashWord): Word => {
  if (node.parts === undefined) {
    if (opened(node.text, OPENER)) flawed(state, "unsupported")
    const tilde = tildeOf(node.text)
    if (tilde === null) {
      const quoted = node.text !== node.value
      return {
        value: node.value,
        pieces: [{ _tag: "literal", text: node.value, quoted }],
        runs: NONE
      }
    }
    return piecesWord(
      [
        { _tag: "tilde", text: tilde },
        { _tag: "literal", text: node.value.slice(tilde.length), quoted: false }
      ],
      NONE
    )
  }
  const pieces: Array<Piece> = []
  const runs: Array<Node> = []
  node.parts.forEach((part, index) => {
    const tilde = index === 0 && part.type === "Literal" ? tildeOf(part.text) : null
    if (tilde === null || part.type !== "Literal") {
      lowerPart(state, part, false, pieces, runs)
      return
    }
    if (opened(part.text, OPENER)) flawed(state, "unsupported")
    pieces.push(
      { _tag: "tilde", text: tilde },
      { _tag: "literal", text: part.value.slice(tilde.length), quoted: false }
    )
  })
  return piecesWord(pieces, runs)
}

const NONE: ReadonlyArray<Node> = []

const tildeOf = (source: string): string | null =>
  source.startsWith("~") ? (/^~[A-Za-z0-9_.+-]*(?=\/|$)/.exec(source)?.[0] ?? null) : null

export const piecesWord = (pieces: ReadonlyArray<Piece>, runs: ReadonlyArray<Node>): Word => ({
  value: text(pieces),
  pieces,
  runs
})

export const text = (pieces: ReadonlyArray<Piece>): string => pieces.map(sourceOf).join("")

export const lowerPart = (
  state: State,
  part: WordPart,
  quoted: boolean,
  pieces: Array<Piece>,
  runs: Array<Node>
): void => {
  const expansion = (name: string | null = null): void => {
    pieces.push({ _tag: "expansion", source: part.text, name, quoted })
  }
  switch (part.type) {
    case "Literal":
      if (opened(part.text, quoted ? QUOTED_OPENER : OPENER)) flawed(state, "unsupported")
      pieces.push({ _tag: "literal", text: part.value, quoted: quoted || part.text !== part.value })
      return
    case "SingleQuoted":
    case "AnsiCQuoted":
      pieces.push({ _tag: "literal", text: part.value, quoted: true })
      return
    case "DoubleQuoted":
    case "LocaleString":
      for (const child of part.parts) lowerPart(state, child, true, pieces, runs)
      // An empty pair of quotes still makes a word, and quotes what stands beside it.
      if (part.parts.length === 0) pieces.push({ _tag: "literal", text: "", quoted: true })
      return
    case "Glob":
      for (const child of part.parts ?? []) collect(state, child, runs)
      pieces.push({ _tag: "glob", text: part.text })
      return
    case "ExtendedGlob":
    case "BraceExpansion": {
      const children = part.parts ?? []
      if (opened(part.text, OPENER) && children.every((child) => child.type === "Literal")) {
        flawed(state, "unsupported")
      }
      for (const child of children) collect(state, child, runs)
      if (part.type === "BraceExpansion") expansion()
      else pieces.push({ _tag: "glob", text: part.text })
      return
    }
    case "SimpleExpansion":
      expansion(part.text.slice(1))
      return
    case "ParameterExpansion":
      parameter(state, part, runs)
      expansion(
        part.prefix === undefined && part.operation === undefined && part.index === undefined
          ? part.parameter
          : null
      )
      return
    case "CommandExpansion":
      runs.push({ _tag: "Subshell", body: state.script(part.script) })
      expansion()
      return
    case "ArithmeticExpansion":
      // `$((` may also open a subshell in a substitution; then the grammar's text ends elsewhere.
      if (part.expression === undefined ? !EMPTY_ARITHMETIC.test(part.text) : !closed(part.text)) {
        flawed(state, "unsupported")
      }
      if (part.expression !== undefined) runs.push(arithmetic(state, part.expression))
      expansion()
      return
    case "ProcessSubstitution":
      runs.push({ _tag: "Subshell", body: state.script(part.script) })
      pieces.push({ _tag: "pipe", source: part.text })
      return
    default:
      unsupported(state, part)
  }
}

const EMPTY_ARITHMETIC = /^\$(\(\(\s*\)\)|\[\s*\])$/

const closed = (source: string): boolean =>
  source.startsWith("$((") ? source.endsWith("))") : source.endsWith("]")

/** Only the commands inside a part, where its text does not stand on its own. */
const collect = (state: State, part: WordPart, runs: Array<Node>): void => {
  lowerPart(state, part, false, [], runs)
}

/** A variable in arithmetic, or an expansion that may put one there. */
const NAME = /[A-Za-z_$`]/

/** Arithmetic is expanded once more after its quotes are gone: single quotes hide nothing in it. */
const evaluatedParts = (state: State, parts: ReadonlyArray<WordPart> | undefined): void => {
  for (const part of parts ?? []) {
    const quoted = part.type === "SingleQuoted" || part.type === "AnsiCQuoted"
    if (quoted && opened(part.value, QUOTED_OPENER)) flawed(state, "unsupported")
  }
}

/** A subscript, an offset, a length: text that the shell evaluates as arithmetic. */
export const subscript = (state: State, node: BashWord): Node => {
  evaluatedParts(state, node.parts)
  return { _tag: "Arithmetic", runs: NONE, evaluates: NAME.test(node.value) }
}

/** Only quoted text with a bracket can matter later. */
export const kept = (item: Word): ReadonlyArray<Node> =>
  item.value.includes("[") ? [{ _tag: "Kept", word: item }] : NONE

const parameter = (state: State, part: ParameterExpansionPart, runs: Array<Node>): void => {
  const visit = (item: BashWord | undefined): void => {
    if (item === undefined) return
    const lowered = word(state, item)
    runs.push(...lowered.runs, ...kept(lowered))
  }
  if (part.index !== undefined) {
    visit(part.index)
    runs.push(subscript(state, part.index))
  }
  const operation = part.operation
  // `${!x}` names a variable by the text of another, subscript and all.
  if (part.prefix === "!" && operation?.type !== "Names") {
    runs.push({ _tag: "Arithmetic", runs: NONE, evaluates: true })
  }
  if (operation === undefined) return
  switch (operation.type) {
    case "Default":
    case "Remove":
    case "CaseModification":
      visit(operation.operand)
      return
    case "Replace":
      visit(operation.pattern)
      visit(operation.replacement)
      return
    case "Slice":
      for (const item of [operation.offset, operation.length]) {
        visit(item)
        if (item !== undefined) runs.push(subscript(state, item))
      }
      return
    case "Transform":
      visit(operation.operand)
      if (operation.operand.value === "P") runs.push({ _tag: "Unseen", source: part.text })
      return
    case "Names":
      return
    case "Unknown":
      flawed(state, "unsupported")
      return
    default:
      unsupported(state, operation)
  }
}

/** Operators nest as deep as the text is long, so this walks with its own stack. */
export const arithmetic = (state: State, expression: ArithmeticExpression): Node => {
  const runs: Array<Node> = []
  let evaluates = false
  const stack: Array<ArithmeticExpression> = [expression]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    switch (node.type) {
      case "ArithmeticBinary":
        stack.push(node.right, node.left)
        break
      case "ArithmeticUnary":
        stack.push(node.operand)
        break
      case "ArithmeticTernary":
        stack.push(node.alternate, node.consequent, node.test)
        break
      case "ArithmeticGroup":
        stack.push(node.expression)
        break
      case "ArithmeticWord":
        if (node.parts === undefined && opened(node.value, OPENER)) flawed(state, "unsupported")
        evaluatedParts(state, node.parts)
        for (const part of node.parts ?? []) collect(state, part, runs)
        evaluates ||= NAME.test(node.value)
        break
      case "ArithmeticCommandExpansion":
        runs.push({ _tag: "Subshell", body: state.script(node.script) })
        break
      default:
        unsupported(state, node)
    }
  }
  return { _tag: "Arithmetic", runs, evaluates }
}
