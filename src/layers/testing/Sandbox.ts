import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { join, sep } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as Leftovers from "./Leftovers.ts"

/** A private place for an agent to run in: nothing of the user's is read or written. */
export interface Sandbox {
  /** Holds all of the following; short enough for a socket's path. */
  readonly root: string
  readonly home: string
  /** The folder that the agent works in, empty at first. */
  readonly cwd: string
  readonly tmp: string
  /**
   * For a host's sockets and what else lives no longer than a session; no file may be left in it. Not in `env`:
   * a host under test gets it as its XDG_RUNTIME_DIR.
   */
  readonly runtime: string
  /**
   * The whole environment of what runs here: the caller's PATH, and directories in the sandbox. It carries the
   * mark by which processes are found again.
   */
  readonly env: Readonly<Record<string, string>>
}

/** Something outlived the sandbox. The processes were ended, and the directory is gone. */
export class SandboxLeftovers extends Schema.TaggedError<SandboxLeftovers>()("SandboxLeftovers", {
  processes: Schema.Array(Schema.Struct({ pid: Schema.Int, name: Schema.String })),
  /** Paths of open sockets. */
  sockets: Schema.Array(Schema.String),
  /** What stood in `runtime`. */
  files: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `outlived the sandbox: ${JSON.stringify([this.processes, this.sockets, this.files])}`
  }
}

const MARKER = "OBSTAT_SANDBOX"

/** What agents themselves leave in a runtime directory when they are killed: Claude Code its control sockets. */
const AGENTS_OWN: ReadonlySet<string> = new Set(["cc-socks"])

/** A CLI that was told to end takes about 100 ms; a loaded machine a few times that. Later is a leak. */
const GRACE_POLLS = 40
const POLL_MILLIS = 50

/** Real time, also under a test clock: processes do not end by a virtual one. */
const poll = Effect.promise(() => setTimeout(POLL_MILLIS))

const gone = Effect.fnUntraced(function* (marker: string) {
  let left = yield* Leftovers.processes(marker)
  for (let polls = 0; left.length > 0 && polls < GRACE_POLLS; polls++) {
    yield* poll
    left = yield* Leftovers.processes(marker)
  }
  return left
})

const end = (pid: number) => Effect.ignore(Effect.try(() => process.kill(pid, "SIGKILL")))

const runtimeFiles = Effect.fnUntraced(function* (runtime: string) {
  const fs = yield* FileSystem.FileSystem
  const names = yield* fs.readDirectory(runtime, { recursive: true })
  const ours = names.filter((name) => !AGENTS_OWN.has(name.split(sep)[0] ?? name))
  return yield* Effect.filter(ours, (name) =>
    Effect.map(fs.stat(join(runtime, name)), (info) => info.type !== "Directory")
  )
})

const close = Effect.fnUntraced(function* (sandbox: Sandbox, marker: string) {
  const fs = yield* FileSystem.FileSystem
  const processes = yield* gone(marker)
  const sockets = yield* Leftovers.sockets(sandbox.root)
  const files = yield* Effect.orDie(runtimeFiles(sandbox.runtime))
  yield* Effect.forEach(processes, ({ pid }) => end(pid))
  yield* gone(marker)
  yield* Effect.orDie(fs.remove(sandbox.root, { recursive: true, force: true }))
  if (processes.length + sockets.length + files.length > 0) {
    return yield* Effect.die(new SandboxLeftovers({ processes, sockets, files }))
  }
})

/**
 * Makes a sandbox below the system's temporary directory. Acquire it before what runs in it: when its scope
 * closes it waits until every process started with its environment is gone (a few seconds at most), removes the directory,
 * and dies with {@link SandboxLeftovers} if a process, socket or runtime file was left (X9). Processes and
 * sockets are found through `/proc`; elsewhere only the files are checked.
 */
export const make = Effect.fn("Sandbox.make")(function* (): Effect.fn.Return<
  Sandbox,
  PlatformError,
  FileSystem.FileSystem | Scope.Scope
> {
  const fs = yield* FileSystem.FileSystem
  const mark = randomUUID()
  const acquire = Effect.gen(function* () {
    const root = yield* fs.realPath(yield* fs.makeTempDirectory({ prefix: "obstat-" }))
    const [home, cwd, tmp, runtime] = [
      join(root, "home"),
      join(root, "work"),
      join(root, "tmp"),
      join(root, "run")
    ] as const
    yield* Effect.forEach([home, cwd, tmp, runtime], (path) => fs.makeDirectory(path, { mode: 0o700 }))
    const env = {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: home,
      TMPDIR: tmp,
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_STATE_HOME: join(home, ".local", "state"),
      SHELL: "/bin/sh",
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      [MARKER]: mark
    }
    return { root, home, cwd, tmp, runtime, env }
  })
  return yield* Effect.acquireRelease(acquire, (sandbox) => close(sandbox, `${MARKER}=${mark}`))
})
