import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { delimiter, dirname, join } from "node:path"
import * as FilePathFacts from "../../adapters/files/FilePathFacts.ts"
import * as PolicyFiles from "../../adapters/files/PolicyFiles.ts"
import * as TtyPersonSurface from "../../adapters/tty/TtyPersonSurface.ts"
import { PersonSurface } from "../../core/authority/PersonSurface.ts"
import * as PolicyEngine from "../../core/policy/PolicyEngine.ts"
import * as Attendance from "../../core/session/Attendance.ts"
import { Sessions } from "../../core/session/Sessions.ts"
import * as Standalone from "../Standalone.ts"
import * as AgentProgram from "../testing/AgentProgram.ts"
import * as EmulatedTty from "../testing/EmulatedTty.ts"
import * as DemoNarrator from "./DemoNarrator.ts"
import * as DemoScript from "./DemoScript.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Output from "./Output.ts"

/** The demo asks, and nobody is there to be asked. */
class NoPerson extends Schema.TaggedError<NoPerson>()("NoPerson", {}) {
  override get message() {
    return "the demo asks questions, and there is no terminal to ask at; try: obstat demo --auto"
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("personNeeded")
}

/** The terminal that the recorded person sits at. */
const recordedSize = { columns: 78, rows: 22 }

/** A project, a policy and an agent of the demo's own, in a directory that is gone afterwards. */
const stage = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "obstat-demo-" }))
  const cwd = join(root, "project")
  const home = join(root, "home")
  const policyFile = join(root, "obstat.jsonc")
  yield* fs.makeDirectory(home)
  yield* fs.writeFileString(policyFile, DemoScript.policy)
  for (const [name, text] of Object.entries(DemoScript.project)) {
    yield* fs.makeDirectory(dirname(join(cwd, name)), { recursive: true })
    yield* fs.writeFileString(join(cwd, name), text)
  }
  const agent = yield* AgentProgram.install(root, DemoScript.script)
  return { cwd, home, policyFile, agent }
})

type Stage = Effect.Success<typeof stage>

const services = ({ cwd, home, policyFile, agent }: Stage, person: TtyPersonSurface.Options) => {
  const path = [dirname(agent.file), process.env["PATH"] ?? ""].join(delimiter)
  const env = {
    ...process.env,
    HOME: home,
    PATH: path,
    SHELL: "/bin/sh",
    XDG_STATE_HOME: join(home, ".local", "state"),
    CLAUDE_CONFIG_DIR: join(home, ".claude")
  }
  return Standalone.layer({ env, authority: { node: "demo", chain: [] } }).pipe(
    Layer.provideMerge(TtyPersonSurface.layer(person)),
    Layer.provide(PolicyEngine.layer({ home, projectRoot: cwd })),
    Layer.provide(PolicyFiles.layer({ configDirectory: home, projectRoot: cwd, policyFile, alone: true })),
    Layer.provide(FilePathFacts.layer({ searchPath: path.split(delimiter), projectRoot: cwd }))
  )
}

/** The recorded person: waits for each dialog as it is painted, prints it as they see it, and types. */
const replay = Effect.fnUntraced(function* (tty: EmulatedTty.EmulatedTty) {
  for (const { sees, types } of DemoScript.person) {
    const screen = yield* tty.until((screen) => tty.alternate() && screen.includes(sees))
    yield* Output.text(
      screen
        .split("\n")
        .map((line) => `  │ ${line}`.trimEnd())
        .join("\n")
    )
    yield* tty.type(types)
  }
})

const play = Effect.fnUntraced(function* (cwd: string) {
  const surface = yield* PersonSurface
  if ((yield* surface.presence) === "absent") return yield* new NoPerson()
  const session = yield* Sessions.use((sessions) => sessions.start({ agent: "claude", cwd }))
  yield* Effect.forkScoped(
    Attendance.attend({
      questions: session.questions,
      ask: (request) => Effect.orElseSucceed(surface.question(request), () => null),
      onUnanswered: () => Effect.void
    })
  )
  yield* session.events.pipe(
    Stream.runForEach((event) => {
      const told = DemoNarrator.tell(event)
      return told === null ? Effect.void : Output.text(told)
    }),
    Effect.forkScoped
  )
  yield* Output.text(`person    ${DemoScript.prompt}`)
  yield* session.send(DemoScript.prompt)
  yield* session.stop
})

/** Plays the demo, with the person at this terminal or a recorded one. */
export const demo = Effect.fnUntraced(function* (auto: boolean) {
  const set = yield* stage
  if (!auto) return yield* Effect.provide(play(set.cwd), services(set, {}))
  const tty = EmulatedTty.make(recordedSize)
  yield* Effect.forkScoped(replay(tty))
  yield* Effect.provide(play(set.cwd), services(set, { device: tty.device, styled: false, plain: false }))
}, Effect.scoped)
