import * as Command from "effect/cli/Command"
import * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import { PolicyFile } from "../../core/policy/PolicyFile.ts"
import * as Output from "./Output.ts"

/** The JSON Schema of `obstat.jsonc`, for editors (L2.1). As strict as the reader: unknown keys are errors. */
const print = () => {
  const { schema, definitions } = Schema.toJsonSchemaDocument(PolicyFile, { onExcessProperty: "error" })
  return Output.json(Schema.Unknown)({
    $schema: JsonSchema.META_SCHEMA_URI_DRAFT_2020_12,
    ...schema,
    $defs: definitions
  })
}

export const command = Command.make("schema", {}, print).pipe(
  Command.withDescription("Print the JSON Schema of a policy file"),
  Command.withExamples([
    {
      command: "obstat policy schema > ~/.config/obstat/obstat.schema.json",
      description: 'Then name it in the policy file, as "$schema"'
    }
  ])
)
