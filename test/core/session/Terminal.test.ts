import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as MemoryPty from "../../../src/adapters/memory/MemoryPty.ts"
import type { Frame } from "../../../src/core/session/Frame.ts"
import { Pty } from "../../../src/core/session/Pty.ts"
import * as Terminal from "../../../src/core/session/Terminal.ts"
import * as HeldScreen from "../../fixtures/HeldScreen.ts"

const KIB = 1024
const options = { file: "any", args: [], cwd: "/", env: {}, cols: 80, rows: 24 }

/** A terminal whose child prints and exits as the test says, on a screen that renders as the test says. */
const start = Effect.fnUntraced(function* (screen: HeldScreen.HeldScreen, answerQueries = true) {
  const output = yield* Queue.unbounded<string | Uint8Array | number>()
  const input: Array<string> = []
  const flow: Array<"pause" | "resume"> = []
  const program: MemoryPty.Program = Effect.fnUntraced(function* (child) {
    yield* child.read.pipe(
      Effect.tap((text) => Effect.sync(() => input.push(text))),
      Effect.forever,
      Effect.forkChild
    )
    for (;;) {
      const next = yield* Queue.take(output)
      if (typeof next === "number") return next
      yield* child.print(next)
    }
  })
  const watched = Layer.effect(
    Pty,
    Effect.map(Pty, ({ spawn }) => ({
      spawn: (options) =>
        Effect.map(spawn(options), (child) => ({
          ...child,
          flow: {
            pause: () => {
              flow.push("pause")
              child.flow?.pause()
            },
            resume: () => {
              flow.push("resume")
              child.flow?.resume()
            }
          }
        }))
    }))
  ).pipe(Layer.provide(MemoryPty.layer(program)))
  const scope = yield* Scope.make()
  const terminal = yield* Terminal.open({ ...options, answerQueries }).pipe(
    Scope.provide(scope),
    Effect.provide([watched, screen.layer])
  )
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  /** Lets everything happen that needs no time to pass. */
  const quiesce = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow, { discard: true })
  return {
    terminal,
    input,
    flow,
    quiesce,
    print: (text: string | Uint8Array) => Effect.andThen(Queue.offer(output, text), quiesce),
    exit: (code: number) => Effect.andThen(Queue.offer(output, code), quiesce),
    close: Scope.close(scope, Exit.void)
  }
})

const reasonOf = <A>(exit: Exit.Exit<A, Terminal.TerminalClosed>) =>
  Exit.isFailure(exit) && exit.cause.reasons[0]?._tag === "Fail" ? exit.cause.reasons[0].error.reason : "none"

