import { spawn } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createInterface } from "node:readline"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll } from "vitest"
import * as NodePty from "../../../src/adapters/node-pty/NodePty.ts"
import { Pty, type PtySpawnOptions } from "../../../src/core/session/Pty.ts"
import * as PtyContract from "../../contracts/Pty.ts"
import * as Processes from "../../fixtures/Processes.ts"

const sh = (script: string, ...args: ReadonlyArray<string>): PtySpawnOptions => ({
  file: "/bin/sh",
  args: ["-c", script, "sh", ...args],
  cwd: "/",
  env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
  cols: 80,
  rows: 24
})

PtyContract.contract({
  layer: NodePty.layer,
  programs: {
    echo: sh(`stty -echo; printf ready
      while read -r line; do case $line in exit\\ *) exit "\${line#exit }" ;; *) printf '[%s]' "$line" ;; esac; done`),
    digits: (count) => sh(`yes 0123456789 | tr -d '\\n' | head -c "$1"`, String(count)),
    stubborn: sh(`trap 'printf ignored' HUP INT TERM; printf ready; while :; do sleep 1000 & wait $!; done`),
    size: sh(`stty -echo; while :; do stty size | tr ' ' x; read -r line; done`),
    absent: { ...sh(""), file: "/nonexistent/program" }
  }
})

/** Looks until it holds; the test's own bound ends one that never does. */
const eventually = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.andThen(Effect.sleep("20 millis"), eventually(holds))))

const spawned = Effect.fnUntraced(function* (options: PtySpawnOptions) {
  const child = yield* (yield* Pty).spawn(options)
  return { child, output: PtyContract.collect(child) }
})
const provided = <A, E>(effect: Effect.Effect<A, E, Pty | Scope.Scope>) =>
  Effect.provide(effect, NodePty.layer)

/** A child, one in its background, and a grandchild, all deaf to everything that can be ignored. */
const deaf = `trap '' HUP INT TERM
  (sleep 1000; :) & sleep 1000 & printf ready; while :; do sleep 1000; done`

