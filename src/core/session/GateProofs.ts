import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Agent } from "../call/Agent.ts"

/**
 * That the hooks of one build of an agent really gate, on this machine, with one build of our hook client: a call
 * that was denied did not run, and one whose hook client was killed did not either (S5.2).
 */
export const GateProof = Schema.Struct({
  agent: Agent,
  /** Absolute path of the agent's program, links resolved. */
  program: Schema.String,
  /** SHA-256 of both files, hexadecimal. */
  programHash: Schema.String,
  clientHash: Schema.String,
  /** Bytes, and milliseconds since the epoch: what is compared before the program is used. */
  size: Schema.Int,
  modified: Schema.Finite,
  /** What the program prints about its version. */
  version: Schema.String,
  /** ISO 8601. */
  provenAt: Schema.String
})
export type GateProof = typeof GateProof.Type

/** The proof could not be kept or read. */
export class GateProofUnavailable extends Schema.TaggedError<GateProofUnavailable>()("GateProofUnavailable", {
  path: Schema.String,
  reason: Schema.String
}) {}

/** Which builds were proved. */
export class GateProofs extends Context.Service<
  GateProofs,
  {
    /** Whether this very program was proved, with the hook client that is in use now. */
    readonly covers: (agent: Agent, file: string) => Effect.Effect<boolean>
    readonly keep: (
      agent: Agent,
      file: string,
      version: string
    ) => Effect.Effect<GateProof, GateProofUnavailable>
  }
>()("obstat/session/GateProofs") {}
