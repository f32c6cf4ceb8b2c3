import * as Command from "effect/cli/Command"
import * as PolicyExplain from "./PolicyExplain.ts"
import * as PolicySchema from "./PolicySchema.ts"
import * as PolicyTrust from "./PolicyTrust.ts"

export const command = Command.make("policy").pipe(
  Command.withDescription("What the rules say, and why"),
  Command.withSubcommands([PolicyExplain.command, PolicyTrust.command, PolicySchema.command])
)
