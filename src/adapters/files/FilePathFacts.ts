import { createHash } from "node:crypto"
import { basename, dirname, isAbsolute, join } from "node:path"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { PathFacts, type Script } from "../../core/policy/PathFacts.ts"

export interface Options {
  /** Directories in which programs are looked up, in order; those of the session. */
  readonly searchPath: ReadonlyArray<string>
  /** Absolute: a program found in here is what the project put there, whatever its name. */
  readonly projectRoot: string
}

/** Deepest path that is looked at; the system's own limit is 4096 bytes, so this is never reached by a real one. */
const MAX_PARTS = 256

/** A larger file is no script; it counts as one that cannot be read. */
const MAX_SCRIPT_BYTES = 16 * 1024 * 1024

/** A longer text is not one that a person reads before they decide; its digest watches it all the same. */
const MAX_SHOWN_BYTES = 256 * 1024

/** A step up in a path. */
const UP = /\/\.\.(?=\/|$)/

/** Facts from the file system, taken anew for each call: a link may have moved since the last. */
export const layer = (options: Options): Layer.Layer<PathFacts, never, FileSystem.FileSystem> =>
  Layer.effect(PathFacts, make(options))

const make = Effect.fnUntraced(function* ({ searchPath, projectRoot }: Options) {
  const fileSystem = yield* FileSystem.FileSystem
  const root = yield* Effect.orElseSucceed(fileSystem.realPath(projectRoot), () => projectRoot)

  /** A path that does not exist yet lies where its nearest existing directory really is. */
  const nearest = Effect.fnUntraced(function* (path: string) {
    const rest: Array<string> = []
    let known = path
    for (let part = 0; part < MAX_PARTS; part++) {
      const real = yield* Effect.option(fileSystem.realPath(known))
      if (real._tag === "Some") return join(real.value, ...rest)
      if (dirname(known) === known) return null
      rest.unshift(basename(known))
      known = dirname(known)
    }
    return null
  })

  /** The look-up folds `a/..` before it sees that `a` is a link; the system does not. So each `..` is a step. */
  const canonical = Effect.fnUntraced(function* (path: string) {
    const [first = "", ...rest] = path.split(UP)
    let real = yield* nearest(first === "" ? "/" : first)
    for (const part of rest) {
      if (real === null) return null
      const above = dirname(real)
      real = part === "" ? above : yield* nearest(join(above, part))
    }
    return real
  })

  /** The first directory that has the program decides, as for the shell. */
  const trusted = Effect.fnUntraced(function* (program: string) {
    for (const directory of searchPath) {
      const file = join(directory, program)
      if (!isAbsolute(directory)) return false
      const real = yield* Effect.option(fileSystem.realPath(file))
      if (real._tag === "None") continue
      return ![file, real.value].some(
        (path) => path.startsWith(`${root}/`) || path.startsWith(`${projectRoot}/`)
      )
    }
    return false
  })

  const script = Effect.fnUntraced(function* (path: string): Effect.fn.Return<Script> {
    const bytes = yield* Effect.gen(function* () {
      // Not opened unless it is a plain file: reading a pipe would wait for whoever writes into it.
      const { size, type } = yield* fileSystem.stat(path)
      return type === "File" && size <= MAX_SCRIPT_BYTES ? yield* fileSystem.readFile(path) : null
    }).pipe(Effect.orElseSucceed(() => null))
    return bytes === null
      ? { path, digest: null, text: null }
      : { path, digest: createHash("sha256").update(bytes).digest("hex"), text: shown(bytes) }
  })

  return PathFacts.of({
    scripts: Effect.fn("PathFacts.scripts")((paths) => Effect.forEach(paths, script)),
    resolve: Effect.fn("PathFacts.resolve")(function* (paths, programs) {
      const real = new Map<string, string | null>()
      for (const path of paths) real.set(path, yield* canonical(path))
      const found = new Set<string>()
      for (const program of programs) if (yield* trusted(program)) found.add(program)
      return {
        canonical: (path) => real.get(path) ?? null,
        trusted: (program) => found.has(program)
      }
    })
  })
})

const shown = (bytes: Uint8Array): string | null => {
  if (bytes.byteLength > MAX_SHOWN_BYTES) return null
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
