import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Agent } from "../call/Agent.ts"

/** The agent's program is not on this person's PATH. */
export class AgentNotFound extends Schema.TaggedError<AgentNotFound>()("AgentNotFound", {
  code: Schema.tag("agent_not_found"),
  agent: Agent,
  /** How to install it. */
  install: Schema.String
}) {}

/** An agent's program as found on this machine. */
export interface FoundProgram {
  /** Absolute path. */
  readonly file: string
  /** The environment that the person's login shell gives a program (S2.1). */
  readonly env: Readonly<Record<string, string>>
  /** What the program prints about its version; empty where it does not say in time. */
  readonly version: Effect.Effect<string>
}

/** Finds agents where the person's own shell would find them (S2.1). */
export class AgentProgram extends Context.Service<
  AgentProgram,
  {
    readonly find: (agent: Agent) => Effect.Effect<FoundProgram, AgentNotFound>
  }
>()("obstat/session/AgentProgram") {}
