import { constants } from "node:fs"
import { access, stat } from "node:fs/promises"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { PtyExit, PtyProcess, PtySpawnOptions } from "../../core/session/Pty.ts"
import { Pty, PtySpawnFailed } from "../../core/session/Pty.ts"
import * as GroupGuard from "./GroupGuard.ts"
import type { NativePty } from "./NativePty.ts"
import * as Native from "./NativePty.ts"
import * as PtyInput from "./PtyInput.ts"
import * as PtyOutput from "./PtyOutput.ts"

/** What a screen of ours understands; a child without the variable would assume the least. */
const terminalType = "xterm-256color"

/** A killed child is reaped at once unless the system holds it; then closing does not wait for ever. */
const reapPatience = "5 seconds"

const maximumSide = 65_535

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown"

const failed = (at: PtySpawnFailed["at"], path: string, reason: string) =>
  new PtySpawnFailed({ at, path, reason })

const isSide = (value: number) => Number.isInteger(value) && value >= 1 && value <= maximumSide

/** C strings end at NUL: a text with one would run as something else than was asked for. */
const faultOf = (options: PtySpawnOptions): string | null => {
  if (!isSide(options.cols) || !isSide(options.rows)) return "size"
  if ([options.file, options.cwd, ...options.args].some((text) => text.includes("\0"))) return "nul"
  const variables = Object.entries(options.env)
  if (variables.some(([name]) => name === "" || name.includes("="))) return "variable_name"
  return variables.flat().some((text) => text.includes("\0")) ? "nul" : null
}

/** The addon reports a program that cannot be started only as a child that ends: so look before (S2.3). */
const check = Effect.fnUntraced(function* (options: PtySpawnOptions) {
  const fault = faultOf(options)
  if (fault !== null) return yield* failed("pty", options.file, fault)
  const reach = (at: "file" | "cwd", path: string) =>
    Effect.tryPromise({
      try: async () => {
        const found = await stat(path)
        await access(path, constants.X_OK)
        return found
      },
      catch: (cause) => failed(at, path, codeOf(cause))
    })
  const cwd = yield* reach("cwd", options.cwd)
  if (!cwd.isDirectory()) return yield* failed("cwd", options.cwd, "ENOTDIR")
  const file = yield* reach("file", options.file)
  if (!file.isFile()) return yield* failed("file", options.file, file.isDirectory() ? "EISDIR" : "EACCES")
})

/** True if the system knew someone to deliver it to. */
const kill = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Between fork and `setsid` the group does not exist yet; the child then stands for it. */
const signalGroup = (pid: number, signal: NodeJS.Signals) => {
  if (!kill(-pid, signal)) kill(pid, signal)
}

interface Tools {
  readonly native: NativePty
  readonly helper: string
  readonly launcher: string | null
  readonly guard: GroupGuard.GroupGuard
}

interface Child {
  readonly process: PtyProcess
  readonly close: Effect.Effect<void>
}

const start = (tools: Tools, options: PtySpawnOptions): Child | PtySpawnFailed => {
  const exit = Deferred.makeUnsafe<PtyExit>()
  let exited = false
  const onExit = (code: number, signal: number) => {
    exited = true
    // The child is gone; whoever is left of its group goes with it, before its number can mean anyone else.
    kill(-forked.pid, "SIGKILL")
    tools.guard.remove(forked.pid)
    output.childEnded()
    Deferred.doneUnsafe(exit, Effect.succeed({ code, signal: signal === 0 ? null : signal }))
  }
  const env = Object.entries({ TERM: terminalType, ...options.env }).map(
    ([name, value]) => `${name}=${value}`
  )
  const [file, args] =
    tools.launcher === null ? [options.file, options.args] : [tools.launcher, [options.file, ...options.args]]
  let forked: { readonly fd: number; readonly pid: number }
  try {
    const { cols, cwd, rows } = options
    forked = tools.native.fork(file, args, env, cwd, cols, rows, -1, -1, true, tools.helper, onExit)
  } catch (cause) {
    return failed("pty", options.file, cause instanceof Error ? cause.message : "unknown")
  }
  const { fd, pid } = forked
  const output = PtyOutput.make(fd)
  const input = PtyInput.make(fd, output.isOpen)
  const end = Effect.suspend(() => {
    if (exited) return Effect.void
    signalGroup(pid, "SIGKILL")
    return Effect.asVoid(Effect.timeoutOption(Deferred.await(exit), reapPatience))
  })
  const close = Effect.andThen(end, output.close)
  if (!tools.guard.add(pid)) {
    signalGroup(pid, "SIGKILL")
    Effect.runFork(close)
    return failed("pty", options.file, "guard")
  }
  return {
    close,
    process: {
      pid,
      onData: output.onData,
      exit: Deferred.await(exit),
      drained: output.drained,
      write: input.write,
      resize: (cols, rows) =>
        input.whileOpen(() => {
          if (isSide(cols) && isSide(rows)) tools.native.resize(fd, cols, rows)
        }),
      signal: (name) => Effect.sync(() => (exited ? undefined : signalGroup(pid, name))),
      flow: output.flow
    }
  }
}

/** One turn of the event loop. */
const turn = Effect.callback<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

const make = Effect.gen(function* () {
  // A fork takes milliseconds: many sessions that start at once must not hold up those that run.
  const forks = Semaphore.makeUnsafe(1)
  const { helper, native } = Native.load()
  const launcher = Native.launcher()
  const guard = yield* GroupGuard.make
  const tools: Tools = { native, helper, launcher, guard }
  return Pty.of({
    spawn: Effect.fn("Pty.spawn")(function* (options) {
      yield* check(options)
      yield* forks.withPermit(turn)
      const child = yield* Effect.acquireRelease(
        Effect.suspend(() => {
          const child = start(tools, options)
          return child instanceof PtySpawnFailed ? Effect.fail(child) : Effect.succeed(child)
        }),
        (child) => child.close
      )
      return child.process
    })
  })
})

/** Real programs in real pseudo-terminals, through node-pty's native half. */
export const layer: Layer.Layer<Pty> = Layer.effect(Pty, make)
