import { accessSync, constants } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Option from "effect/Option"

/** The program, with its first arguments, that an agent starts for each hook event. */
export interface HookClient {
  readonly kind: "native" | "node"
  readonly program: ReadonlyArray<string>
}

const usable = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

/** The package's `native` directory, from wherever in the package this code runs, bundled or not. */
const nativeDirectory = (from: string): Option.Option<string> => {
  const candidate = join(from, "native")
  if (usable(join(candidate, "hook-client.mjs"), constants.R_OK)) return Option.some(candidate)
  const above = dirname(from)
  return above === from ? Option.none() : nativeDirectory(above)
}

/** Finds the hook client: the compiled one where the install built it, else the Node one (S5.7). */
export const find = (only?: HookClient["kind"]): Option.Option<HookClient> =>
  Option.map(nativeDirectory(dirname(fileURLToPath(import.meta.url))), (directory) => {
    const native = join(directory, "build", "hook-client")
    return only !== "node" && usable(native, constants.X_OK)
      ? { kind: "native" as const, program: [native] }
      : { kind: "node" as const, program: [process.execPath, join(directory, "hook-client.mjs")] }
  }).pipe(Option.filter((client) => only === undefined || client.kind === only))

const PLAIN_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/

/** One word of a POSIX shell, whatever characters are in it. */
const quote = (word: string): string =>
  PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** The shell command that runs the client on this directory, for at most `seconds`. */
export const command = (client: HookClient, directory: string, seconds: number): string =>
  [...client.program, directory, String(seconds)].map(quote).join(" ")

/**
 * The same, turned into a block where it fails (S5.2). The word on stderr is needed: Codex takes a silent
 * exit 2 for no decision.
 */
export const blockingCommand = (command: string): string =>
  `${command} || { echo 'Obstat cannot be reached: refused' >&2; exit 2; }`
