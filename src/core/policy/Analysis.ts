import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as CanonicalJson from "../call/CanonicalJson.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import * as PatchText from "../call/PatchText.ts"
import * as Tools from "../call/Tools.ts"
import * as Place from "../shell/Place.ts"
import * as ShellAnalysis from "../shell/ShellAnalysis.ts"
import type { Touch, Unit } from "../shell/Site.ts"
import { constant, type Flaw, literal, type Parse } from "../shell/ShellTree.ts"
import * as Pattern from "./Pattern.ts"
import * as Subject from "./Subject.ts"

/** Where a call happens. All absolute. */
export interface Environment {
  readonly cwd: string
  readonly home: string
  readonly projectRoot: string
  /** The session's own directory for temporary files, which is never external (L1.8). */
  readonly temporary?: string
  readonly parse?: Parse
}

/** A thing that is not a command: an MCP tool, a URL, a skill, a tool of its own name. */
export interface Target {
  readonly surface: string
  readonly value: string
  /** What rules match, where that is not the value itself. */
  readonly matched: string
  /** Without a rule it says nothing: the files of the same call decide. */
  readonly abstains?: true
}

/** What one call would do, before any rule is looked at (L3, L4). */
export interface Analysis {
  readonly environment: Environment
  /** The shell text of a command call. */
  readonly command: string | null
  readonly units: ReadonlyArray<Unit>
  readonly touches: ReadonlyArray<Touch>
  readonly targets: ReadonlyArray<Target>
  readonly flaw: Flaw | null
  /** The agent's own question tool: policy has nothing to say about it (Q3.7). */
  readonly question: boolean
  /** Paths and programs that the decision wants facts about. */
  readonly paths: ReadonlyArray<string>
  readonly programs: ReadonlyArray<string>
}

const NOTHING = { command: null, units: [], touches: [], targets: [], flaw: null, question: false } as const

/** Takes a call apart. Total: an input that does not fit its tool is never better than ask. */
export const analyse = (
  call: Pick<ToolCall, "agent" | "tool" | "input">,
  environment: Environment
): Analysis => {
  const rule = Tools.find(call.agent, call.tool)
  switch (rule._tag) {
    case "command": {
      const text = shellText(call.input, rule.field)
      const place = directory(call.input, rule.directory, environment)
      return text === null || place === null ? unreadable(call, environment) : command(text, place)
    }
    case "typed":
      return typed(call, rule.field, environment)
    case "file":
      return file(call, rule, environment)
    case "patch": {
      const text = field(call.input, rule.field) ?? field(call.input, "input") ?? field(call.input, "patch")
      return text === null ? unreadable(call, environment) : patch(call, text, environment)
    }
    case "target": {
      const value = field(call.input, rule.field)
      return value === null
        ? unreadable(call, environment)
        : complete({ ...NOTHING, environment, targets: [{ surface: rule.surface, value, matched: value }] })
    }
    case "mcp":
      return mcp(rule.server, rule.tool, environment)
    case "mcpCall": {
      const server = field(call.input, rule.server)
      const tool = field(call.input, rule.tool)
      return server === null || tool === null ? unreadable(call, environment) : mcp(server, tool, environment)
    }
    case "question":
      return complete({ ...NOTHING, environment, question: true })
    case "other":
      return other(call, environment)
  }
}

/** A shell text by itself, as `policy explain` is given it. */
export const command = (text: string, environment: Environment): Analysis => {
  const shell = ShellAnalysis.analyse(text, environment)
  return complete({ ...NOTHING, environment, command: text, ...shell })
}

const mcp = (server: string, tool: string, environment: Environment): Analysis => {
  const value = `${server}:${tool}`
  return complete({ ...NOTHING, environment, targets: [{ surface: "mcp", value, matched: value }] })
}

/** A call's shell text; a list of words is the text that would run them. */
const shellText = (input: unknown, name: string): string | null => {
  const text = field(input, name)
  if (text !== null) return text
  const words = Predicate.hasProperty(input, name) ? input[name] : null
  if (!Array.isArray(words) || words.length === 0) return null
  const strings = words.filter((word) => typeof word === "string")
  if (strings.length < words.length) return null
  const [shell = "", option = "", script] = strings
  // The agent's own way to start a shell says no more than the text that it is given.
  if (
    strings.length === 3 &&
    script !== undefined &&
    script !== "" &&
    SHELL.test(shell) &&
    /^-l?c$/.test(option)
  )
    return script
  return strings.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ")
}

const SHELL = /^(?:\/bin\/|\/usr\/bin\/)?(?:bash|sh|zsh)$/

/** Whether a path or a command can be this: no NUL, no halves of characters, and nothing that is none (L3.1). */
const isText = (text: string): boolean => !/[\0\uFFFF]/.test(text) && text.isWellFormed()

/** Where a call says that it runs; `null` where it says so in a way that is no path. */
const directory = (input: unknown, name: string | null, environment: Environment): Environment | null => {
  if (name === null || !Predicate.hasProperty(input, name)) return environment
  if (input[name] === undefined || input[name] === null) return environment
  const given = field(input, name)
  if (given === null || !isText(given)) return null
  const [target] = Place.resolve(literal(given), { base: [environment.cwd], home: environment.home })
  return target?.kind === "exact" ? { ...environment, cwd: target.path } : null
}

