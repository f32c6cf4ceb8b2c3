import * as Schema from "effect/Schema"

/** The coding agents Obstat stands beside. Each is a dialect; nothing else in the core branches on it. */
export const Agent = Schema.Literals(["claude", "codex", "pi"])
export type Agent = typeof Agent.Type
