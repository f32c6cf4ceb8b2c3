import { execFileSync } from "node:child_process"
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as TranscriptReader from "../../../src/adapters/files/TranscriptReader.ts"
import { TranscriptSource } from "../../../src/core/session/TranscriptSource.ts"
import * as Contract from "../../contracts/TranscriptSource.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "obstat-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Every file that this process holds open, as the system names it. */
const openFiles = (): ReadonlyArray<string> =>
  process.platform === "linux"
    ? readdirSync("/proc/self/fd").flatMap((fd) => {
        try {
          return [readlinkSync(`/proc/self/fd/${fd}`)]
        } catch {
          // The one that listed the others.
          return []
        }
      })
    : execFileSync("lsof", ["-p", String(process.pid), "-Fn"], { encoding: "utf8" })
        .split("\n")
        .map((line) => line.slice(1))

/** A file that was replaced is named with ` (deleted)` after its path. */
const openBelow = (path: string): number => openFiles().filter((name) => name.startsWith(`${path}/`)).length

describe("TranscriptReader", () => {
  Contract.contract({
    layer: TranscriptReader.layer,
    driver: Effect.map(directory, (root) => {
      const path = join(root, "projects", "-work", "session.jsonl")
      return {
        path,
        append: (bytes) => {
          mkdirSync(dirname(path), { recursive: true })
          appendFileSync(path, bytes)
        },
        replace: (bytes) => {
          writeFileSync(`${path}.new`, bytes)
          renameSync(`${path}.new`, path)
        }
      }
    })
  })

  const follow = Effect.fnUntraced(function* (path: string) {
    const source = yield* TranscriptSource
    const values = yield* Queue.unbounded<unknown>()
    const fiber = yield* Effect.forkScoped(
      Stream.runForEach(source.follow(path), (one) =>
        Queue.offer(values, one._tag === "record" ? one.value : one._tag)
      )
    )
    return { values, fiber }
  })

  it.live("a file cut short in place is read from its first byte [S7.1]", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "file")
      writeFileSync(path, "1\n2\n3")
      const { values } = yield* follow(path)
      yield* Queue.takeN(values, 2)
      truncateSync(path)
      appendFileSync(path, "4\n")
      assert.strictEqual(yield* Queue.take(values), 4)
    }).pipe(Effect.scoped, Effect.provide(TranscriptReader.layer))
  )

  it.live("a file taken away and made anew, with its directory, is read from its first byte [S7.1]", () =>
    Effect.gen(function* () {
      const above = join(yield* directory, "projects")
      const path = join(above, "file")
      const { values } = yield* follow(path)
      for (let round = 0; round < 5; round++) {
        mkdirSync(above)
        writeFileSync(path, `${round}\n"end"\n`)
        assert.deepStrictEqual(yield* Queue.takeN(values, 2), [round, "end"])
        rmSync(above, { recursive: true })
      }
    }).pipe(Effect.scoped, Effect.provide(TranscriptReader.layer))
  )

  it.live("what is no file is a typed error, and a named pipe is not waited for [S7.1]", () =>
    Effect.gen(function* () {
      const source = yield* TranscriptSource
      const root = yield* directory
      execFileSync("mkfifo", [join(root, "pipe")])
      for (const path of [root, join(root, "pipe")]) {
        const { fiber } = yield* follow(path)
        for (const error of [yield* Effect.flip(Fiber.join(fiber)), yield* Effect.flip(source.end(path))]) {
          assert.deepInclude(error, { _tag: "TranscriptUnreadable", path, reason: "not_a_file" })
        }
      }
    }).pipe(Effect.scoped, Effect.provide(TranscriptReader.layer))
  )

  it.live("a reader that nobody pulls from holds the file back, and gives all of it later [S7.1]", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "file")
      const source = yield* TranscriptSource
      writeFileSync(path, "1\n".repeat(200_000))
      const pull = yield* Stream.toPull(source.follow(path))
      let count = 0
      while (count < 200_000) count += (yield* pull).length
      appendFileSync(path, "2\n")
      const last = yield* pull
      assert.deepStrictEqual(last, [{ _tag: "record", offset: 400_000, value: 2 }])
    }).pipe(Effect.scoped, Effect.provide(TranscriptReader.layer))
  )

  it.live("closes its file, also one that it had to leave for another [S7.1] [X9]", () =>
    Effect.gen(function* () {
      const root = yield* directory
      const path = join(root, "file")
      yield* Effect.scoped(
        Effect.gen(function* () {
          writeFileSync(path, "1\n")
          const { values } = yield* follow(path)
          yield* Queue.take(values)
          writeFileSync(`${path}.new`, "2\n")
          renameSync(`${path}.new`, path)
          yield* Queue.take(values)
          yield* Effect.flatMap(TranscriptSource, (source) => source.end(path))
          assert.strictEqual(openBelow(root), 1)
        })
      )
      assert.strictEqual(openBelow(root), 0)
    }).pipe(Effect.scoped, Effect.provide(TranscriptReader.layer))
  )
})
