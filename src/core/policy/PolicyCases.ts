import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Jsonc from "jsonc-parser"
import { Agent } from "../call/Agent.ts"
import * as Analysis from "./Analysis.ts"
import type { ConfigIssue } from "./ConfigIssue.ts"
import { decide } from "./Decide.ts"
import * as Explanation from "./Explanation.ts"
import type { Facts } from "./PathFacts.ts"
import type { Policy } from "./Policy.ts"
import { Action, Provenance } from "./Ruling.ts"

/** One call and the ruling that is expected of it: a shell command, or a tool with its input. */
export const PolicyCase = Schema.Struct({
  /** What the case is about, for whoever reads that it fails. */
  name: Schema.optionalKey(Schema.String),
  command: Schema.optionalKey(Schema.NonEmptyString),
  tool: Schema.optionalKey(Schema.NonEmptyString),
  input: Schema.optionalKey(Schema.Json),
  /** Whose tool it is; default `claude`. */
  agent: Schema.optionalKey(Agent),
  expect: Action,
  /** Of the rule that decides, where that matters. */
  surface: Schema.optionalKey(Schema.NonEmptyString),
  pattern: Schema.optionalKey(Schema.String)
}).check(
  Schema.makeFilter((item: { readonly command?: string; readonly tool?: string }) =>
    (item.command === undefined) !== (item.tool === undefined)
      ? undefined
      : 'a case has either a "command" or a "tool" with its "input"'
  )
)
export type PolicyCase = typeof PolicyCase.Type

/** A file of cases (L6.1), JSON with comments. Keys that are not listed are errors. */
export const PolicyCases = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  cases: Schema.Array(PolicyCase).check(Schema.isMinLength(1))
})

/** A case and the line that it begins in, from 1. */
export interface Placed {
  readonly line: number
  readonly item: PolicyCase
}

const decode = Schema.decodeUnknownResult(PolicyCases, { onExcessProperty: "error", errors: "all" })
const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Reads a file of cases, or says what is wrong with it and where. */
export const read = (
  file: string,
  text: string
): Result.Result<ReadonlyArray<Placed>, ReadonlyArray<ConfigIssue>> => {
  const issue = (offset: number, path: ReadonlyArray<string | number>, message: string): ConfigIssue => {
    const before = text.slice(0, offset).split("\n")
    return {
      severity: "error",
      file,
      line: before.length,
      column: (before.at(-1) ?? "").length + 1,
      path,
      message,
      suggestion: null
    }
  }
  const errors: Array<Jsonc.ParseError> = []
  const root = Jsonc.parseTree(text, errors, { allowTrailingComma: true })
  if (root === undefined || errors.length > 0) {
    const [first] = errors
    const problem = first === undefined ? "the file is empty" : Jsonc.printParseErrorCode(first.error)
    return Result.fail([issue(first?.offset ?? 0, [], `broken syntax: ${problem}`)])
  }
  const decoded = decode(Jsonc.getNodeValue(root))
  if (Result.isFailure(decoded)) {
    return Result.fail(
      format(decoded.failure.issue).issues.map(({ message, path = [] }) => {
        const keys = path.map((key) => (typeof key === "object" ? key.key : key))
        const known = keys.map((key) => (typeof key === "number" ? key : String(key)))
        return issue(nearest(root, known).offset, known, message.split("\n")[0] ?? "wrong")
      })
    )
  }
  const nodes = Jsonc.findNodeAtLocation(root, ["cases"])?.children ?? []
  return Result.succeed(
    decoded.success.cases.map((item, index) => ({
      item,
      line: text.slice(0, nodes[index]?.offset ?? 0).split("\n").length
    }))
  )
}

/** The node at a path, or the deepest one on the way that is there. */
const nearest = (root: Jsonc.Node, path: ReadonlyArray<string | number>): Jsonc.Node => {
  for (let length = path.length; length > 0; length--) {
    const node = Jsonc.findNodeAtLocation(root, path.slice(0, length))
    if (node !== undefined) return node
  }
  return root
}

/** What a case would do. */
export const analyse = (
  { agent = "claude", command, input, tool }: PolicyCase,
  environment: Analysis.Environment
): Analysis.Analysis =>
  command !== undefined || tool === undefined
    ? Analysis.command(command ?? "", environment)
    : Analysis.analyse({ agent, tool, input: input ?? {} }, environment)

const Outcome = Schema.Struct({
  line: Schema.Int,
  /** The case's name, or what it is about. */
  name: Schema.String,
  holds: Schema.Boolean,
  expected: Schema.Struct({
    action: Action,
    surface: Schema.NullOr(Schema.String),
    pattern: Schema.NullOr(Schema.String)
  }),
  /** The rule that decides, and the next one. */
  ruling: Provenance,
  runnerUp: Schema.NullOr(Provenance)
})

/** What `policy test` finds (L6.1). */
export const Outcomes = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  file: Schema.String,
  cases: Schema.Array(Outcome)
})
export type Outcomes = typeof Outcomes.Type

/** Rules each case. Pure; `facts` were asked about all of them. */
export const run = (
  file: string,
  cases: ReadonlyArray<Placed & { readonly analysis: Analysis.Analysis }>,
  policy: Policy,
  facts: Facts
): Outcomes => ({
  schemaVersion: 1,
  file,
  cases: cases.map(({ analysis, item, line }) => {
    const {
      action,
      units: [{ runnerUp, winner }]
    } = decide(policy, [], analysis, facts)
    const expected = {
      action: item.expect,
      surface: item.surface ?? null,
      pattern: item.pattern ?? null
    }
    return {
      line,
      name: item.name ?? item.command ?? item.tool ?? "",
      holds:
        action === expected.action &&
        (expected.surface === null || expected.surface === winner.surface) &&
        (expected.pattern === null || expected.pattern === winner.pattern),
      expected,
      ruling: winner,
      runnerUp
    }
  })
})

const wanted = ({ action, pattern, surface }: Outcomes["cases"][number]["expected"]): string =>
  [action, ...(surface === null ? [] : [surface]), ...(pattern === null ? [] : [`"${pattern}"`])].join(" ")

/** The same for people: the cases that do not hold, what rules instead, and how many hold. */
export const render = ({ cases, file }: Outcomes): string => {
  const differing = cases.filter(({ holds }) => !holds)
  return [
    ...differing.flatMap(({ expected, line, name, ruling, runnerUp }) => [
      `${file}:${line}: ${name}`,
      `    expected ${wanted(expected)}`,
      `    is ${ruling.action} by ${Explanation.place(ruling)}`,
      ...(runnerUp === null ? [] : [`    else ${runnerUp.action} by ${Explanation.place(runnerUp)}`])
    ]),
    `${cases.length - differing.length} of ${cases.length} cases hold`
  ].join("\n")
}
