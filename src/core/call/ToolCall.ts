import * as Schema from "effect/Schema"
import { Agent } from "./Agent.ts"
import { Requester } from "./Requester.ts"

/**
 * What an agent wants to do, as its adapter read it: a fact, not yet a judgement. The same shape for every agent.
 *
 * - `tool`: the tool's name as the agent knows it (`Bash`, `mcp__server__tool`).
 * - `invokedTool`: the name that the agent called, where that is an alias of `tool`: `exec_command` for `Bash`.
 * - `input`: the tool's whole original input as JSON; never cut (P1.3).
 * - `callId`: the agent's own id of this call, `null` where the event carries none.
 * - `cwd`: the directory the call would run in, absolute.
 * - `mode`: the agent's own permission mode at that moment, `null` where unknown.
 */
export const ToolCall = Schema.Struct({
  agent: Agent,
  tool: Schema.NonEmptyString,
  invokedTool: Schema.optionalKey(Schema.NonEmptyString),
  input: Schema.Unknown,
  callId: Schema.NullOr(Schema.String),
  cwd: Schema.NonEmptyString,
  mode: Schema.NullOr(Schema.String),
  requester: Requester
})
export type ToolCall = typeof ToolCall.Type
