import * as Command from "effect/cli/Command"
import * as PolicyExplain from "./PolicyExplain.ts"

export const command = Command.make("policy").pipe(
  Command.withDescription("What the rules say, and why"),
  Command.withSubcommands([PolicyExplain.command])
)
