import * as Arr from "effect/Array"
import * as Schema from "effect/Schema"
import { Agent } from "../call/Agent.ts"
import * as Freeze from "./Freeze.ts"
import type { QuestionDefinition } from "./QuestionDefinition.ts"

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

/**
 * The request that a native question becomes. Question and option ids are positions under the random request
 * id: as opaque and as unique as it, and two options with one label stay apart (Q1.1, Q1.4).
 */
export const fromDefinitions = (
  id: RequestId,
  agent: Agent,
  delivery: Delivery,
  definitions: Arr.NonEmptyReadonlyArray<QuestionDefinition>
): QuestionRequest =>
  Freeze.deep({
    id,
    agent,
    delivery,
    questions: Arr.map(definitions, (definition, index): Question => {
      const questionId = `${id}.${index}`
      return {
        id: QuestionId.make(questionId),
        prompt: definition.prompt,
        ...(definition.header === null ? {} : { header: definition.header }),
        options: definition.options.map((option, row): QuestionOption => ({
          id: OptionId.make(`${questionId}.${row}`),
          label: option.label,
          ...(option.description === null ? {} : { description: option.description }),
          ...(option.preview === null ? {} : { preview: option.preview })
        })),
        selection: definition.selection,
        textMode: definition.textMode,
        // No editor characterised so far masks what is typed into it (Q1.2).
        supportsSecretInput: false
      }
    })
  })

/** JSON Schema (draft 2020-12) of a request, for hosts in other languages (Q1.5). */
export const jsonSchema = () => Schema.toJsonSchemaDocument(QuestionRequest)
