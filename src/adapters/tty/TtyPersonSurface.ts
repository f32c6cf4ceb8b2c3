import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import * as AskBudget from "../../core/ask/AskBudget.ts"
import * as AskLines from "../../core/ask/AskLines.ts"
import type { Dialog } from "../../core/ask/Dialog.ts"
import * as DialogKeys from "../../core/ask/DialogKeys.ts"
import * as Keys from "../../core/ask/Keys.ts"
import * as TerminalText from "../../core/ask/TerminalText.ts"
import type { Size } from "../../core/ask/TerminalView.ts"
import {
  PersonSurface,
  type Ask,
  type AskVerdict,
  type SurfaceLost
} from "../../core/authority/PersonSurface.ts"
import type { QuestionAnswer } from "../../core/question/QuestionAnswer.ts"
import * as QuestionKeys from "../../core/question/QuestionKeys.ts"
import * as QuestionLines from "../../core/question/QuestionLines.ts"
import type { QuestionRequest } from "../../core/question/QuestionRequest.ts"
import * as DevTty from "./DevTty.ts"
import * as TtyDialog from "./TtyDialog.ts"
import { SURFACE, type TtyDevice, type TtyHandle } from "./TtyDevice.ts"
import * as TtyLines from "./TtyLines.ts"

export interface Options {
  /** Default: the controlling terminal. */
  readonly device?: TtyDevice
  /** Default: `AskBudget.defaults`. */
  readonly budget?: AskBudget.AskBudget
  /** Whether bold, dim and inverse may be used. Default: unless `NO_COLOR` is set. */
  readonly styled?: boolean
  /** Plain lines instead of a dialog. Default: where `TERM` is `dumb`. */
  readonly plain?: boolean
}

/**
 * The person at the terminal: one ask or question at a time, the others wait their turn. Dialogs are drawn on
 * the controlling terminal, never on stdout; afterwards one line says what became of the ask.
 */
export const make = Effect.fnUntraced(function* (options: Options = {}) {
  const device = options.device ?? DevTty.make()
  const budget = options.budget ?? AskBudget.defaults
  const styled = options.styled ?? (process.env["NO_COLOR"] ?? "") === ""
  const plain = options.plain ?? process.env["TERM"] === "dumb"
  const turn = yield* Semaphore.make(1)
  const decoder = { current: Keys.empty }
  let waiting = 0
  let announce = (): void => {}

  /** Waits for the terminal to be free, and lets whoever has it see that somebody waits (P6.4). */
  const inTurn = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
    const change = (by: number) =>
      Effect.sync(() => {
        waiting += by
        announce()
      })
    let counted = true
    const leaveQueue = Effect.suspend(() => {
      if (!counted) return Effect.void
      counted = false
      return change(-1)
    })
    return Effect.acquireUseRelease(
      change(1),
      () => Semaphore.withPermit(turn, Effect.andThen(leaveQueue, effect)),
      () => leaveQueue
    )
  }

  const status = (since: number) => (): string =>
    `since ${clockTime(since)}${waiting === 0 ? "" : ` · ${waiting} waiting`}`

  /** A dialog on the raw terminal; none where the terminal does not confirm what it shows. */
  const dialog = <State, Result>(
    dialog: Dialog<State, Result>,
    open: (size: Size) => State,
    since: number,
    outcome: (exit: Exit.Exit<Option.Option<Result>, SurfaceLost>) => string | null
  ): Effect.Effect<Option.Option<Result>, SurfaceLost> =>
    Effect.scoped(
      Effect.gen(function* () {
        const handle = yield* device.open("raw")
        const events = yield* Queue.unbounded<TtyDialog.DialogEvent>()
        yield* Effect.forkScoped(
          Effect.forever(Effect.flatMap(Queue.take(handle.events), (event) => Queue.offer(events, event)))
        )
        yield* Effect.acquireRelease(
          Effect.sync(() => {
            announce = () => Queue.offerUnsafe(events, { _tag: "status" })
          }),
          () =>
            Effect.sync(() => {
              announce = () => {}
            })
        )
        return yield* TtyDialog.run({
          handle,
          events,
          dialog,
          open,
          status: status(since),
          styled,
          decoder
        }).pipe(Effect.onExit((exit) => record(handle, outcome(exit))))
      })
    )

  const askInLines = (ask: Ask): Effect.Effect<DialogKeys.AskResult, SurfaceLost> =>
    Effect.scoped(
      Effect.gen(function* () {
        const handle = yield* device.open("line")
        const { columns } = handle.size()
        const readLine = TtyLines.reader(handle)
        const code = yield* TtyLines.makeCode
        const decide = Effect.gen(function* () {
          yield* TtyLines.print(handle, AskLines.render(ask.payload, budget, columns))
          while (true) {
            yield* TtyLines.print(handle, AskLines.instructions(code))
            const reply = AskLines.read(yield* readLine, code)
            if (reply._tag === "all") {
              yield* TtyLines.print(handle, AskLines.renderAll(ask.payload, budget, columns))
            } else if (reply._tag !== "unclear") return reply
          }
        })
        return yield* Effect.onExit(decide, (exit) =>
          record(handle, askRecord(ask)(Exit.map(exit, Option.some)))
        )
      })
    )

  const questionInLines = (
    request: QuestionRequest
  ): Effect.Effect<QuestionKeys.QuestionResult, SurfaceLost> =>
    Effect.scoped(
      Effect.gen(function* () {
        const handle = yield* device.open("line")
        const { columns } = handle.size()
        const readLine = TtyLines.reader(handle)
        const answer = Effect.gen(function* (): Effect.fn.Return<QuestionKeys.QuestionResult, SurfaceLost> {
          const answers: Array<QuestionAnswer> = []
          for (const question of request.questions) {
            const code = yield* TtyLines.makeCode
            yield* TtyLines.print(handle, QuestionLines.render(question, columns))
            let reply: QuestionLines.Reply = { _tag: "unclear" }
            while (reply._tag === "unclear") {
              yield* TtyLines.print(handle, QuestionLines.instructions(question, code))
              reply = QuestionLines.read(yield* readLine, question, code)
            }
            if (reply._tag === "left") return reply
            answers.push(reply.answer)
          }
          return { _tag: "answered", answers }
        })
        return yield* Effect.onExit(answer, (exit) =>
          record(handle, questionRecord(request)(Exit.map(exit, Option.some)))
        )
      })
    )

  return PersonSurface.of({
    presence: Effect.map(device.foreground, (foreground) => (foreground ? "present" : "absent")),
    ask: Effect.fn("PersonSurface.ask")(function* (ask) {
      return yield* inTurn(
        Effect.gen(function* () {
          const decided = plain
            ? Option.none()
            : yield* dialog(
                DialogKeys,
                (size) => DialogKeys.open(ask.payload, budget, size),
                ask.since,
                askRecord(ask)
              )
          return toVerdict(Option.isSome(decided) ? decided.value : yield* askInLines(ask))
        })
      )
    }),
    question: Effect.fn("PersonSurface.question")(function* (request) {
      const since = yield* Clock.currentTimeMillis
      return yield* inTurn(
        Effect.gen(function* () {
          const decided = plain
            ? Option.none()
            : yield* dialog(
                QuestionKeys,
                (size) => QuestionKeys.open(request, size),
                since,
                questionRecord(request)
              )
          const result = Option.isSome(decided) ? decided.value : yield* questionInLines(request)
          return result._tag === "answered" ? result.answers : null
        })
      )
    })
  })
})

