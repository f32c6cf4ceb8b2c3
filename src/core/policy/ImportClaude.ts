import * as Predicate from "effect/Predicate"
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
import * as ImportedPath from "./ImportedPath.ts"

/** `permissions` of Claude Code's `settings.json`, in the order in which it looks at them: the last here counts. */
const LISTS = ["allow", "ask", "deny"] as const

type List = (typeof LISTS)[number]

interface Written {
  /** `Tool` or `Tool(specifier)`. */
  readonly rule: string
  readonly tool: string
  /** `null`: the tool as a whole. */
  readonly specifier: string | null
  readonly value: CarriedRule["value"]
  readonly base: ImportedPath.Base
}

const isStrict = ({ value }: Written): boolean => value.action !== "allow"

/** A stricter rule without a form here: the tool as a whole asks a person. */
const whole = (written: Written, surface: string, why: string): Imported =>
  isStrict(written)
    ? together([
        widened(surface, ["*"], PERSON),
        noted("changed", written.rule, `${why}: a person is asked about every call`)
      ])
    : noted("left", written.rule, why)

/** `Bash(npm run test:*)`: a prefix, in the form before there were wildcards. */
const PREFIX = /:\*$/
const PARAMETER = /^[a-z_]+:/

const bash = (written: Written): Imported => {
  const { rule, specifier, value } = written
  if (specifier === null) return carried("bash", ["*"], value)
  if (PREFIX.test(specifier)) {
    return ImportedCommand.carry(rule, `${specifier.replace(PREFIX, "")} *`, value, /\?/)
  }
  return PARAMETER.test(specifier)
    ? whole(written, "bash", "it is about a parameter of the tool")
    : ImportedCommand.carry(rule, specifier, value, /\?/)
}

const OUTSIDE = /^[/~]/

const path =
  (direction: "read" | "write") =>
  (written: Written): Imported => {
    const { base, rule, specifier, value } = written
    // What may not be read is not overwritten either: Claude writes over no file that it has not read.
    const surface = value.action === "deny" && direction === "read" ? "path" : `path_${direction}`
    if (specifier === null) return carried(surface, ["*"], value)
    const translated = ImportedPath.translate(specifier, base, isStrict(written))
    if (translated === null) return whole(written, surface, "the pattern has no form here")
    if (!translated.exact && !isStrict(written)) {
      return noted("left", rule, 'a "*" reaches into folders here, so it would allow more')
    }
    const outside = translated.patterns.filter((pattern) => OUTSIDE.test(pattern))
    return together([
      carried(surface, translated.patterns, value),
      // Outside the project two surfaces have to allow.
      isStrict(written) ? NOTHING : carried(`external_directory_${direction}`, outside, value)
    ])
  }

/** Claude looks at paths under `Read` and `Edit` alone, and at the names of the others. */
const byName =
  (direction: "read" | "write") =>
  (written: Written): Imported => {
    if (written.specifier === null) return carried(written.tool, ["*"], written.value)
    return isStrict(written)
      ? path(direction)(written)
      : noted("left", written.rule, "Claude Code itself does not look at a path of this tool")
  }

const DOMAIN = /^domain:([\w.*-]+)$/

const web = (written: Written): Imported => {
  const { specifier, value } = written
  if (specifier === null) return carried("web", ["*"], value)
  const domain = DOMAIN.exec(specifier)?.[1]
  if (domain === undefined) return whole(written, "web", "it is no domain")
  if (isStrict(written)) {
    return carried("web", [`*://${domain}*`, `*://*@${domain}*`], value)
  }
  return domain.includes("*")
    ? noted("left", written.rule, 'a "*" is any text here, also a path')
    : carried("web", [`https://${domain}`, `https://${domain}/*`], value)
}

const named =
  (surface: string) =>
  (written: Written): Imported => {
    const { specifier, value } = written
    if (specifier === null) return carried(surface, ["*"], value)
    if (/^[\w:./-]+$/.test(specifier) && !PREFIX.test(specifier)) return carried(surface, [specifier], value)
    return whole(written, surface, "it is about more than the name")
  }

