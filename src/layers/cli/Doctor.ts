import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { Agent } from "../../core/call/Agent.ts"

export const command = Command.make(
  "doctor",
  {
    agent: Flag.Literals("agent", Agent.literals).pipe(
      Flag.withDescription("Which agent to look at"),
      Flag.withDefault("claude" as const)
    )
  },
  Effect.fnUntraced(function* ({ agent }) {
    // Loaded when it runs, so that no other command starts slower for it (V13).
    const { doctor } = yield* Effect.promise(() => import("./DoctorCommand.ts"))
    return yield* doctor(agent)
  })
).pipe(
  Command.withDescription(
    "What is installed, and whether the gate holds here: the agent is driven against a scripted model, offline"
  ),
  Command.withExamples([{ command: "obstat doctor", description: "Look at Claude Code" }])
)
