import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { join, resolve } from "node:path"
import * as JournalDigests from "../../../src/adapters/files/JournalDigests.ts"
import * as JournalFile from "../../../src/adapters/files/JournalFile.ts"
import * as JournalFolder from "../../../src/adapters/files/JournalFolder.ts"
import { Journal } from "../../../src/core/journal/Journal.ts"
import * as Verification from "../../../src/core/journal/Verification.ts"
import { contract } from "../../contracts/Journal.ts"

const temporary = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.realPath(yield* fs.makeTempDirectoryScoped())
}).pipe(Effect.orDie, Effect.provide(NodeServices.layer))

const rowFiles = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(".jsonl"))
        .toSorted()
        .map((name) => join(folder, name))
    : []
const partsIn = (folder: string) =>
  rowFiles(folder).map((file) => ({ file, text: readFileSync(file, "utf8") }))
const verify = (folder: string) =>
  Verification.verify(JournalDigests.sha256, { whole: true, parts: partsIn(folder) })

contract(
  Effect.map(temporary, (root) => {
    const folder = join(root, "journal")
    return {
      layer: JournalFile.layer({ folder, host: "host", version: "test", sync: "row" }),
      parts: Effect.sync(() => partsIn(folder)),
      kept: (digest) => Effect.sync(() => readFileSync(join(folder, "policies", `${digest}.json`), "utf8")),
      // Its file is gone, and the folder is not safe to begin another in.
      breaks: Effect.sync(() => {
        for (const file of rowFiles(folder)) renameSync(file, `${file}.away`)
        for (const file of readdirSync(folder))
          if (file.endsWith(".away")) appendFileSync(join(folder, file), "x")
        chmodSync(folder, 0o777)
      }),
      mends: Effect.sync(() => {
        chmodSync(folder, 0o700)
        for (const name of readdirSync(folder)) {
          if (!name.endsWith(".away")) continue
          const file = join(folder, name)
          writeFileSync(file, readFileSync(file, "utf8").slice(0, -1))
          renameSync(file, file.slice(0, -".away".length))
        }
      })
    }
  })
)

interface Place {
  readonly folder: string
  readonly root: string
}

