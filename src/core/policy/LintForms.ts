import { didYouMean } from "./DidYouMean.ts"
import type { WrittenRule } from "./PolicyDocument.ts"
import * as Surfaces from "./Surfaces.ts"

/** A way of writing a rule that looks right and meets nothing. */
interface Form {
  readonly holds: (rule: WrittenRule) => boolean
  readonly message: string
  readonly suggestion: (rule: WrittenRule) => string | null
}

const on =
  (surfaces: RegExp, pattern: RegExp) =>
  ({ pattern: text, surface }: WrittenRule): boolean =>
    surfaces.test(surface) && pattern.test(text)

const COMMANDS = /^(?:bash|code)$/
const PATHS = /^(?:path|external_directory)(?:_read|_write)?$/
const EXTERNAL = /^external_directory(?:_read|_write)?$/

/** Tools whose calls are ruled on a surface of another name (L4.1). */
const RULED_AS: Readonly<Record<string, string>> = {
  Bash: "bash",
  WebFetch: "web",
  Task: "agent",
  Agent: "agent",
  Skill: "skill",
  exec_command: "bash"
}

/** Tools that take a file: their own surface sees its absolute path (L1.8). */
const FILE_TOOLS =
  /^(?:Read|Edit|Write|MultiEdit|NotebookEdit|NotebookRead|Glob|Grep|LS|read|write|edit|find|grep|ls)$/

const FORMS: ReadonlyArray<Form> = [
  {
    holds: ({ surface }) => Object.hasOwn(RULED_AS, surface),
    message: "is never asked: calls of this tool are ruled on another surface",
    suggestion: ({ surface }) => `write it under "${RULED_AS[surface]}"`
  },
  {
    holds: ({ surface }) => surface.startsWith("mcp__"),
    message: "is never asked: tools of MCP servers are ruled on the surface mcp",
    suggestion: ({ surface }) => {
      const [, server = "", tool = "*"] = surface.split("__")
      return `write "${server}:${tool}" under "mcp"`
    }
  },
  {
    holds: ({ surface }) => mistyped(surface) !== null,
    message: "names no surface that is known, nor a tool that is",
    suggestion: ({ surface }) => mistyped(surface)
  },
  {
    holds: on(COMMANDS, /^(?:.* )?(?:&&|\|\||[|;&])(?: .*)?$/),
    message: "never matches: each command of a chain is ruled by itself",
    suggestion: () => "write a rule for each command"
  },
  {
    holds: on(COMMANDS, /(?:^| )\d?[<>]/),
    message: "never matches: redirections are no words of the command",
    suggestion: () => "rule what is read and written under path_read and path_write"
  },
  {
    holds: on(COMMANDS, /["'\\]/),
    message: "never matches: words are compared without their quotes",
    suggestion: ({ pattern }) => `write ${JSON.stringify(pattern.replaceAll(/["'\\]/g, ""))}`
  },
  {
    holds: on(COMMANDS, /^[A-Za-z_]\w*=/),
    message: "never matches: variables before a command are set aside",
    suggestion: ({ pattern }) =>
      `write ${JSON.stringify(pattern.replace(/^(?:[A-Za-z_]\w*=\S* *)+/, "") || "*")}`
  },
  {
    holds: on(PATHS, /\$(?!HOME\b|\{HOME\})[A-Za-z_{]/),
    message: "never matches: no variable but HOME is filled in",
    suggestion: () => null
  },
  {
    holds: on(PATHS, /(?:^|\/)\.\.(?:\/|$)|[^.~/*]\/$|\/\/|\/\.\//),
    message: "never matches: paths are compared in their shortest form",
    suggestion: ({ pattern }) => (pattern.endsWith("/") ? `write ${JSON.stringify(`${pattern}*`)}` : null)
  },
  {
    holds: on(EXTERNAL, /^(?![/~*$])/),
    message: "never matches: a relative path lies inside the project",
    suggestion: () => "write an absolute path, or begin it with ~/"
  },
  {
    holds: on(FILE_TOOLS, /^(?![/*])/),
    message: "never matches: a tool's own surface sees absolute paths",
    suggestion: () => "write it under path_read or path_write, where paths start at the project"
  },
  {
    holds: on(/^mcp$/, /^[^:*?]*$/),
    message: "never matches: values are server:tool",
    suggestion: ({ pattern }) =>
      pattern.startsWith("mcp__")
        ? `write ${JSON.stringify(pattern.replace(/^mcp__(.+?)__(.+)$/, "$1:$2"))}`
        : `write ${JSON.stringify(`${pattern}:*`)}`
  },
  {
    holds: on(/^web$/, /^(?!\*)(?![a-z][a-z0-9+.-]*:\/\/)/i),
    message: "never matches: values are whole addresses",
    suggestion: ({ pattern }) => `write ${JSON.stringify(`https://${pattern}`)}`
  }
]

/** A surface key that is nearly one that is known. */
const mistyped = (surface: string): string | null => {
  const known = [...Surfaces.KNOWN, ...Object.keys(Surfaces.PAIRS)]
  if (/[*?]/.test(surface) || known.includes(surface) || FILE_TOOLS.test(surface)) return null
  return didYouMean(surface, known)
}

/** The first form that the rule has. */
export const find = (
  rule: WrittenRule
): { readonly message: string; readonly suggestion: string | null } | null => {
  const form = FORMS.find(({ holds }) => holds(rule))
  return form === undefined ? null : { message: form.message, suggestion: form.suggestion(rule) }
}
