import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { copyFileSync, existsSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as FilePathFacts from "../../../src/adapters/files/FilePathFacts.ts"
import * as UnixSocketHookBridge from "../../../src/adapters/unix-socket/UnixSocketHookBridge.ts"
import { PersonSurface } from "../../../src/core/authority/PersonSurface.ts"
import * as PolicyEngine from "../../../src/core/policy/PolicyEngine.ts"
import { PolicySource } from "../../../src/core/policy/PolicySource.ts"
import { HookBridge } from "../../../src/core/session/HookBridge.ts"
import { Sessions } from "../../../src/core/session/Sessions.ts"
import * as Standalone from "../../../src/layers/Standalone.ts"
import * as ClaudeHome from "../../../src/layers/testing/ClaudeHome.ts"
import * as Sandbox from "../../../src/layers/testing/Sandbox.ts"
import type * as Script from "../../../src/layers/testing/Script.ts"
import * as ScriptedModel from "../../../src/layers/testing/ScriptedModel.ts"
import * as RealClaude from "./RealClaude.ts"

export interface Options {
  readonly script: Script.Script
  /** The text of a policy file. */
  readonly policy: string
  readonly person?: PersonSurface["Service"]
  /** Seconds that the hook client waits for its host; default: as in the product. */
  readonly clientSeconds?: number
  /** The hook client as a copy that a test may take away: its path below the sandbox's root. */
  readonly clientCopy?: string
  /** Whether the agent finds its folder trusted already. */
  readonly trusted?: boolean
  readonly answerThrough?: "hook" | "editor"
  readonly model?: string
  readonly args?: ReadonlyArray<string>
}

/** A person who is not there. */
export const nobody: PersonSurface["Service"] = {
  presence: Effect.succeed("absent"),
  ask: () => Effect.never,
  question: () => Effect.never
}

const policySource = (text: string) =>
  Layer.succeed(PolicySource, {
    read: Effect.succeed([
      { scope: "user" as const, file: "/policy.jsonc", trusted: true, text, digest: "test", unreadable: null }
    ]),
    changes: Stream.never
  })

/** The product's own bridge in the sandbox, its client perhaps replaced by a copy. */
const hooks = (sandbox: Sandbox.Sandbox, options: Options) => {
  const bridge = UnixSocketHookBridge.layer({
    parent: sandbox.runtime,
    client: "native",
    ...(options.clientSeconds === undefined ? {} : { clientSeconds: options.clientSeconds })
  })
  const { clientCopy } = options
  if (clientCopy === undefined) return bridge
  const copy = join(sandbox.root, clientCopy)
  // A copy below a directory that is not there is a client that is not there.
  if (existsSync(dirname(copy))) copyFileSync(nativeClient, copy)
  return Layer.effect(
    HookBridge,
    HookBridge.useSync((own) => ({
      open: (to) =>
        Effect.map(own.open(to), (endpoint) => ({
          ...endpoint,
          command: endpoint.command.replace(nativeClient, copy),
          blockingCommand: endpoint.blockingCommand.replace(nativeClient, copy)
        }))
    }))
  ).pipe(Layer.provide(bridge))
}

const nativeClient = fileURLToPath(new URL("../../../native/build/hook-client", import.meta.url))

/** The real Claude Code in a sandbox, started by `Sessions` under a policy, against a scripted model. */
export const start = Effect.fnUntraced(function* (options: Options) {
  const sandbox = yield* Sandbox.make()
  const model = yield* ScriptedModel.make(options.script)
  const env = yield* ClaudeHome.make(sandbox, {
    baseUrl: model.url,
    ...(options.trusted === undefined ? {} : { trust: options.trusted })
  })
  const path = `${dirname(RealClaude.file)}${delimiter}${env["PATH"] ?? ""}`
  const places = { home: sandbox.home, projectRoot: sandbox.cwd }
  const services = Standalone.layer({
    env: { ...env, PATH: path },
    authority: { node: "test", chain: [] },
    hooks: hooks(sandbox, options)
  }).pipe(
    Layer.provide(PolicyEngine.layer(places)),
    Layer.provide(policySource(options.policy)),
    Layer.provide(FilePathFacts.layer({ searchPath: path.split(delimiter), projectRoot: sandbox.cwd })),
    Layer.provide(Layer.succeed(PersonSurface, options.person ?? nobody)),
    Layer.provide(NodeServices.layer)
  )
  const sessions = yield* Layer.build(services)
  const session = yield* Effect.provideContext(
    Sessions.use((service) =>
      service.start({
        agent: "claude",
        cwd: sandbox.cwd,
        trust: true,
        model: options.model,
        args: options.args,
        answerThrough: options.answerThrough
      })
    ),
    sessions
  )
  return { sandbox, model, session }
})
