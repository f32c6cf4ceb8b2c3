import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import { PolicyCases } from "../../core/policy/PolicyCases.ts"
import { PolicyFile } from "../../core/policy/PolicyFile.ts"
import * as Output from "./Output.ts"

const SCHEMAS = { policy: PolicyFile, cases: PolicyCases }

/** The JSON Schema of `obstat.jsonc`, or of a file of cases, for editors (L2.1). As strict as their readers. */
const print = ({ of }: { readonly of: keyof typeof SCHEMAS }) => {
  const { schema, definitions } = Schema.toJsonSchemaDocument(SCHEMAS[of], { onExcessProperty: "error" })
  return Output.json(Schema.Unknown)({
    $schema: JsonSchema.META_SCHEMA_URI_DRAFT_2020_12,
    ...schema,
    $defs: definitions
  })
}

export const command = Command.make(
  "schema",
  {
    of: Flag.Literals("of", ["policy", "cases"]).pipe(
      Flag.withDescription("What to print it of: a policy file, or a file of cases for policy test"),
      Flag.withDefault("policy" as const)
    )
  },
  print
).pipe(
  Command.withDescription("Print the JSON Schema of a policy file"),
  Command.withExamples([
    {
      command: "obstat policy schema > ~/.config/obstat/obstat.schema.json",
      description: 'Then name it in the policy file, as "$schema"'
    }
  ])
)
