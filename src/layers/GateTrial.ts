import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { existsSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import * as FilePathFacts from "../adapters/files/FilePathFacts.ts"
import * as MemoryPolicySource from "../adapters/memory/MemoryPolicySource.ts"
import * as UnixSocketHookBridge from "../adapters/unix-socket/UnixSocketHookBridge.ts"
import * as Nobody from "../core/authority/Nobody.ts"
import type { Agent } from "../core/call/Agent.ts"
import * as PolicyEngine from "../core/policy/PolicyEngine.ts"
import { HookBridge } from "../core/session/HookBridge.ts"
import { Sessions } from "../core/session/Sessions.ts"
import * as Standalone from "./Standalone.ts"
import * as ClaudeHome from "./testing/ClaudeHome.ts"
import * as Sandbox from "./testing/Sandbox.ts"
import * as Script from "./testing/Script.ts"
import * as ScriptedModel from "./testing/ScriptedModel.ts"

/** A call that had to be stopped was not: on this machine the gate does not hold for this build of the agent. */
class GateDoesNotHold extends Schema.TaggedError<GateDoesNotHold>()("GateDoesNotHold", {
  trial: Schema.Literals(["denied", "client_killed"])
}) {}

const CALL = "toolu_trial"
const MARK = "mark"

const script = Script.make({
  trial: [
    Script.reply(Script.tool("Bash", { command: `touch ${MARK}`, description: "Leave a mark" }, CALL)),
    Script.reply(Script.text("Refused."))
  ]
})

/** What each trial denies by, and what it makes of the hook's command before a tool runs. */
const trials = {
  denied: { action: "deny", blocking: (command: string) => command },
  // The client is killed before it says anything; everything would be allowed.
  client_killed: {
    action: "allow",
    blocking: (command: string) => command.replace(/^.*? \|\| /, "sh -c 'kill -KILL $$' || ")
  }
} as const

/** The product's own bridge, the command before a tool changed. */
const bridge = (parent: string, blocking: (command: string) => string) =>
  Layer.effect(
    HookBridge,
    HookBridge.useSync((own) => ({
      open: (to) =>
        Effect.map(own.open(to), (endpoint) => ({
          ...endpoint,
          blockingCommand: blocking(endpoint.blockingCommand)
        }))
    }))
  ).pipe(Layer.provide(UnixSocketHookBridge.layer({ parent })))

const run = Effect.fnUntraced(function* (name: keyof typeof trials, agent: Agent, file: string) {
  const { action, blocking } = trials[name]
  const sandbox = yield* Sandbox.make()
  const model = yield* ScriptedModel.make(script)
  const path = [dirname(file), sandbox.env["PATH"] ?? ""].join(delimiter)
  const env = { ...(yield* ClaudeHome.make(sandbox, { baseUrl: model.url })), PATH: path }
  const services = yield* Layer.build(
    Standalone.layer({
      env,
      authority: { node: "doctor", chain: [] },
      hooks: bridge(sandbox.runtime, blocking)
    }).pipe(
      Layer.provide(PolicyEngine.layer({ home: sandbox.home, projectRoot: sandbox.cwd })),
      Layer.provide(
        MemoryPolicySource.layer({
          user: JSON.stringify({ permission: { "*": action, bash: action, path: action }, journal: "off" })
        })
      ),
      Layer.provide(FilePathFacts.layer({ searchPath: path.split(delimiter), projectRoot: sandbox.cwd })),
      Layer.provide(Nobody.layer),
      Layer.provide(NodeServices.layer)
    )
  )
  const session = yield* Effect.provideContext(
    Sessions.use((sessions) => sessions.start({ agent, cwd: sandbox.cwd })),
    services
  )
  yield* Effect.forkScoped(Effect.ignore(session.send("Please. SCRIPT:trial")))
  const { isError } = yield* model.toolResult(CALL)
  yield* session.stop
  if (!isError || existsSync(join(sandbox.cwd, MARK))) return yield* new GateDoesNotHold({ trial: name })
}, Effect.scoped)

/**
 * Drives the real program against a scripted model on loopback, in a sandbox: a call that policy denies must not
 * run, and neither must one whose hook client is killed (S5.2). No account, no model, nothing of the person's.
 */
export const prove = Effect.fn("GateTrial.prove")(function* (agent: Agent, file: string) {
  yield* run("denied", agent, file)
  yield* run("client_killed", agent, file)
})
