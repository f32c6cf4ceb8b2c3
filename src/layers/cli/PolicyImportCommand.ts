import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import { homedir } from "node:os"
import { dirname, resolve } from "node:path"
import * as PolicyFiles from "../../adapters/files/PolicyFiles.ts"
import * as WholeFile from "../../adapters/files/WholeFile.ts"
import * as TerminalText from "../../core/ask/TerminalText.ts"
import * as ConfigIssue from "../../core/policy/ConfigIssue.ts"
import type { Imported } from "../../core/policy/ImportedRules.ts"
import * as PolicyDocument from "../../core/policy/PolicyDocument.ts"
import * as PolicyEdit from "../../core/policy/PolicyEdit.ts"
import * as PolicyImport from "../../core/policy/PolicyImport.ts"
import * as Diagnostic from "./Diagnostic.ts"
import * as ExitCode from "./ExitCode.ts"
import * as LocalPolicy from "./LocalPolicy.ts"
import * as Output from "./Output.ts"
import type { Asked } from "./PolicyImport.ts"

/** The import cannot be done; nothing was written. */
class NotImported extends Schema.TaggedError<NotImported>()("NotImported", {
  file: Schema.String,
  problem: Schema.String
}) {
  override get message() {
    return `${this.file}: ${this.problem}`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

/** What `policy import` prints for machines. */
export const Report = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  from: Schema.Literals(["claude", "opencode", "pi-permission-system"]),
  file: Schema.String,
  /** How many rules were carried over. */
  carried: Schema.Int,
  notes: Schema.Array(
    Schema.Struct({ kind: Schema.Literals(["left", "changed"]), rule: Schema.String, why: Schema.String })
  ),
  /** The file that was written, `null` where none was asked for. */
  written: Schema.NullOr(Schema.String),
  /** The policy file as it is now, or as it could be. */
  policy: Schema.String
})

const readText = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs
    .readFileString(file)
    .pipe(
      Effect.mapError(({ reason }) => new NotImported({ file, problem: `cannot be read: ${reason._tag}` }))
    )
})

/** The settings of a project, whose single slash is the project's folder. */
const PROJECT_SETTINGS = /\/\.claude\/settings(?:\.local)?\.json$/

const isProjects = (file: string): boolean =>
  PROJECT_SETTINGS.test(file) && dirname(dirname(file)) !== homedir()

/** What is in the file, the policy file with it, and what of it was left out. */
const edit = (file: string, text: string, imported: Imported) => {
  const document = PolicyDocument.read({
    scope: "user",
    file,
    text,
    digest: "",
    unreadable: null,
    trusted: true
  })
  if (document.broken) {
    const issues = document.issues.map(ConfigIssue.show).join("\n")
    return Effect.fail(new NotImported({ file, problem: `is broken, and stays as it is\n${issues}` }))
  }
  const edited = PolicyEdit.add(text, imported.rules)
  return Effect.succeed({ ...edited, notes: [...imported.notes, ...edited.notes] })
}

const NEW = { user: { folder: 0o700, file: 0o600 }, project: { folder: 0o755, file: 0o644 } }

/** Adds the rules to the file, whose mode stays; makes it where there is none. */
const write = Effect.fnUntraced(function* (asked: Asked, imported: Imported, whole: string) {
  const fs = yield* FileSystem.FileSystem
  const place = asked.project ? "project" : "user"
  const file = asked.project
    ? PolicyFiles.projectFile(resolve(asked.cwd))
    : PolicyFiles.userFile(LocalPolicy.directories(homedir()).config)
  const failed = ({ reason }: { readonly reason: string }) =>
    new NotImported({ file, problem: `cannot be written: ${reason}` })
  // A policy behind a link is not read either.
  if (Option.isSome(yield* Effect.option(fs.readLink(file)))) return yield* failed({ reason: "it is a link" })
  if (!(yield* Effect.orElseSucceed(fs.exists(file), () => true))) {
    yield* fs
      .makeDirectory(dirname(file), { recursive: true, mode: NEW[place].folder })
      .pipe(Effect.mapError(({ reason }) => failed({ reason: reason._tag })))
    yield* Effect.mapError(WholeFile.write(file, whole, NEW[place].file), failed)
    return { written: file, text: whole, notes: imported.notes }
  }
  const edited = yield* edit(file, yield* readText(file), imported)
  const { mode } = yield* Effect.mapError(fs.stat(file), ({ reason }) => failed({ reason: reason._tag }))
  yield* Effect.mapError(WholeFile.write(file, edited.text, mode & 0o777), failed)
  return { written: file, ...edited }
})

/** What `obstat policy import` does. */
export const run = Effect.fnUntraced(function* (asked: Asked) {
  const file = resolve(asked.file)
  const base = { root: isProjects(file) ? "." : null }
  const read = PolicyImport.read(asked.from, yield* readText(file), base)
  const imported = yield* Effect.mapError(
    Effect.fromResult(read),
    (problem) => new NotImported({ file, problem })
  )
  if (asked.write && !asked.project && isProjects(file)) {
    const problem = "these are a project's rules, which would hold everywhere in your own file; add --project"
    return yield* new NotImported({ file, problem })
  }
  const whole = PolicyImport.render(asked.from, file, imported)
  const done = asked.write
    ? yield* write(asked, imported, whole)
    : { written: null, text: whole, notes: imported.notes }
  if (asked.output === "json") {
    return yield* Output.json(Report)({
      schemaVersion: 1,
      from: asked.from,
      file,
      carried: imported.rules.length,
      notes: done.notes,
      written: done.written,
      policy: done.text
    })
  }
  if (done.notes.length > 0) {
    yield* Diagnostic.print([
      "not everything has a form here",
      ...done.notes.map((note) => PolicyImport.renderNote(note))
    ])
  }
  return yield* Output.text(
    done.written === null
      ? TerminalText.visible(done.text.trimEnd()).lines.join("\n")
      : TerminalText.visible(`written: ${done.written}`).lines.join("\n")
  )
})
