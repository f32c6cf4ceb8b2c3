import * as Schema from "effect/Schema"
import { Agent } from "../call/Agent.ts"
import { QuestionRequest } from "./QuestionRequest.ts"

/** Who gave an answer that the agent accepted (Q3.2). */
export const AnsweredBy = Schema.Literals(["host", "terminal", "hook"])
export type AnsweredBy = typeof AnsweredBy.Type

/** How a request ended (Q3.1). `answered` and `cancelled` need the agent's own evidence (Q3.2). */
export const Closure = Schema.Union([
  Schema.Struct({ reason: Schema.Literal("answered"), by: AnsweredBy }),
  Schema.Struct({ reason: Schema.Literal("cancelled") }),
  Schema.Struct({ reason: Schema.Literal("unavailable") })
])
export type Closure = typeof Closure.Type

/** One raised and at most one closed per request, in that order, to every subscriber (Q3.1, Q3.9). */
export const QuestionEvent = Schema.Union([
  Schema.Struct({
    phase: Schema.Literal("raised"),
    sessionId: Schema.String,
    agent: Agent,
    request: QuestionRequest
  }),
  Schema.Struct({
    phase: Schema.Literal("closed"),
    sessionId: Schema.String,
    agent: Agent,
    request: QuestionRequest,
    closure: Closure
  })
])
export type QuestionEvent = typeof QuestionEvent.Type
