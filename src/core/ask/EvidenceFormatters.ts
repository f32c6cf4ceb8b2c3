import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { ToolCall } from "../call/ToolCall.ts"
import type { Agent } from "../call/Agent.ts"
import { Evidence } from "./AskPayload.ts"

/**
 * Says what a tool's input means in a form that people read: an edit as a diff. It adds entries; the raw facts
 * stay (P1.2).
 */
export interface EvidenceFormatter {
  readonly agent: Agent
  readonly tools: ReadonlyArray<string>
  readonly format: (call: ToolCall) => Effect.Effect<ReadonlyArray<Evidence>, unknown>
}

/** Formatters by tool (P4.2). Optional: without it, prompts show the raw facts alone. */
export class EvidenceFormatters extends Context.Service<
  EvidenceFormatters,
  {
    /** Never fails: of a formatter that breaks, overruns or gives no evidence nothing is added. */
    readonly format: (call: ToolCall) => Effect.Effect<ReadonlyArray<Evidence>>
  }
>()("obstat/ask/EvidenceFormatters") {}

/** A person waits for the prompt behind it. */
const LIMIT = Duration.seconds(1)

const decode = Schema.decodeUnknownEffect(Schema.Array(Evidence), { onExcessProperty: "error" })

/** Of two formatters for one tool the later counts. */
export const layer = (
  formatters: ReadonlyArray<EvidenceFormatter>,
  limit: Duration.Input = LIMIT
): Layer.Layer<EvidenceFormatters> => {
  const byTool = new Map(
    formatters.flatMap((formatter) =>
      formatter.tools.map((tool) => [`${formatter.agent} ${tool}`, formatter] as const)
    )
  )
  return Layer.succeed(
    EvidenceFormatters,
    EvidenceFormatters.of({
      format: Effect.fn("EvidenceFormatters.format")(function* (call) {
        const formatter = byTool.get(`${call.agent} ${call.tool}`)
        if (formatter === undefined) return []
        const exit = yield* Effect.suspend(() => formatter.format(call)).pipe(
          Effect.flatMap(decode),
          Effect.timeout(limit),
          Effect.exit
        )
        return Exit.isSuccess(exit) ? exit.value : []
      })
    })
  )
}
