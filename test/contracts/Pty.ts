import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Pty, type PtyProcess, type PtySpawnOptions } from "../../src/core/session/Pty.ts"

/** Programs that every adapter can run in its own way. */
export interface Programs {
  /** Prints `ready`, then whatever line it reads, between brackets, until a line is `exit N`: then exits with N. */
  readonly echo: PtySpawnOptions
  /** Prints this many bytes, each one the last digit of its position, then exits. */
  readonly digits: (count: number) => PtySpawnOptions
  /** Prints `ready`, ignores SIGHUP, SIGINT and SIGTERM with the word `ignored`, never ends. */
  readonly stubborn: PtySpawnOptions
  /** Prints its size as `ROWSxCOLS` each time a line comes in, and at first. */
  readonly size: PtySpawnOptions
  /** Cannot be started. */
  readonly absent: PtySpawnOptions
}

interface Adapter {
  readonly layer: Layer.Layer<Pty>
  readonly programs: Programs
}

/** Collects output, and waits for it. */
export const collect = (child: PtyProcess) => {
  const chunks: Array<Buffer> = []
  const waits = new Set<() => void>()
  child.onData((bytes) => {
    chunks.push(Buffer.from(bytes))
    for (const wait of waits) wait()
  })
  const text = () => Buffer.concat(chunks).toString("utf8")
  return {
    bytes: () => Buffer.concat(chunks),
    text,
    until: (holds: (text: string) => boolean) =>
      Effect.callback<string>((resume) => {
        const wait = () => {
          const now = text()
          if (!holds(now)) return
          waits.delete(wait)
          resume(Effect.succeed(now))
        }
        waits.add(wait)
        wait()
        return Effect.sync(() => waits.delete(wait))
      })
  }
}

/** The digits of `Programs.digits`, as they must arrive. */
export const digits = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, at) => 0x30 + (at % 10)))

/** What every pseudo-terminal guarantees. */
export const contract = ({ layer, programs }: Adapter): void => {
  const spawn = Effect.fnUntraced(function* (options: PtySpawnOptions) {
    const child = yield* (yield* Pty).spawn(options)
    return { child, output: collect(child) }
  })
  const provided = <A, E>(effect: Effect.Effect<A, E, Pty | Scope.Scope>) => Effect.provide(effect, layer)

  describe("contract", () => {
    it.live("carries input to the child, output back, and the exit code [S1.1]", () =>
      Effect.gen(function* () {
        const { child, output } = yield* spawn(programs.echo)
        yield* output.until((text) => text.includes("ready"))
        yield* child.write("één ✓\n")
        yield* output.until((text) => text.includes("[één ✓]"))
        yield* child.write("exit 7\n")
        assert.deepStrictEqual(yield* child.exit, { code: 7, signal: null })
        yield* child.drained
      }).pipe(provided)
    )

    it.live("writes never interleave, and arrive in order [S3.3]", () =>
      Effect.gen(function* () {
        const { child, output } = yield* spawn(programs.echo)
        yield* output.until((text) => text.includes("ready"))
        const lines = Array.from({ length: 50 }, (_, index) => `line-${index}`)
        yield* Effect.forEach(lines, (line) => child.write(`${line}\n`), { concurrency: "unbounded" })
        const text = yield* output.until((text) => text.includes("[line-49]"))
        assert.deepStrictEqual(
          [...text.matchAll(/\[(line-\d+)\]/g)].map((match) => match[1]),
          lines
        )
      }).pipe(provided)
    )

    it.live("output from before the listener is not lost [S1.2]", () =>
      Effect.gen(function* () {
        const child = yield* (yield* Pty).spawn(programs.digits(5000))
        yield* child.exit
        const output = collect(child)
        yield* child.drained
        assert.strictEqual(output.bytes().compare(digits(5000)), 0)
      }).pipe(provided)
    )

    it.live(
      "every byte arrives once and in order, also when reading is held back across the exit [S1.2]",
      () =>
        Effect.gen(function* () {
          const count = 1_000_000
          const { child, output } = yield* spawn(programs.digits(count))
          let on = true
          // Holds back again and again, for as long as the child lives and whenever it can.
          const holding = yield* Effect.sync(() => {
            on = !on
            if (on) child.flow?.resume()
            else child.flow?.pause()
          }).pipe(Effect.andThen(Effect.sleep("1 millis")), Effect.forever, Effect.forkChild)
          const { code } = yield* child.exit
          child.flow?.pause()
          yield* child.drained
          yield* Fiber.interrupt(holding)
          assert.strictEqual(code, 0)
          assert.strictEqual(output.bytes().length, count)
          assert.strictEqual(output.bytes().compare(digits(count)), 0)
        }).pipe(provided)
    )

    it.live("a resize is what the child sees next [S1.1]", () =>
      Effect.gen(function* () {
        const { child, output } = yield* spawn({ ...programs.size, cols: 80, rows: 24 })
        yield* output.until((text) => text.includes("24x80"))
        yield* child.resize(189, 48)
        yield* child.write("\n")
        yield* output.until((text) => text.includes("48x189"))
      }).pipe(provided)
    )

    it.live("signals end a child that does not take them, and the exit names the signal [S2.3]", () =>
      Effect.gen(function* () {
        const { child, output } = yield* spawn(programs.echo)
        yield* output.until((text) => text.includes("ready"))
        yield* child.signal("SIGTERM")
        assert.strictEqual((yield* child.exit).signal, 15)
        yield* child.signal("SIGTERM")
        yield* child.signal("SIGKILL")
      }).pipe(provided)
    )

    it.live("a child that ignores all but SIGKILL is ended by it [S2.3]", () =>
      Effect.gen(function* () {
        const { child, output } = yield* spawn(programs.stubborn)
        yield* output.until((text) => text.includes("ready"))
        yield* child.signal("SIGTERM")
        yield* output.until((text) => text.includes("ignored"))
        yield* child.signal("SIGKILL")
        assert.strictEqual((yield* child.exit).signal, 9)
      }).pipe(provided)
    )

    it.live("closing the scope ends the child and settles every wait [S1.3, S2.3]", () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const { child, output } = yield* Scope.provide(spawn(programs.stubborn), scope)
        yield* output.until((text) => text.includes("ready"))
        const exited = yield* Effect.forkChild(child.exit)
        const drained = yield* Effect.forkChild(child.drained)
        yield* Scope.close(scope, Exit.void)
        assert.strictEqual((yield* Fiber.join(exited)).signal, 9)
        yield* Fiber.join(drained)
        assert.strictEqual((yield* Effect.flip(child.write("x")))._tag, "PtyClosed")
        assert.strictEqual((yield* Effect.flip(child.resize(10, 10)))._tag, "PtyClosed")
      }).pipe(provided)
    )

    it.live("closing the scope at the moment of the start leaves nothing either [S2.3]", () =>
      Effect.gen(function* () {
        const exit = yield* Deferred.make<Effect.Effect<unknown>>()
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { child } = yield* spawn(programs.stubborn)
            yield* Deferred.succeed(exit, child.exit)
          })
        )
        yield* Effect.flatten(Deferred.await(exit))
      }).pipe(provided)
    )

    it.live("a program that cannot be started is a typed failure [S2.3]", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(spawn(programs.absent))
        assert.strictEqual(failure._tag, "PtySpawnFailed")
        assert.strictEqual(failure.at, "file")
        assert.strictEqual(failure.reason, "ENOENT")
      }).pipe(provided)
    )
  })
}
