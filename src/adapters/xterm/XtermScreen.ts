import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { Frame } from "../../core/session/Frame.ts"
import { blank } from "../../core/session/Frame.ts"
import { Screen, ScreenLost } from "../../core/session/Screen.ts"
import * as PackedLines from "./PackedLines.ts"
import * as RenderPool from "./RenderPool.ts"
import type { FrameChange, RenderRequest, RenderResponse } from "./RenderProtocol.ts"

/** More threads would only take cores from the agents. */
const threadsAtMost = 4

/**
 * The worker's file stands beside this one, with the same ending: `.ts` in the sources, `.js` in `dist`. A
 * bundle has to put `RenderWorker.js` beside the file that this module becomes a part of.
 */
const workerFile = new URL(
  `./RenderWorker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`,
  import.meta.url
)

interface Waiting {
  /** Output in the request. */
  readonly bytes: number
  readonly settle: (answer: Exit.Exit<RenderResponse, ScreenLost>) => void
}

const none = new Uint8Array()

const applied = (frame: Frame, change: FrameChange, bytes: number): Frame => {
  const { cols, cursor, lines: changed, modes, rows, title } = change
  const lines = rows === frame.rows ? frame.lines.slice() : blank(cols, rows).lines.slice()
  PackedLines.unpackInto(lines, changed)
  return { sequence: frame.sequence + 1, bytes: frame.bytes + bytes, cols, rows, lines, cursor, title, modes }
}

/** Screens on at most `threads` render threads, which run `entry`. */
export const make = Effect.fnUntraced(function* (threads: number, entry: URL) {
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => RenderPool.make(threads, entry)),
    (pool) => Effect.promise(pool.end)
  )
  let opened = 0

  return Screen.of({
    open: Effect.fn("Screen.open")(function* ({ cols, rows }) {
      opened += 1
      const screen = opened
      const waiting: Array<Waiting> = []
      let frame = blank(cols, rows)
      let listener: ((text: string) => void) | null = null
      let lost: ScreenLost | null = null

      const lose = (reason: string) => {
        lost ??= new ScreenLost({ reason })
        for (const { settle } of waiting.splice(0)) settle(Exit.fail(lost))
      }

      const handle = yield* Effect.acquireRelease(
        Effect.try({
          try: () =>
            pool.open(screen, cols, rows, {
              onLost: lose,
              onResponse: (response) => {
                const answered = waiting.shift()
                if (answered === undefined) return
                if (response._tag === "frame") {
                  frame = applied(frame, response.change, answered.bytes)
                  for (const reply of response.replies) listener?.(reply)
                }
                answered.settle(Exit.succeed(response))
              }
            }),
          catch: (cause) => new ScreenLost({ reason: cause instanceof Error ? cause.name : "unknown" })
        }),
        (handle) =>
          Effect.sync(() => {
            handle.close()
            lose("closed")
          })
      )

      /** Sends when run, and resolves in the order of sending; an interrupted one is rendered all the same. */
      const ask = <A>(
        request: RenderRequest,
        read: (response: RenderResponse) => A,
        output: Uint8Array = none
      ): Effect.Effect<A, ScreenLost> =>
        Effect.callback((resume) => {
          if (lost !== null) return resume(Exit.fail(lost))
          waiting.push({ bytes: output.length, settle: (answer) => resume(Exit.map(answer, read)) })
          const { buffer } = output
          const movable = buffer instanceof ArrayBuffer && buffer.byteLength === output.length
          handle.ask(request, movable && output.length > 0 ? [buffer] : [])
        })

      return {
        write: (bytes) => ask({ _tag: "write", screen, bytes }, () => frame, bytes),
        resize: (cols, rows) => ask({ _tag: "resize", screen, cols, rows }, () => frame),
        onReply: (next) => {
          listener = next
        },
        serialize: ask({ _tag: "serialize", screen }, (response) =>
          response._tag === "serialized" ? response.bytes : none
        )
      }
    })
  })
})

/** @xterm/headless on render threads, one for each core up to four. */
export const layer: Layer.Layer<Screen> = Layer.effect(
  Screen,
  make(Math.min(availableParallelism(), threadsAtMost), workerFile)
)
