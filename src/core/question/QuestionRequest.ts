import * as Schema from "effect/Schema"
import { Agent } from "../call/Agent.ts"

/** Opaque, random, of this process only; never derived from content, never reused (Q1.1). */
export const RequestId = Schema.String.pipe(Schema.brand("obstat/question/RequestId"))
export type RequestId = typeof RequestId.Type
export const QuestionId = Schema.String.pipe(Schema.brand("obstat/question/QuestionId"))
export type QuestionId = typeof QuestionId.Type
export const OptionId = Schema.String.pipe(Schema.brand("obstat/question/OptionId"))
export type OptionId = typeof OptionId.Type

/** One offered choice. Two options may share a label; the id tells them apart (Q1.4). */
export const QuestionOption = Schema.Struct({
  id: OptionId,
  label: Schema.String,
  description: Schema.optionalKey(Schema.String),
  preview: Schema.optionalKey(Schema.String)
})
export type QuestionOption = typeof QuestionOption.Type

/** `single` one option at most, `multiple` any number, `none` text only. */
export const Selection = Schema.Literals(["single", "multiple", "none"])
export type Selection = typeof Selection.Type

/** `alternative` text in place of an option, `additional` text beside one (Q1.2). */
export const TextMode = Schema.Literals(["none", "alternative", "additional"])
export type TextMode = typeof TextMode.Type

/** One question: what the native editor takes, not what the model meant (Q1.2). */
export const Question = Schema.Struct({
  id: QuestionId,
  prompt: Schema.String,
  header: Schema.optionalKey(Schema.String),
  options: Schema.Array(QuestionOption),
  selection: Selection,
  textMode: TextMode,
  supportsSecretInput: Schema.Boolean
})
export type Question = typeof Question.Type

/** `blocking`: the agent waits; `queued`: it goes on working meanwhile. */
export const Delivery = Schema.Literals(["blocking", "queued"])
export type Delivery = typeof Delivery.Type

/** What an agent asks a person (Q1.1). Handed out deeply frozen. */
export const QuestionRequest = Schema.Struct({
  id: RequestId,
  agent: Agent,
  delivery: Delivery,
  questions: Schema.NonEmptyArray(Question)
})
export type QuestionRequest = typeof QuestionRequest.Type