/**
 * Text typed into a program that runs already. It may be a shell, so its commands are judged; it may be any
 * other, so it is code besides (L1.2). Without text the call only waits for output.
 */
const typed = (call: Pick<ToolCall, "tool" | "input">, name: string, environment: Environment): Analysis => {
  const text = field(call.input, name)
  if (text !== null) {
    const shell = ShellAnalysis.analyse(text, environment)
    const words = text.trim().split(/\s+/).join(Pattern.SEPARATOR)
    const targets = [{ surface: "code", value: text, matched: words }]
    return complete({ ...NOTHING, environment, command: text, targets, ...shell })
  }
  const given = Predicate.hasProperty(call.input, name) ? call.input[name] : ""
  return given === "" || given === undefined
    ? complete({ ...NOTHING, environment, targets: [{ surface: call.tool, value: call.tool, matched: "" }] })
    : unreadable(call, environment)
}

/** A patch writes the files that it names; one that is not understood may write any. */
const patch = (call: Pick<ToolCall, "tool">, text: string, environment: Environment): Analysis => {
  const places = { base: [environment.cwd], home: environment.home }
  const anywhere = { kind: "any", path: call.tool, raw: call.tool } as const
  const files = !isText(text) ? null : PatchText.files(text)
  const written = files?.flatMap((file) => Place.resolve(literal(file), places)) ?? [anywhere]
  return complete({
    ...NOTHING,
    environment,
    touches: written.map((target) => ({
      direction: "write",
      target,
      certain: true,
      recursive: false,
      unit: null
    })),
    targets: written.map(({ path }) => ({ surface: call.tool, value: path, matched: path, abstains: true }))
  })
}

const field = (input: unknown, name: string): string | null =>
  Predicate.hasProperty(input, name) && typeof input[name] === "string" && input[name] !== ""
    ? input[name]
    : null

const file = (
  call: Pick<ToolCall, "agent" | "tool" | "input">,
  rule: Extract<Tools.ToolRule, { _tag: "file" }>,
  environment: Environment
): Analysis => {
  const given = field(call.input, rule.field)
  const missing = Predicate.hasProperty(call.input, rule.field) && call.input[rule.field] !== undefined
  if (given === null && (!rule.optional || missing)) return unreadable(call, environment)
  const [target] = Place.resolve(literal(given ?? "."), { base: [environment.cwd], home: environment.home })
  if (target === undefined || (given !== null && !isText(given))) return unreadable(call, environment)
  return complete({
    ...NOTHING,
    environment,
    touches: [{ direction: rule.direction, target, certain: true, recursive: rule.tree, unit: null }],
    targets: [{ surface: call.tool, value: target.path, matched: target.path, abstains: true }]
  })
}

/** Surfaces with values of their own: a tool of that name, or its unfit input, must not be taken for one. */
const RESERVED =
  /^(?:bash|code|mcp|skill|web|agent|write_stdin|(?:path|external_directory)(?:_read|_write)?)$/

const other = (call: Pick<ToolCall, "tool" | "input">, environment: Environment): Analysis => {
  const matched = Option.getOrElse(CanonicalJson.print(call.input), () => "")
  const surface = RESERVED.test(call.tool) ? `${call.tool} (tool)` : call.tool
  return complete({ ...NOTHING, environment, targets: [{ surface, value: call.tool, matched }] })
}

/** A tool that is known, with arguments that are not where they should be: what it would do cannot be seen. */
const unreadable = (call: Pick<ToolCall, "tool" | "input">, environment: Environment): Analysis => ({
  ...other(call, environment),
  command: Option.getOrElse(CanonicalJson.print(call.input), () => call.tool),
  flaw: "unsupported"
})

const complete = (analysis: Omit<Analysis, "paths" | "programs">): Analysis => ({
  ...analysis,
  paths: [
    ...new Set(
      analysis.touches.flatMap(({ target }) =>
        target.kind === "exact" ? [target.raw] : target.kind === "any" ? [] : [Subject.directory(target)]
      )
    )
  ],
  programs: [
    ...new Set(
      analysis.units.flatMap((unit) => {
        const name = constant(unit.words[0]!)
        return name === null || unit.builtin || name.includes("/") ? [] : [name]
      })
    )
  ]
})

/** A call names no more scripts than a person looks at. */
const MAX_SCRIPTS = 16

/** The files that the call's commands run as code, and whose text is not in the command (P1.4). */
export const scripts = (analysis: Analysis): ReadonlyArray<string> =>
  [
    ...new Set(
      analysis.touches.flatMap(({ certain, direction, target, unit }) => {
        const mark = unit === null ? null : (analysis.units[unit]?.mark ?? null)
        return certain && direction === "read" && target.kind === "exact" && mark?.indirect === "code"
          ? [target.path]
          : []
      })
    )
  ].slice(0, MAX_SCRIPTS)
