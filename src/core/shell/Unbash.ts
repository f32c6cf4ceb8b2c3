import {
  parse as parseBash,
  type AndOr,
  type Assignment as BashAssignment,
  type CommandArgument,
  type CommandNode,
  type CompoundCommand,
  type CompoundList,
  type ParsedScript,
  type PipelineNode,
  type Redirection,
  type Statement,
  type TestExpression,
  type Word as BashWord
} from "unbash"
import { literal } from "./ShellTree.ts"
import type { Assignment, Command, Join, Node, Parse, Piece, Redirect, Word } from "./ShellTree.ts"
import {
  arithmetic,
  EMPTY,
  expanded,
  flawed,
  kept,
  lowerPart,
  opened,
  piecesWord,
  QUOTED_OPENER,
  type State,
  subscript,
  text,
  unsupported,
  word
} from "./UnbashWord.ts"

/** Longer texts are not taken apart: nested scripts cost about 100 µs a byte at worst. UTF-16 code units. */
const MAX_LENGTH = 16_384
/** Deepest nesting that is taken apart; what people and agents write stays below ten. */
const MAX_DEPTH = 32

/**
 * The unbash grammar as our own tree (L3.1).
 *
 * unbash is tolerant: it returns a tree for what it could not read, and a few constructs lose a command
 * without an error. So nothing of it is trusted unguarded: every reported error, every node type that is not
 * listed here, every word that still holds an opener where no substitution was found, makes the whole text
 * `Unknown`. What was recovered is kept, so that a deny on it still holds.
 */
export const parse: Parse = (source) => {
  if (source.length > MAX_LENGTH) return { _tag: "Unknown", flaw: "too_long", recovered: null }
  // U+FFFF is no character; it stands for what is unknown where commands are matched.
  if (/[\0\uFFFF]/.test(source) || !source.isWellFormed()) {
    return { _tag: "Unknown", flaw: "invalid_characters", recovered: null }
  }
  const state: State = { flaw: null, depth: 0, expanded: 0, script: (node) => script(state, node) }
  let root: Node
  try {
    root = script(state, parseBash(source))
  } catch {
    // The grammar promises not to throw; a text on which it does is a text that nobody understood.
    return { _tag: "Unknown", flaw: "syntax", recovered: null }
  }
  return state.flaw === null
    ? { _tag: "Parsed", root }
    : { _tag: "Unknown", flaw: state.flaw, recovered: root }
}

/** Refuses to go deeper than the cap; everything that nests passes here. */
const nested = (state: State, lower: () => Node): Node => {
  if (state.depth >= MAX_DEPTH) {
    state.flaw = "too_deep"
    return EMPTY
  }
  state.depth++
  const node = lower()
  state.depth--
  return node
}

const script = (state: State, node: ParsedScript | undefined): Node => {
  if (node === undefined) {
    flawed(state, "syntax")
    return EMPTY
  }
  return nested(state, () => {
    const list = statements(state, node.commands)
    if (node.errors !== undefined && node.errors.length > 0) flawed(state, "syntax")
    return list
  })
}

const statements = (state: State, list: ReadonlyArray<Statement>): Node => {
  if (list.length === 1) return statement(state, list[0]!)
  return { _tag: "List", entries: list.map((item) => ({ join: ";", node: statement(state, item) })) }
}

const statement = (state: State, item: Statement): Node => {
  const node = pipeline(state, item.command)
  return item.background === true ? { _tag: "Subshell", body: node } : node
}

const body = (state: State, list: CompoundList): Node => nested(state, () => statements(state, list.commands))

const pipeline = (state: State, node: PipelineNode | AndOr): Node => {
  if (node.type === "AndOr") {
    const entries = node.commands.map((command, index) => ({
      join: joinOf(node, index),
      node: pipeline(state, command)
    }))
    return { _tag: "List", entries }
  }
  if (node.type !== "Pipeline") return command(state, node)
  const stages = node.commands.map((stage) => command(state, stage))
  const inner: Node = stages.length === 1 ? stages[0]! : { _tag: "Pipeline", stages }
  return node.prefixes.some((prefix) => prefix.type === "Negation") ? { _tag: "Not", body: inner } : inner
}

const joinOf = (node: AndOr, index: number): Join => (index === 0 ? ";" : (node.operators[index - 1] ?? ";"))

