/** A host for tests: opens screens, renders, closes nothing, and has to end by itself. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as XtermScreen from "../../../src/adapters/xterm/XtermScreen.ts"

const worker = new URL("../../../src/adapters/xterm/RenderWorker.ts", import.meta.url)

await Effect.gen(function* () {
  const screens = yield* XtermScreen.make(2, worker)
  const screen = yield* screens.open({ cols: 20, rows: 3 })
  // On a thread that never has anything to do.
  yield* screens.open({ cols: 20, rows: 3 })
  yield* screen.write(new Uint8Array(Buffer.from("x")))
  console.log("rendered")
}).pipe(Effect.provideService(Scope.Scope, Scope.makeUnsafe()), Effect.runPromise)
