import * as Effect from "effect/Effect"
import { existsSync, readFileSync, readdirSync } from "node:fs"

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

/** A file of the process table; `null` where its process ended meanwhile, or is another user's. */
const read = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}

const row = (pid: number, marker: string): ReadonlyArray<ProcessRow> => {
  const [, name, state, parent] = STAT.exec(read(`/proc/${pid}/stat`) ?? "") ?? []
  const environment = read(`/proc/${pid}/environ`)
  if (name === undefined || state === undefined || ENDED.has(state) || environment === null) return []
  return [{ pid, name, parent: Number(parent), marked: environment.split("\0").includes(marker) }]
}

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
 * Reads `/proc` at once, so that the rows fit together; where there is none the list is empty, and so proves
 * nothing.
 */
export const processes = (marker: string): Effect.Effect<ReadonlyArray<LeftProcess>> =>
  Effect.sync(() => {
    const names = existsSync("/proc") ? readdirSync("/proc") : []
    const pids = names.filter((name) => /^\d+$/.test(name)).map(Number)
    return withDescendants(pids.flatMap((pid) => row(pid, marker))).map(({ pid, name }) => ({ pid, name }))
  })

/** The paths of all open Unix sockets below a directory, by the system's own table. */
export const sockets = (directory: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.sync(() => {
    const paths = (read("/proc/net/unix") ?? "").split("\n").flatMap((line) => {
      const at = line.indexOf(`${directory}/`)
      return at === -1 ? [] : [line.slice(at)]
    })
    return Array.from(new Set(paths))
  })
