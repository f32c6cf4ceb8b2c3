import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { randomUUID } from "node:crypto"
import { types } from "node:util"
import * as ClaudeDialect from "../adapters/claude/ClaudeDialect.ts"
import * as EditDiff from "../adapters/diff/EditDiff.ts"
import * as JournalFile from "../adapters/files/JournalFile.ts"
import * as GateProofFiles from "../adapters/files/GateProofFiles.ts"
import * as TranscriptReader from "../adapters/files/TranscriptReader.ts"
import * as NodePty from "../adapters/node-pty/NodePty.ts"
import * as LoginShellProgram from "../adapters/process/LoginShellProgram.ts"
import * as HookClient from "../adapters/unix-socket/HookClient.ts"
import * as UnixSocketHookBridge from "../adapters/unix-socket/UnixSocketHookBridge.ts"
import * as XtermScreen from "../adapters/xterm/XtermScreen.ts"
import * as EvidenceFormatters from "../core/ask/EvidenceFormatters.ts"
import * as Authority from "../core/authority/Authority.ts"
import type { PersonSurface } from "../core/authority/PersonSurface.ts"
import * as JournalMode from "../core/journal/JournalMode.ts"
import { PolicyEngine } from "../core/policy/PolicyEngine.ts"
import type { HookBridge } from "../core/session/HookBridge.ts"
import * as Sessions from "../core/session/Sessions.ts"
import * as Manifest from "./cli/Manifest.ts"
import * as Journaling from "./Journaling.ts"
import * as StateFolder from "./StateFolder.ts"

export interface Options {
  /** The environment of the host process: where agents are looked up, and what they are given. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly authority: Authority.Options
  /** How hooks travel; default: over a private Unix socket. */
  readonly hooks?: Layer.Layer<HookBridge>
  /**
   * Told of the first journal row that could not be written; by default the log is. Journals stand below the
   * user's state directory, as the environment names it; whether there are any, the policy says (A4.3).
   */
  readonly onJournalFailed?: Journaling.Options["report"]
}

/** The file that the hook client is; empty where there is none, and then no session starts either. */
const hookClient = (): string =>
  Option.match(HookClient.find(), { onNone: () => "", onSome: ({ program }) => program.at(-1) ?? "" })

const ports = (options: Options) =>
  Layer.mergeAll(
    NodePty.layer,
    XtermScreen.layer,
    options.hooks ?? UnixSocketHookBridge.layer(),
    TranscriptReader.layer,
    GateProofFiles.layer({ stateDirectory: StateFolder.of(options.env), client: hookClient() }),
    LoginShellProgram.layer(options.env).pipe(Layer.provide(NodeServices.layer))
  )

const logFailure: Journaling.Options["report"] = (error) =>
  Effect.logWarning(error.message, "nothing is held up by it unless the policy requires a journal")

/** A file per host process; on the disk at each row where no row means no allow. */
const journal = (env: Options["env"]) =>
  Layer.unwrap(
    Effect.map(Effect.flatten(PolicyEngine.useSync(({ current }) => current)), (policy) =>
      JournalFile.layer({
        folder: StateFolder.journal(StateFolder.of(env)),
        host: randomUUID(),
        version: Manifest.version,
        sync: JournalMode.of(policy) === "required" ? "row" : "end"
      })
    )
  )

/**
 * Real agents on this machine, under a policy, their asks, decisions and ends written down. It leaves two holes: what
 * the policy is, and where the person is; the surface that it gives out is that person's, journaled.
 */
export const layer = (
  options: Options
): Layer.Layer<
  Sessions.Sessions | Authority.Authority | PersonSurface,
  never,
  PersonSurface | PolicyEngine
> => {
  const journaling = Journaling.layer({ report: options.onJournalFailed ?? logFailure }).pipe(
    Layer.provide(journal(options.env))
  )
  const sessions = Sessions.layer({
    dialects: { claude: ClaudeDialect.dialect },
    newId: randomUUID,
    isProxy: types.isProxy
  })
  return Journaling.sessions.pipe(
    Layer.provide(sessions),
    Layer.provideMerge(Journaling.authority(options.authority)),
    Layer.provideMerge(Journaling.surface),
    Layer.provide(journaling),
    Layer.provide(EvidenceFormatters.layer(EditDiff.formatters)),
    Layer.provide(ports(options))
  )
}
