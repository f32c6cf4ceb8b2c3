import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
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
import * as GrantList from "../../core/ask/GrantList.ts"
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
import * as TtyNotice from "./TtyNotice.ts"

export interface Options {
  /** Default: the controlling terminal. */
  readonly device?: TtyDevice
  /** Default: `AskBudget.defaults`. */
  readonly budget?: AskBudget.AskBudget
  /** Whether bold, dim and inverse may be used. Default: unless `NO_COLOR` is set. */
  readonly styled?: boolean
  /** Plain lines instead of a dialog. Default: where `TERM` is `dumb`. */
  readonly plain?: boolean
  /**
   * What the terminal is told once an ask or question has been up for `after` without a key (P6.4, C10); `null`:
   * nothing. Default: a bell after 20 s, unless `CI` is set.
   */
  readonly notice?: { readonly kind: TtyNotice.NoticeKind; readonly after: Duration.Input } | null
}

/** Long enough to read a prompt in silence, short enough that a person elsewhere hears of it while it matters. */
const UNSEEN_AFTER = Duration.seconds(20)

/**
 * The person at the terminal: one ask or question at a time, the others wait their turn. Dialogs are drawn on
 * the controlling terminal, never on stdout; afterwards one line says what became of the ask.
 */
export const make = Effect.fnUntraced(function* (options: Options = {}) {
  const device = options.device ?? DevTty.make()
  const budget = options.budget ?? AskBudget.defaults
  const styled = options.styled ?? (process.env["NO_COLOR"] ?? "") === ""
  const plain = options.plain ?? process.env["TERM"] === "dumb"
  const notice =
    options.notice === undefined && (process.env["CI"] ?? "") === ""
      ? { kind: "bell" as const, after: UNSEEN_AFTER }
      : (options.notice ?? null)
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

  /** The terminal for one ask, its input watched: where nobody has touched a key in time, it is told once. */
  const openWatched = Effect.fnUntraced(function* (mode: "raw" | "line", what: string) {
    const handle = yield* device.open(mode)
    const events = yield* Queue.unbounded<TtyDialog.DialogEvent>()
    const looked = yield* Deferred.make<void>()
    yield* Effect.forkScoped(
      Effect.forever(
        Effect.flatMap(Queue.take(handle.events), (event) => {
          const human = event._tag === "input" && TtyNotice.isHuman(event.text)
          return Effect.andThen(
            human ? Deferred.succeed(looked, undefined) : Effect.void,
            Queue.offer(events, event)
          )
        })
      )
    )
    if (notice !== null) {
      yield* Effect.timeoutOption(Deferred.await(looked), notice.after).pipe(
        // A key of this very moment counts as well: whoever pressed it is there.
        Effect.andThen(Deferred.isDone(looked)),
        Effect.flatMap((seen) =>
          seen ? Effect.void : Effect.ignore(handle.write(TtyNotice.encode(notice.kind, what)))
        ),
        Effect.forkScoped
      )
    }
    return { handle, events }
  })

  /** A dialog on the raw terminal; none where the terminal does not confirm what it shows. */
  const dialog = <State, Result>(
    dialog: Dialog<State, Result>,
    open: (size: Size) => State,
    since: number,
    what: string,
    outcome: (exit: Exit.Exit<Option.Option<Result>, SurfaceLost>) => string | null
  ): Effect.Effect<Option.Option<Result>, SurfaceLost> =>
    Effect.scoped(
      Effect.gen(function* () {
        const { events, handle } = yield* openWatched("raw", what)
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
        const { events, handle } = yield* openWatched("line", askedWhat(ask.payload))
        const { columns } = handle.size()
        const readLine = TtyLines.reader(events)
        const code = yield* TtyLines.makeCode
        const decide = Effect.gen(function* (): Effect.fn.Return<DialogKeys.AskResult, SurfaceLost> {
          let list = GrantList.open(ask.offers ?? [])
          yield* TtyLines.print(handle, AskLines.render(ask.payload, budget, columns))
          yield* TtyLines.print(handle, AskLines.renderGrants(list, columns))
          while (true) {
            yield* TtyLines.print(handle, AskLines.instructions(code, list))
            const reply = AskLines.read(yield* readLine, code, list)
            switch (reply._tag) {
              case "all":
                yield* TtyLines.print(handle, AskLines.renderAll(ask.payload, budget, columns))
                break
              case "list":
                list = reply.list
                yield* TtyLines.print(handle, [
                  ...(reply.problem === null ? [] : [reply.problem]),
                  ...AskLines.renderGrants(list, columns)
                ])
                break
              case "unclear":
                break
              case "allow":
              case "deny":
              case "cancelled":
                return reply
            }
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
        const { events, handle } = yield* openWatched("line", "a question")
        const { columns } = handle.size()
        const readLine = TtyLines.reader(events)
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
                (size) => DialogKeys.open(ask.payload, budget, size, ask.offers),
                ask.since,
                askedWhat(ask.payload),
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
                "a question",
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

/** What a notice says: who asks and for which tool, never the input. */
const askedWhat = ({ request }: Ask["payload"]): string => `${request.agent} asks to use ${request.toolName}`

const toVerdict = (result: DialogKeys.AskResult): AskVerdict => ({ ...result, channel: SURFACE })

/** The line that stays on the terminal. It is cut: the dialog has shown it all. */
const record = (handle: TtyHandle, text: string | null): Effect.Effect<void> =>
  text === null
    ? Effect.void
    : Effect.ignore(
        handle.write(`${TerminalText.cut(TerminalText.line(text), handle.size().columns - 1)}\r\n`)
      )

const decided = (result: DialogKeys.AskResult): string => {
  switch (result._tag) {
    case "allow":
      return result.grant === undefined
        ? "you allowed once"
        : `you allowed, and for the session ${result.grant.rules.map(({ pattern }) => pattern).join(", ")}`
    case "deny":
      return "you denied"
    case "cancelled":
      return "you left undecided"
  }
}

const WITHDRAWN = "withdrawn before you decided"

/** What became of an ask: its result, or that it was withdrawn. Nothing where it goes on in another form. */
const askRecord =
  ({ answeredBy, payload }: Ask) =>
  (exit: Exit.Exit<Option.Option<DialogKeys.AskResult>, SurfaceLost>): string | null => {
    const { toolName, units } = payload.request
    const what = `${toolName}: ${units.map(({ value }) => value).join(" · ")}`
    if (Exit.isFailure(exit)) return `Obstat: ${answeredBy?.() ?? WITHDRAWN}: ${what}`
    return Option.isSome(exit.value) ? `Obstat: ${decided(exit.value.value)}: ${what}` : null
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
