import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import * as ClaudeHome from "../../../src/layers/testing/ClaudeHome.ts"
import * as Leftovers from "../../../src/layers/testing/Leftovers.ts"
import * as Sandbox from "../../../src/layers/testing/Sandbox.ts"

/** Starts a program and waits until it runs what it was told to. */
const start = (sandbox: Sandbox.Sandbox, command: string) =>
  Effect.callback<number>((resume) => {
    const child = spawn("/bin/sh", ["-c", command], {
      cwd: sandbox.cwd,
      env: sandbox.env,
      stdio: ["ignore", "pipe", "ignore"]
    })
    child.stdout.once("data", () => resume(Effect.succeed(child.pid ?? 0)))
  })

const leftovers = (exit: Exit.Exit<unknown, unknown>): Sandbox.SandboxLeftovers => {
  assert.strictEqual(exit._tag, "Failure")
  const defect = exit._tag === "Failure" ? Cause.squash(exit.cause) : undefined
  if (!(defect instanceof Sandbox.SandboxLeftovers)) assert.fail(`another defect: ${String(defect)}`)
  return defect
}

/** Runs a scope to its end and gives the sandbox beside the way it ended. */
const ended = (use: (sandbox: Sandbox.Sandbox) => Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const sandbox = yield* Scope.provide(Sandbox.make(), scope)
    yield* use(sandbox)
    return { exit: yield* Effect.exit(Scope.close(scope, Exit.void)), sandbox }
  }).pipe(Effect.provide(NodeServices.layer))

describe("Sandbox", () => {
  it.effect("is private, whole and gone at the end [X9]", () =>
    Effect.gen(function* () {
      const { exit, sandbox } = yield* ended(({ root, home, cwd, tmp, runtime, env }) =>
        Effect.sync(() => {
          for (const path of [root, home, cwd, tmp, runtime])
            assert.strictEqual(statSync(path).mode & 0o777, 0o700)
          assert.strictEqual(env["HOME"], home)
          assert.strictEqual(env["TMPDIR"], tmp)
          writeFileSync(join(home, "anything"), "kept by nobody")
          mkdirSync(join(runtime, "obstat"))
        })
      )
      assert.strictEqual(exit._tag, "Success")
      assert.isFalse(existsSync(sandbox.root))
    })
  )

  it.effect("waits for a process that is about to end [X9]", () =>
    Effect.gen(function* () {
      const { exit } = yield* ended((sandbox) => start(sandbox, "echo up; sleep 0.2"))
      assert.strictEqual(exit._tag, "Success")
    })
  )

  it.effect("finds and ends a process that stays, also one that cleared its environment [X9]", () =>
    Effect.gen(function* () {
      const hidden = "env -i sleep 300 & echo up; exec sleep 301"
      const { exit, sandbox } = yield* ended((sandbox) => start(sandbox, hidden))
      const { processes } = leftovers(exit)
      assert.deepStrictEqual(
        processes.map((process) => process.name),
        ["sleep", "sleep"]
      )
      const mark = `OBSTAT_SANDBOX=${sandbox.env["OBSTAT_SANDBOX"]}`
      assert.deepStrictEqual(yield* Leftovers.processes(mark), [])
      assert.isFalse(existsSync(sandbox.root))
    })
  )

  it.effect("reports an open socket and a runtime file, but no socket that an agent left [X9]", () =>
    Effect.gen(function* () {
      const server = createServer()
      const { exit, sandbox } = yield* ended((sandbox) =>
        Effect.callback((resume) => {
          mkdirSync(join(sandbox.runtime, "cc-socks"))
          writeFileSync(join(sandbox.runtime, "cc-socks", "1.sock"), "")
          writeFileSync(join(sandbox.runtime, "lock"), "")
          server.listen(join(sandbox.runtime, "host.sock"), () => resume(Effect.void))
        })
      )
      const left = leftovers(exit)
      assert.deepStrictEqual(left.sockets, [join(sandbox.runtime, "host.sock")])
      assert.deepStrictEqual(left.files.toSorted(), ["host.sock", "lock"])
      yield* Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
    })
  )
})

describe("ClaudeHome", () => {
  it.effect("writes the least configuration, private, into the sandbox alone", () =>
    ended((sandbox) =>
      Effect.gen(function* () {
        const env = yield* ClaudeHome.make(sandbox, {
          baseUrl: "http://127.0.0.1:1",
          trust: false,
          settings: { disableAllHooks: true }
        })
        const directory = env["CLAUDE_CONFIG_DIR"] ?? ""
        assert.isTrue(directory.startsWith(sandbox.home))
        const read = (name: string) => JSON.parse(readFileSync(join(directory, name), "utf8"))
        assert.isFalse(read(".claude.json").projects[sandbox.cwd].hasTrustDialogAccepted)
        assert.deepStrictEqual(Object.keys(read("settings.json")), ["permissions", "disableAllHooks"])
        assert.strictEqual(statSync(join(directory, "settings.json")).mode & 0o777, 0o600)
      }).pipe(Effect.orDie, Effect.provide(NodeServices.layer))
    ).pipe(Effect.map(({ exit }) => assert.strictEqual(exit._tag, "Success")))
  )
})
