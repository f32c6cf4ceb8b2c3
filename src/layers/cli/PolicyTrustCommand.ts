import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import { homedir } from "node:os"
import { dirname, resolve } from "node:path"
import * as PolicyFiles from "../../adapters/files/PolicyFiles.ts"
import * as TrustStore from "../../adapters/files/TrustStore.ts"
import * as DevTty from "../../adapters/tty/DevTty.ts"
import * as TtyLines from "../../adapters/tty/TtyLines.ts"
import * as TerminalText from "../../core/ask/TerminalText.ts"
import * as ConfigIssue from "../../core/policy/ConfigIssue.ts"
import * as PolicyDocument from "../../core/policy/PolicyDocument.ts"
import { Acceptance, ProjectTrust } from "../../core/policy/ProjectTrust.ts"
import * as ExitCode from "./ExitCode.ts"
import * as LocalPolicy from "./LocalPolicy.ts"
import * as Output from "./Output.ts"
import type { Asked } from "./PolicyTrust.ts"

/** There is nothing to trust, or nothing that could be trusted. */
class NothingToTrust extends Schema.TaggedError<NothingToTrust>()("NothingToTrust", {
  file: Schema.String,
  problem: Schema.String
}) {
  override get message() {
    return `${this.file} cannot be trusted: ${this.problem}`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

/** Only a person who has read a file can trust it (L2.7). */
class PersonNeeded extends Schema.TaggedError<PersonNeeded>()("PersonNeeded", { file: Schema.String }) {
  override get message() {
    return `a person has to read ${this.file} first: run this at a terminal, or with --yes if you have read it`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("personNeeded")
}

/** The person read it, and did not accept it. */
class NotAccepted extends Schema.TaggedError<NotAccepted>()("NotAccepted", { file: Schema.String }) {
  override get message() {
    return `${this.file} is not trusted; its ask and deny count`
  }
}

const Allow = Schema.Struct({ surface: Schema.String, pattern: Schema.String, line: Schema.Int })

/** What `policy trust` prints for machines: what is trusted now, and what that allows. */
export const Accepted = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  type: Schema.Literal("accepted"),
  ...Acceptance.fields,
  allows: Schema.Array(Allow),
  /** Other keys of the file, which count from now on too. */
  settings: Schema.Array(Schema.String)
})
type Accepted = typeof Accepted.Type

/** What `policy trust --revoke` prints for machines. */
export const Revoked = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  type: Schema.Literal("revoked"),
  file: Schema.String,
  /** `false`: it was not trusted before. */
  revoked: Schema.Boolean
})

/**
 * What `policy trust --list` prints for machines. `changed` and `missing`: the file is no longer what was
 * accepted, so what it allows does not count.
 */
export const Listed = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  type: Schema.Literal("list"),
  projects: Schema.Array(
    Schema.Struct({ ...Acceptance.fields, state: Schema.Literals(["trusted", "changed", "missing"]) })
  )
})

const renderAllows = ({ allows, settings }: Pick<Accepted, "allows" | "settings">): ReadonlyArray<string> => [
  allows.length === 0 ? "It allows nothing." : "It allows:",
  ...allows.map(({ line, pattern, surface }) => `  line ${line}: ${surface} "${pattern}"`),
  ...(settings.length === 0 ? [] : [`It sets: ${settings.join(", ")}`])
]

/** The project's policy file with links resolved; where nothing is there, where it would be. */
const fileOf = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const file = PolicyFiles.projectFile(resolve(directory))
  const folder = dirname(dirname(file))
  const real = yield* Effect.orElseSucceed(fs.realPath(folder), () => folder)
  const there = PolicyFiles.projectFile(real)
  return yield* Effect.orElseSucceed(fs.realPath(there), () => there)
})

