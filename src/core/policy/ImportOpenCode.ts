import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import {
  type CarriedRule,
  carried,
  type Imported,
  noted,
  NOTHING,
  PERSON,
  together,
  widened
} from "./ImportedRules.ts"
import * as ImportedCommand from "./ImportedCommand.ts"
import { Action } from "./Ruling.ts"

/** A rule as OpenCode writes it, of either version. */
interface Written {
  readonly rule: string
  readonly permission: string
  readonly pattern: string
  readonly value: CarriedRule["value"]
}

const isAction = Schema.is(Action)

/** Permissions whose patterns are the values of a surface of ours. */
const SURFACES: Readonly<Record<string, string>> = {
  edit: "path_write",
  read: "path_read",
  external_directory: "external_directory",
  webfetch: "web",
  skill: "skill",
  task: "agent",
  subagent: "agent",
  "*": "*"
}

/** Tools that write, which the permission `edit` rules there. */
const WRITERS = ["write", "patch", "apply_patch", "multiedit"]

/** Permissions for commands. */
const COMMANDS = ["bash", "shell"]

/** Permissions whose patterns are searches, and the tools of ours that search so. */
const SEARCHES: Readonly<Record<string, ReadonlyArray<string>>> = {
  glob: ["Glob", "find"],
  grep: ["Grep", "grep"],
  list: ["LS", "ls"],
  websearch: ["WebSearch"],
  todowrite: ["TodoWrite"]
}

/** What Claude Code, Codex and Pi do not have, or what is no permission. */
const WITHOUT: ReadonlySet<string> = new Set(["lsp", "codesearch", "doom_loop", "todoread", "question"])

const carry = (written: Written): Imported => {
  const { pattern, permission, rule, value } = written
  if (COMMANDS.includes(permission)) return ImportedCommand.carry(rule, pattern, value)
  if (Object.hasOwn(SURFACES, permission)) {
    return permission === "*" && pattern !== "*" && value.action === "allow"
      ? noted("left", rule, "a pattern for every permission at once has no form here")
      : carried(SURFACES[permission]!, [pattern], value)
  }
  if (WRITERS.includes(permission)) {
    return value.action === "allow"
      ? noted("left", rule, 'the permission "edit" rules all that is written')
      : widened("path_write", [pattern], value)
  }
  if (Object.hasOwn(SEARCHES, permission)) return search(written, SEARCHES[permission]!)
  if (WITHOUT.has(permission)) return noted("left", rule, "nothing here has to do with it")
  return tool(written)
}

const search = ({ pattern, rule, value }: Written, tools: ReadonlyArray<string>): Imported => {
  if (pattern === "*") return together(tools.map((name) => carried(name, ["*"], value)))
  return value.action === "allow"
    ? noted("left", rule, "a search is ruled by the folder that it reads here")
    : together([
        ...tools.map((name) => widened(name, ["*"], PERSON)),
        noted("changed", rule, "a search is ruled by the folder that it reads here: a person is asked")
      ])
}

/** A tool of an MCP server is `server_tool` there: where the server's name ends cannot be seen. */
const tool = ({ pattern, permission, rule, value }: Written): Imported => {
  const server = /^([^_*?]+)_\*$/.exec(permission)?.[1]
  if (server !== undefined && pattern === "*") return carried("mcp", [`${server}:*`], value)
  return value.action === "allow"
    ? noted("left", rule, "which server's tool it is cannot be told; tools of servers are server:tool here")
    : together([
        widened("mcp", [permission.replaceAll("_", "?")], pattern === "*" ? value : PERSON),
        noted("changed", rule, "taken for a tool of an MCP server, with any character for each _")
      ])
}

const action = (written: Omit<Written, "value">, value: unknown): Imported =>
  isAction(value)
    ? carry({ ...written, value: { action: value } })
    : noted("left", written.rule, "it is no action")

/** Version 1: `permission`, an action for all, or by permission an action or patterns. */
const byPermission = (permissions: unknown): Imported => {
  if (typeof permissions === "string") {
    return action({ rule: `permission: ${permissions}`, permission: "*", pattern: "*" }, permissions)
  }
  if (!Predicate.isObject(permissions)) return NOTHING
  return together(
    Object.entries(permissions).flatMap(([permission, value]): ReadonlyArray<Imported> =>
      Predicate.isObject(value)
        ? Object.entries(value).map(([pattern, inner]) =>
            action({ rule: `${permission} ${pattern}`, permission, pattern }, inner)
          )
        : [action({ rule: permission, permission, pattern: "*" }, value)]
    )
  )
}

const Entry = Schema.Struct({ action: Schema.String, resource: Schema.String, effect: Action })
const isEntry = Schema.is(Entry)

/** Version 2: `permissions`, rules in one list. */
const inList = (permissions: unknown): Imported =>
  Array.isArray(permissions)
    ? together(
        permissions.map((entry: unknown) =>
          isEntry(entry)
            ? carry({
                rule: `${entry.action} ${entry.resource}`,
                permission: entry.action,
                pattern: entry.resource,
                value: { action: entry.effect }
              })
            : noted("left", JSON.stringify(entry), "it is no rule of action, resource and effect")
        )
      )
    : NOTHING

/** Before there were permissions, `tools` said which there are. */
const byTools = (tools: unknown): Imported =>
  Predicate.isObject(tools)
    ? together(
        Object.entries(tools).map(([permission, on]) =>
          on === false
            ? action({ rule: `tools.${permission}: false`, permission, pattern: "*" }, "deny")
            : noted("left", `tools.${permission}`, "it says only that the tool is there")
        )
      )
    : NOTHING

const agents = (document: unknown): Imported => {
  const found = Predicate.hasProperty(document, "agent") ? document.agent : undefined
  return Predicate.isObject(found)
    ? together(
        Object.entries(found)
          .filter(
            ([, agent]) =>
              Predicate.hasProperty(agent, "permission") || Predicate.hasProperty(agent, "permissions")
          )
          .map(([name]) => noted("left", `agent.${name}`, "rules for one of OpenCode's own agents"))
      )
    : NOTHING
}

/** OpenCode's rules (L2.4): there as here the last that matches counts. */
export const read = (document: unknown): Imported => {
  const of = (name: string): unknown => (Predicate.hasProperty(document, name) ? document[name] : undefined)
  return together([
    byTools(of("tools")),
    byPermission(of("permission")),
    inList(of("permissions")),
    agents(document)
  ])
}
