import * as Result from "effect/Result"
import * as Jsonc from "jsonc-parser"
import * as ImportClaude from "./ImportClaude.ts"
import * as ImportOpenCode from "./ImportOpenCode.ts"
import * as ImportPermissionSystem from "./ImportPermissionSystem.ts"
import { type Imported, layOut, type Note } from "./ImportedRules.ts"
import * as PolicyTemplate from "./PolicyTemplate.ts"
import type { Base } from "./ImportedPath.ts"

/** Gates whose rules can be brought along (L2.4). */
export const SOURCES = {
  claude: { title: "Claude Code", read: ImportClaude.read },
  opencode: { title: "OpenCode", read: ImportOpenCode.read },
  "pi-permission-system": { title: "pi-permission-system", read: ImportPermissionSystem.read }
} as const satisfies Record<
  string,
  { readonly title: string; readonly read: (document: unknown, base: Base) => Imported }
>

export type Source = keyof typeof SOURCES

/** Reads another gate's file, JSON with or without comments; a failure says what is wrong with it. */
export const read = (source: Source, text: string, base: Base): Result.Result<Imported, string> => {
  const errors: Array<Jsonc.ParseError> = []
  const document: unknown = Jsonc.parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first === undefined) return Result.succeed(SOURCES[source].read(document, base))
  const line = text.slice(0, first.offset).split("\n").length
  return Result.fail(`broken syntax in line ${line}: ${Jsonc.printParseErrorCode(first.error)}`)
}

/** Text instead of an object: an object would put patterns that look like numbers first. */
const lines = (imported: Imported): string =>
  [...layOut(imported.rules)]
    .map(([surface, patterns]) => {
      const rules = [...patterns].map(
        ([pattern, value]) => `      ${JSON.stringify(pattern)}: ${PolicyTemplate.valueOf({ value })}`
      )
      return `    ${JSON.stringify(surface)}: {\n${rules.join(",\n")}\n    }`
    })
    .join(",\n")

/** A whole policy file of what was imported, beside the starter. */
export const render = (source: Source, file: string, imported: Imported): string =>
  [
    `// Brought along from ${SOURCES[source].title}: ${JSON.stringify(file)}`,
    "// obstat policy lint finds what cannot work here; obstat policy simulate shows what would change.",
    "{",
    '  "extends": ["starter"],',
    '  "permission": {',
    lines(imported),
    "  }",
    "}",
    ""
  ].join("\n")

const KINDS: Readonly<Record<Note["kind"], string>> = {
  left: "not carried",
  changed: "carried in another form"
}

/** What could not be carried over as it was, in a line. */
export const renderNote = ({ kind, rule, why }: Note): string => `${KINDS[kind]}: ${rule}: ${why}`
