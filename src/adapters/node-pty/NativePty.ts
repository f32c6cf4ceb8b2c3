import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * node-pty's native half, without the JavaScript half around it. That half destroys the terminal's socket
 * 200 ms after the child's exit, read or not, reports the exit only after that, and spins while a child does
 * not read its input; none of it can be switched off. The native half has none of these faults.
 */
export interface NativePty {
  readonly fork: (
    file: string,
    args: ReadonlyArray<string>,
    env: ReadonlyArray<string>,
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void
  ) => { readonly fd: number; readonly pid: number }
  readonly resize: (fd: number, cols: number, rows: number) => void
}

/** The addon, and the program that starts a child through it on macOS. */
export const load = (): { readonly native: NativePty; readonly helper: string } => {
  const require = createRequire(import.meta.url)
  const utils = require.resolve("node-pty/lib/utils.js")
  const found: { dir: string; module: NativePty } = require(utils).loadNativeModule("pty")
  return { native: found.module, helper: resolve(dirname(utils), found.dir, "spawn-helper") }
}

/**
 * The program that keeps other terminals' descriptors from a child, or `null` where it was not built. Found
 * from the sources, from `dist` and from a bundle alike: the nearest package above that has it.
 */
export const launcher = (): string | null => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = resolve(folder, "native/build/pty-launch")
    if (existsSync(candidate)) return candidate
    if (existsSync(resolve(folder, "package.json")) || folder === dirname(folder)) return null
  }
}
