import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { closeSync, openSync, readFileSync, writeSync } from "node:fs"
import { ReadStream, WriteStream } from "node:tty"
import { SurfaceLost } from "../../core/authority/PersonSurface.ts"
import * as StreamTty from "./StreamTty.ts"
import { LEAVE } from "./TtyDialog.ts"
import { SURFACE, type TtyDevice } from "./TtyDevice.ts"

const DEVICE = "/dev/tty"

/** The controlling terminal, whatever stdin and stdout are. */
export const make = (): TtyDevice => ({
  foreground: Effect.flatMap(Effect.sync(hasTerminal), (terminal) =>
    terminal ? inForeground : Effect.succeed(false)
  ),
  open: Effect.fnUntraced(function* (mode) {
    const { input, output } = yield* Effect.acquireRelease(
      Effect.try({
        try: () => {
          const input = new ReadStream(openSync(DEVICE, "r+"))
          const output = new WriteStream(openSync(DEVICE, "r+"))
          const raw = mode === "raw"
          input.setRawMode(raw)
          return { input, output, restore: raw ? restoreAtExit(input) : () => {} }
        },
        catch: () => new SurfaceLost({ surface: SURFACE })
      }),
      ({ input, output, restore }) =>
        Effect.sync(() => {
          process.off("exit", restore)
          input.setRawMode(false)
          input.destroy()
          output.destroy()
        })
    )
    let size = { columns: output.columns, rows: output.rows }
    return yield* StreamTty.open({
      input,
      output,
      size: () => size,
      onResize: (changed) => {
        const onResize = (): void => {
          size = readSize() ?? size
          changed()
        }
        process.on("SIGWINCH", onResize)
        return () => process.off("SIGWINCH", onResize)
      }
    })
  })
})

/**
 * The last resort: a process that ends in the middle of a dialog must not leave the person's shell without
 * echo or on the other screen.
 */
const restoreAtExit = (input: ReadStream): (() => void) => {
  const restore = (): void => {
    try {
      input.setRawMode(false)
      const fd = openSync(DEVICE, "r+")
      writeSync(fd, LEAVE)
      closeSync(fd)
    } catch {
      // The terminal is gone: there is nothing left to put back.
    }
  }
  process.on("exit", restore)
  return restore
}

/** A stream of our own keeps the size it had when it was opened, so a new one is asked. */
const readSize = (): { readonly columns: number; readonly rows: number } | null => {
  try {
    const output = new WriteStream(openSync(DEVICE, "r+"))
    const { columns, rows } = output
    output.destroy()
    return { columns, rows }
  } catch {
    return null
  }
}

const hasTerminal = (): boolean => {
  try {
    closeSync(openSync(DEVICE, "r+"))
    return true
  } catch {
    return false
  }
}

/** Whether this process's group is the one that the terminal listens to: another would be stopped on reading. */
const inForeground: Effect.Effect<boolean> = Effect.suspend(() => {
  const groups = linuxGroups()
  return groups === null ? Effect.map(psGroups, sameGroup) : Effect.succeed(sameGroup(groups))
})

const sameGroup = ([own, foreground]: readonly [own: string, foreground: string]): boolean =>
  own !== "" && own === foreground

/** Where, counted behind the command's name, `/proc/self/stat` says the two groups. */
const STAT_OWN_GROUP = 2
const STAT_FOREGROUND_GROUP = 5

const linuxGroups = (): readonly [string, string] | null => {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1")
    // The name stands in parentheses and may hold anything, also further ones.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return [fields[STAT_OWN_GROUP] ?? "", fields[STAT_FOREGROUND_GROUP] ?? ""]
  } catch {
    return null
  }
}

/** The same where there is no `/proc`. */
const psGroups = Effect.callback<readonly [string, string]>((resume) => {
  const child = execFile("ps", ["-o", "pgid=,tpgid=", "-p", String(process.pid)], (error, stdout) => {
    const [own = "", foreground = ""] = error === null ? stdout.trim().split(/\s+/) : []
    resume(Effect.succeed([own, foreground]))
  })
  return Effect.sync(() => child.kill())
})
