import * as Arbitrary from "effect/Arbitrary"
import * as Arr from "effect/Array"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { AnswerRule } from "../../core/question/AnswerRule.ts"
import type { QuestionAnswer } from "../../core/question/QuestionAnswer.ts"
import type { QuestionDefinition } from "../../core/question/QuestionDefinition.ts"
import {
  type Question,
  type QuestionRequest,
  RequestId,
  fromDefinitions
} from "../../core/question/QuestionRequest.ts"

const integer = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

const oneOf = <A>(values: Arr.NonEmptyReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(integer(0, values.length - 1), (index) => values[index]!)

const bits = (length: number) =>
  Arbitrary.array(Arbitrary.schema(Schema.Boolean), { minLength: length, maxLength: length })

/** Pieces that have been mistaken for keys, rows, placeholders or separators by some editor. */
const pieces = [
  "a",
  "yes",
  " ",
  "\t",
  "\n",
  "\r\n",
  "\r",
  ", ",
  "é漢",
  "😀",
  "\u00a0",
  "\u200b",
  "\ufeff",
  "❯ 1. Yes",
  "› 2. No",
  "Type your answer",
  "Add notes",
  '"Q"="A"',
  "[200~"
] as const

/** Text that may be typed: well-formed, without controls, never empty. */
const text: Arbitrary.Arbitrary<string> = Arbitrary.map(
  Arbitrary.array(oneOf(pieces), { minLength: 0, maxLength: 6 }),
  (parts) => `x${parts.join("")}`
)

/** What the characterised editors offer (Q1.2), and the pairs that a later one may. */
const editors: Arr.NonEmptyReadonlyArray<Pick<QuestionDefinition, "selection" | "textMode">> = [
  { selection: "single", textMode: "alternative" },
  { selection: "single", textMode: "additional" },
  { selection: "single", textMode: "none" },
  { selection: "multiple", textMode: "none" },
  { selection: "multiple", textMode: "alternative" },
  { selection: "multiple", textMode: "additional" },
  { selection: "none", textMode: "alternative" },
  { selection: "none", textMode: "additional" }
]

/** A question as an agent may ask it; labels and prompts repeat now and then (Q1.4). */
const definition: Arbitrary.Arbitrary<QuestionDefinition> = Arbitrary.map(
  Arbitrary.all({
    prompt: text,
    header: oneOf([null, "Colour", "Size"]),
    editor: oneOf(editors),
    options: Arbitrary.array(
      Arbitrary.all({
        label: oneOf(["Red", "Green", "Red", "Yes, and more", "é漢 😀", "None of the above"]),
        description: oneOf([null, "Warm and loud."]),
        preview: oneOf([null, "line 1\nline 2"])
      }),
      { minLength: 1, maxLength: 5 }
    )
  }),
  ({ editor, header, options, prompt }) => ({
    prompt,
    header,
    options: editor.selection === "none" ? [] : options,
    ...editor
  })
)

/** A request of one to four questions. */
export const request: Arbitrary.Arbitrary<QuestionRequest> = Arbitrary.map(
  Arbitrary.all({
    id: integer(1, Number.MAX_SAFE_INTEGER),
    agent: oneOf(["claude", "codex", "pi"] as const),
    delivery: oneOf(["blocking", "queued"] as const),
    first: definition,
    rest: Arbitrary.array(definition, { minLength: 0, maxLength: 3 })
  }),
  ({ agent, delivery, first, id, rest }) =>
    fromDefinitions(RequestId.make(id.toString(36)), agent, delivery, [first, ...rest])
)

/** A request with a batch that answers it. */
export interface Answered {
  readonly request: QuestionRequest
  readonly answers: ReadonlyArray<QuestionAnswer>
}

interface Choice {
  readonly picks: ReadonlyArray<boolean>
  readonly text: string
  readonly reversed: boolean
  readonly wantsText: boolean
}

const choice: Arbitrary.Arbitrary<Choice> = Arbitrary.all({
  picks: bits(5),
  text,
  reversed: Arbitrary.schema(Schema.Boolean),
  wantsText: Arbitrary.schema(Schema.Boolean)
})

const answerTo = (question: Question, { picks, reversed, text, wantsText }: Choice): QuestionAnswer => {
  const { id: questionId, options, selection, textMode } = question
  const typed = selection === "none" || (wantsText && textMode === "alternative")
  if (typed) return { questionId, text }
  const picked = options.filter((_, row) => picks[row]).map(({ id }) => id)
  const some = picked.length > 0 ? picked : [options[0]!.id]
  const optionIds = selection === "single" ? some.slice(0, 1) : reversed ? some.toReversed() : some
  return wantsText && textMode === "additional" ? { questionId, optionIds, text } : { questionId, optionIds }
}

/** Requests with valid answers, in any order of questions and options. */
export const answered: Arbitrary.Arbitrary<Answered> = Arbitrary.map(
  Arbitrary.all({
    request,
    choices: Arbitrary.array(choice, { minLength: 4, maxLength: 4 }),
    rotate: integer(0, 3)
  }),
  ({ choices, request, rotate }) => {
    const answers = request.questions.map((question, i) => answerTo(question, choices[i]!))
    const by = rotate % answers.length
    return { request, answers: [...answers.slice(by), ...answers.slice(0, by)] }
  }
)

/** A batch that breaks one rule, and which. */
export interface Broken {
  readonly request: QuestionRequest
  readonly input: unknown
  readonly rule: AnswerRule
}

type Breaking = {
  readonly rule: AnswerRule
  /** Something else than a valid batch, or `null` where this batch cannot break the rule. */
  readonly apply: (answered: Answered, at: number) => unknown
}

const withAnswer = (
  { answers, request }: Answered,
  at: number,
  change: (answer: QuestionAnswer, question: Question) => unknown
): unknown => {
  const index = at % answers.length
  const answer = answers[index]!
  const changed = change(
    answer,
    request.questions.find(({ id }) => id === answer.questionId)!
  )
  return changed === null ? null : answers.map((each, i) => (i === index ? changed : each))
}

const withText = (change: (text: string) => string) => (answered: Answered, at: number) =>
  withAnswer(answered, at, (answer) =>
    answer.text === undefined ? null : { ...answer, text: change(answer.text) }
  )

const breakings: Arr.NonEmptyReadonlyArray<Breaking> = [
  { rule: "missing_answer", apply: ({ answers }, at) => answers.filter((_, i) => i !== at % answers.length) },
  { rule: "duplicate_question", apply: ({ answers }, at) => [...answers, answers[at % answers.length]] },
  {
    rule: "unknown_question",
    apply: (all, at) => withAnswer(all, at, (a) => ({ ...a, questionId: "other" }))
  },
  { rule: "malformed", apply: (all, at) => withAnswer(all, at, (a) => ({ ...a, questionId: 7 })) },
  { rule: "malformed", apply: (all, at) => withAnswer(all, at, (a) => ({ ...a, text: 7 })) },
  { rule: "malformed", apply: (all, at) => withAnswer(all, at, (a) => ({ ...a, optionIds: "one" })) },
  { rule: "malformed", apply: (all, at) => withAnswer(all, at, () => "yes") },
  {
    rule: "empty_answer",
    apply: (all, at) => withAnswer(all, at, ({ questionId }) => ({ questionId }))
  },
  {
    rule: "empty_answer",
    apply: withText(() => "")
  },
  {
    rule: "unknown_option",
    apply: (all, at) =>
      withAnswer(all, at, (a, { selection }) =>
        selection === "none" ? null : { ...a, optionIds: ["another request's option"] }
      )
  },
  {
    rule: "duplicate_option",
    apply: (all, at) =>
      withAnswer(all, at, (a) =>
        a.optionIds === undefined ? null : { ...a, optionIds: [a.optionIds[0], a.optionIds[0]] }
      )
  },
  {
    rule: "option_not_allowed",
    apply: (all, at) =>
      withAnswer(all, at, (a, { selection }) => (selection === "none" ? { ...a, optionIds: ["any"] } : null))
  },
  {
    rule: "too_many_options",
    apply: (all, at) =>
      withAnswer(all, at, (a, { options, selection }) =>
        selection === "single" && options.length > 1
          ? { questionId: a.questionId, optionIds: options.map(({ id }) => id) }
          : null
      )
  },
  {
    rule: "text_not_allowed",
    apply: (all, at) =>
      withAnswer(all, at, (a, { textMode }) => (textMode === "none" ? { ...a, text: "more" } : null))
  },
  {
    rule: "text_with_option",
    apply: (all, at) =>
      withAnswer(all, at, (a, { textMode }) =>
        textMode === "alternative" && a.optionIds !== undefined ? { ...a, text: "more" } : null
      )
  },
  {
    rule: "text_without_option",
    apply: (all, at) =>
      withAnswer(all, at, (a, { selection, textMode }) =>
        textMode === "additional" && selection === "single"
          ? { questionId: a.questionId, text: "a note" }
          : null
      )
  },
  { rule: "control_character", apply: withText((text) => `${text}\u001b[A`) },
  { rule: "control_character", apply: withText((text) => `\u0085${text}`) },
  { rule: "lone_surrogate", apply: withText((text) => `${text}\ud800`) }
]

/** Batches that break exactly one rule. */
export const broken: Arbitrary.Arbitrary<Broken> = Arbitrary.filterMap(
  Arbitrary.all({ all: answered, breaking: oneOf(breakings), at: integer(0, 3) }),
  ({ all, at, breaking }) => {
    const input = breaking.apply(all, at)
    return input === null
      ? Result.fail(undefined)
      : Result.succeed({ request: all.request, input, rule: breaking.rule })
  }
)
