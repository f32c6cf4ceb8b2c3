import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"

export const command = Command.make(
  "demo",
  {
    auto: Flag.Boolean("auto").pipe(
      Flag.withDescription("A recorded person answers, with the same keys on the same dialogs"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ auto }) {
    // Loaded when it runs, so that no other command starts slower for it (V13).
    const { demo } = yield* Effect.promise(() => import("./DemoCommand.ts"))
    return yield* demo(auto)
  })
).pipe(
  Command.withDescription(
    "The main job with nothing installed and no account: a scripted agent asks, a person answers"
  ),
  Command.withExamples([
    { command: "obstat demo", description: "You are the person" },
    { command: "obstat demo --auto", description: "Watch a recorded one" }
  ])
)