let folder = ""
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "obstat-pty-")))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("NodePty", () => {
  it.live("the child leads a group of its own, and closing the scope leaves nothing of it [S2.3, X9]", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { child, output } = yield* Scope.provide(spawned(sh(deaf)), scope)
      yield* output.until((text) => text.includes("ready"))
      yield* eventually(() => Processes.inGroup(child.pid).length >= 4)
      yield* Scope.close(scope, Exit.void)
      yield* eventually(() => Processes.inGroup(child.pid).length === 0)
    }).pipe(provided)
  )

  it.live("a natural exit takes the rest of the group with it [S2.3]", () =>
    Effect.gen(function* () {
      const { child, output } = yield* spawned(
        sh(`trap '' HUP TERM; sleep 1000 & printf ready; read -r line; exit 5`)
      )
      yield* output.until((text) => text.includes("ready"))
      assert.isAtLeast(Processes.inGroup(child.pid).length, 2)
      yield* child.write("\n")
      assert.strictEqual((yield* child.exit).code, 5)
      yield* eventually(() => Processes.inGroup(child.pid).length === 0)
      yield* child.drained
    }).pipe(provided)
  )

  it.live("a host killed at once takes its children's whole groups with it [S2.3, X8]", () =>
    Effect.gen(function* () {
      const host = spawn(process.execPath, [fileURLToPath(new URL("host.ts", import.meta.url)), deaf], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]()
      const { value } = yield* Effect.promise(() => lines.next())
      const groups: ReadonlyArray<number> = JSON.parse(String(value))
      assert.strictEqual(groups.length, 3)
      for (const group of groups) assert.isAtLeast(Processes.inGroup(group).length, 1)
      const guards = Processes.childrenOf(host.pid!).filter((pid) => !groups.includes(pid))
      assert.strictEqual(guards.length, 1)
      host.kill("SIGKILL")
      yield* eventually(() => groups.every((group) => Processes.inGroup(group).length === 0))
      // The guard ends with its work.
      yield* eventually(() => !Processes.living().some(({ pid }) => guards.includes(pid)))
    })
  )

  it.live("a guard that is killed is replaced, with all it guarded [S2.3]", () =>
    Effect.gen(function* () {
      const before = Processes.childrenOf(process.pid)
      const { child, output } = yield* spawned(sh(deaf))
      yield* output.until((text) => text.includes("ready"))
      const guard = () =>
        Processes.childrenOf(process.pid).find((pid) => pid !== child.pid && !before.includes(pid))
      const first = guard()!
      process.kill(first, "SIGKILL")
      yield* eventually(() => {
        const second = guard()
        return second !== undefined && second !== first
      })
    }).pipe(provided)
  )

  it.live("nothing is left after many sessions: no process, no descriptor [X9]", () =>
    Effect.gen(function* () {
      const processes = Processes.childrenOf(process.pid)
      const descriptors = Processes.descriptors()
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (index) =>
          Effect.scoped(
            Effect.gen(function* () {
              const { child, output } = yield* spawned(
                index % 2 === 0 ? sh("printf ready; exit 0") : sh(deaf)
              )
              yield* output.until((text) => text.includes("ready"))
              if (index % 2 === 0) yield* child.drained
            })
          ),
        { concurrency: 5 }
      ).pipe(Effect.provide(NodePty.layer))
      yield* eventually(() => Processes.childrenOf(process.pid).length === processes.length)
      yield* eventually(() => Processes.descriptors().length === descriptors.length)
    })
  )

  it.live("a child has no descriptor of another one's terminal, or of the host's [X1]", () =>
    Effect.gen(function* () {
      yield* spawned(sh("read -r line"))
      yield* spawned(sh("read -r line"))
      const { child, output } = yield* spawned(
        sh("exec 2>/dev/null; for f in /dev/fd/* /proc/self/fd/*; do readlink $f; done")
      )
      yield* child.drained
      assert.notInclude(output.text(), "ptmx")
      assert.notMatch(output.text(), /socket:|pipe:|anon_inode/)
    }).pipe(provided)
  )

  it.live("the environment is the given one and nothing else; TERM has a default [S2.1]", () =>
    Effect.gen(function* () {
      const run = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>) {
        const { child, output } = yield* spawned({ ...sh(""), file: "/usr/bin/env", args: [], env })
        yield* child.drained
        return output.text().trim().split("\r\n").toSorted()
      })
      assert.deepStrictEqual(yield* run({ A: "1" }), ["A=1", "TERM=xterm-256color"])
      assert.deepStrictEqual(yield* run({ TERM: "dumb" }), ["TERM=dumb"])
    }).pipe(provided)
  )

  it.live("what cannot be started fails before anything does, and says where the fault is [S2.3]", () =>
    Effect.gen(function* () {
      const plain = join(folder, "plain")
      writeFileSync(plain, "#!/bin/sh\n")
      chmodSync(plain, 0o644)
      const processes = Processes.childrenOf(process.pid).length
      const cases: ReadonlyArray<readonly [Partial<PtySpawnOptions>, string, string]> = [
        [{ file: join(folder, "none") }, "file", "ENOENT"],
        [{ file: plain }, "file", "EACCES"],
        [{ file: folder }, "file", "EISDIR"],
        [{ file: join(plain, "below") }, "file", "ENOTDIR"],
        [{ cwd: join(folder, "none") }, "cwd", "ENOENT"],
        [{ cwd: "/bin/sh" }, "cwd", "ENOTDIR"],
        [{ cols: 0 }, "pty", "size"],
        [{ rows: 1.5 }, "pty", "size"],
        [{ args: ["-c", "echo a\0b"] }, "pty", "nul"],
        [{ env: { A: "a\0b" } }, "pty", "nul"],
        [{ env: { "A=B": "" } }, "pty", "variable_name"]
      ]
      for (const [change, at, reason] of cases) {
        const failure = yield* Effect.flip(spawned({ ...sh("exit 0"), ...change }))
        assert.deepStrictEqual({ at: failure.at, reason: failure.reason }, { at, reason })
      }
      assert.strictEqual(Processes.childrenOf(process.pid).length, processes)
    }).pipe(provided)
  )

  it.live("a host that stands still across the exit loses nothing [S1.2, X8]", () =>
    Effect.gen(function* () {
      // More than one read gives, less than the system's own buffer takes: so the child can end unread.
      const count = 6000
      const written = join(folder, "written")
      const { child, output } = yield* spawned(
        sh(`yes 0123456789 | tr -d '\\n' | head -c "$1"; : > "$2"`, String(count), written)
      )
      const standStill = (milliseconds: number) =>
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
      while (!existsSync(written)) standStill(20)
      standStill(500)
      yield* child.exit
      // Far longer than the last output of a child that has ended is waited for.
      standStill(1500)
      yield* child.drained
      assert.strictEqual(output.bytes().compare(PtyContract.digits(count)), 0)
    }).pipe(provided)
  )

  it.live("a program that left the group does not keep the end of output from being found [S1.3]", () =>
    Effect.gen(function* () {
      const mark = join(folder, "left")
      const { child, output } = yield* spawned(
        sh(
          `setsid sh -c 'echo $$ > "$1"; exec sleep 1000' sh "$1" & while [ ! -s "$1" ]; do :; done; printf end`,
          mark
        )
      )
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => process.kill(Number(readFileSync(mark, "utf8")), "SIGKILL"))
      )
      yield* child.exit
      yield* child.drained
      assert.strictEqual(output.text(), "end")
    }).pipe(provided)
  )

  it.live("long writes at once come one after the other, whole [S3.3]", () =>
    Effect.gen(function* () {
      const length = 200_000
      const { child, output } = yield* spawned(
        sh(`stty raw -echo; printf ready; head -c "$1" | tr -s ab; printf end`, String(2 * length))
      )
      yield* output.until((text) => text.includes("ready"))
      yield* Effect.forEach(["a", "b"], (letter) => child.write(letter.repeat(length)), {
        concurrency: "unbounded",
        discard: true
      })
      assert.strictEqual(yield* output.until((text) => text.endsWith("end")), "readyabend")
    }).pipe(provided)
  )

  it.live("a child that never reads holds up its writer, which can give up, and nothing else [X8]", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { child, output } = yield* Scope.provide(
        spawned(sh("stty raw -echo; printf ready; sleep 1000")),
        scope
      )
      yield* output.until((text) => text.includes("ready"))
      const given = yield* Effect.timeoutOption(child.write("x".repeat(4 * 1024 * 1024)), "200 millis")
      assert.strictEqual(given._tag, "None")
      const stuck = yield* Effect.forkChild(Effect.flip(child.write("y".repeat(1024 * 1024))), {
        startImmediately: true
      })
      yield* Scope.close(scope, Exit.void)
      const exit = yield* Effect.exit(Fiber.join(stuck))
      assert.isTrue(Exit.isSuccess(exit))
    }).pipe(provided)
  )
})
