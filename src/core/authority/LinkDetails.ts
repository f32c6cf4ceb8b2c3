import * as Schema from "effect/Schema"
import { AskUnit, type AskPayload } from "../ask/AskPayload.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import type { Ruling } from "../policy/Ruling.ts"

/** The one projection of an ask that links see (A2.6). No prose: nobody parses a command out of a sentence. */
export const LinkDetails = Schema.Struct({
  origin: Schema.Literals(["local", "forwarded_subagent"]),
  /** Present for a forwarded ask only; a part that an older child did not send is `null`. */
  forwarding: Schema.optionalKey(
    Schema.Struct({
      requesterSessionId: Schema.NullOr(Schema.String),
      requesterAgentName: Schema.NullOr(Schema.String)
    })
  ),
  /** The asking agent's own name; `null` for a session's main agent. */
  agentName: Schema.NullOr(Schema.String),
  surface: Schema.String,
  value: Schema.String,
  /** The path of an ask on a path surface. */
  path: Schema.optionalKey(Schema.String),
  accessIntent: Schema.Struct({
    surface: Schema.String,
    /** Never empty; the asking unit first. */
    matchValues: Schema.NonEmptyArray(Schema.String),
    /** The path that leaves the project, for an ask about an external directory. */
    boundaryValue: Schema.NullOr(Schema.String)
  }),
  /** The asking unit of a local shell command; a forwarded ask has none. */
  command: Schema.optionalKey(Schema.String),
  units: Schema.NonEmptyArray(AskUnit),
  /** The whole original shell text; `null` where there is none or an older child did not send it. */
  fullCommand: Schema.NullOr(Schema.String)
})
export type LinkDetails = typeof LinkDetails.Type

const isPathSurface = (surface: string): boolean =>
  surface.startsWith("path_") || surface.startsWith("external_directory_")

/** What links may know of a call, its ruling and its payload. */
export const project = (call: ToolCall, ruling: Ruling, payload: AskPayload): LinkDetails => {
  const { requester, units } = payload.request
  const [decisive] = units
  return {
    origin: requester.forwarded ? "forwarded_subagent" : "local",
    ...(requester.forwarded && {
      forwarding: { requesterSessionId: requester.sessionId, requesterAgentName: requester.agentName }
    }),
    agentName: call.requester.agentName,
    surface: decisive.surface,
    value: decisive.value,
    ...(isPathSurface(decisive.surface) && { path: decisive.value }),
    accessIntent: {
      surface: decisive.surface,
      matchValues:
        decisive.executedUnit === null || decisive.executedUnit === decisive.value
          ? [decisive.value]
          : [decisive.value, decisive.executedUnit],
      boundaryValue: decisive.surface.startsWith("external_directory_") ? decisive.value : null
    },
    ...(ruling.command !== null && !requester.forwarded && { command: decisive.value }),
    units,
    fullCommand: ruling.command
  }
}