export const layer = (options: Options = {}): Layer.Layer<PersonSurface> =>
  Layer.effect(PersonSurface, make(options))

const toVerdict = (result: DialogKeys.AskResult): AskVerdict => ({ ...result, channel: SURFACE })

/** The line that stays on the terminal. It is cut: the dialog has shown it all. */
const record = (handle: TtyHandle, text: string | null): Effect.Effect<void> =>
  text === null
    ? Effect.void
    : Effect.ignore(
        handle.write(`${TerminalText.cut(TerminalText.line(text), handle.size().columns - 1)}\r\n`)
      )

const ASK_RECORDS: Readonly<Record<DialogKeys.AskResult["_tag"], string>> = {
  allow: "you allowed once",
  deny: "you denied",
  cancelled: "you left undecided"
}

const WITHDRAWN = "withdrawn before you decided"

/** What became of an ask: its result, or that it was withdrawn. Nothing where it goes on in another form. */
const askRecord =
  ({ payload }: Ask) =>
  (exit: Exit.Exit<Option.Option<DialogKeys.AskResult>, SurfaceLost>): string | null => {
    const { toolName, units } = payload.request
    const what = `${toolName}: ${units[0].value}`
    if (Exit.isFailure(exit)) return `Obstat: ${WITHDRAWN}: ${what}`
    return Option.isSome(exit.value) ? `Obstat: ${ASK_RECORDS[exit.value.value._tag]}: ${what}` : null
  }

const questionRecord =
  (request: QuestionRequest) =>
  (exit: Exit.Exit<Option.Option<QuestionKeys.QuestionResult>, SurfaceLost>): string | null => {
    const what = request.questions[0].prompt
    if (Exit.isFailure(exit)) return `Obstat: ${WITHDRAWN}: ${what}`
    if (Option.isNone(exit.value)) return null
    return `Obstat: ${exit.value.value._tag === "answered" ? "you answered" : "you left to the agent"}: ${what}`
  }

const clockTime = (millis: number): string =>
  new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" }).format(millis)
