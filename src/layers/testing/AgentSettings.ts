import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { join } from "node:path"

const Hook = Schema.Struct({
  type: Schema.String,
  command: Schema.optionalKey(Schema.String),
  /** Seconds. */
  timeout: Schema.optionalKey(Schema.Finite)
})

const HookGroup = Schema.Struct({
  matcher: Schema.optionalKey(Schema.String),
  hooks: Schema.Array(Hook)
})

/** What a scripted agent reads of Claude Code's settings; other keys are the real agent's and are passed over. */
export const Settings = Schema.Struct({
  disableAllHooks: Schema.optionalKey(Schema.Boolean),
  permissions: Schema.optionalKey(
    Schema.Struct({
      ask: Schema.optionalKey(Schema.Array(Schema.String)),
      allow: Schema.optionalKey(Schema.Array(Schema.String))
    })
  ),
  hooks: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(HookGroup)))
})
export type Settings = typeof Settings.Type

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Settings))

/** One command of the hook configuration. */
export interface HookCommand {
  readonly command: string
  readonly timeoutSeconds: number
}

/** Claude Code's own default. */
const HOOK_TIMEOUT_SECONDS = 600

/** Settings files, the later over the earlier: lists join, a flag is the last one's. */
const merge = (all: ReadonlyArray<Settings>): Settings => ({
  disableAllHooks: all.findLast((one) => one.disableAllHooks !== undefined)?.disableAllHooks ?? false,
  permissions: {
    ask: all.flatMap((one) => one.permissions?.ask ?? []),
    allow: all.flatMap((one) => one.permissions?.allow ?? [])
  },
  hooks: Object.fromEntries(
    Array.from(new Set(all.flatMap((one) => Object.keys(one.hooks ?? {}))), (event) => [
      event,
      all.flatMap((one) => one.hooks?.[event] ?? [])
    ])
  )
})

/** Whether a matcher selects a subject: absent, empty and `*` select all, else it is a whole-name pattern. */
const selects = (matcher: string | undefined, subject: string): boolean =>
  matcher === undefined || matcher === "" || matcher === "*" || new RegExp(`^(?:${matcher})$`).test(subject)

/** The commands to run for an event; `subject` is the tool's name, or what else the event's matchers look at. */
export const hooks = (settings: Settings, event: string, subject: string): ReadonlyArray<HookCommand> =>
  settings.disableAllHooks === true
    ? []
    : (settings.hooks?.[event] ?? [])
        .filter((group) => selects(group.matcher, subject))
        .flatMap((group) => group.hooks)
        .flatMap(({ type, command, timeout }) =>
          type === "command" && command !== undefined
            ? [{ command, timeoutSeconds: timeout ?? HOOK_TIMEOUT_SECONDS }]
            : []
        )

/** Whether a rule without arguments names a tool; `*` in it stands for any characters. */
const names = (rule: string, tool: string): boolean =>
  new RegExp(`^${rule.split("*").map(escaped).join(".*")}$`).test(tool)

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** The rule of the settings that makes this tool ask, else `null`; an ask rule beats an allow rule. */
export const asks = (settings: Settings, tool: string): string | null =>
  settings.permissions?.ask?.find((rule) => names(rule, tool)) ?? null

export const allows = (settings: Settings, tool: string): boolean =>
  settings.permissions?.allow?.some((rule) => rule === tool) ?? false

/**
 * The settings in force: the user's, the project's, and what `--settings` gives (a file or JSON text), in this
 * order. A file that is missing or cannot be read as settings counts for nothing, as with the real agent.
 */
export const load = Effect.fn("AgentSettings.load")(function* (options: {
  readonly configDirectory: string
  readonly cwd: string
  readonly flag: string | null
}) {
  const fs = yield* FileSystem.FileSystem
  const files = [
    join(options.configDirectory, "settings.json"),
    join(options.cwd, ".claude", "settings.json"),
    join(options.cwd, ".claude", "settings.local.json")
  ].map((path) => fs.readFileString(path))
  const flag = options.flag
  const texts =
    flag === null
      ? files
      : [...files, flag.trimStart().startsWith("{") ? Effect.succeed(flag) : fs.readFileString(flag)]
  const all = yield* Effect.forEach(texts, (text) =>
    text.pipe(
      Effect.flatMap(decode),
      Effect.orElseSucceed((): Settings => ({}))
    )
  )
  return merge(all)
})
