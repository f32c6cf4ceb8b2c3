import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"

const bin = resolve(import.meta.dirname, "../../../src/layers/bin/obstat.ts")

export interface Options {
  readonly stdin?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}

/** Starts the command from its sources, in an environment that holds nothing of the caller's but the path. */
export const start = (args: ReadonlyArray<string>, options: Options = {}): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env.PATH, HOME: "/nonexistent", ...options.env }
  })

/** Runs the command to its end. */
export const run = async (args: ReadonlyArray<string>, options: Options = {}): Promise<Ended> => {
  const child = start(args, options)
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
  // A command that ends before it has read its input closes the pipe; what matters is how it ended.
  child.stdin.on("error", () => undefined).end(options.stdin ?? "")
  await once(child, "close")
  return { stdout, stderr, status: child.exitCode }
}
