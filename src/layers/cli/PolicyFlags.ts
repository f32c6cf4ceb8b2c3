import * as Flag from "effect/cli/Flag"

export const policy = Flag.File("policy").pipe(
  Flag.withMetavar("FILE"),
  Flag.withDescription("A policy file in place of your own and the project's"),
  Flag.optional
)

export const cwd = Flag.Directory("cwd", { mustExist: true }).pipe(
  Flag.withAlias("C"),
  Flag.withMetavar("DIR"),
  Flag.withDescription("The folder to work in, which is also the root of the project"),
  Flag.withDefault(".")
)
