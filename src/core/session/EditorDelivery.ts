import * as Effect from "effect/Effect"
import { type AnswerDelivery, DeliveryFailed } from "../question/AnswerDelivery.ts"
import type { Dialect, EditorStep } from "./Dialect.ts"
import type { Frame } from "./Frame.ts"
import type { Terminal } from "./Terminal.ts"

/** How long the editor may take to draw the effect of a key before the attempt is given up. */
const drawPatience = "5 seconds"

/** A step that has a key to send. */
type KeyStep = Extract<EditorStep, { readonly keys: string }>

const hasKeys = (step: EditorStep): step is KeyStep => step._tag === "type" || step._tag === "submit"

/** Whether the screen still shows what the step was computed from. */
const same = (step: EditorStep, before: KeyStep): boolean =>
  step._tag === before._tag && (step._tag !== "type" || before._tag !== "type" || step.stage === before.stage)

/**
 * Answers through the agent's own editor, one key at a time: each is computed from the newest frame, sent only
 * while that frame and the request still stand, and followed by nothing until its effect is drawn (Q4.3). The
 * submitting key is sent once (Q4.4); whether it was accepted is for the agent's own record to say.
 */
export const make = (terminal: Terminal, dialect: Dialect): AnswerDelivery => ({
  way: "editor",
  deliver: Effect.fnUntraced(function* (attempt) {
    const next = (frame: Frame) => dialect.questions.next(frame, attempt.request, attempt.answers.answers)
    const until = (predicate: (step: EditorStep, frame: Frame) => boolean) =>
      terminal
        .until((frame) => predicate(next(frame), frame))
        .pipe(
          Effect.timeout(drawPatience),
          Effect.catchTags({
            TimeoutError: () => Effect.fail(new DeliveryFailed({ category: "frame_wait" })),
            TerminalClosed: () => Effect.fail(new DeliveryFailed({ category: "terminal_write" }))
          })
        )

    if (dialect.questions.deafMs > 0) yield* Effect.sleep(dialect.questions.deafMs)
    let before: KeyStep | null = null
    for (;;) {
      const sent: KeyStep | null = before
      yield* until((step) => hasKeys(step) && (sent === null || !same(step, sent)))
      const frame = yield* terminal.settled.pipe(
        Effect.mapError(() => new DeliveryFailed({ category: "terminal_write" }))
      )
      const step = next(frame)
      if (!hasKeys(step) || (sent !== null && same(step, sent))) continue
      const granted = yield* attempt.write(step._tag === "submit", terminal.write(step.keys))
      if (granted && step._tag === "submit") return
      if (granted) before = step
      else yield* until((_, later) => later.sequence > frame.sequence)
    }
  })
})