const MCP = /^mcp__(.+?)(?:__(.+))?$/

const other = (written: Written): Imported => {
  const { rule, specifier, tool, value } = written
  const mcp = MCP.exec(tool)
  if (mcp !== null) {
    const [, server = "", name = "*"] = mcp
    if (specifier !== null) return whole(written, "mcp", "it is about a parameter of the tool")
    if (/[*?]/.test(server) && !isStrict(written)) {
      return noted("left", rule, "Claude Code itself does not allow servers by a wildcard")
    }
    return carried("mcp", [`${server}:${name}`.replaceAll(/\*+/g, "*")], value)
  }
  if (specifier !== null) return whole(written, tool, "what it says of the tool has no form here")
  return /[*?]/.test(tool) && !isStrict(written)
    ? noted("left", rule, "it allows tools by a wildcard")
    : carried(tool, ["*"], value)
}

const TOOLS: Readonly<Record<string, (written: Written) => Imported>> = {
  Bash: bash,
  Read: path("read"),
  Edit: path("write"),
  Write: byName("write"),
  MultiEdit: byName("write"),
  NotebookEdit: byName("write"),
  Glob: byName("read"),
  Grep: byName("read"),
  LS: byName("read"),
  WebFetch: web,
  Task: named("agent"),
  Agent: named("agent"),
  Skill: named("skill")
}

const RULE = /^([^()\s]+)(?:\(([\s\S]*)\))?$/

const ruleOf = (rule: unknown, action: List, base: ImportedPath.Base): Imported => {
  const parts = typeof rule === "string" ? RULE.exec(rule.trim()) : null
  if (typeof rule !== "string" || parts === null) {
    return noted("left", String(rule), "it is no rule of the form Tool or Tool(…)")
  }
  const [, tool = "", specifier] = parts
  const read = Object.hasOwn(TOOLS, tool) ? TOOLS[tool]! : other
  const given = specifier === undefined || specifier.trim() === "" || specifier === "*" ? null : specifier
  return read({ rule, tool, specifier: given, value: { action }, base })
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Folders that Claude treats as the project's for reading. */
const directory = (folder: unknown): Imported =>
  typeof folder === "string" && OUTSIDE.test(folder) && !/[*?]/.test(folder)
    ? together(
        ["path_read", "external_directory_read"].map((surface) =>
          carried(surface, [folder.replace(/\/$/, ""), `${folder.replace(/\/$/, "")}/*`], { action: "allow" })
        )
      )
    : noted("left", `additionalDirectories: ${String(folder)}`, "it is no absolute path")

const MODES: Readonly<Record<string, string>> = {
  acceptEdits: 'a mode is no rule; to allow edits in the project write "path_write": { "./*": "allow" }',
  bypassPermissions: "nothing is allowed as a whole",
  dontAsk: "what no rule allows is asked for, or denied where nobody is there",
  plan: "the agent's own modes stay its own",
  auto: "no model decides unless a link is named in authorizerChain"
}

const KNOWN = new Set<string>([...LISTS, "additionalDirectories", "defaultMode"])

/**
 * Claude Code's rules (L2.4). There a deny goes before an ask and an ask before an allow, whatever their order;
 * here the last counts, so they are laid down in that order.
 */
export const read = (document: unknown, base: ImportedPath.Base): Imported => {
  const permissions = Predicate.hasProperty(document, "permissions") ? document.permissions : undefined
  if (!Predicate.isObject(permissions)) return NOTHING
  const of = (name: string): unknown =>
    Predicate.hasProperty(permissions, name) ? permissions[name] : undefined
  const mode = of("defaultMode")
  return together([
    ...listOf(of("additionalDirectories")).map(directory),
    ...LISTS.flatMap((action) => listOf(of(action)).map((rule) => ruleOf(rule, action, base))),
    typeof mode === "string" && mode !== "default"
      ? noted("left", `defaultMode: ${mode}`, MODES[mode] ?? "Obstat has no such mode")
      : NOTHING,
    ...Object.keys(permissions)
      .filter((name) => !KNOWN.has(name))
      .map((name) => noted("left", name, "Obstat has no such setting"))
  ])
}
