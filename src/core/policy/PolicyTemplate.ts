import type { WrittenRule } from "./PolicyDocument.ts"
import * as StarterPolicy from "./StarterPolicy.ts"

const INDENT = "  "

const comment = (text: string, depth: number): string => `${INDENT.repeat(depth)}// ${text}`

/** What a rule says, as a policy file writes it. */
export const valueOf = ({ value }: Pick<WrittenRule, "value">): string => {
  const fields = Object.entries(value).map(([key, field]) => `"${key}": ${JSON.stringify(field)}`)
  return fields.length === 1 ? JSON.stringify(value.action) : `{ ${fields.join(", ")} }`
}

const ruleLine = (rule: WrittenRule): string => `${JSON.stringify(rule.pattern)}: ${valueOf(rule)},`

interface Block {
  readonly title: string
  /** Commented out: a person may take it on. */
  readonly offered: boolean
  readonly rules: ReadonlyArray<WrittenRule>
}

const BLOCKS: ReadonlyArray<Block> = [
  ...StarterPolicy.SECTIONS.map((section) => ({ ...section, offered: false })),
  ...StarterPolicy.OFFERS.map((offer) => ({ ...offer, offered: true }))
]

/** Surfaces whose rules have patterns; the others are tools, ruled as a whole. */
const PATTERNED = ["bash", "code", "path_read", "path_write", "path"]

const denies = ({ rules }: Block): number => (rules.some(({ value }) => value.action === "deny") ? 1 : 0)

/** Everything about one surface; denies come last, so that nothing a person takes on outranks them. */
const surfaceLines = (surface: string): ReadonlyArray<string> => {
  const blocks = BLOCKS.map((block) => ({
    ...block,
    rules: block.rules.filter((rule) => rule.surface === surface)
  }))
    .filter(({ rules }) => rules.length > 0)
    .toSorted((left, right) => denies(left) - denies(right))
  const offered = blocks.every((block) => block.offered)
  // Where all of it is offered, the surface is commented out with it.
  const line = (text: string, depth: number, off: boolean): string =>
    off ? comment(text, depth) : INDENT.repeat(depth) + text
  return [
    line(`${JSON.stringify(surface)}: {`, 2, offered),
    ...blocks.flatMap((block) => [
      comment(block.title, 3),
      ...block.rules.map((rule) => line(ruleLine(rule), 3, block.offered))
    ]),
    line("},", 2, offered)
  ]
}

const toolLines = (): ReadonlyArray<string> =>
  BLOCKS.flatMap(({ rules, title }) => {
    const tools = rules.filter(({ surface }) => !PATTERNED.includes(surface))
    if (tools.length === 0) return []
    const lines = tools.map((rule) => `${INDENT.repeat(2)}${JSON.stringify(rule.surface)}: ${valueOf(rule)},`)
    return [comment(title, 2), ...lines]
  })

/** The starter written out for a person to edit (L2.6): the same rules in the same force, with what they are for. */
export const user = (): string =>
  [
    "// What agents may do without asking, and what they may not do at all.",
    "//",
    "// Within a surface the last rule that matches decides, and a deny of any file is final. What no rule speaks of",
    '// is asked for. "*" is any text; relative paths start at the project.',
    "//",
    "//   obstat policy explain 'git push --force'    which rule decides, and why",
    "//   obstat policy lint                          rules that cannot do what they say",
    "//   obstat policy simulate --over PATH          how often your own sessions would have asked",
    "//",
    "// This is the starter written out, so it no longer changes with Obstat. To follow the starter instead, keep",
    '// only the rules of your own and write "extends": ["starter"] above them.',
    "{",
    `${INDENT}"permission": {`,
    ...PATTERNED.flatMap(surfaceLines),
    ...toolLines(),
    `${INDENT}},`,
    "}",
    ""
  ].join("\n")

/** A project's file to begin with: it says nothing yet. */
export const project = (): string =>
  [
    "// Rules for agents in this project, beside those that each person has.",
    "//",
    "// Until a person runs `obstat policy trust` here, only ask and deny count. Relative paths start at the project.",
    "{",
    `${INDENT}"permission": {`,
    comment('"bash": {', 2),
    comment('  "npm publish *": { "action": "deny", "reason": "releases are made by CI" },', 2),
    comment('  "git push *": "ask",', 2),
    comment("},", 2),
    comment('"path_write": { "migrations/*": "ask" },', 2),
    `${INDENT}},`,
    "}",
    ""
  ].join("\n")
