import { createHash } from "node:crypto"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Acceptance, ProjectTrust, ProjectTrustUnavailable } from "../../core/policy/ProjectTrust.ts"
import * as PrivateFile from "./PrivateFile.ts"

/** One file per accepted project: accepting and revoking never read what they replace, so they need no lock. */
const Stored = Schema.fromJsonString(
  Schema.Struct({ schemaVersion: Schema.Literal(1), ...Acceptance.fields })
)
const decode = Schema.decodeUnknownEffect(Stored, { onExcessProperty: "error" })
const encode = Schema.encodeEffect(Stored)

const SUFFIX = ".json"

const nameOf = (file: string): string => createHash("sha256").update(file).digest("hex") + SUFFIX

const unavailable = ({ path, reason }: PrivateFile.PrivateFileRefused): ProjectTrustUnavailable =>
  new ProjectTrustUnavailable({ path, reason })

const code = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown"

/** Keeps what was accepted in a folder of its own, which only this user can enter (X5). */
export const make = (stateDirectory: string): ProjectTrust["Service"] => {
  const folder = join(stateDirectory, "trust")

  const load = Effect.fnUntraced(function* (name: string) {
    const path = join(folder, name)
    const text = yield* Effect.mapError(PrivateFile.read(path), unavailable)
    const malformed = () => new ProjectTrustUnavailable({ path, reason: "malformed" })
    const { schemaVersion: _, ...acceptance } = yield* Effect.mapError(decode(text), malformed)
    return nameOf(acceptance.file) === name ? acceptance : yield* malformed()
  })

  return {
    accepts: Effect.fn("ProjectTrust.accepts")(
      function* (file, digest) {
        const acceptance = yield* load(nameOf(file))
        return acceptance.file === file && acceptance.digest === digest
      },
      (found) => Effect.orElseSucceed(found, () => false)
    ),
    accept: Effect.fn("ProjectTrust.accept")(function* (file, digest) {
      const acceptedAt = DateTime.formatIso(yield* DateTime.now)
      const text = yield* Effect.orDie(encode({ schemaVersion: 1, file, digest, acceptedAt }))
      yield* Effect.mapError(PrivateFile.write(join(folder, nameOf(file)), `${text}\n`), unavailable)
      return { file, digest, acceptedAt }
    }),
    revoke: Effect.fn("ProjectTrust.revoke")(function* (file) {
      return yield* PrivateFile.remove(join(folder, nameOf(file))).pipe(
        Effect.as(true),
        Effect.catch((error) =>
          error.reason === "ENOENT" ? Effect.succeed(false) : Effect.fail(unavailable(error))
        )
      )
    }),
    list: Effect.gen(function* () {
      const names = yield* Effect.tryPromise({ try: () => readdir(folder), catch: code }).pipe(
        Effect.catch((reason) =>
          reason === "ENOENT"
            ? Effect.succeed([])
            : Effect.fail(new ProjectTrustUnavailable({ path: folder, reason }))
        )
      )
      const found = yield* Effect.forEach(
        names.filter((name) => name.endsWith(SUFFIX)),
        load
      )
      return found.toSorted((left, right) => (left.file < right.file ? -1 : 1))
    }).pipe(Effect.withSpan("ProjectTrust.list"))
  }
}

/** `stateDirectory`: the user's state directory of Obstat, e.g. `~/.local/state/obstat`. */
export const layer = (stateDirectory: string): Layer.Layer<ProjectTrust> =>
  Layer.succeed(ProjectTrust, make(stateDirectory))
