import type { Indirect } from "../policy/Ruling.ts"
import type { Base, Target } from "./Place.ts"
import type { Flaw, Node, Parse, Piece, Word } from "./ShellTree.ts"

/** What a shell or an interpreter would read from its standard input. */
export type Stdin =
  | { readonly _tag: "outside" }
  /** The output of a command before it. */
  | { readonly _tag: "piped" }
  | { readonly _tag: "text"; readonly word: Word }
  /** Names of files below these directories, e.g. from `find`. */
  | { readonly _tag: "paths"; readonly below: ReadonlyArray<Word> }

/** Where a command stands: what surrounds it, and what is already known to be unseen. */
export interface Site {
  /** The wrappers that it runs inside, outermost first. */
  readonly via: ReadonlyArray<string>
  readonly base: Base
  readonly stdin: Stdin
  /** It runs on another machine: its paths are not ours. */
  readonly remote: boolean
  /** A mark that everything here carries, with its sentinel. */
  readonly mark: Mark | null
  readonly depth: number
}

export interface Mark {
  readonly indirect: Indirect
  /** The sentinel that stands for a pattern, e.g. `<indirection-dynamic-command>`. */
  readonly cause: string
}

/** The directories after a command that succeeded, and after one that failed. */
export interface After {
  readonly ok: Base
  readonly fail: Base
}

export interface Unit {
  readonly words: ReadonlyArray<Word>
  readonly via: ReadonlyArray<string>
  mark: Mark | null
  /** Words with global options set aside, to which rules apply as to the words themselves (L3.8). */
  readonly forms: Array<ReadonlyArray<Word>>
  /** Words to which only deny and ask apply, e.g. the program of a package runner. */
  readonly strictForms: Array<ReadonlyArray<Word>>
  /** Operands that are files, and the absolute paths that each may mean. */
  readonly located: Map<Word, ReadonlyArray<string>>
  /** The inner command decides where no rule names this one. */
  transparent: boolean
  /** Part of the shell, not looked up in a directory. */
  builtin: boolean
  /** The name is a function or alias of the same text. */
  hidden: boolean
  /** It runs further units, which follow it. */
  wraps: boolean
  /** The code that it carries, where it carries it. */
  code: string | null
}

export interface Touch {
  readonly direction: "read" | "write"
  readonly target: Target
  /** `false`: the program is not known to use this word as a file; only deny and ask rules apply. */
  readonly certain: boolean
  /** Everything below is meant too. */
  readonly recursive: boolean
  /** Index into the units, or `null` for a redirection without a command. */
  readonly unit: number | null
}

/** What one walk gathers. */
export interface Walk {
  readonly parse: Parse
  readonly units: Array<Unit>
  readonly touches: Array<Touch>
  /** `null` once the text has set HOME to something unknown. */
  home: string | null
  readonly hidden: Set<string>
  /** Variables that hold a descriptor, so that `>&$fd` is no file. */
  readonly descriptors: Set<string>
  /** Pieces that stand for a made-up variable in a text that was read again. */
  readonly standIns: Map<string, Piece>
  readonly aliases: Map<string, string>
  /** Constants that the text gives a variable: what it may hold, never what it does (`Folding`). */
  readonly values: Map<string, ReadonlyArray<string>>
  /** Arithmetic evaluates a variable, whose text may hold a subscript, which may run commands. */
  evaluates: boolean
  /** Texts that would run commands if they were evaluated so. */
  readonly latent: Set<string>
  /** Set by a variable that changes what later commands run. */
  sticky: Mark | null
  /** The first part of a nested text that was not understood. */
  flaw: Flaw | null
  /** Walks a node; a field, because commands hold nodes and nodes hold commands. */
  readonly visit: (walk: Walk, node: Node, site: Site) => After
  /** Takes one command apart; a field, because wrappers hold commands. */
  readonly launch: (walk: Walk, words: ReadonlyArray<Word>, site: Site) => After
}

const RANK = { open: 1, code: 2, unresolved: 3 } as const

/** The stricter of two marks. */
export const stricter = (left: Mark | null, right: Mark | null): Mark | null => {
  if (left === null) return right
  if (right === null) return left
  return RANK[right.indirect] > RANK[left.indirect] ? right : left
}

export const UNRESOLVED = {
  command: { indirect: "unresolved", cause: "<indirection-dynamic-command>" },
  text: { indirect: "unresolved", cause: "<indirection-shell-text>" },
  option: { indirect: "unresolved", cause: "<indirection-unknown-option>" },
  depth: { indirect: "unresolved", cause: "<indirection-too-deep>" },
  arithmetic: { indirect: "unresolved", cause: "<indirection-arithmetic>" }
} as const satisfies Record<string, Mark>

export const CODE = {
  program: { indirect: "code", cause: "<indirection-code>" },
  stdin: { indirect: "code", cause: "<indirection-stdin>" },
  environment: { indirect: "code", cause: "<indirection-environment>" }
} as const satisfies Record<string, Mark>

export const OPEN: Mark = { indirect: "open", cause: "<indirection-operands>" }
