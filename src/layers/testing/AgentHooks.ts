import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ChildProcess from "effect/process/ChildProcess"
import type { HookCommand } from "./AgentSettings.ts"
import type { JsonFields } from "./Script.ts"

/** How one hook command ended. */
export interface HookResult {
  readonly command: string
  /** `null`: it ran into its time-out, or could not be run or was killed. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs one hook command as Claude Code does: through the shell, the event as JSON on its stdin. */
export const run = Effect.fn("AgentHooks.run")(function* (
  hook: HookCommand,
  payload: JsonFields,
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> }
) {
  const ended = Effect.gen(function* () {
    const child = yield* ChildProcess.make("/bin/sh", ["-c", hook.command], {
      cwd: place.cwd,
      env: place.env,
      stdin: Stream.make(new TextEncoder().encode(`${JSON.stringify(payload)}\n`))
    })
    const text = (bytes: typeof child.stdout) => Stream.mkString(Stream.decodeText(bytes))
    const [stdout, stderr, code] = yield* Effect.all(
      [text(child.stdout), text(child.stderr), child.exitCode],
      {
        concurrency: "unbounded"
      }
    )
    return { command: hook.command, code, stdout, stderr }
  }).pipe(Effect.scoped)
  const broken: HookResult = { command: hook.command, code: null, stdout: "", stderr: "" }
  return yield* ended.pipe(
    Effect.timeoutOption(`${hook.timeoutSeconds} seconds`),
    Effect.map(Option.getOrElse(() => broken)),
    Effect.orElseSucceed(() => broken)
  )
})

const Output = Schema.Struct({
  decision: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String),
  hookSpecificOutput: Schema.optionalKey(
    Schema.Struct({
      permissionDecision: Schema.optionalKey(Schema.String),
      permissionDecisionReason: Schema.optionalKey(Schema.String),
      updatedInput: Schema.optionalKey(Schema.JsonObject),
      decision: Schema.optionalKey(
        Schema.Struct({
          behavior: Schema.Literals(["allow", "deny"]),
          message: Schema.optionalKey(Schema.String),
          interrupt: Schema.optionalKey(Schema.Boolean),
          updatedInput: Schema.optionalKey(Schema.JsonObject)
        })
      )
    })
  )
})

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Output))

/** What a hook's stdout says; nothing where it is no such JSON. */
const output = (result: HookResult): typeof Output.Type => Result.getOrElse(decode(result.stdout), () => ({}))

/** Exit 2 blocks; the command and what it wrote to stderr are the reason. */
const BLOCKING_CODE = 2

/** What a blocking event's hooks say together: `null` lets it go on. */
export const blocked = (results: ReadonlyArray<HookResult>): string | null => {
  for (const result of results) {
    if (result.code === BLOCKING_CODE) return `[${result.command}]: ${result.stderr}`
    const { decision, reason } = output(result)
    if (decision === "block") return reason ?? ""
  }
  return null
}

export type ToolVerdict =
  | { readonly _tag: "none" }
  | { readonly _tag: "deny"; readonly reason: string }
  | { readonly _tag: "allow"; readonly input: JsonFields | null }

const NONE: ToolVerdict = { _tag: "none" }

const toolVerdict = (result: HookResult): ToolVerdict => {
  const reason = blocked([result])
  if (reason !== null) return { _tag: "deny", reason }
  const specific = output(result).hookSpecificOutput
  if (specific?.permissionDecision === "deny") {
    return { _tag: "deny", reason: specific.permissionDecisionReason ?? "" }
  }
  return specific?.permissionDecision === "allow" && result.code === 0
    ? { _tag: "allow", input: specific.updatedInput ?? null }
    : NONE
}

/** What all hooks before a tool say together: a denial beats an allow. */
export const beforeTool = (results: ReadonlyArray<HookResult>): ToolVerdict => {
  const verdicts = results.map(toolVerdict)
  return (
    verdicts.find((verdict) => verdict._tag === "deny") ??
    verdicts.find((verdict) => verdict._tag === "allow") ??
    NONE
  )
}

export type PermissionVerdict =
  | { readonly _tag: "allow"; readonly input: JsonFields | null }
  | { readonly _tag: "deny"; readonly message: string; readonly interrupt: boolean }

/** What one hook beside a permission dialog says; `null`: the dialog stays. Exit codes alone say nothing here. */
export const permission = (result: HookResult): PermissionVerdict | null => {
  const decision = output(result).hookSpecificOutput?.decision
  if (decision === undefined) return null
  if (decision.behavior === "deny") {
    return { _tag: "deny", message: decision.message ?? "", interrupt: decision.interrupt ?? false }
  }
  return result.code === 0 ? { _tag: "allow", input: decision.updatedInput ?? null } : null
}
