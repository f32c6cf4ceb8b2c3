import { CLIS } from "./CliTable.ts"
import { COMMANDS } from "./CommandTable.ts"
import { GIT } from "./GitTable.ts"
import * as Grammar from "./Grammar.ts"
import type { Program } from "./Program.ts"
import { RUNNERS } from "./RunnerTable.ts"
import { WRAPPERS } from "./WrapperTable.ts"

const TABLE: ReadonlyMap<string, Program> = new Map(
  Object.entries({ ...COMMANDS, ...CLIS, ...WRAPPERS, ...RUNNERS, git: GIT })
)

/** What is known of a program by its base name. */
export const find = (name: string): Program | undefined => TABLE.get(name)

/** Every entry of the tables, for the tests of the tables. @internal */
export const entries = (): Iterable<readonly [string, Program]> => TABLE

const NO_OPTIONS = Grammar.parse("")
const grammars = new Map<string, Grammar.Grammar>()
const rules = new Map<string, ReadonlyArray<Grammar.OperandRule>>()

/** The grammar of a table entry, read from its text on first use. */
export const grammar = (program: Program): Grammar.Grammar => {
  const source = program.options
  if (source === undefined) return NO_OPTIONS
  const known = grammars.get(source)
  if (known !== undefined) return known
  const made = Grammar.parse(source)
  grammars.set(source, made)
  return made
}

export const operands = (source: string): ReadonlyArray<Grammar.OperandRule> => {
  const known = rules.get(source)
  if (known !== undefined) return known
  const made = Grammar.operands(source)
  rules.set(source, made)
  return made
}

/** Where programs of the system are: what stands there is what its name says. */
const SYSTEM_DIRECTORIES = new Set([
  "/bin",
  "/sbin",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/bin",
  "/usr/local/sbin",
  "/opt/homebrew/bin",
  "/opt/local/bin",
  "/run/current-system/sw/bin"
])

export const inSystem = (path: string): boolean =>
  SYSTEM_DIRECTORIES.has(path.slice(0, path.lastIndexOf("/")))
