import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as XtermScreen from "../../../src/adapters/xterm/XtermScreen.ts"
import { Screen } from "../../../src/core/session/Screen.ts"
import * as ScreenContract from "../../contracts/Screen.ts"

ScreenContract.contract({ layer: XtermScreen.layer })

const crashing = new URL("crashing-worker.ts", import.meta.url)
const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const size = { cols: 20, rows: 3 }

describe("XtermScreen", () => {
  it.live(
    "a thread that crashes takes its own screens along, others live on, and a new one can be opened [X8]",
    () =>
      Effect.gen(function* () {
        const screens = yield* XtermScreen.make(2, crashing)
        const [first, second, third] = yield* Effect.all([
          screens.open(size),
          screens.open(size),
          screens.open(size)
        ])
        yield* Effect.all([first.write(bytes("1")), second.write(bytes("2")), third.write(bytes("3"))])
        // The third shares the first one's thread.
        const lost = yield* Effect.all(
          [Effect.exit(first.write(bytes("crash"))), Effect.exit(third.write(bytes("3")))],
          {
            concurrency: "unbounded"
          }
        )
        assert.isTrue(lost.every(Exit.isFailure))
        assert.strictEqual((yield* Effect.flip(third.write(bytes("3"))))._tag, "ScreenLost")
        assert.strictEqual((yield* second.write(bytes("+"))).lines[0]!.text, "2+")
        const fourth = yield* screens.open(size)
        assert.strictEqual((yield* fourth.write(bytes("4"))).lines[0]!.text, "4")
      })
  )

  it.live("render threads do not keep a host alive that has nothing to render [X9]", () =>
    Effect.gen(function* () {
      const host = spawn(process.execPath, [fileURLToPath(new URL("idle-host.ts", import.meta.url))], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      const output = host.stdout.setEncoding("utf8").toArray()
      const [code] = yield* Effect.promise(() => once(host, "exit"))
      assert.strictEqual(code, 0)
      assert.deepStrictEqual((yield* Effect.promise(() => output)).join(""), "rendered\n")
    })
  )

  it.live("no thread is left when the layer is closed [X9]", () =>
    Effect.gen(function* () {
      const threads = () =>
        process.getActiveResourcesInfo().filter((name) => name.includes("MessagePort")).length
      const before = threads()
      yield* Effect.gen(function* () {
        const screen = yield* (yield* Screen).open(size)
        yield* screen.write(bytes("x"))
      }).pipe(Effect.scoped, Effect.provide(XtermScreen.layer))
      assert.strictEqual(threads(), before)
    })
  )
})
