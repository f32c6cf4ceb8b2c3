import * as Command from "effect/cli/Command"
import * as PolicyExplain from "./PolicyExplain.ts"
import * as PolicyImport from "./PolicyImport.ts"
import * as PolicyInit from "./PolicyInit.ts"
import * as PolicyLint from "./PolicyLint.ts"
import * as PolicySchema from "./PolicySchema.ts"
import * as PolicySimulate from "./PolicySimulate.ts"
import * as PolicyTest from "./PolicyTest.ts"
import * as PolicyTrust from "./PolicyTrust.ts"

export const command = Command.make("policy").pipe(
  Command.withDescription("What the rules say, and why"),
  Command.withSubcommands([
    PolicyExplain.command,
    PolicyTest.command,
    PolicySimulate.command,
    PolicyLint.command,
    PolicyImport.command,
    PolicyInit.command,
    PolicyTrust.command,
    PolicySchema.command
  ])
)
