import type { Launch, LaunchOptions } from "../../core/session/Dialect.ts"
import type { HookEndpoint } from "../../core/session/HookBridge.ts"
import * as AskRules from "./AskRules.ts"
import * as HookPayload from "./HookPayload.ts"

/**
 * Seconds that a parked hook may wait for a person. The session ends a park long before (S5.6); Claude's own
 * time-out of a hook would mean a dialog, and a fail-open one before a tool.
 */
const parkSeconds = 86_400

/** Seconds for a hook that only tells: enough for a busy machine, and a hung host does not hold the agent up. */
const tellSeconds = 30

/** Hooks whose reply decides, and may wait for a person. */
const parking: ReadonlySet<string> = new Set(["PreToolUse", "PermissionRequest"])

/**
 * Before a tool runs, Claude takes a hook that crashes or cannot start for no objection: there the command that
 * blocks is used (S5.2), and the ask rules below catch what is left.
 */
const hook = (event: string, endpoint: HookEndpoint) => ({
  hooks: [
    {
      type: "command",
      command: event === "PreToolUse" ? endpoint.blockingCommand : endpoint.command,
      timeout: parking.has(event) ? parkSeconds : tellSeconds
    }
  ]
})

/**
 * The session's own settings, given inline so that nobody can change them under way. The ask rules make
 * every call raise the native dialog, whatever other settings allow: the second layer, which stays when a hook
 * breaks.
 */
const settings = (endpoint: HookEndpoint): string =>
  JSON.stringify({
    disableAllHooks: false,
    permissions: { ask: AskRules.rules },
    hooks: Object.fromEntries(HookPayload.events.map((event) => [event, [hook(event, endpoint)]]))
  })

/**
 * Variables that would make the child take itself for part of another session, or for running in a terminal that
 * is not there, or that would take the attributes away by which a placeholder differs from text (S2.1).
 */
const scrubbed: ReadonlySet<string> = new Set([
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_CODE_AGENT",
  "CLAUDE_CODE_TASK_LIST_ID",
  "CLAUDE_PROJECT_DIR",
  "CLAUDE_ENV_FILE",
  "AI_AGENT",
  "NO_COLOR",
  "FORCE_COLOR",
  "TMUX",
  "TMUX_PANE",
  "STY",
  "TERM_PROGRAM",
  "TERM_PROGRAM_VERSION"
])

/** How the session's own Claude is started; the caller's settings, servers and hooks stay in force (S2.1). */
export const make = (options: LaunchOptions): Launch => ({
  args: [
    ...(options.hooks === null ? [] : ["--settings", settings(options.hooks)]),
    "--session-id",
    options.nativeId,
    ...(options.model === null ? [] : ["--model", options.model]),
    ...options.args
  ],
  env: {
    ...Object.fromEntries(Object.entries(options.env).filter(([name]) => !scrubbed.has(name))),
    TERM: "xterm-256color"
  }
})
