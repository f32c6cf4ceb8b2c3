/** What a program does in one mode: its operands, and what cannot be seen of it. */
export interface Mode {
  /** Operand grammar (see `Grammar.operands`): slots in order, `*` for the one that takes the rest. */
  readonly operands?: string
  /** What it runs is not in the command (L3.3). */
  readonly code?: true
  /** Nothing that it names runs or is opened: a look-up, a version, help. */
  readonly inert?: true
  /** Its code comes from standard input. */
  readonly stdin?: true
  /** Directories that it reads are read with all that lies below. */
  readonly deep?: true
  /** The unit is never better than ask: the words do not say what runs. */
  readonly unresolved?: true
}

/** A reader for a grammar of words that options and operands cannot express. */
export type Reader =
  | "patch"
  | "find"
  | "parallel"
  | "variables"
  | "aliases"
  | "dd"
  | "test"
  | "sed"
  | "awk"
  | "cd"

/** A program as data (L3.3, L3.4, L3.8). One walker reads all of them. */
export interface Program extends Mode {
  /** Option grammar (see `Grammar.parse`). An unlisted option of a program that runs another is `unresolved`. */
  readonly options?: string
  readonly modes?: Readonly<Record<string, Mode>>
  /** It adds nothing of its own to the command that it runs: without a rule for it, the inner one decides. */
  readonly transparent?: true
  /** Inner words that come from elsewhere are appended or replaced: the sentinel's name. */
  readonly appends?: "<stdin>"
  /** The inner command runs on another machine or in a container: its paths are not ours. */
  readonly remote?: true
  /** It is part of the shell: never looked up in a directory. */
  readonly builtin?: true
  /** A shell: a literal program text is read as the shell would. */
  readonly shell?: true
  /** The options come before a subcommand, which has a grammar of its own (L3.8). */
  readonly subcommands?: Readonly<Record<string, Program>>
  /** Reading directories, without one it reads the one that it is in, unless something is piped to it. */
  readonly here?: true
  /** The options may also stand behind the subcommand: they are set aside there too. */
  readonly spread?: true
  readonly reader?: Reader
}

export type Programs = Readonly<Record<string, Program>>

/** Gives every name of a blank-separated list the same entry. */
export const named = (names: string, program: Program): Programs =>
  Object.fromEntries(names.split(" ").map((name) => [name, program]))
