import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"

/** A process that still runs. */
export interface LeftProcess {
  readonly pid: number
  /** The program's name as the system keeps it; no arguments, which may hold what is nobody's business. */
  readonly name: string
}

interface ProcessRow extends LeftProcess {
  readonly parent: number
  readonly marked: boolean
}

/** `/proc/PID/stat`: `pid (name) state parent …`, where the name may itself hold blanks and parentheses. */
const STAT = /^\d+ \((.*)\) (\S) (\d+) /s

/** A process that has ended and waits to be reaped holds nothing any more. */
const ENDED: ReadonlySet<string> = new Set(["Z", "X"])

const row = Effect.fnUntraced(function* (pid: number, marker: string) {
  const fs = yield* FileSystem.FileSystem
  const [, name, state, parent] = STAT.exec(yield* fs.readFileString(`/proc/${pid}/stat`)) ?? []
  if (name === undefined || state === undefined || ENDED.has(state)) return []
  const environment = yield* fs.readFileString(`/proc/${pid}/environ`)
  return [{ pid, name, parent: Number(parent), marked: environment.split("\0").includes(marker) }]
})

/** Node reads files on four threads. */
const READERS = 4

const withDescendants = (rows: ReadonlyArray<ProcessRow>): ReadonlyArray<ProcessRow> => {
  const found = new Set(rows.filter((row) => row.marked).map((row) => row.pid))
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const row of rows) if (found.has(row.parent)) found.add(row.pid)
  }
  return rows.filter((row) => found.has(row.pid))
}

/**
 * Every live process that was started with `marker` (`NAME=value`) in its environment, and their descendants.
 * Reads `/proc`; where there is none the list is empty, and so proves nothing.
 */
export const processes = Effect.fn("Leftovers.processes")(function* (marker: string) {
  const fs = yield* FileSystem.FileSystem
  const names = yield* Effect.orElseSucceed(fs.readDirectory("/proc"), () => [])
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number)
  // A process that ends while it is looked at, or that is another user's, is none of ours.
  const rows = yield* Effect.forEach(pids, (pid) => Effect.orElseSucceed(row(pid, marker), () => []), {
    concurrency: READERS
  })
  return withDescendants(rows.flat()).map(({ pid, name }): LeftProcess => ({ pid, name }))
})

/** The paths of all open Unix sockets below a directory, by the system's own table. */
export const sockets = Effect.fn("Leftovers.sockets")(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const table = yield* Effect.orElseSucceed(fs.readFileString("/proc/net/unix"), () => "")
  const paths = table.split("\n").flatMap((line) => {
    const at = line.indexOf(`${directory}/`)
    return at === -1 ? [] : [line.slice(at)]
  })
  return Array.from(new Set(paths))
})
