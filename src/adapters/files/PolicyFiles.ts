import { createHash } from "node:crypto"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { PolicyText } from "../../core/policy/PolicyDocument.ts"
import { PolicySource } from "../../core/policy/PolicySource.ts"
import type { Scope } from "../../core/policy/Ruling.ts"

export interface Options {
  /** The user's configuration directory of Obstat, e.g. `~/.config/obstat`. */
  readonly configDirectory: string
  /** Absolute: the directory that the session is launched in. */
  readonly projectRoot: string
  /** The administrator's file; default `/etc/obstat/obstat.jsonc`. */
  readonly adminFile?: string
  /** One file in place of the user's and the project's (`--policy FILE`). It has to exist. */
  readonly policyFile?: string
  /** With `policyFile`: leave the administrator's file out too, as `explain`, `test` and `simulate` do (L6.3). */
  readonly alone?: boolean
}

/** The name of every policy file (L2.1). */
const NAME = "obstat.jsonc"
const ADMIN_FILE = `/etc/obstat/${NAME}`

/** How often the files are looked at. A person who edits a policy waits so long at most; three small reads. */
const INTERVAL = "2 seconds"

interface Place {
  readonly scope: Scope
  readonly file: string
  readonly trusted: boolean
  readonly required: boolean
}

const places = (options: Options): ReadonlyArray<Place> => {
  const admin: Place = {
    scope: "admin",
    file: options.adminFile ?? ADMIN_FILE,
    trusted: true,
    required: false
  }
  if (options.policyFile !== undefined) {
    const only: Place = { scope: "user", file: options.policyFile, trusted: true, required: true }
    return options.alone === true ? [only] : [admin, only]
  }
  return [
    admin,
    { scope: "user", file: join(options.configDirectory, NAME), trusted: true, required: false },
    // A repository tightens; what it allows counts once a person has accepted it (L2.1).
    { scope: "project", file: join(options.projectRoot, ".obstat", NAME), trusted: false, required: false }
  ]
}

/** Policy texts from files. A missing file is no policy; one that is there and cannot be read is a broken one. */
export const layer = (options: Options): Layer.Layer<PolicySource, never, FileSystem.FileSystem> =>
  Layer.effect(PolicySource, make(options))

const make = Effect.fnUntraced(function* (options: Options) {
  const fileSystem = yield* FileSystem.FileSystem

  const readOne = ({ scope, file, trusted, required }: Place): Effect.Effect<ReadonlyArray<PolicyText>> =>
    fileSystem.readFileString(file).pipe(
      Effect.map((text) => [{ scope, file, trusted, text, digest: digest(text), unreadable: null }]),
      Effect.catch((error) =>
        Effect.succeed(
          error.reason._tag === "NotFound" && !required
            ? []
            : [{ scope, file, trusted, text: "", digest: error.reason._tag, unreadable: error.reason._tag }]
        )
      )
    )

  const read = Effect.map(Effect.forEach(places(options), readOne), (texts) => texts.flat())
  return PolicySource.of({
    read,
    changes: Stream.fromEffectSchedule(read, Schedule.spaced(INTERVAL)).pipe(Stream.changesWith(same))
  })
})

const digest = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64url")}`

const same = (left: ReadonlyArray<PolicyText>, right: ReadonlyArray<PolicyText>): boolean =>
  left.length === right.length &&
  left.every((text, index) => text.file === right[index]?.file && text.digest === right[index]?.digest)
