import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { realpath, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Agent } from "../../core/call/Agent.ts"
import { GateProof, GateProofs, GateProofUnavailable } from "../../core/session/GateProofs.ts"
import * as PrivateFile from "./PrivateFile.ts"

const Stored = Schema.fromJsonString(Schema.Struct({ schemaVersion: Schema.Literal(1), ...GateProof.fields }))
const decode = Schema.decodeUnknownEffect(Stored, { onExcessProperty: "error" })
const encode = Schema.encodeEffect(Stored)

export interface Options {
  /** The user's state directory of Obstat. */
  readonly stateDirectory: string
  /** The hook client that sessions use. */
  readonly client: string
}

const code = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown"

const io = <A>(path: string, run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (error) => new GateProofUnavailable({ path, reason: code(error) }) })

const hash = (path: string) =>
  io(path, async () => {
    const digest = createHash("sha256")
    await pipeline(createReadStream(path), digest)
    return digest.digest("hex")
  })

/** One file per program and build, below the state directory (X5). */
export const layer = ({ stateDirectory, client }: Options): Layer.Layer<GateProofs> => {
  const clientHash = Effect.runSync(Effect.cached(hash(client)))

  const identify = Effect.fnUntraced(function* (agent: Agent, file: string) {
    const program = yield* io(file, () => realpath(file))
    const { size, mtimeMs: modified } = yield* io(program, () => stat(program))
    const name = createHash("sha256").update(`${agent}\0${program}`).digest("hex")
    return { program, size, modified, path: join(stateDirectory, "gate", `${name}.json`) }
  })

  return Layer.succeed(
    GateProofs,
    GateProofs.of({
      covers: Effect.fn("GateProofs.covers")(
        function* (agent, file) {
          const { path, program, size, modified } = yield* identify(agent, file)
          const proof = yield* Effect.flatMap(PrivateFile.read(path), decode)
          const same = proof.program === program && proof.size === size && proof.modified === modified
          return same && proof.clientHash === (yield* clientHash)
        },
        (found) => Effect.orElseSucceed(found, () => false)
      ),
      keep: Effect.fn("GateProofs.keep")(function* (agent, file, version) {
        const { path, program, size, modified } = yield* identify(agent, file)
        const proof: GateProof = {
          agent,
          program,
          programHash: yield* hash(program),
          clientHash: yield* clientHash,
          size,
          modified,
          version,
          provenAt: DateTime.formatIso(yield* DateTime.now)
        }
        const text = yield* Effect.orDie(encode({ schemaVersion: 1, ...proof }))
        yield* Effect.mapError(
          PrivateFile.write(path, `${text}\n`),
          (refused) => new GateProofUnavailable({ path: refused.path, reason: refused.reason })
        )
        return proof
      })
    })
  )
}