describe("Terminal", () => {
  it.effect("a batch begins 4 ms after its first byte, with all that came meanwhile [S1.2]", () =>
    Effect.gen(function* () {
      const screen = HeldScreen.make()
      const { print, quiesce, terminal } = yield* start(screen)
      yield* print("one ")
      yield* TestClock.adjust("3 millis")
      yield* print("two")
      assert.strictEqual(screen.batches.length, 0)
      yield* TestClock.adjust("1 millis")
      yield* quiesce
      assert.deepStrictEqual(
        screen.batches.map((batch) => Buffer.from(batch).toString()),
        ["one two"]
      )
      assert.strictEqual((yield* terminal.newest).lines[0]!.text, "one two")
    })
  )

  it.effect("a full batch does not wait, and has at most 64 KiB [S1.2]", () =>
    Effect.gen(function* () {
      const screen = HeldScreen.make()
      const { print, quiesce } = yield* start(screen)
      yield* print("x".repeat(200 * KIB))
      yield* quiesce
      assert.deepStrictEqual(
        screen.batches.map((batch) => batch.length),
        [64 * KIB, 64 * KIB, 64 * KIB]
      )
      yield* TestClock.adjust("4 millis")
      yield* quiesce
      assert.deepStrictEqual(screen.batches.at(-1)?.length, 8 * KIB)
    })
  )

  it.effect.prop(
    "bytes keep their order whatever the reads, and no batch is over 64 KiB [S1.2]",
    [
      Arbitrary.array(
        Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 150 * KIB })))
      )
    ],
    ([lengths]) =>
      Effect.gen(function* () {
        const screen = HeldScreen.make()
        const { print, quiesce, terminal } = yield* start(screen)
        let at = 0
        const chunks = lengths.map((length) => Uint8Array.from({ length }, () => at++ % 251))
        for (const chunk of chunks) yield* print(chunk)
        yield* TestClock.adjust("4 millis")
        yield* quiesce
        assert.strictEqual(Buffer.concat(screen.batches).compare(Buffer.concat(chunks)), 0)
        assert.isTrue(screen.batches.every((batch) => batch.length > 0 && batch.length <= 64 * KIB))
        assert.strictEqual((yield* terminal.newest).bytes, at)
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 50 } }
  )

  it.effect(
    "while the renderer is behind, at most two batches are on their way and the rest grows [S1.2]",
    () =>
      Effect.gen(function* () {
        const screen = HeldScreen.make()
        const { print, quiesce } = yield* start(screen)
        screen.hold()
        for (const text of ["a", "b", "c", "d"]) {
          yield* print(text)
          yield* TestClock.adjust("4 millis")
          yield* quiesce
        }
        assert.deepStrictEqual(
          screen.batches.map((batch) => Buffer.from(batch).toString()),
          ["a", "b"]
        )
        screen.release()
        yield* quiesce
        assert.deepStrictEqual(
          screen.batches.map((batch) => Buffer.from(batch).toString()),
          ["a", "b", "cd"]
        )
      })
  )

  it.effect("full batches, which cannot grow, wait for one another only from the eighth on [S1.2]", () =>
    Effect.gen(function* () {
      const screen = HeldScreen.make()
      const { print, quiesce, terminal } = yield* start(screen)
      screen.hold()
      yield* print("x".repeat(900 * KIB))
      yield* TestClock.adjust("1 second")
      yield* quiesce
      assert.deepStrictEqual(
        screen.batches.map((batch) => batch.length),
        Array.from({ length: 8 }, () => 64 * KIB)
      )
      screen.release()
      yield* quiesce
      yield* TestClock.adjust("4 millis")
      yield* quiesce
      assert.strictEqual((yield* terminal.newest).bytes, 900 * KIB)
    })
  )

  it.effect("the child is held back at 1 MiB unrendered, and goes on below 512 KiB [S1.2]", () =>
    Effect.gen(function* () {
      const screen = HeldScreen.make()
      const { flow, print, quiesce, terminal } = yield* start(screen)
      screen.hold()
      yield* print("x".repeat(KIB * KIB - 1))
      assert.deepStrictEqual(flow, [])
      yield* print("xy")
      assert.deepStrictEqual(flow, ["pause"])
      yield* print("z".repeat(10 * KIB))
      const rendered: Array<number> = []
      yield* Effect.forkChild(
        Stream.runForEach(terminal.frames, (frame) => Effect.sync(() => rendered.push(frame.bytes))),
        {
          startImmediately: true
        }
      )
      screen.release()
      yield* TestClock.adjust("4 millis")
      yield* quiesce
      assert.deepStrictEqual(flow, ["pause", "resume"])
      yield* TestClock.adjust("4 millis")
      yield* quiesce
      assert.strictEqual((yield* terminal.newest).bytes, KIB * KIB + 1 + 10 * KIB)
    })
  )

  it.effect("a held child is let go when it ends, and never held after [S1.2]", () =>
    Effect.gen(function* () {
      const screen = HeldScreen.make()
      const { exit, flow, print, quiesce, terminal } = yield* start(screen)
      screen.hold()
      yield* print("x".repeat(KIB * KIB))
      assert.deepStrictEqual(flow, ["pause"])
      yield* print("y".repeat(2 * KIB * KIB))
      yield* exit(3)
      assert.deepStrictEqual(flow, ["pause", "resume"])
      assert.deepStrictEqual(yield* terminal.exit, { code: 3, signal: null })
      screen.release()
      yield* quiesce
      assert.deepStrictEqual(flow, ["pause", "resume"])
      assert.deepStrictEqual(yield* terminal.ended, { code: 3, signal: null })
      assert.strictEqual((yield* terminal.newest).bytes, 3 * KIB * KIB)
    })
  )

  it.effect(
    "every observer sees each frame in order, from the newest on; rendering waits for none [S1.2]",
    () =>
      Effect.gen(function* () {
        const screen = HeldScreen.make()
        const { exit, print, quiesce, terminal } = yield* start(screen)
        const step = Effect.fnUntraced(function* (text: string) {
          yield* print(text)
          yield* TestClock.adjust("4 millis")
          yield* quiesce
        })
        const all = yield* Effect.forkChild(Stream.runCollect(terminal.frames), { startImmediately: true })
        // Takes one frame and then never comes back for another.
        yield* Effect.forkChild(
          Stream.runForEach(terminal.frames, () => Effect.never),
          { startImmediately: true }
        )
        yield* step("a")
        yield* step("b")
        const late = yield* Effect.forkChild(Stream.runCollect(terminal.frames), { startImmediately: true })
        yield* quiesce
        yield* step("c")
        yield* exit(0)
        const sequences = (frames: ReadonlyArray<Frame>) => frames.map((frame) => frame.sequence)
        assert.deepStrictEqual(sequences(yield* Fiber.join(all)), [1, 2, 3])
        assert.deepStrictEqual(sequences(yield* Fiber.join(late)), [2, 3])
      })
  )

  it.effect("an observer far behind loses the oldest frames, never the newest [S1.2]", () =>
    Effect.gen(function* () {
      const screen = HeldScreen.make()
      const { exit, print, quiesce, terminal } = yield* start(screen)
      const seen: Array<number> = []
      const go = yield* Queue.unbounded<void>()
      const observer = yield* Effect.forkChild(
        Stream.runForEach(terminal.frames.pipe(Stream.rechunk(1)), (frame) =>
          Effect.andThen(
            Queue.take(go),
            Effect.sync(() => seen.push(frame.sequence))
          )
        ),
        { startImmediately: true }
      )
      const count = 400
      for (let index = 0; index < count; index += 1) {
        yield* print("x")
        yield* TestClock.adjust("4 millis")
        yield* quiesce
      }
      assert.strictEqual((yield* terminal.newest).sequence, count)
      yield* exit(0)
      yield* Queue.offerAll(go, Array.from({ length: count }))
      yield* Fiber.join(observer)
      assert.strictEqual(seen.at(-1), count)
      assert.isBelow(seen.length, count)
      assert.deepStrictEqual(
        seen,
        seen.toSorted((a, b) => a - b)
      )
    })
  )

  it.effect("settled waits for all that was received by then, and no more [S1.1]", () =>
    Effect.gen(function* () {
      const screen = HeldScreen.make()
      const { print, quiesce, terminal } = yield* start(screen)
      assert.strictEqual((yield* terminal.settled).sequence, 0)
      screen.hold()
      yield* print("first")
      const settled = yield* Effect.forkChild(terminal.settled, { startImmediately: true })
      yield* TestClock.adjust("4 millis")
      yield* quiesce
      assert.isUndefined(settled.pollUnsafe())
      yield* print("second, which nobody waits for")
      screen.release()
      yield* quiesce
      assert.strictEqual((yield* Fiber.join(settled)).lines[0]!.text, "first")
    })
  )

  it.effect("until finds the newest frame, and misses none that passes [S1.2]", () =>
    Effect.gen(function* () {
      const screen = HeldScreen.make()
      const { print, quiesce, terminal } = yield* start(screen)
      const waits = yield* Effect.forEach(["b", "c"], (text) =>
        Effect.forkChild(
          terminal.until((frame) => frame.lines[0]!.text === text),
          { startImmediately: true }
        )
      )
      for (const text of ["a", "b", "c", "d"]) {
        yield* print(text)
        yield* TestClock.adjust("4 millis")
        yield* quiesce
      }
      assert.deepStrictEqual(
        (yield* Effect.forEach(waits, Fiber.join)).map((frame) => frame.sequence),
        [2, 3]
      )
      assert.strictEqual((yield* terminal.until((frame) => frame.lines[0]!.text === "d")).sequence, 4)
    })
  )

  it.effect(
    "the exit is known at once; what was received gets a second to render, then waits settle [S1.3]",
    () =>
      Effect.gen(function* () {
        const screen = HeldScreen.make()
        const { exit, print, quiesce, terminal } = yield* start(screen)
        screen.hold()
        yield* print("never rendered")
        const waits = yield* Effect.forEach([terminal.settled, terminal.until(() => false)], (wait) =>
          Effect.forkChild(Effect.exit(wait), { startImmediately: true })
        )
        yield* exit(7)
        assert.deepStrictEqual(yield* terminal.exit, { code: 7, signal: null })
        const ended = yield* Effect.forkChild(terminal.ended, { startImmediately: true })
        yield* TestClock.adjust("999 millis")
        yield* quiesce
        assert.isUndefined(ended.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        yield* quiesce
        assert.deepStrictEqual(yield* Fiber.join(ended), { code: 7, signal: null })
        for (const wait of waits) assert.strictEqual(reasonOf(yield* Fiber.join(wait)), "ended")
        assert.strictEqual((yield* Effect.flip(terminal.write("x")))._tag, "PtyClosed")
      })
  )

  it.effect("output before the exit is rendered without waiting for a batch to fill or age [S1.3]", () =>
    Effect.gen(function* () {
      const { exit, print, quiesce, terminal } = yield* start(HeldScreen.make())
      yield* print("last words")
      yield* exit(0)
      yield* quiesce
      assert.deepStrictEqual(yield* terminal.ended, { code: 0, signal: null })
      assert.strictEqual((yield* terminal.newest).lines[0]!.text, "last words")
      assert.strictEqual((yield* terminal.until((frame) => frame.sequence === 1)).sequence, 1)
    })
  )

  it.effect("disposing discards what waits and settles every wait at once [S1.3]", () =>
    Effect.gen(function* () {
      const screen = HeldScreen.make()
      const { close, print, quiesce, terminal } = yield* start(screen)
      screen.hold()
      yield* print("x".repeat(300 * KIB))
      const frames = yield* Effect.forkChild(Stream.runCollect(terminal.frames), { startImmediately: true })
      const waits = yield* Effect.forEach([terminal.settled, terminal.until(() => false)], (wait) =>
        Effect.forkChild(Effect.exit(wait), { startImmediately: true })
      )
      const ended = yield* Effect.forkChild(Effect.exit(terminal.ended), { startImmediately: true })
      const mirror = yield* Effect.forkChild(Stream.runCollect(terminal.mirror), { startImmediately: true })
      yield* close
      screen.release()
      yield* quiesce
      for (const wait of waits) assert.strictEqual(reasonOf(yield* Fiber.join(wait)), "disposed")
      assert.strictEqual(reasonOf(yield* Fiber.join(ended)), "disposed")
      assert.deepStrictEqual(yield* Fiber.join(frames), [])
      assert.deepStrictEqual(yield* Fiber.join(mirror), [])
      assert.strictEqual(screen.batches.length, 4)
      assert.strictEqual((yield* terminal.newest).sequence, 0)
      assert.strictEqual(reasonOf(yield* Effect.exit(terminal.until(() => true))), "disposed")
      assert.strictEqual((yield* terminal.exit).signal, 9)
    })
  )

  it.effect(
    "a lost screen fails every wait and stream by its name, and does not hold the child back [X8]",
    () =>
      Effect.gen(function* () {
        const screen = HeldScreen.make()
        const { exit, flow, print, quiesce, terminal } = yield* start(screen)
        const frames = yield* Effect.forkChild(Effect.exit(Stream.runDrain(terminal.frames)), {
          startImmediately: true
        })
        const wait = yield* Effect.forkChild(Effect.exit(terminal.until(() => false)), {
          startImmediately: true
        })
        screen.hold()
        yield* print("x".repeat(2 * KIB * KIB))
        assert.deepStrictEqual(flow, ["pause"])
        screen.lose()
        screen.release()
        yield* quiesce
        assert.strictEqual(reasonOf(yield* Fiber.join(frames)), "screen_lost")
        assert.strictEqual(reasonOf(yield* Fiber.join(wait)), "screen_lost")
        assert.strictEqual(reasonOf(yield* Effect.exit(terminal.settled)), "screen_lost")
        assert.deepStrictEqual(flow, ["pause", "resume"])
        yield* print("y".repeat(2 * KIB * KIB))
        yield* exit(4)
        assert.strictEqual((yield* terminal.exit).code, 4)
      })
  )

  it.effect("a resize comes after what was received before it, and before what comes after [S1.1]", () =>
    Effect.gen(function* () {
      const screen = HeldScreen.make()
      const { print, quiesce, terminal } = yield* start(screen)
      const frames = yield* Effect.forkChild(Stream.runCollect(Stream.take(terminal.frames, 3)), {
        startImmediately: true
      })
      yield* print("old size")
      const resized = yield* terminal.resize(100, 30)
      assert.deepStrictEqual([resized.cols, resized.rows, resized.bytes], [100, 30, 8])
      yield* print("new size")
      yield* TestClock.adjust("4 millis")
      yield* quiesce
      assert.deepStrictEqual(
        (yield* Fiber.join(frames)).map((frame) => [frame.cols, frame.bytes]),
        [
          [80, 8],
          [100, 8],
          [100, 16]
        ]
      )
    })
  )

  it.effect(
    "the emulator's answers go to the child, unless switched off, and are never events of input [S1.6]",
    () =>
      Effect.gen(function* () {
        const screen = HeldScreen.make()
        const { input, quiesce, terminal } = yield* start(screen)
        screen.reply("one")
        yield* quiesce
        assert.deepStrictEqual(input, ["one"])
        yield* terminal.answerQueries(false)
        screen.reply("two")
        yield* quiesce
        yield* terminal.answerQueries(true)
        screen.reply("three")
        yield* quiesce
        assert.deepStrictEqual(input, ["one", "three"])
        const silent = HeldScreen.make()
        const other = yield* start(silent, false)
        silent.reply("four")
        yield* other.quiesce
        assert.deepStrictEqual(other.input, [])
      })
  )

  it.effect(
    "a mirror is the screen, then what follows; one that is too far behind is drawn anew [S1.5]",
    () =>
      Effect.gen(function* () {
        const screen = HeldScreen.make()
        const { exit, print, quiesce, terminal } = yield* start(screen)
        const step = Effect.fnUntraced(function* (text: string) {
          yield* print(text)
          yield* TestClock.adjust("4 millis")
          yield* quiesce
        })
        yield* step("before ")
        const go = yield* Queue.unbounded<void>()
        const told: Array<string> = []
        const lengths: Array<number> = []
        const mirror = yield* Effect.forkChild(
          Stream.runForEach(terminal.mirror, (event) =>
            Effect.andThen(
              Queue.take(go),
              Effect.sync(() => {
                told.push(`${event._tag} ${Buffer.from(event.bytes.subarray(0, 20)).toString()}`)
                lengths.push(event.bytes.length)
              })
            )
          ),
          { startImmediately: true }
        )
        yield* quiesce
        yield* step("a")
        yield* step("b")
        yield* Queue.offer(go, undefined)
        yield* quiesce
        yield* Queue.offer(go, undefined)
        yield* quiesce
        assert.deepStrictEqual(told, ["screen before ", "output ab"])
        // Nobody takes this; only 128 KiB of it may be kept.
        for (let index = 0; index < 10; index += 1) yield* step("c".repeat(40 * KIB))
        yield* step("end")
        yield* Queue.offerAll(go, Array.from({ length: 10 }))
        yield* quiesce
        assert.deepStrictEqual(told.slice(-1), ["screen before abccccccccccc"])
        assert.isTrue(lengths.slice(0, -1).every((length) => length <= 128 * KIB))
        assert.strictEqual(lengths.at(-1), 9 + 400 * KIB + 3)
        yield* terminal.resize(100, 30)
        yield* quiesce
        assert.strictEqual(told.at(-1)?.slice(0, 6), "screen")
        yield* exit(0)
        yield* Fiber.join(mirror)
        const [late] = yield* Stream.runCollect(terminal.mirror)
        assert.deepStrictEqual(late && { ...late, bytes: 0 }, {
          _tag: "screen",
          cols: 100,
          rows: 30,
          bytes: 0
        })
      })
  )
})
