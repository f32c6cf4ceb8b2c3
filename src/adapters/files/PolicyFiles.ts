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
import * as GuardedFile from "./GuardedFile.ts"
import * as TrustStore from "./TrustStore.ts"

export interface Options {
  /** The user's configuration directory of Obstat, e.g. `~/.config/obstat`. */
  readonly configDirectory: string
  /** Absolute: the directory that the session is launched in. */
  readonly projectRoot: string
  /** The administrator's file; default `/etc/obstat/obstat.jsonc`. */
  readonly adminFile?: string
  /**
   * The user's state directory of Obstat, e.g. `~/.local/state/obstat`, which knows the projects that were
   * accepted (L2.1). Without it no project is trusted.
   */
  readonly stateDirectory?: string
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

/** The policy file of a project (L2.1). */
export const projectFile = (projectRoot: string): string => join(projectRoot, ".obstat", NAME)

/** The user's own policy file. */
export const userFile = (configDirectory: string): string => join(configDirectory, NAME)

interface Place {
  readonly scope: Scope
  readonly file: string
  /** `accepted`: trusted once a person has accepted its content (L2.1). */
  readonly trust: "always" | "accepted"
  /** A person has named this very file: it has to be there, and may be a pipe or a link. */
  readonly named: boolean
}

const MISSING = "missing"

const places = (options: Options): ReadonlyArray<Place> => {
  const admin: Place = {
    scope: "admin",
    file: options.adminFile ?? ADMIN_FILE,
    trust: "always",
    named: false
  }
  if (options.policyFile !== undefined) {
    const only: Place = { scope: "user", file: options.policyFile, trust: "always", named: true }
    return options.alone === true ? [only] : [admin, only]
  }
  return [
    admin,
    { scope: "user", file: userFile(options.configDirectory), trust: "always", named: false },
    // A repository tightens; what it allows counts once a person has accepted it.
    { scope: "project", file: projectFile(options.projectRoot), trust: "accepted", named: false }
  ]
}

/** Policy texts from files. A missing file is no policy; one that is there and cannot be read is a broken one. */
export const layer = (options: Options): Layer.Layer<PolicySource, never, FileSystem.FileSystem> =>
  Layer.effect(PolicySource, make(options))

const make = Effect.fnUntraced(function* (options: Options) {
  const fileSystem = yield* FileSystem.FileSystem

  const trust = options.stateDirectory === undefined ? null : TrustStore.make(options.stateDirectory)

  const isAccepted = Effect.fnUntraced(
    function* (file: string, digest: string) {
      return trust !== null && (yield* trust.accepts(yield* fileSystem.realPath(file), digest))
    },
    (accepted) => Effect.orElseSucceed(accepted, () => false)
  )

  const textOf = ({ file, named, trust }: Place): Effect.Effect<string, string> =>
    named
      ? Effect.mapError(fileSystem.readFileString(file), ({ reason }) =>
          reason._tag === "NotFound" ? MISSING : reason._tag
        )
      : Effect.mapError(GuardedFile.read(file, { owned: trust === "always" }), ({ reason }) => reason)

  const readOne = (place: Place): Effect.Effect<ReadonlyArray<PolicyText>> => {
    const { scope, file, trust, named } = place
    return textOf(place).pipe(
      Effect.flatMap((text) => {
        const digest = digestOf(text)
        const trusted = trust === "always" ? Effect.succeed(true) : isAccepted(file, digest)
        return Effect.map(trusted, (trusted) => [{ scope, file, trusted, text, digest, unreadable: null }])
      }),
      Effect.catch((reason) =>
        Effect.succeed(
          reason === MISSING && !named
            ? []
            : [{ scope, file, trusted: trust === "always", text: "", digest: reason, unreadable: reason }]
        )
      )
    )
  }

  const read = Effect.map(Effect.forEach(places(options), readOne), (texts) => texts.flat())
  return PolicySource.of({
    read,
    changes: Stream.fromEffectSchedule(read, Schedule.spaced(INTERVAL)).pipe(Stream.changesWith(same))
  })
})

/** What stands for a policy text, wherever it is compared (L2.3). */
export const digestOf = (text: string): string =>
  `sha256-${createHash("sha256").update(text).digest("base64url")}`

const same = (left: ReadonlyArray<PolicyText>, right: ReadonlyArray<PolicyText>): boolean =>
  left.length === right.length &&
  left.every(
    ({ digest, file, trusted }, index) =>
      file === right[index]?.file && digest === right[index].digest && trusted === right[index].trusted
  )
