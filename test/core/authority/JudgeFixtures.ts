import * as AskPayload from "../../../src/core/ask/AskPayload.ts"
import type { ToolCall } from "../../../src/core/call/ToolCall.ts"
import type { JudgeEvidence } from "../../../src/core/authority/JudgeEvidence.ts"
import type { Lifecycle } from "../../../src/core/authority/JudgeOwner.ts"
import * as LinkDetails from "../../../src/core/authority/LinkDetails.ts"
import type { Ruling } from "../../../src/core/policy/Ruling.ts"
import { call, ruling, unit } from "../ask/Fixtures.ts"

export const root: Lifecycle = { hasUI: true, subagent: false, sessionId: "s-1" }

export const child = { agentName: "reviewer", sessionId: "s-2", forwarded: true } as const

export const detailsOf = (asked: ToolCall = call(), ruled: Ruling = ruling()): LinkDetails.LinkDetails =>
  LinkDetails.project(asked, ruled, AskPayload.make(asked, ruled))

/** A command that asks as a whole. */
export const rulingOn = (command: string, surface = "bash"): Ruling =>
  ruling({ command: surface === "bash" ? command : null, units: [unit(command, { surface })] })

export const said = (id: string, text: string): JudgeEvidence => ({ _tag: "message", id, text })
