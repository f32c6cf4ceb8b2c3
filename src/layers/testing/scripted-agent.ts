#!/usr/bin/env node
/**
 * The scripted agent as a program: Claude Code's flags, a script instead of a model. Started by what
 * `AgentProgram.install` writes, which names the script, the faults and the gates in the environment.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Keys from "../../core/ask/Keys.ts"
import * as AgentFaults from "./AgentFaults.ts"
import * as AgentSettings from "./AgentSettings.ts"
import * as Script from "./Script.ts"
import * as ScriptedAgent from "./ScriptedAgent.ts"

/** A lone escape byte is the key if nothing follows it for so long. */
const ESCAPE_MILLIS = 30

/** What each signal makes of the exit status. */
const SIGNALS = { SIGTERM: 143, SIGHUP: 129 } as const

/** Flags of Claude Code that a host gives; those without an effect here are accepted and passed over. */
const FLAGS = {
  version: { type: "boolean", short: "v" },
  settings: { type: "string" },
  "session-id": { type: "string" },
  resume: { type: "string", short: "r" },
  model: { type: "string" },
  effort: { type: "string" },
  "permission-mode": { type: "string" },
  "append-system-prompt": { type: "string" },
  "add-dir": { type: "string", multiple: true },
  "mcp-config": { type: "string" },
  "strict-mcp-config": { type: "boolean" },
  "dangerously-skip-permissions": { type: "boolean" }
} as const

const flags = () => {
  try {
    return parseArgs({ options: FLAGS, allowPositionals: true })
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
    return process.exit(1)
  }
}

const leave = (message: string): never => {
  process.stderr.write(`${message}\n`)
  return process.exit(1)
}

const environment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith("OBSTAT_AGENT_") ? [] : [[name, value]]
    )
  )

const { values, positionals } = flags()
if (values.version === true) {
  process.stdout.write(`${ScriptedAgent.VERSION} (Claude Code)\n`)
  process.exit(0)
}
if (!process.stdin.isTTY || !process.stdout.isTTY) leave("error: the scripted agent needs a terminal")

let status = 0

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const scriptFile = process.env["OBSTAT_AGENT_SCRIPT"] ?? leave("error: OBSTAT_AGENT_SCRIPT names no script")
  const script = yield* Effect.flatMap(fs.readFileString(scriptFile), Script.fromJson)
  const faults = yield* AgentFaults.fromJson(process.env["OBSTAT_AGENT_FAULTS"] ?? "{}")
  const cwd = process.cwd()
  const env = environment()
  const configDirectory = env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? cwd, ".claude")
  const agent = yield* ScriptedAgent.make(
    {
      script,
      faults,
      settings: yield* AgentSettings.load({ configDirectory, cwd, flag: values.settings ?? null }),
      sessionId: values.resume ?? values["session-id"] ?? randomUUID(),
      resumed: values.resume !== undefined,
      model: values.model ?? "scripted",
      cwd,
      configDirectory,
      gates: process.env["OBSTAT_AGENT_GATES"] ?? null,
      env,
      crash: () => process.kill(process.pid, "SIGKILL")
    },
    {
      size: () => ({ cols: process.stdout.columns, rows: process.stdout.rows }),
      write: (text) => process.stdout.write(text)
    }
  )

  // The signals have their meaning before anything shows that the program is up.
  const running = yield* Effect.forkChild(agent.run)
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (faults.ignoreSignals === true) return
      status = code
      agent.screen.close()
      running.interruptUnsafe()
    })
  }

  let decoder = Keys.empty
  let flush: NodeJS.Timeout | undefined
  const take = (decoded: ReturnType<typeof Keys.decode>) => {
    decoder = decoded.decoder
    decoded.keys.forEach(agent.press)
  }
  process.stdin.setRawMode(true)
  process.stdin.setEncoding("utf8")
  process.stdin.on("data", (text: string) => {
    clearTimeout(flush)
    take(Keys.decode(decoder, text))
    if (Keys.isWaiting(decoder)) flush = setTimeout(() => take(Keys.flush(decoder)), ESCAPE_MILLIS)
  })
  process.stdout.on("resize", agent.screen.draw)
  agent.screen.open()
  const first = positionals.join(" ")
  if (first !== "") {
    agent.press({ _tag: "paste", text: first })
    agent.press({ _tag: "named", name: "enter" })
  }

  const exit = yield* Fiber.await(running)
  agent.screen.close()
  // Told to end by a signal it was interrupted; else it ends as the session did.
  if (status === 0) yield* exit
  return yield* faults.hangOnExit === true ? Effect.never : Effect.void
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

Effect.runPromise(program).then(
  () => process.exit(status),
  (error: unknown) => leave(`error: ${error instanceof Error ? error.message : String(error)}`)
)
