import { constant, literal, type Node, type Word } from "./ShellTree.ts"

/** Programs that pass lines on, or leave some out, and add none. */
const FILTERS = new Set(["sort", "uniq", "head", "tail", "grep", "egrep", "fgrep", "tac", "shuf"])

/** Operations of `find` that print other things than the paths that it finds. */
const PRINTS = /^-(?:exec|execdir|ok|okdir|printf|ls|files0-from)$/

const HERE: ReadonlyArray<Word> = [literal(".")]

/**
 * The directories that the file names on a stage's output must lie in, `null` where they may be anything. A
 * filter has no file of its own here, or it could add names of its own.
 */
export const below = (node: Node, input: ReadonlyArray<Word> | null): ReadonlyArray<Word> | null => {
  if (
    node._tag !== "Command" ||
    node.words.length === 0 ||
    node.redirects.some((item) => item._tag !== "file")
  ) {
    return null
  }
  const [first, ...args] = node.words
  const name = constant(first!)
  if (args.some((word) => constant(word) === null)) return null
  if (name === "find") {
    if (args.some((word) => PRINTS.test(word.value))) return null
    const end = args.findIndex((word) => /^[-(!,]/.test(word.value))
    const roots = end === -1 ? args : args.slice(0, end)
    return roots.length === 0 ? HERE : roots
  }
  if (name === "git") return args.length === 1 && args[0]!.value === "ls-files" ? HERE : null
  const plain = args.filter((word) => !word.value.startsWith("-")).length
  return name !== null && FILTERS.has(name) && plain <= (name.endsWith("grep") ? 1 : 0) ? input : null
}