const command = (state: State, node: CommandNode | CompoundList): Node => {
  switch (node.type) {
    case "Command": {
      return simple(state, node.prefix, [...(node.name === undefined ? [] : [node.name]), ...node.suffix])
    }
    case "Redirected": {
      const redirects = node.redirects.map((redirect) => redirection(state, redirect))
      return { _tag: "Redirected", body: compound(state, node.command), redirects }
    }
    case "Function":
      return {
        _tag: "Function",
        name: node.name.value,
        body: nested(state, () => command(state, node.body))
      }
    case "Coproc":
      return { _tag: "Subshell", body: nested(state, () => command(state, node.body)) }
    case "CompoundList":
      return body(state, node)
    case "BraceGroup":
    case "Subshell":
    case "If":
    case "While":
    case "For":
    case "Select":
    case "ArithmeticFor":
    case "Case":
    case "TestCommand":
    case "ArithmeticCommand":
      return compound(state, node)
    default:
      return unsupported(state, node)
  }
}

const compound = (state: State, node: CompoundCommand): Node => {
  switch (node.type) {
    case "BraceGroup":
      return body(state, node.body)
    case "Subshell":
      return { _tag: "Subshell", body: body(state, node.body) }
    case "If": {
      const branches = [node.then, ...node.elif.flatMap((elif) => [elif.clause, elif.then])]
      const bodies = [...branches, ...(node.else === undefined ? [] : [node.else])]
      return {
        _tag: "List",
        entries: [
          { join: ";", node: body(state, node.clause) },
          {
            join: ";",
            node: {
              _tag: "Branches",
              words: [],
              bodies: bodies.map((branch) => body(state, branch)),
              loop: false,
              variable: null
            }
          }
        ]
      }
    }
    case "While":
      return {
        _tag: "Branches",
        words: [],
        bodies: [body(state, node.clause), body(state, node.body)],
        loop: true,
        variable: null
      }
    case "For":
    case "Select": {
      const words = (node.wordlist ?? []).flatMap((item) => expanded(state, item))
      return {
        _tag: "Branches",
        words,
        bodies: [body(state, node.body)],
        loop: true,
        variable: node.name.value
      }
    }
    case "ArithmeticFor": {
      const header = [node.initialize, node.test, node.update].flatMap((expression) =>
        expression === undefined ? [] : [arithmetic(state, expression)]
      )
      return {
        _tag: "Branches",
        words: [],
        bodies: [...header, body(state, node.body)],
        loop: true,
        variable: null
      }
    }
    case "Case": {
      const words = [node.word, ...node.items.flatMap((item) => item.pattern)].map((item) =>
        word(state, item)
      )
      return {
        _tag: "Branches",
        words,
        bodies: node.items.map((item) => body(state, item.body)),
        loop: false,
        variable: null
      }
    }
    case "TestCommand":
      return test(state, node.expression)
    case "ArithmeticCommand":
      if (node.expression === undefined && node.body.trim() !== "") flawed(state, "syntax")
      return node.expression === undefined ? EMPTY : arithmetic(state, node.expression)
    default:
      return unsupported(state, node)
  }
}

const simple = (
  state: State,
  prefix: ReadonlyArray<BashAssignment | Redirection>,
  rest: ReadonlyArray<CommandArgument | Redirection>
): Command => {
  const assignments: Array<Assignment> = []
  const words: Array<Word> = []
  const redirects: Array<Redirect> = []
  for (const item of prefix) {
    if (item.type === "Assignment") assignments.push(assignment(state, item))
    else redirects.push(redirection(state, item))
  }
  for (const item of rest) {
    if (item.type === "Word") words.push(...expanded(state, item))
    else if (item.type === "Assignment") words.push(assignment(state, item).word)
    else redirects.push(redirection(state, item))
  }
  return { _tag: "Command", assignments, words, redirects }
}

