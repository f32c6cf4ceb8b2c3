import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as CanonicalJson from "../call/CanonicalJson.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import * as Tools from "../call/Tools.ts"
import * as Place from "../shell/Place.ts"
import * as ShellAnalysis from "../shell/ShellAnalysis.ts"
import type { Touch, Unit } from "../shell/Site.ts"
import { constant, type Flaw, literal, type Parse } from "../shell/ShellTree.ts"
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

/** Takes a call apart. Total: an input that does not fit its tool is a target that nothing matches but a wildcard. */
export const analyse = (
  call: Pick<ToolCall, "agent" | "tool" | "input">,
  environment: Environment
): Analysis => {
  const rule = Tools.find(call.agent, call.tool)
  switch (rule._tag) {
    case "command": {
      const text = field(call.input, rule.field)
      return text === null ? other(call, environment) : command(text, environment)
    }
    case "file":
      return file(call, rule, environment)
    case "target": {
      const value = field(call.input, rule.field)
      return value === null
        ? other(call, environment)
        : complete({ ...NOTHING, environment, targets: [{ surface: rule.surface, value, matched: value }] })
    }
    case "mcp": {
      const value = `${rule.server}:${rule.tool}`
      return complete({ ...NOTHING, environment, targets: [{ surface: "mcp", value, matched: value }] })
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
  if (given === null && (!rule.tree || missing)) return other(call, environment)
  const [target] = Place.resolve(literal(given ?? "."), { base: [environment.cwd], home: environment.home })
  if (target === undefined || given?.includes("\0") === true) return other(call, environment)
  return complete({
    ...NOTHING,
    environment,
    touches: [{ direction: rule.direction, target, certain: true, recursive: rule.tree, unit: null }],
    targets: [{ surface: call.tool, value: target.path, matched: target.path }]
  })
}

const other = (call: Pick<ToolCall, "tool" | "input">, environment: Environment): Analysis => {
  const matched = Option.getOrElse(CanonicalJson.print(call.input), () => "")
  return complete({ ...NOTHING, environment, targets: [{ surface: call.tool, value: call.tool, matched }] })
}

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
