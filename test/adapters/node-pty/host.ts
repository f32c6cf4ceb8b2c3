/** A host for tests to kill: starts three children on the script given, prints their groups when all are ready. */
import * as Effect from "effect/Effect"
import * as NodePty from "../../../src/adapters/node-pty/NodePty.ts"
import { Pty } from "../../../src/core/session/Pty.ts"

const start = Effect.gen(function* () {
  const child = yield* (yield* Pty).spawn({
    file: "/bin/sh",
    args: ["-c", process.argv[2] ?? ""],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    cols: 80,
    rows: 24
  })
  yield* Effect.callback<void>((resume) => {
    let text = ""
    child.onData((bytes) => {
      text += Buffer.from(bytes).toString("utf8")
      if (text.includes("ready")) resume(Effect.void)
    })
  })
  return child.pid
})

await Effect.all([start, start, start]).pipe(
  Effect.tap((groups) => Effect.sync(() => console.log(JSON.stringify(groups)))),
  Effect.andThen(Effect.never),
  Effect.scoped,
  Effect.provide(NodePty.layer),
  Effect.runPromise
)
