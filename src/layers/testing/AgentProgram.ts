import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { AgentFaults } from "./AgentFaults.ts"
import type { Script } from "./Script.ts"

/** A scripted agent that can be started like the real one. */
export interface AgentProgram {
  /** The program: give it Claude Code's arguments, in a terminal. */
  readonly file: string
  /** Opens a gate of the script, for every session of this program. */
  readonly release: (gate: string) => Effect.Effect<void, PlatformError>
}

/** The program's source, as it stands beside this file: TypeScript in the sources, JavaScript in the package. */
const SOURCE = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "scripted-agent.ts" : "scripted-agent.js", import.meta.url)
)

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * Writes a program `claude` into a directory: the scripted agent with this script, run by this Node. It has
 * Claude Code's flags, hooks, dialogs and transcript, so what drives the one drives the other; no model, no
 * account, no network.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { AgentProgram, Sandbox, Script } from "obstat/testing"
 *
 * const agent = Effect.gen(function* () {
 *   const sandbox = yield* Sandbox.make()
 *   return yield* AgentProgram.install(
 *     sandbox.root,
 *     Script.sequence(
 *       Script.reply(Script.tool("Bash", { command: "make clean" }, "toolu_1")),
 *       Script.reply(Script.text("Clean."))
 *     )
 *   )
 * })
 * ```
 */
export const install = Effect.fn("AgentProgram.install")(function* (
  directory: string,
  script: Script,
  faults: AgentFaults = {}
): Effect.fn.Return<AgentProgram, PlatformError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const place = yield* fs.makeTempDirectory({ directory, prefix: "agent-" })
  const gates = join(place, "gates")
  const file = join(place, "claude")
  const scriptFile = join(place, "script.json")
  yield* fs.makeDirectory(gates)
  yield* fs.writeFileString(scriptFile, JSON.stringify(script))
  const variables = {
    OBSTAT_AGENT_SCRIPT: scriptFile,
    OBSTAT_AGENT_GATES: gates,
    OBSTAT_AGENT_FAULTS: JSON.stringify(faults)
  }
  const lines = [
    "#!/bin/sh",
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`),
    `exec ${quoted(process.execPath)} ${quoted(SOURCE)} "$@"`
  ]
  yield* fs.writeFileString(file, `${lines.join("\n")}\n`, { mode: 0o700 })
  return {
    file,
    release: Effect.fn("AgentProgram.release")((gate: string) => fs.writeFileString(join(gates, gate), ""))
  }
})
