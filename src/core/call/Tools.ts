import type { Agent } from "./Agent.ts"

/**
 * What one tool of an agent is about (L4.1). `field` names the input's field that decides.
 *
 * - `command`: shell text. `file`: a path, read or written; `tree` all below it as well, the directory of the
 *   call where the field is missing.
 * - `target`: a surface of its own with the field as value.
 * - `question`: never reaches policy (Q3.7).
 */
export type ToolRule =
  | { readonly _tag: "command"; readonly field: string }
  | {
      readonly _tag: "file"
      readonly field: string
      readonly direction: "read" | "write"
      readonly tree: boolean
    }
  | { readonly _tag: "target"; readonly surface: "web" | "agent" | "skill"; readonly field: string }
  | { readonly _tag: "mcp"; readonly server: string; readonly tool: string }
  | { readonly _tag: "question" }
  /** Unknown: its name is its surface (L4.2). */
  | { readonly _tag: "other" }

type Table = Readonly<Record<string, ToolRule>>

const read = (field: string, tree = false): ToolRule => ({ _tag: "file", field, direction: "read", tree })
const write = (field: string): ToolRule => ({ _tag: "file", field, direction: "write", tree: false })
const command = (field: string): ToolRule => ({ _tag: "command", field })

const CLAUDE: Table = {
  Bash: command("command"),
  Read: read("file_path"),
  Edit: write("file_path"),
  Write: write("file_path"),
  MultiEdit: write("file_path"),
  NotebookEdit: write("notebook_path"),
  NotebookRead: read("notebook_path"),
  Glob: read("path", true),
  Grep: read("path", true),
  LS: read("path"),
  WebFetch: { _tag: "target", surface: "web", field: "url" },
  Task: { _tag: "target", surface: "agent", field: "subagent_type" },
  Agent: { _tag: "target", surface: "agent", field: "subagent_type" },
  Skill: { _tag: "target", surface: "skill", field: "skill" },
  AskUserQuestion: { _tag: "question" }
}

const CODEX: Table = {
  Bash: command("command"),
  request_user_input: { _tag: "question" }
}

const PI: Table = {
  bash: command("command"),
  read: read("path"),
  write: write("path"),
  edit: write("path"),
  find: read("path", true),
  grep: read("path", true),
  ls: read("path")
}

const TABLES: Readonly<Record<Agent, Table>> = { claude: CLAUDE, codex: CODEX, pi: PI }

const MCP = /^mcp__(.+?)__(.+)$/

/** How to read a call of this tool. Total: a tool that is not listed is `other`. */
export const find = (agent: Agent, tool: string): ToolRule => {
  const table = TABLES[agent]
  if (Object.hasOwn(table, tool)) return table[tool]!
  const mcp = MCP.exec(tool)
  return mcp === null ? { _tag: "other" } : { _tag: "mcp", server: mcp[1]!, tool: mcp[2]! }
}