const readFile = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const problem = (reason: string): string =>
    reason === "NotFound" ? "it is not there; obstat policy init --project writes one" : reason
  const text = yield* fs
    .readFileString(file)
    .pipe(Effect.mapError((error) => new NothingToTrust({ file, problem: problem(error.reason._tag) })))
  const digest = PolicyFiles.digestOf(text)
  const document = PolicyDocument.read({
    scope: "project",
    file,
    text,
    digest,
    unreadable: null,
    trusted: true
  })
  if (document.broken) {
    const issues = document.issues.map(ConfigIssue.show).join("\n")
    return yield* new NothingToTrust({ file, problem: `it is broken\n${issues}` })
  }
  return {
    text,
    digest,
    allows: document.rules
      .filter(({ value }) => value.action === "allow")
      .map(({ line, pattern, surface }) => ({ surface, pattern, line })),
    settings: Object.keys(document.settings).filter((key) => key !== "$schema")
  }
})

type Read = Effect.Success<ReturnType<typeof readFile>>

/** Shows the file on the controlling terminal, and what the person says to it. Nothing typed before counts. */
const asked = Effect.fnUntraced(function* (file: string, read: Read) {
  const device = DevTty.make()
  if (!(yield* device.foreground)) return yield* new PersonNeeded({ file })
  return yield* Effect.gen(function* () {
    const handle = yield* device.open("line")
    const code = yield* TtyLines.makeCode
    const shown = [
      file,
      "",
      ...read.text
        .trimEnd()
        .split("\n")
        .map((line, index) => `${String(index + 1).padStart(4)}  ${line}`),
      "",
      ...renderAllows(read),
      "",
      `To trust it as it is now type ${code} and Enter; anything else leaves it as it was.`
    ]
    yield* TtyLines.print(handle, TerminalText.visible(shown.join("\n")).lines)
    return (yield* TtyLines.reader(handle.events)).trim() === code
  }).pipe(
    Effect.scoped,
    Effect.mapError(() => new PersonNeeded({ file }))
  )
})

const accept = Effect.fnUntraced(function* ({ directory, output, yes }: Asked) {
  const trust = yield* ProjectTrust
  const file = yield* fileOf(directory)
  const read = yield* readFile(file)
  if (!yes && !(yield* asked(file, read))) return yield* new NotAccepted({ file })
  const acceptance = yield* trust.accept(file, read.digest)
  const { allows, settings } = read
  return yield* Output.result(Accepted)(
    output,
    { schemaVersion: 1, type: "accepted", ...acceptance, allows, settings },
    (accepted) => [`trusted as it is now: ${accepted.file}`, ...renderAllows(accepted)].join("\n")
  )
})

const revoke = Effect.fnUntraced(function* ({ directory, output }: Asked) {
  const file = yield* fileOf(directory)
  const revoked = yield* ProjectTrust.use((trust) => trust.revoke(file))
  return yield* Output.result(Revoked)(
    output,
    { schemaVersion: 1, type: "revoked", file, revoked },
    ({ file, revoked }) => (revoked ? `trusted no longer: ${file}` : `was not trusted: ${file}`)
  )
})

const stateOf = Effect.fnUntraced(function* ({ digest, file }: Acceptance) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.orElseSucceed(fs.readFileString(file), () => null)
  if (text === null) return "missing" as const
  return PolicyFiles.digestOf(text) === digest ? ("trusted" as const) : ("changed" as const)
})

const list = Effect.fnUntraced(function* ({ output }: Asked) {
  const accepted = yield* ProjectTrust.use((trust) => trust.list)
  const projects = yield* Effect.forEach(accepted, (acceptance) =>
    Effect.map(stateOf(acceptance), (state) => ({ ...acceptance, state }))
  )
  return yield* Output.result(Listed)(output, { schemaVersion: 1, type: "list", projects }, ({ projects }) =>
    projects.map(({ file, state }) => `${state.padEnd(7)}  ${file}`).join("\n")
  )
})

/** What `obstat policy trust` does. */
export const run = (asked: Asked) => {
  const act = asked.list ? list : asked.revoke ? revoke : accept
  return Effect.provide(act(asked), TrustStore.layer(LocalPolicy.directories(homedir()).state))
}
