import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import * as Jsonc from "jsonc-parser"
import type { QuestionAnswer } from "../../core/question/QuestionAnswer.ts"
import type { Question, QuestionRequest } from "../../core/question/QuestionRequest.ts"
import * as ExitCode from "./ExitCode.ts"

/** One prepared answer: which question it is for, by its whole text or its header, and what to answer. */
const Entry = Schema.Struct({
  question: Schema.NonEmptyString,
  /** Labels of the options to choose. */
  options: Schema.optionalKey(Schema.Array(Schema.String)),
  text: Schema.optionalKey(Schema.String)
})

/**
 * Answers that a caller prepared for the questions of a run (C5). They have the authority of text that the
 * caller typed (C8).
 */
export const AnswersFile = Schema.Struct({ answers: Schema.Array(Entry) })
export type AnswersFile = typeof AnswersFile.Type

/** The answers file cannot be used. Its content is not repeated. */
class InvalidAnswersFile extends Schema.TaggedError<InvalidAnswersFile>()("InvalidAnswersFile", {
  file: Schema.String,
  problem: Schema.String
}) {
  override get message() {
    return `the answers file ${this.file} cannot be used: ${this.problem}`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

const decode = Schema.decodeUnknownEffect(AnswersFile, { onExcessProperty: "error" })

/** Line and column, from 1, of an offset in a text. */
const position = (text: string, offset: number): string => {
  const before = text.slice(0, offset).split("\n")
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`
}

/** Reads an answers file (JSON with comments), whole and strictly. */
export const read = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs
    .readFileString(file)
    .pipe(Effect.mapError((error) => new InvalidAnswersFile({ file, problem: error.reason._tag })))
  const errors: Array<Jsonc.ParseError> = []
  const value: unknown = Jsonc.parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first !== undefined) {
    const problem = `${Jsonc.printParseErrorCode(first.error)} at ${position(text, first.offset)}`
    return yield* new InvalidAnswersFile({ file, problem })
  }
  return yield* decode(value).pipe(
    Effect.mapError(
      () =>
        new InvalidAnswersFile({
          file,
          problem:
            'it must be {"answers": [{"question": "text or header", "options": ["label"], "text": "…"}]} with nothing else'
        })
    )
  )
})

const answerFor = (file: AnswersFile, question: Question): QuestionAnswer | null => {
  const entry =
    file.answers.find((entry) => entry.question === question.prompt) ??
    file.answers.find((entry) => entry.question === question.header)
  if (entry === undefined) return null
  const optionIds = []
  for (const label of entry.options ?? []) {
    const [option, second] = question.options.filter((option) => option.label === label)
    // A label that two options share says nothing about which one is meant.
    if (option === undefined || second !== undefined) return null
    optionIds.push(option.id)
  }
  return {
    questionId: question.id,
    ...(optionIds.length === 0 ? {} : { optionIds }),
    ...(entry.text === undefined ? {} : { text: entry.text })
  }
}

/** The prepared answers for one request, or `null` where they do not cover every question of it. */
export const match = (file: AnswersFile, request: QuestionRequest): ReadonlyArray<QuestionAnswer> | null => {
  const answers = request.questions.map((question) => answerFor(file, question))
  return answers.every((answer) => answer !== null) ? answers : null
}
