import type { WrittenRule } from "./PolicyDocument.ts"

/**
 * What no rule of anybody opens (L2.7): the gate's own files, the commands that answer for a person, and those
 * that change what rules. Relative paths are the project's.
 */
const SECRET = [
  "~/.config/obstat",
  "~/.local/state/obstat",
  "~/.local/share/obstat",
  "/etc/obstat",
  // Where a session's hook socket and its token are, by the systems' own places for such files.
  ...["/run/user/*", "/tmp", "/var/folders/*", "/private/var/folders/*"].map(
    (place) => `${place}/obstat-hooks-*`
  )
]
const GUARDED = [".obstat"]
const ANSWERING = ["inbox *", "sessions attach *"]
const RULING = ["policy trust *", "policy init *", "policy import *--write*"]

/** With the options that may stand before any command. */
const obstat = (commands: ReadonlyArray<string>): ReadonlyArray<string> =>
  commands.flatMap((command) => [`obstat ${command}`, `obstat -* ${command}`])

/** Counted up with every change of these rules: a ruling says which of them it was made by. */
export const VERSION = 1

const deny = (surface: string, patterns: ReadonlyArray<string>, reason: string): ReadonlyArray<WrittenRule> =>
  patterns.map((pattern) => ({ surface, pattern, value: { action: "deny", reason }, line: 0 }))

const inside = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.flatMap((path) => [path, `${path}/*`])

/** `own`: further folders of Obstat's, where this user keeps them elsewhere (`Places.own`). */
export const make = (own: ReadonlyArray<string>): ReadonlyArray<WrittenRule> => [
  ...deny("path", inside([...SECRET, ...own]), "Obstat's own files are not for agents"),
  ...deny("path_write", inside(GUARDED), "only a person changes Obstat's project policy"),
  ...deny("bash", obstat(ANSWERING), "only a person answers asks"),
  ...deny("bash", obstat(RULING), "only a person changes what rules")
]
