import type { Agent } from "./Agent.ts"

/**
 * What one tool of an agent is about (L4.1). `field` names the input's field that decides.
 *
 * - `command`: shell text, or its words; `directory` names the field that says where it runs.
 * - `typed`: text typed into a program that runs already, a shell perhaps.
 * - `file`: a path, read or written; `tree` all below it as well; `optional` the directory of the call where the
 *   field is missing.
 * - `patch`: a patch that names its files (`PatchText`).
 * - `target`: a surface of its own with the field as value.
 * - `mcp`: a tool of an MCP server; `mcpCall` one that the input names.
 * - `question`: never reaches policy (Q3.7).
 */
export type ToolRule =
  | { readonly _tag: "command"; readonly field: string; readonly directory: string | null }
  | { readonly _tag: "typed"; readonly field: string }
  | {
      readonly _tag: "file"
      readonly field: string
      readonly direction: "read" | "write"
      readonly tree: boolean
      readonly optional: boolean
    }
  | { readonly _tag: "patch"; readonly field: string }
  | { readonly _tag: "target"; readonly surface: "web" | "agent" | "skill"; readonly field: string }
  | { readonly _tag: "mcp"; readonly server: string; readonly tool: string }
  | { readonly _tag: "mcpCall"; readonly server: string; readonly tool: string }
  | { readonly _tag: "question" }
  /** Unknown: its name is its surface (L4.2). */
  | { readonly _tag: "other" }

type Table = Readonly<Record<string, ToolRule>>

const read = (field: string): ToolRule => ({
  _tag: "file",
  field,
  direction: "read",
  tree: false,
  optional: false
})
const list = (field: string): ToolRule => ({
  _tag: "file",
  field,
  direction: "read",
  tree: false,
  optional: true
})
const search = (field: string): ToolRule => ({
  _tag: "file",
  field,
  direction: "read",
  tree: true,
  optional: true
})
const write = (field: string): ToolRule => ({
  _tag: "file",
  field,
  direction: "write",
  tree: false,
  optional: false
})
const command = (field: string, directory: string | null = null): ToolRule => ({
  _tag: "command",
  field,
  directory
})
const QUESTION = { _tag: "question" } as const satisfies ToolRule

const CLAUDE: Table = {
  Bash: command("command"),
  Read: read("file_path"),
  Edit: write("file_path"),
  Write: write("file_path"),
  MultiEdit: write("file_path"),
  NotebookEdit: write("notebook_path"),
  NotebookRead: read("notebook_path"),
  Glob: search("path"),
  Grep: search("path"),
  LS: list("path"),
  WebFetch: { _tag: "target", surface: "web", field: "url" },
  Task: { _tag: "target", surface: "agent", field: "subagent_type" },
  Agent: { _tag: "target", surface: "agent", field: "subagent_type" },
  Skill: { _tag: "target", surface: "skill", field: "skill" },
  AskUserQuestion: QUESTION
}

/** Names of hooks (`Bash` for `exec_command`) and of transcripts alike. */
const CODEX: Table = {
  Bash: command("command"),
  exec_command: command("cmd", "workdir"),
  shell: command("command", "workdir"),
  local_shell: command("command", "workdir"),
  shell_command: command("command", "workdir"),
  write_stdin: { _tag: "typed", field: "chars" },
  apply_patch: { _tag: "patch", field: "command" },
  view_image: read("path"),
  request_user_input: QUESTION,
  request_user_input_async: QUESTION
}

const SHELL = command("command", "cwd")

const PI: Table = {
  bash: command("command"),
  // Names under which packages register a shell of their own.
  ...Object.fromEntries(
    ["shell", "sh", "terminal", "run_command", "execute_command"].map((name) => [name, SHELL])
  ),
  exec_command: command("cmd", "workdir"),
  read: read("path"),
  write: write("path"),
  edit: write("path"),
  find: search("path"),
  grep: search("path"),
  ls: list("path"),
  mcp: { _tag: "mcpCall", server: "server", tool: "tool" },
  skill: { _tag: "target", surface: "skill", field: "name" },
  subagent: { _tag: "target", surface: "agent", field: "agent" }
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
