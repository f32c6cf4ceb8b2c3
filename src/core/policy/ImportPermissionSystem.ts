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
import { RuleValue } from "./PolicyFile.ts"

/** A rule as pi-permission-system writes it. */
interface Written {
  readonly rule: string
  readonly surface: string
  readonly pattern: string
  readonly value: CarriedRule["value"]
}

const isValue = Schema.is(RuleValue)

/** Surfaces that are alike in name, patterns and meaning. */
const ALIKE = /^(?:(?:path|external_directory)(?:_read|_write)?|skill)$/

/** Pi's own file tools, and the surface that rules the files themselves. */
const FILE_TOOLS: Readonly<Record<string, string>> = {
  read: "path_read",
  grep: "path_read",
  find: "path_read",
  ls: "path_read",
  write: "path_write",
  edit: "path_write"
}

const carry = (written: Written): Imported => {
  const { pattern, rule, surface, value } = written
  if (surface === "bash") return ImportedCommand.carry(rule, pattern, value)
  if (ALIKE.test(surface)) return carried(surface, [pattern], value)
  if (surface === "mcp") return mcp(written)
  if (Object.hasOwn(FILE_TOOLS, surface)) return fileTool(written)
  if (pattern === "*" || (surface === "*" && value.action !== "allow"))
    return carried(surface, [pattern], value)
  return value.action === "allow"
    ? noted("left", rule, "what the tool is called with is compared as JSON here")
    : together([
        widened(surface, ["*"], PERSON),
        noted("changed", rule, "what the tool is called with is compared as JSON here: a person is asked")
      ])
}

/** A tool's own surface sees absolute paths; a relative one is the file's affair. */
const fileTool = ({ pattern, rule, surface, value }: Written): Imported => {
  if (/^[/*]/.test(pattern)) return carried(surface, [pattern], value)
  return value.action === "allow"
    ? noted("left", rule, `a tool sees absolute paths here; write it under "${FILE_TOOLS[surface]}"`)
    : together([
        widened(FILE_TOOLS[surface]!, [pattern], value),
        noted("changed", rule, "a tool sees absolute paths here: it holds for every way to the file")
      ])
}

/** There a call has many names, here it is `server:tool`. */
const mcp = ({ pattern, rule, value }: Written): Imported => {
  if (pattern === "*" || pattern.includes(":")) return carried("mcp", [pattern], value)
  return value.action === "allow"
    ? noted("left", rule, "tools of servers are server:tool here")
    : together([
        widened("mcp", [`${pattern}:*`, `*:${pattern}`, pattern.replaceAll("_", "?")], value),
        noted("changed", rule, "taken for a server, a tool, and server_tool at once")
      ])
}

const value = (given: unknown): CarriedRule["value"] | null =>
  isValue(given) ? (typeof given === "string" ? { action: given } : given) : null

const rules = (permission: unknown): Imported => {
  if (!Predicate.isObject(permission)) return NOTHING
  // There the surface for all is what is left when no other speaks, wherever it stands.
  const surfaces = Object.entries(permission).toSorted(
    ([left], [right]) => Number(right === "*") - Number(left === "*")
  )
  return together(
    surfaces.flatMap(([surface, given]): ReadonlyArray<Imported> => {
      const patterns =
        Predicate.isObject(given) && value(given) === null ? Object.entries(given) : [["*", given] as const]
      return patterns.map(([pattern, inner]) => {
        const rule = pattern === "*" ? surface : `${surface} ${pattern}`
        const written = value(inner)
        return written === null
          ? noted("left", rule, "it is no action")
          : carry({ rule, surface, pattern, value: written })
      })
    })
  )
}

/** Folders that it lets be read outside the project. */
const readable = (paths: unknown): Imported =>
  together(
    (Array.isArray(paths) ? paths : []).map((path: unknown) =>
      typeof path === "string" && /^[/~$]/.test(path)
        ? carried("external_directory_read", [path, `${path.replace(/\/$/, "")}/*`], { action: "allow" })
        : noted("left", `piInfrastructureReadPaths: ${String(path)}`, "it is no absolute path")
    )
  )

const WHY: Readonly<Record<string, string>> = {
  yoloMode: "nothing is allowed as a whole",
  authorizerChain: "its links are not Obstat's; name those under authorizerChain yourself",
  shellTools: "tools that Obstat does not know are asked for"
}

const CARRIED = new Set(["$schema", "permission", "piInfrastructureReadPaths"])

/** Rules of pi-permission-system (L2.4): there as here the last that matches counts. */
export const read = (document: unknown): Imported => {
  if (!Predicate.isObject(document)) return NOTHING
  const of = (name: string): unknown => (Predicate.hasProperty(document, name) ? document[name] : undefined)
  return together([
    readable(of("piInfrastructureReadPaths")),
    rules(of("permission")),
    ...Object.keys(document)
      .filter((name) => !CARRIED.has(name))
      .map((name) => noted("left", name, WHY[name] ?? "it is about that gate itself"))
  ])
}
