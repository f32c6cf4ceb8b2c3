import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { HookBridge, type HookFault, type HookReply } from "../../core/session/HookBridge.ts"

/** How an agent saw its hook process end. */
export interface HookRun {
  readonly exitCode: number
  readonly stdout: string
}

/** A hook bridge without processes, and the agent's half of it. */
export interface MemoryHookBridge {
  readonly layer: Layer.Layer<HookBridge>
  /**
   * Does what the agent does: runs the endpoint's `command` or `blockingCommand` with this text on stdin.
   * Interrupting it is the agent ending the hook process..
   */
  readonly fire: (command: string, event: string) => Effect.Effect<HookRun>
}

/** Longest event or reply, in UTF-16 code units; the same figure as the envelope of a real bridge. */
const LIMIT = 8 * 1024 * 1024
const BLOCKING = " || block"

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const print = Schema.encodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const none: HookRun = { exitCode: 1, stdout: "" }

export const make = (): MemoryHookBridge => {
  const launches = new Map<string, (event: string) => Effect.Effect<HookRun>>()
  let opened = 0

  const layer = Layer.succeed(HookBridge, {
    open: Effect.fn("HookBridge.open")(function* ({ handle, onFault }) {
      const run = yield* FiberSet.makeRuntime<never, HookReply, never>()
      const report = (reason: HookFault["reason"]): HookRun => {
        try {
          onFault({ reason })
        } catch {
          // A listener that breaks must not take the bridge with it.
        }
        return none
      }
      const outcome = (reply: HookReply): HookRun => {
        if (reply._tag === "failed") return none
        if (reply._tag === "silent") return { exitCode: 0, stdout: "" }
        const text: Option.Option<unknown> = reply.value === undefined ? Option.none() : print(reply.value)
        if (Option.isNone(text) || typeof text.value !== "string") return report("handler_failed")
        return text.value.length > LIMIT ? report("oversized") : { exitCode: 0, stdout: text.value }
      }
      let closed = false
      const serve = Effect.fnUntraced(function* (event: string) {
        if (event.length > LIMIT) return report("oversized")
        const payload = parse(event)
        if (Option.isNone(payload)) return report("malformed")
        const exit = yield* Effect.acquireUseRelease(
          Effect.sync(() => run(Effect.suspend((): Effect.Effect<HookReply> => handle(payload.value)))),
          Fiber.await,
          Fiber.interrupt
        )
        if (closed) return none
        return Exit.isSuccess(exit) ? outcome(exit.value) : report("handler_failed")
      })

      opened += 1
      const command = `memory-hook ${opened}`
      yield* Effect.acquireRelease(
        Effect.sync(() => launches.set(command, serve)),
        () =>
          Effect.sync(() => {
            closed = true
            launches.delete(command)
          })
      )
      return { command, blockingCommand: `${command}${BLOCKING}`, client: "native" as const }
    })
  })

  const fire = Effect.fnUntraced(function* (command: string, event: string) {
    const blocks = command.endsWith(BLOCKING)
    const serve = launches.get(blocks ? command.slice(0, -BLOCKING.length) : command)
    const run = serve === undefined ? none : yield* serve(event)
    return blocks && run.exitCode !== 0 ? { exitCode: 2, stdout: "" } : run
  })

  return { layer, fire }
}
