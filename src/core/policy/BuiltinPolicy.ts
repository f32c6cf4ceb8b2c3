import type { WrittenRule } from "./PolicyDocument.ts"

/**
 * What no rule of anybody opens (L2.7): the gate's own files, and the commands that answer for a person.
 * Relative paths are the project's.
 */
const SECRET = ["~/.config/obstat", "~/.local/state/obstat", "~/.local/share/obstat", "/etc/obstat"]
const GUARDED = [".obstat"]
const ANSWERING = ["obstat inbox *", "obstat policy trust *", "obstat sessions attach *"]

const deny = (surface: string, patterns: ReadonlyArray<string>, reason: string): ReadonlyArray<WrittenRule> =>
  patterns.map((pattern) => ({ surface, pattern, value: { action: "deny", reason }, line: 0 }))

const inside = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.flatMap((path) => [path, `${path}/*`])

export const RULES: ReadonlyArray<WrittenRule> = [
  ...deny("path", inside(SECRET), "Obstat's own files are not for agents"),
  ...deny("path_write", inside(GUARDED), "only a person changes Obstat's project policy"),
  ...deny("bash", ANSWERING, "only a person answers asks")
]
