import { types } from "node:util"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import {
  type AnswerDelivery,
  type Attempt,
  DeliveryFailed
} from "../../../src/core/question/AnswerDelivery.ts"
import type { QuestionDefinition } from "../../../src/core/question/QuestionDefinition.ts"
import type { QuestionRequest } from "../../../src/core/question/QuestionRequest.ts"
import * as Questions from "../../../src/core/question/Questions.ts"
import type { NativeAnswers } from "../../../src/core/session/HookFact.ts"
import type { Frame } from "../../../src/core/session/Frame.ts"

/** A session's questions with an agent that exists only as events and frames. */

export const define = (
  prompt: string,
  labels: ReadonlyArray<string> = ["Red", "Green", "Blue"],
  over: Partial<QuestionDefinition> = {}
): QuestionDefinition => ({
  prompt,
  header: null,
  options: labels.map((label) => ({ label, description: null, preview: null })),
  selection: "single",
  textMode: "alternative",
  ...over
})

/** A screen that shows the editor of every prompt written on it. */
const frame = (bytes: number, ...prompts: ReadonlyArray<string>): Frame => ({
  sequence: bytes,
  bytes,
  cols: 80,
  rows: prompts.length,
  lines: prompts.map((text) => ({ text, wrapped: false, marks: [] })),
  cursor: { x: 0, y: 0, visible: true },
  title: "",
  modes: { alternateScreen: false, bracketedPaste: true }
})

const expected = (
  request: QuestionRequest,
  answers: ReadonlyArray<{
    readonly questionId: string
    readonly optionIds?: ReadonlyArray<string>
    readonly text?: string
  }>
): NativeAnswers =>
  request.questions.map((question) => {
    const { optionIds, text } = answers.find(({ questionId }) => questionId === question.id)!
    const labels = (optionIds ?? []).map((id) => question.options.find((option) => option.id === id)!.label)
    return {
      prompt: question.prompt,
      value: labels.length > 0 ? labels.join(", ") : (text ?? ""),
      notes: labels.length > 0 ? (text ?? null) : null
    }
  })

/** A delivery whose course the test decides, step by step. */
export const scripted = (
  way: AnswerDelivery["way"],
  run: (attempt: Attempt) => Effect.Effect<void, DeliveryFailed>
): AnswerDelivery => ({ way, deliver: run })

/** Types one key and then submits, as soon as it may. */
const prompt = (written: Array<string>): AnswerDelivery =>
  scripted("editor", (attempt) =>
    Effect.gen(function* () {
      yield* attempt.write(
        false,
        Effect.sync(() => void written.push("type"))
      )
      yield* attempt.write(
        true,
        Effect.sync(() => void written.push("submit"))
      )
    })
  )

export const make = Effect.fnUntraced(function* (
  options: {
    readonly editor?: AnswerDelivery
    readonly hook?: Questions.Options["hook"]
    readonly textLimit?: number
  } = {}
) {
  const notices: Array<Questions.Notice> = []
  const written: Array<string> = []
  let ids = 0
  let at = 0
  const questions = yield* Questions.make({
    sessionId: "session",
    dialect: {
      agent: "claude",
      questions: {
        shows: ({ lines }, definitions) => lines.some(({ text }) => text === definitions[0]!.prompt),
        expected,
        normaliseText: (text) => text.replaceAll(/\r\n?/g, "\n").trim(),
        textLimit: options.textLimit ?? null
      }
    },
    newId: () => `id${++ids}`,
    isProxy: types.isProxy,
    editor: options.editor ?? prompt(written),
    hook: options.hook ?? (() => null),
    onNotice: (notice) => notices.push(notice)
  })
  const paint = (...prompts: ReadonlyArray<string>) =>
    questions.painted(frame(++at, ...prompts), prompts.length > 0)
  const sight = (
    nativeId: string,
    ...definitions: readonly [QuestionDefinition, ...Array<QuestionDefinition>]
  ) =>
    questions.observe({
      _tag: "sighted",
      nativeId,
      definitions,
      delivery: "blocking",
      source: "tool",
      hook: { token: `hook of ${nativeId}`, pending: false },
      at
    })
  const complete = (nativeId: string, answers: NativeAnswers) =>
    questions.observe({ _tag: "completed", nativeId, definitions: null, answers, at })
  const accept = (nativeId: string, prompt: string, value: string) =>
    complete(nativeId, [{ prompt, value, notes: null }])
  /** Raises one single-choice question and gives its request. */
  const raise = (nativeId: string, prompt: string) =>
    Effect.gen(function* () {
      sight(nativeId, define(prompt))
      paint(prompt)
      const open = yield* questions.list
      return open.at(-1)!
    })
  return { questions, notices, written, paint, sight, complete, accept, raise, now: () => at }
})

/** A physical write that ends when the test says so. */
export const slowWrite = Effect.fnUntraced(function* () {
  const begun = yield* Deferred.make<void>()
  const end = yield* Deferred.make<void>()
  return {
    begun: Deferred.await(begun),
    end: Effect.asVoid(Deferred.succeed(end, undefined)),
    physical: Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end))
  }
})

/** The answer that picks one row of a request's only question. */
export const pick = (request: QuestionRequest, row: number) => [
  { questionId: request.questions[0].id, optionIds: [request.questions[0].options[row]!.id] }
]
