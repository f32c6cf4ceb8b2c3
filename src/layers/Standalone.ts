import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { types } from "node:util"
import * as ClaudeDialect from "../adapters/claude/ClaudeDialect.ts"
import * as TranscriptReader from "../adapters/files/TranscriptReader.ts"
import * as NodePty from "../adapters/node-pty/NodePty.ts"
import * as LoginShellProgram from "../adapters/process/LoginShellProgram.ts"
import * as UnixSocketHookBridge from "../adapters/unix-socket/UnixSocketHookBridge.ts"
import * as XtermScreen from "../adapters/xterm/XtermScreen.ts"
import * as Authority from "../core/authority/Authority.ts"
import type { PersonSurface } from "../core/authority/PersonSurface.ts"
import type { PolicyEngine } from "../core/policy/PolicyEngine.ts"
import type { HookBridge } from "../core/session/HookBridge.ts"
import * as Sessions from "../core/session/Sessions.ts"

export interface Options {
  /** The environment of the host process: where agents are looked up, and what they are given. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly authority: Authority.Options
  /** How hooks travel; default: over a private Unix socket. */
  readonly hooks?: Layer.Layer<HookBridge>
}

const ports = (options: Options) =>
  Layer.mergeAll(
    NodePty.layer,
    XtermScreen.layer,
    options.hooks ?? UnixSocketHookBridge.layer(),
    TranscriptReader.layer,
    LoginShellProgram.layer(options.env).pipe(Layer.provide(NodeServices.layer))
  )

/** Real agents on this machine, under a policy. It leaves two holes: what the policy is, and where the person is. */
export const layer = (
  options: Options
): Layer.Layer<Sessions.Sessions | Authority.Authority, never, PersonSurface | PolicyEngine> =>
  Sessions.layer({
    dialects: { claude: ClaudeDialect.dialect },
    newId: randomUUID,
    isProxy: types.isProxy
  }).pipe(Layer.provideMerge(Authority.layer(options.authority)), Layer.provide(ports(options)))
