import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import * as Output from "./Output.ts"

/** Loaded when it runs, so that no other command starts slower for it (V13). */
const SCHEMAS = {
  policy: () => import("../../core/policy/PolicyFile.ts").then(({ PolicyFile }) => PolicyFile),
  cases: () => import("../../core/policy/PolicyCases.ts").then(({ PolicyCases }) => PolicyCases)
}

/** The JSON Schema of `obstat.jsonc`, or of a file of cases, for editors (L2.1). As strict as their readers. */
const print = Effect.fnUntraced(function* ({ of }: { readonly of: keyof typeof SCHEMAS }) {
  const described = yield* Effect.promise<Schema.Top>(SCHEMAS[of])
  const { schema, definitions } = Schema.toJsonSchemaDocument(described, { onExcessProperty: "error" })
  return yield* Output.json(Schema.Unknown)({
    $schema: JsonSchema.META_SCHEMA_URI_DRAFT_2020_12,
    ...schema,
    $defs: definitions
  })
})

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
