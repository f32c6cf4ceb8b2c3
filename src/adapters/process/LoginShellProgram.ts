import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as ChildProcess from "effect/process/ChildProcess"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type { Agent } from "../../core/call/Agent.ts"
import { AgentNotFound, AgentProgram } from "../../core/session/AgentProgram.ts"

/** A login shell that has not answered by then is left out; the caller's own PATH stands (S2.1). */
const shellPatience = "5 seconds"

/** How long a program may take to say its version; it is only a warning that waits for it. */
const versionPatience = "10 seconds"

/** Frames the answer, so that whatever a start-up file prints is not taken for it. */
const mark = "__obstat_path__"

const programs: Record<Agent, { readonly name: string; readonly install: string }> = {
  claude: { name: "claude", install: "npm install -g @anthropic-ai/claude-code" },
  codex: { name: "codex", install: "npm install -g @openai/codex" },
  pi: { name: "pi", install: "npm install -g @earendil-works/pi-coding-agent" }
}

/**
 * Looks an agent's program up on the caller's PATH and on the person's login shell's, which is asked once.
 *
 * @param env the environment of the host process
 */
export const layer = (env: Readonly<Record<string, string | undefined>>) =>
  Layer.effect(
    AgentProgram,
    Effect.gen(function* () {
      const spawner = yield* ChildProcessSpawner
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const inherited = Object.fromEntries(
        Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
      )

      const loginPath = spawner
        .string(
          ChildProcess.make(inherited.SHELL ?? "/bin/sh", ["-lc", `printf '%s' "${mark}$PATH${mark}"`], {
            env: inherited,
            stdin: "ignore",
            stderr: "ignore",
            detached: true,
            forceKillAfter: "1 second"
          })
        )
        .pipe(
          Effect.map((output) => output.split(mark)[1] ?? null),
          Effect.timeoutOption(shellPatience),
          Effect.map((answer) => (answer._tag === "Some" ? answer.value : null)),
          Effect.orElseSucceed(() => null)
        )
      // What the caller's own terminal set up (a version manager, a virtual environment) comes first; the login
      // shell adds what a host that was not started from a terminal would miss.
      const searchPath = yield* Effect.cached(
        Effect.map(loginPath, (found) => [
          ...new Set(
            [...(inherited.PATH ?? "").split(":"), ...(found ?? "").split(":")].filter(path.isAbsolute)
          )
        ])
      )

      const isProgram = (file: string) =>
        fs.stat(file).pipe(
          Effect.map((info) => info.type === "File" && (info.mode & 0o111) !== 0),
          Effect.orElseSucceed(() => false)
        )

      const version = (file: string, env: Readonly<Record<string, string>>) =>
        spawner
          .string(ChildProcess.make(file, ["--version"], { env, stdin: "ignore", stderr: "ignore" }))
          .pipe(
            Effect.timeout(versionPatience),
            Effect.orElseSucceed(() => "")
          )

      const find = Effect.fn("AgentProgram.find")(function* (agent: Agent) {
        const { name, install } = programs[agent]
        const dirs = yield* searchPath
        for (const dir of dirs) {
          const file = path.join(dir, name)
          if (!(yield* isProgram(file))) continue
          const env = { ...inherited, PATH: dirs.join(":") }
          return { file, env, version: version(file, env) }
        }
        return yield* new AgentNotFound({ agent, install })
      })

      return AgentProgram.of({ find })
    })
  )
