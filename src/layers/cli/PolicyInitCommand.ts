import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import { homedir } from "node:os"
import { dirname, resolve } from "node:path"
import * as PolicyFiles from "../../adapters/files/PolicyFiles.ts"
import * as PolicyTemplate from "../../core/policy/PolicyTemplate.ts"
import * as ExitCode from "./ExitCode.ts"
import * as LocalPolicy from "./LocalPolicy.ts"
import * as Output from "./Output.ts"
import type { Asked } from "./PolicyInit.ts"

/** The file is there, or cannot be made. What is there is never changed. */
class NotWritten extends Schema.TaggedError<NotWritten>()("NotWritten", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return this.reason === "AlreadyExists"
      ? `${this.file} is there already, and stays as it is`
      : `${this.file} cannot be written: ${this.reason}`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of(
    this.reason === "AlreadyExists" ? "usage" : "failure"
  )
}

/** What `policy init` prints for machines. */
export const Written = Schema.Struct({ schemaVersion: Schema.Literal(1), file: Schema.String })

/** A person's own file is theirs alone; a project's is for everybody who works on it (X5). */
const USER = { directory: 0o700, file: 0o600 }
const PROJECT = { directory: 0o755, file: 0o644 }

/** What `obstat policy init` does. */
export const run = Effect.fnUntraced(function* ({ cwd, output, project }: Asked) {
  const fs = yield* FileSystem.FileSystem
  const file = project
    ? PolicyFiles.projectFile(resolve(cwd))
    : PolicyFiles.userFile(LocalPolicy.directories(homedir()).config)
  const mode = project ? PROJECT : USER
  const text = project ? PolicyTemplate.project() : PolicyTemplate.user()
  yield* fs.makeDirectory(dirname(file), { recursive: true, mode: mode.directory }).pipe(
    Effect.andThen(fs.writeFileString(file, text, { flag: "wx", mode: mode.file })),
    Effect.mapError(({ reason }) => new NotWritten({ file, reason: reason._tag }))
  )
  return yield* Output.result(Written)(output, { schemaVersion: 1, file }, ({ file }) => `written: ${file}`)
})