const scene = (name: string, play: (place: Place) => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(name, () =>
    Effect.flatMap(temporary, (root) => play({ root, folder: join(root, "state", "journal") })).pipe(
      Effect.scoped
    )
  )

const use = <A, E>(
  options: Pick<JournalFile.Options, "folder"> & Partial<JournalFile.Options>,
  body: Effect.Effect<A, E, Journal>
) =>
  Effect.provide(body, JournalFile.layer({ host: "host", version: "test", ...options })).pipe(Effect.scoped)

const append = (note: string) =>
  Journal.use((journal) => journal.append({ _tag: "link", ask: "a-1", link: "test", note }))

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

const writer = resolve(import.meta.dirname, "../../fixtures/journal-writer.ts")

describe("journal files", () => {
  scene("are this user's alone, and so is the folder [A4.1, X5]", ({ folder }) =>
    Effect.gen(function* () {
      yield* use(
        { folder },
        Effect.andThen(
          Journal.use(({ keep }) => keep("policy")),
          append("a")
        )
      )
      const mode = (path: string) => statSync(path).mode & 0o777
      assert.strictEqual(mode(folder), 0o700)
      assert.strictEqual(mode(join(folder, "policies")), 0o700)
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
        one.isFile()
      )
      assert.lengthOf(files, 3)
      for (const file of files) assert.strictEqual(mode(join(file.parentPath, file.name)), 0o600)
    })
  )

  scene("are closed behind the rows that are being written, and take none afterwards [A4.1]", ({ folder }) =>
    Effect.gen(function* () {
      const { row, writing } = yield* use(
        { folder },
        Effect.gen(function* () {
          const journal = yield* Journal
          const row = (note: string) => journal.append({ _tag: "link", ask: "a-1", link: "test", note })
          yield* row("first")
          const writing = yield* Effect.forkDetach(Effect.result(row("in flight")), {
            startImmediately: true
          })
          return { row, writing }
        })
      )
      assert.isTrue(Result.isSuccess(yield* Fiber.join(writing)))
      const error = yield* Effect.flip(row("late"))
      assert.strictEqual(error.reason, "ended")
      const { broken, ended, rows } = verify(folder)
      assert.deepStrictEqual({ broken, ended }, { broken: null, ended: true })
      assert.strictEqual(rows.filter(({ entry }) => entry._tag === "link").length, 2)
    })
  )

  scene("are not written where others could exchange them [X5]", ({ folder, root }) =>
    Effect.gen(function* () {
      const refused = Effect.fnUntraced(function* (reason: string) {
        const error = yield* use({ folder }, Effect.flip(append("a")))
        assert.strictEqual(error.reason, reason)
        assert.lengthOf(rowFiles(folder), 0)
      })
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      chmodSync(folder, 0o755)
      yield* refused("shared")
      chmodSync(folder, 0o700)
      chmodSync(join(root, "state"), 0o777)
      yield* refused("shared")
      chmodSync(join(root, "state"), 0o700)
      rmSync(folder, { recursive: true })
      mkdirSync(join(root, "elsewhere"), { mode: 0o700 })
      symlinkSync(join(root, "elsewhere"), folder)
      yield* refused("link")
    })
  )

  scene("take over no link and no file that is there already [X5]", ({ folder, root }) =>
    Effect.gen(function* () {
      yield* use({ folder, host: "other" }, append("a"))
      const target = join(root, "victim")
      writeFileSync(target, "mine")
      symlinkSync(target, JournalFolder.fileOf(folder, "host", 1))
      const error = yield* use({ folder }, Effect.flip(append("a")))
      assert.strictEqual(error.reason, "exists")
      assert.strictEqual(readFileSync(target, "utf8"), "mine")
    })
  )

  scene("have one writer: a second one of the same host is refused [A4.2, X8]", ({ folder }) =>
    Effect.gen(function* () {
      yield* use(
        { folder },
        Effect.gen(function* () {
          yield* append("first")
          const error = yield* use({ folder }, Effect.flip(append("second")))
          assert.strictEqual(error.reason, "exists")
          yield* append("third")
        })
      )
      assert.deepInclude(verify(folder), { broken: null, ended: true })
      assert.lengthOf(verify(folder).rows, 4)
    })
  )

  scene("go on in the next file when one is full, from its last hash [A4.2]", ({ folder }) =>
    Effect.gen(function* () {
      yield* use({ folder, maxBytes: 2000 }, Effect.forEach(numbers(30), append))
      const { broken, ended, rows } = verify(folder)
      assert.deepStrictEqual({ broken, ended }, { broken: null, ended: true })
      assert.isAbove(rowFiles(folder).length, 2)
      assert.strictEqual(rows.filter(({ entry }) => entry._tag === "link").length, 30)
      for (const file of rowFiles(folder)) assert.isBelow(statSync(file).size, 3000)
      const second = partsIn(folder)[1]!
      unlinkSync(second.file)
      assert.deepInclude(verify(folder).broken, { line: 1, reason: "not_linked" })
    })
  )

  scene("that somebody else has written to, or taken away, are left for the next one [A4.2]", ({ folder }) =>
    Effect.gen(function* () {
      yield* use(
        { folder },
        Effect.gen(function* () {
          yield* append("a")
          appendFileSync(rowFiles(folder)[0]!, "forged\n")
          yield* append("b")
          unlinkSync(rowFiles(folder)[1]!)
          yield* append("c")
        })
      )
      const [first = "", third] = rowFiles(folder)
      assert.isTrue(third?.endsWith(".0003.jsonl"))
      assert.deepInclude(verify(folder).broken, { file: first, line: 3, reason: "unreadable" })
    })
  )

  scene("killed at any moment, a host loses no row that it was told is written [A4.4, X8]", ({ root }) =>
    Effect.gen(function* () {
      for (const [run, rows] of [1, 7, 40, 150].entries()) {
        const folder = join(root, `run-${run}`, "journal")
        const child = spawn(process.execPath, [writer, folder, "200"], {
          stdio: ["ignore", "pipe", "inherit"]
        })
        let told = ""
        yield* Effect.promise(
          () =>
            new Promise<void>((resolve) => {
              child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
                told += chunk
                if (told.split("\n").length > rows) resolve()
              })
            })
        )
        child.kill("SIGKILL")
        yield* Effect.promise(() => once(child, "close"))
        const written = told.split("\n").slice(0, -1).length
        const { broken, ended, rows: found } = verify(folder)
        assert.isNull(broken)
        assert.isFalse(ended)
        assert.isAtLeast(found.filter(({ entry }) => entry._tag === "link").length, written)
      }
    })
  )

  scene("on a disk that takes no more, a row is there whole or not at all [X8]", ({ folder }) =>
    Effect.gen(function* () {
      // The system writes a part of the row at which the limit is reached, as a full disk does.
      const limited = spawn(
        "bash",
        ["-c", `ulimit -f 32; exec "$0" "$@"`, process.execPath, writer, folder, "500"],
        {
          stdio: ["ignore", "pipe", "inherit"]
        }
      )
      let told = ""
      limited.stdout.setEncoding("utf8").on("data", (chunk: string) => (told += chunk))
      yield* Effect.promise(() => once(limited, "close"))
      assert.match(told, /JournalUnavailable/)
      assert.match(told, /ENOSPC|EFBIG/)
      const { broken, rows, torn } = verify(folder)
      assert.deepStrictEqual({ broken, torn }, { broken: null, torn: false })
      const written = told.split("\n").filter((line) => /^\d+$/.test(line))
      assert.isAbove(written.length, 5)
      assert.strictEqual(rows.filter(({ entry }) => entry._tag === "link").length, written.length)
    })
  )

  scene("with a folder that cannot be made, rows fail and nothing else does [X8]", ({ root }) =>
    Effect.gen(function* () {
      writeFileSync(join(root, "file"), "")
      const error = yield* use({ folder: join(root, "file", "journal") }, Effect.flip(append("a")))
      assert.strictEqual(error.reason, "ENOTDIR")
    })
  )

  scene("an interrupted append leaves no half of a row [A4.4]", ({ folder }) =>
    Effect.gen(function* () {
      yield* use(
        { folder },
        Effect.forEach(numbers(50), (text) => Effect.raceFirst(append(text), Effect.yieldNow))
      )
      assert.deepInclude(verify(folder), { broken: null, torn: false, ended: true })
    })
  )
})

