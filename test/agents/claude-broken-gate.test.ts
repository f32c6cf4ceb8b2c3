import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { spawn } from "node:child_process"
import { existsSync, readFileSync, readdirSync, readlinkSync, rmSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { PersonSurface } from "../../src/core/authority/PersonSurface.ts"
import * as Script from "../../src/layers/testing/Script.ts"
import * as GovernedClaude from "./lib/GovernedClaude.ts"

/** Everything is asked, and the call would leave a mark. */
const policy = '{"permission": {"*": "ask"}}'
const script = Script.make({
  mark: [
    Script.reply(Script.tool("Bash", { command: "touch mark", description: "Leave a mark" }, "toolu_mark")),
    Script.reply(Script.text("It was refused."))
  ]
})

/** A person who is asked and never decides. */
const undecided = Effect.map(Deferred.make<void>(), (asked) => {
  const surface: PersonSurface["Service"] = {
    ...GovernedClaude.nobody,
    presence: Effect.succeed("present"),
    ask: () => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
  }
  return { asked: Deferred.await(asked), surface }
})

/** Processes whose command line names this file as their program. */
const running = (program: string): ReadonlyArray<number> =>
  readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const [first] = readFileSync(`/proc/${entry}/cmdline`, "utf8").split("\0")
      return first === program ? [Number(entry)] : []
    } catch {
      return []
    }
  })

const hostProgram = fileURLToPath(new URL("lib/governed-host.ts", import.meta.url))

/** Processes whose working directory is below this one. */
const inside = (root: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readlinkSync(`/proc/${entry}/cwd`).startsWith(root)
    } catch {
      return false
    }
  })

describe("a broken gate never lets the real Claude Code's call run", () => {
  it.live("hook client killed while the call is parked [S5.2, S5.7, X2, X8]", () =>
    Effect.gen(function* () {
      const { asked, surface } = yield* undecided
      const { model, session, sandbox } = yield* GovernedClaude.start({
        policy,
        script,
        person: surface,
        clientCopy: "client"
      })
      const turn = yield* Effect.forkScoped(session.send("Please. SCRIPT:mark"))
      yield* asked
      const clients = running(join(sandbox.root, "client"))
      assert.strictEqual(clients.length, 1)
      for (const pid of clients) process.kill(pid, "SIGKILL")
      const told = yield* model.toolResult("toolu_mark")
      assert.isTrue(told.isError)
      assert.isFalse(existsSync(join(sandbox.cwd, "mark")))
      // The session lives on: the call was blocked, not missed.
      yield* Fiber.await(turn)
      assert.strictEqual(yield* session.status, "ready")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("host hung: the client gives up by itself [S5.2, S5.7, X2]", () =>
    Effect.gen(function* () {
      const { surface } = yield* undecided
      const { model, session, sandbox } = yield* GovernedClaude.start({
        policy,
        script,
        person: surface,
        clientSeconds: 3
      })
      yield* Effect.forkScoped(session.send("Please. SCRIPT:mark"))
      const told = yield* model.toolResult("toolu_mark")
      assert.isTrue(told.isError)
      assert.isFalse(existsSync(join(sandbox.cwd, "mark")))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("hook client gone in the middle of a session [S5.2, X2]", () =>
    Effect.gen(function* () {
      const { model, session, sandbox } = yield* GovernedClaude.start({
        policy,
        script,
        clientCopy: "client"
      })
      rmSync(join(sandbox.root, "client"))
      yield* Effect.forkScoped(session.send("Please. SCRIPT:mark"))
      const told = yield* model.toolResult("toolu_mark")
      assert.isTrue(told.isError)
      assert.include(told.text, "Obstat cannot be reached")
      assert.isFalse(existsSync(join(sandbox.cwd, "mark")))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("hook client never there: the session does not start [S5.2]", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(GovernedClaude.start({ policy, script, clientCopy: "missing/client" }))
      assert.include(error, { _tag: "Ungated" })
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("host killed: the call does not run, and the agent goes with its host [S2.3, X2, X8]", () =>
    Effect.gen(function* () {
      const host = spawn(process.execPath, [hostProgram], { stdio: ["ignore", "pipe", "inherit"] })
      const root = yield* Effect.promise(async () => {
        for await (const line of createInterface(host.stdout)) return line
        throw new Error("the host ended before its call was parked")
      })
      const agents = inside(root)
      assert.isAbove(agents.length, 0)
      process.kill(host.pid!, "SIGKILL")
      yield* Effect.repeat(
        Effect.sync(() => inside(root)),
        {
          until: (left) => left.length === 0,
          schedule: Schedule.spaced("50 millis")
        }
      )
      assert.isFalse(existsSync(join(root, "work", "mark")))
      rmSync(root, { recursive: true })
    })
  )
})
