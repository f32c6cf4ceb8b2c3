import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Authority } from "../authority/Authority.ts"
import type { Agent } from "../call/Agent.ts"
import { type AgentNotFound, AgentProgram } from "./AgentProgram.ts"
import type { Dialect } from "./Dialect.ts"
import { GateProofs } from "./GateProofs.ts"
import type { HookBridge } from "./HookBridge.ts"
import type { Pty } from "./Pty.ts"
import type { Screen } from "./Screen.ts"
import * as Session from "./Session.ts"
import { InvalidLaunch } from "./SessionError.ts"
import type { TranscriptSource } from "./TranscriptSource.ts"

/** What a caller asks for; everything but the agent and the folder has a default (S2.1). */
export interface StartOptions {
  readonly agent: Agent
  /** The folder that the agent works in, absolute. */
  readonly cwd: string
  /** The agent's own name of a model; without it the agent chooses. */
  readonly model?: string | undefined
  /** Further arguments for the agent's program. */
  readonly args?: ReadonlyArray<string> | undefined
  /** Whether the agent's recognised trust dialogs may be answered (S6.2). Default: no. */
  readonly trust?: boolean | undefined
  readonly size?: { readonly cols: number; readonly rows: number } | undefined
  /** Through the agent's parked hook where it has one (the default), or always through its editor (Q5.4). */
  readonly answerThrough?: "hook" | "editor" | undefined
}

export interface SessionsOptions {
  /** The agents that can be started. */
  readonly dialects: Readonly<Partial<Record<Agent, Dialect>>>
  /** A random UUID. */
  readonly newId: () => string
  /** Tells a proxy, where the platform can (Q2.5). */
  readonly isProxy?: (value: object) => boolean
}

/** The largest terminal that a frame is read from; no window is as large, and memory stays bounded. */
const sizeLimit = 1000

/** Starts agents under the gate. */
export class Sessions extends Context.Service<
  Sessions,
  {
    readonly start: (
      options: StartOptions
    ) => Effect.Effect<Session.Session, AgentNotFound | InvalidLaunch | Session.StartError, Scope.Scope>
  }
>()("obstat/session/Sessions") {}

type Ports = AgentProgram | Authority | GateProofs | HookBridge | Pty | Screen | TranscriptSource

export const layer = (options: SessionsOptions): Layer.Layer<Sessions, never, Ports> =>
  Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const programs = yield* AgentProgram
      const proofs = yield* GateProofs
      const ports = yield* Effect.context<Ports>()

      const invalid = (asked: StartOptions): InvalidLaunch | null => {
        const { cols, rows } = asked.size ?? { cols: 1, rows: 1 }
        const fits = (cells: number) => Number.isInteger(cells) && cells >= 1 && cells <= sizeLimit
        if (!asked.cwd.startsWith("/"))
          return new InvalidLaunch({ option: "cwd", reason: "must be absolute" })
        if (!fits(cols) || !fits(rows)) {
          return new InvalidLaunch({ option: "size", reason: `must be 1 to ${sizeLimit} cells each way` })
        }
        return null
      }

      return Sessions.of({
        start: Effect.fn("Sessions.start")(function* (asked) {
          const dialect = options.dialects[asked.agent]
          if (dialect === undefined) {
            return yield* new InvalidLaunch({ option: "agent", reason: `${asked.agent} cannot be started` })
          }
          const problem = invalid(asked)
          if (problem !== null) return yield* problem
          const program = yield* programs.find(asked.agent)
          return yield* Session.start({
            id: options.newId(),
            dialect,
            program,
            proved: proofs.covers(asked.agent, program.file),
            cwd: asked.cwd,
            model: asked.model ?? null,
            args: asked.args ?? [],
            trust: asked.trust ?? false,
            answerThrough: asked.answerThrough ?? "hook",
            newId: options.newId,
            ...(options.isProxy === undefined ? {} : { isProxy: options.isProxy }),
            ...(asked.size === undefined ? {} : { size: asked.size })
          }).pipe(Effect.provideContext(ports))
        })
      })
    })
  )