describe("finding a journal", () => {
  const journals = Effect.fnUntraced(function* (folder: string) {
    for (const [host, session] of [
      ["aaa-1", "session-x"],
      ["aab-2", "session-y"]
    ] as const) {
      yield* use(
        { folder, host },
        Journal.use((journal) =>
          journal.append({ _tag: "session_started", session, agent: "claude", cwd: "/w" })
        )
      )
    }
  })
  const hostOf = ({ parts }: JournalFolder.Found) => parts[0]?.file.split("/").at(-1)?.split(".")[0]

  scene("goes by its file, or by the beginning of a host's or session's id [C25]", ({ folder }) =>
    Effect.gen(function* () {
      yield* journals(folder)
      const find = (journal: string | null) => JournalFolder.find(folder, journal)
      assert.strictEqual(hostOf(yield* find("aaa")), "aaa-1")
      assert.strictEqual(hostOf(yield* find("session-y")), "aab-2")
      assert.strictEqual(hostOf(yield* find(null)), "aab-2")
      const file = yield* find(join(folder, "aaa-1.0001.jsonl"))
      assert.deepInclude(file, { whole: false, folder })
      const reason = (journal: string) => Effect.map(Effect.flip(find(journal)), (error) => error.reason)
      assert.strictEqual(yield* reason("aa"), "several")
      assert.strictEqual(yield* reason("session-"), "several")
      assert.strictEqual(yield* reason("zzz"), "none")
      assert.strictEqual(yield* reason("./no.0001.jsonl"), "ENOENT")
      assert.strictEqual(yield* reason(`${folder}/`), "EISDIR")
    })
  )

  scene("finds nothing where there is no folder [C25]", ({ folder }) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(JournalFolder.find(folder, null))).reason, "none")
    })
  )

  scene("reads kept policies, and tells one whose content is another [A4.2]", ({ folder }) =>
    Effect.gen(function* () {
      const digest = yield* JournalFolder.keep(folder, "x")
      writeFileSync(join(folder, "policies", `${digest}.json`), "y")
      const policies = yield* JournalFolder.policies(folder, [digest, "../../etc/passwd"])
      assert.deepInclude(policies(digest), { value: "changed" })
      assert.strictEqual(policies("../../etc/passwd")._tag, "None")
    })
  )
})
