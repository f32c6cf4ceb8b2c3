import * as Schema from "effect/Schema"
import { OptionId, QuestionId } from "./QuestionRequest.ts"

/** A person's answer to one question (Q1.3). */
export const QuestionAnswer = Schema.Struct({
  questionId: QuestionId,
  optionIds: Schema.optionalKey(Schema.Array(OptionId)),
  text: Schema.optionalKey(Schema.String)
})
export type QuestionAnswer = typeof QuestionAnswer.Type

/** JSON Schema (draft 2020-12) of a batch of answers, for hosts in other languages (Q1.5). */
export const jsonSchema = () => Schema.toJsonSchemaDocument(Schema.Array(QuestionAnswer))
