import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as NodePty from "../../src/adapters/node-pty/NodePty.ts"
import * as XtermScreen from "../../src/adapters/xterm/XtermScreen.ts"
import type { Frame } from "../../src/core/session/Frame.ts"
import type { Pty } from "../../src/core/session/Pty.ts"
import { Screen } from "../../src/core/session/Screen.ts"
import * as Terminal from "../../src/core/session/Terminal.ts"
import * as HeldScreen from "../fixtures/HeldScreen.ts"

const KIB = 1024

const sh = (script: string, ...args: ReadonlyArray<string>) =>
  Terminal.open({
    file: "/bin/sh",
    args: ["-c", script, "sh", ...args],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    cols: 80,
    rows: 24
  })

const real = Layer.merge(NodePty.layer, XtermScreen.layer)
const provided = <A, E>(effect: Effect.Effect<A, E, Pty | Screen | Scope.Scope>) =>
  Effect.provide(effect, real)

const shows = (text: string) => (frame: Frame) => frame.lines.some((line) => line.text.includes(text))
const texts = (frame: Frame) => frame.lines.map((line) => line.text)

describe("Terminal on a real pseudo-terminal and a real screen", () => {
  it.live("shows what a program prints, takes keys, and resizes both [S1.1]", () =>
    Effect.gen(function* () {
      const terminal = yield* sh(
        `printf '\\033]0;asking\\007name? '; read -r name; printf 'hello %s\\n' "$name"; read -r line; stty size; exit 6`
      )
      const asked = yield* terminal.until((frame) => frame.title === "asking" && shows("name? ")(frame))
      assert.deepStrictEqual(asked.cursor, { x: 6, y: 0, visible: true })
      yield* terminal.write("Zoë\n")
      yield* terminal.until(shows("hello Zoë"))
      assert.strictEqual((yield* terminal.resize(100, 30)).lines.length, 30)
      yield* terminal.write("\n")
      yield* terminal.until(shows("30 100"))
      assert.deepStrictEqual(yield* terminal.ended, { code: 6, signal: null })
    }).pipe(provided)
  )

  // Below the mark, at it with a tail still in the system's own buffers, and far beyond it.
  for (const size of [200 * KIB, 1024 * KIB + 4 * KIB, 3 * 1024 * KIB]) {
    it.live(`a renderer held across the exit loses no byte of ${size} [S1.2]`, () =>
      Effect.gen(function* () {
        const screen = HeldScreen.make(XtermScreen.layer)
        yield* Effect.gen(function* () {
          const end = "the very last line"
          const terminal = yield* sh(
            `stty -opost; yes 0123456789 | tr -d '\\n' | head -c "$1"; printf '%s' "$2"`,
            String(size - end.length),
            end
          )
          const frames = yield* Effect.forkChild(Stream.runCollect(terminal.frames), {
            startImmediately: true
          })
          screen.hold()
          // A child far over the mark cannot end before something is rendered; the others end unrendered.
          if (size < 2 * 1024 * KIB) yield* terminal.exit
          screen.release()
          assert.strictEqual((yield* terminal.ended).code, 0)
          const last = yield* terminal.newest
          assert.strictEqual(last.bytes, size)
          assert.isTrue(shows(end)(last))
          assert.strictEqual(Buffer.concat(screen.batches).length, size)
          const digits = Buffer.concat(screen.batches).subarray(0, size - end.length)
          for (let at = 0; at < digits.length; at += 1)
            if (digits[at] !== 0x30 + (at % 10)) assert.fail(`byte ${at}`)
          const sequences = (yield* Fiber.join(frames)).map((frame) => frame.sequence)
          assert.strictEqual(sequences.at(-1), last.sequence)
        }).pipe(Effect.provide(Layer.merge(NodePty.layer, screen.layer)))
      })
    )
  }

  it.live("the emulator answers a program's query, and is silent where it shall not [S1.6]", () =>
    Effect.gen(function* () {
      const asking = `stty raw -echo; printf 'go?'; dd bs=1 count=1 >/dev/null 2>&1; printf 'ab\\033[6n'
        printf '<%s>' "$(dd bs=1 count=6 2>/dev/null | tr '\\033' E)"`
      const begin = Effect.fnUntraced(function* (terminal: Terminal.Terminal) {
        yield* terminal.until(shows("go?"))
        yield* terminal.write("\n")
        yield* terminal.until(shows("ab"))
      })
      const answered = yield* sh(asking)
      yield* begin(answered)
      yield* answered.ended
      assert.strictEqual(texts(yield* answered.newest)[0], "go?ab<E[1;6R>")
      const silent = yield* sh(asking)
      yield* silent.answerQueries(false)
      yield* begin(silent)
      yield* silent.write("typed!")
      yield* silent.ended
      assert.strictEqual(texts(yield* silent.newest)[0], "go?ab<typed!>")
    }).pipe(provided)
  )

  it.live("a mirror's terminal shows what the live one shows [S1.5]", () =>
    Effect.gen(function* () {
      const terminal = yield* sh(
        `printf '\\033[?1049h\\033[3;10r\\033[10;1Hearly \\033[1mbold'; read -r line; for n in 1 2 3 4 5; do printf '\\nscrolled — %s' $n; done; printf '\\033[?25l'`
      )
      yield* terminal.until(shows("early"))
      const mirror = yield* Effect.forkChild(Stream.runCollect(terminal.mirror), { startImmediately: true })
      yield* terminal.write("\n")
      yield* terminal.ended
      const copy = yield* (yield* Screen).open({ cols: 80, rows: 24 })
      const events = yield* Fiber.join(mirror)
      assert.strictEqual(events[0]?._tag, "screen")
      const frames = yield* Effect.forEach(events, (event) => copy.write(event.bytes.slice()))
      const live = yield* terminal.newest
      assert.deepStrictEqual({ ...frames.at(-1)!, sequence: 0, bytes: 0 }, { ...live, sequence: 0, bytes: 0 })
    }).pipe(provided)
  )
})
