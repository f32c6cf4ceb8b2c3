import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import * as ClaudeDialect from "../../adapters/claude/ClaudeDialect.ts"
import * as GateProofFiles from "../../adapters/files/GateProofFiles.ts"
import * as LoginShellProgram from "../../adapters/process/LoginShellProgram.ts"
import * as HookClient from "../../adapters/unix-socket/HookClient.ts"
import type { Agent } from "../../core/call/Agent.ts"
import { AgentProgram } from "../../core/session/AgentProgram.ts"
import * as Characterised from "../../core/session/Characterised.ts"
import type { Dialect } from "../../core/session/Dialect.ts"
import { GateProofs } from "../../core/session/GateProofs.ts"
import * as GateTrial from "../GateTrial.ts"
import * as StateFolder from "../StateFolder.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Output from "./Output.ts"

/** Something that a session needs is missing, or does not hold. */
class Unhealthy extends Schema.TaggedError<Unhealthy>()("Unhealthy", {
  problem: Schema.String,
  status: Schema.Int
}) {
  override get message() {
    return this.problem
  }
  override readonly [Runtime.errorExitCode] = this.status
}

const usage = (problem: string) => new Unhealthy({ problem, status: ExitCode.of("usage") })
const failure = (problem: string) => new Unhealthy({ problem, status: ExitCode.of("failure") })

const dialects: Partial<Record<Agent, Dialect>> = { claude: ClaudeDialect.dialect }

const clients = {
  native: "compiled",
  node: "in JavaScript, slower: no C compiler was there at the install"
} as const

/** How long both trials may take together; they wait for evidence, and a CLI that gives none must not hold a person. */
const trialPatience = "2 minutes"

const line = (label: string, text: string) => Output.text(`${label.padEnd(8)} ${text}`)

/** Says what is installed, tries the gate, and remembers that it held (S5.2). */
export const doctor = Effect.fnUntraced(function* (agent: Agent) {
  const dialect = dialects[agent]
  if (dialect === undefined) return yield* usage(`${agent} cannot be governed yet`)
  const client = HookClient.find()
  if (Option.isNone(client)) return yield* failure("the hook client is missing: install the package again")
  const services = Layer.mergeAll(
    LoginShellProgram.layer(process.env).pipe(Layer.provide(NodeServices.layer)),
    GateProofFiles.layer({
      stateDirectory: StateFolder.of(process.env),
      client: client.value.program.at(-1) ?? ""
    })
  )
  yield* Effect.gen(function* () {
    const { file, version } = yield* AgentProgram.use((programs) => programs.find(agent)).pipe(
      Effect.mapError(({ install }) =>
        usage(`${agent} is not installed, or not on the PATH; install it with: ${install}`)
      )
    )
    const printed = (yield* version).trim()
    const { from, to } = dialect.characterised
    const measured = Characterised.covers(dialect, printed)
      ? "measured"
      : `not among those measured, ${from} to ${to}`
    yield* line(agent, `${file}, ${dialect.version(printed) ?? "unknown version"} (${measured})`)
    yield* line("hooks", `client ${clients[client.value.kind]}`)
    yield* GateTrial.prove(agent, file).pipe(
      Effect.timeout(trialPatience),
      Effect.mapError((error) =>
        error._tag === "GateDoesNotHold"
          ? failure(
              `the gate does not hold for this program (${error.trial}): nothing should be run under it`
            )
          : failure(`the gate could not be tried: ${error._tag}`)
      )
    )
    yield* GateProofs.use((proofs) => proofs.keep(agent, file, printed)).pipe(
      Effect.mapError(({ path, reason }) => failure(`the proof could not be kept at ${path}: ${reason}`))
    )
    yield* line("gate", "holds: a denied call, and one whose hook client was killed, did not run")
  }).pipe(Effect.provide(services))
})
