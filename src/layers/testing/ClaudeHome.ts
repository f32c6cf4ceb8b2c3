import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import { join } from "node:path"
import type { Sandbox } from "./Sandbox.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * The least that Claude Code has to find so that it starts at its prompt field, offline: without any one of
 * these keys a start-up dialog comes first, or a look at its maker's own servers that ends the program.
 */
const config = (cwd: string, trust: boolean): Json => ({
  hasCompletedOnboarding: true,
  hasSeenAutoDefaultNudge: true,
  hasSeenAutoDefaultNotice: true,
  projects: { [cwd]: { hasTrustDialogAccepted: trust } }
})

/** Without a mode of its own it starts in auto mode, which asks the model server for verdicts. */
const SETTINGS: Json = { permissions: { defaultMode: "default", disableAutoMode: "disable" } }

export interface ClaudeHomeOptions {
  /** A model server's URL, as `ScriptedModel` gives it. */
  readonly baseUrl: string
  /** Whether the sandbox's folder is trusted already; `false` brings up the folder trust dialog. */
  readonly trust?: boolean
  /** Keys laid over the global configuration. */
  readonly config?: Json
  /** Keys laid over the user's settings. */
  readonly settings?: Json
}

/**
 * Writes Claude Code's own configuration into a sandbox and gives the environment to start it with. No account
 * is needed: the credential is a made-up token that only the model server sees. Failed model requests are not
 * retried, so that a scripted failure reaches the session at once.
 */
export const make = Effect.fn("ClaudeHome.make")(function* (
  sandbox: Sandbox,
  options: ClaudeHomeOptions
): Effect.fn.Return<Readonly<Record<string, string>>, PlatformError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const directory = join(sandbox.home, ".claude")
  const files = {
    ".claude.json": { ...config(sandbox.cwd, options.trust ?? true), ...options.config },
    "settings.json": { ...SETTINGS, ...options.settings }
  }
  yield* fs.makeDirectory(directory, { mode: 0o700 })
  yield* Effect.forEach(Object.entries(files), ([name, value]) =>
    fs.writeFileString(join(directory, name), JSON.stringify(value), { mode: 0o600 })
  )
  return {
    ...sandbox.env,
    CLAUDE_CONFIG_DIR: directory,
    ANTHROPIC_BASE_URL: options.baseUrl,
    ANTHROPIC_AUTH_TOKEN: "scripted",
    CLAUDE_CODE_MAX_RETRIES: "0",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1"
  }
})