const assignment = (state: State, node: BashAssignment): Assignment => {
  const index = node.index === undefined ? null : word(state, node.index)
  const runs: Array<Node> = index === null ? [] : [...index.runs, subscript(state, node.index!)]
  const head = node.text.slice(0, node.text.indexOf("=") + 1)
  const before: ReadonlyArray<Piece> =
    index === null
      ? [{ _tag: "literal", text: `${node.name}${node.append === true ? "+=" : "="}`, quoted: false }]
      : [{ _tag: "expansion", source: head, name: null, quoted: true }]
  if (node.value.type === "ArrayValue") {
    const elements = node.value.elements.map((element) => word(state, element))
    const source = node.text.slice(node.value.pos - node.pos)
    return {
      name: node.name,
      value: null,
      word: {
        value: text(before) + source,
        pieces: [...before, { _tag: "expansion", source, name: null, quoted: true }],
        runs: [...runs, ...elements.flatMap((element) => [...element.runs, ...kept(element)])]
      }
    }
  }
  // Anything glued to an array literal hides its commands: `a=($(rm x))b` is read as one plain word.
  if (node.value.text.startsWith("(")) flawed(state, "unsupported")
  const value = word(state, node.value)
  return {
    name: node.name,
    value,
    word: {
      value: text(before) + value.value,
      pieces: [...before, ...value.pieces],
      runs: [...runs, ...value.runs]
    }
  }
}

const redirection = (state: State, node: Redirection): Redirect => {
  switch (node.type) {
    case "HereString":
      return { _tag: "text", word: target(state, node.target) }
    case "HereDoc":
      return { _tag: "text", word: hereDocument(state, node) }
    case "Redirect": {
      const word = target(state, node.target)
      const operator = node.operator
      if (operator === "<&" || operator === ">&") return { _tag: "descriptor", target: word }
      const direction = operator === "<" ? "read" : operator === "<>" ? "both" : "write"
      const variable = node.descriptor?.type === "FileDescriptorVariable" ? node.descriptor.name : null
      return { _tag: "file", direction, target: word, variable }
    }
    default:
      unsupported(state, node)
      return { _tag: "text", word: NOTHING }
  }
}

const NOTHING: Word = { value: "", pieces: [], runs: [] }

const target = (state: State, node: BashWord | undefined): Word => {
  if (node !== undefined) return word(state, node)
  flawed(state, "syntax")
  return NOTHING
}

const hereDocument = (state: State, node: Extract<Redirection, { type: "HereDoc" }>): Word => {
  if (node.delimiter === undefined) flawed(state, "syntax")
  const quoted = node.delimiter?.quoted ?? false
  if (quoted) return piecesWord([{ _tag: "literal", text: node.body.text, quoted: true }], [])
  if (node.body.parts === undefined) {
    if (opened(node.body.text, QUOTED_OPENER)) flawed(state, "unsupported")
    const value = node.body.text.replaceAll(/\\([$`\\\n])/g, (_, char: string) => (char === "\n" ? "" : char))
    return piecesWord([{ _tag: "literal", text: value, quoted: true }], [])
  }
  const pieces: Array<Piece> = []
  const runs: Array<Node> = []
  for (const part of node.body.parts) lowerPart(state, part, true, pieces, runs)
  return piecesWord(pieces, runs)
}

/** Operators of `[[ … ]]` whose operands are variables or numbers, subscripts included. */
const EVALUATING = new Set(["-v", "-R", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"])

const test = (state: State, expression: TestExpression): Node => {
  const words: Array<Word> = [literal("[[")]
  const subscripts: Array<Word> = []
  const operand = (operator: string, node: BashWord): void => {
    const lowered = word(state, node)
    words.push(lowered)
    if (EVALUATING.has(operator)) subscripts.push(lowered)
  }
  const stack: Array<TestExpression | string> = ["]]", expression]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === "string") {
      words.push(literal(node))
      continue
    }
    switch (node.type) {
      case "TestUnary":
        words.push(literal(node.operator))
        operand(node.operator, node.operand)
        break
      case "TestBinary":
        operand(node.operator, node.left)
        words.push(literal(node.operator))
        operand(node.operator, node.right)
        break
      case "TestLogical": {
        const operator = node.operator
        stack.push(
          ...node.operands.flatMap((item, index) => (index === 0 ? [item] : [operator, item])).toReversed()
        )
        break
      }
      case "TestNot":
        stack.push(node.operand, "!")
        break
      case "TestGroup":
        stack.push(")", node.expression, "(")
        break
      default:
        unsupported(state, node)
    }
  }
  return { _tag: "Test", words, subscripts }
}
