import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/** Where what Obstat remembers for a user is kept, by the environment of the host process. Absolute. */
export const of = (env: Readonly<Record<string, string | undefined>>): string => {
  const state = env["XDG_STATE_HOME"] ?? ""
  return join(isAbsolute(state) ? state : join(env["HOME"] || homedir(), ".local", "state"), "obstat")
}

/** The journals in it. */
export const journal = (state: string): string => join(state, "journal")
