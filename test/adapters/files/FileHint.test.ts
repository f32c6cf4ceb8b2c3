import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as FileHint from "../../../src/adapters/files/FileHint.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "obstat-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const isDone = (fiber: Fiber.Fiber<boolean>): boolean => fiber.pollUnsafe() !== undefined

// Time stands still here: what returns without the clock moving was told, not looked for.
describe("FileHint", () => {
  it.effect("tells of a change, and of one before it was asked [S7.1]", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "file")
      writeFileSync(path, "")
      const hint = yield* FileHint.make
      hint.arm(path)
      appendFileSync(path, "x")
      yield* hint.wait
      const waiting = yield* Effect.forkChild(hint.wait)
      yield* Effect.yieldNow
      appendFileSync(path, "x")
      yield* Fiber.join(waiting)
    })
  )

  it.effect("tells of a file that comes, directories first [S7.1]", () =>
    Effect.gen(function* () {
      const root = yield* directory
      const hint = yield* FileHint.make
      const path = join(root, "a", "b", "file")
      hint.arm(path)
      mkdirSync(join(root, "a"))
      yield* hint.wait
      hint.arm(path)
      mkdirSync(join(root, "a", "b"))
      yield* hint.wait
      hint.arm(path)
      writeFileSync(path, "")
      yield* hint.wait
    })
  )

  it.effect("goes on with the file that took the place of the first [S7.1]", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "file")
      writeFileSync(path, "")
      const hint = yield* FileHint.make
      hint.arm(path)
      for (const content of ["1", "2", "3"]) {
        writeFileSync(`${path}.new`, content)
        renameSync(`${path}.new`, path)
        yield* hint.wait
        hint.arm(path)
        appendFileSync(path, "x")
        yield* hint.wait
      }
    })
  )

  it.effect("without a word it looks after ten seconds, and sooner where words went missing [S7.1]", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "file")
      writeFileSync(path, "")
      const hint = yield* FileHint.make
      hint.arm(path)
      const waits = Effect.fnUntraced(function* (milliseconds: number) {
        const waiting = yield* Effect.forkChild(hint.wait)
        yield* TestClock.adjust(milliseconds - 1)
        assert.isFalse(isDone(waiting))
        yield* TestClock.adjust(1)
        yield* Fiber.join(waiting)
      })
      yield* waits(10_000)
      yield* waits(10_000)
      // There was something new that nobody had told of.
      hint.found()
      yield* waits(500)
      yield* waits(500)
      // The system's word is good again.
      appendFileSync(path, "x")
      yield* hint.wait
      yield* waits(10_000)
    })
  )
})
