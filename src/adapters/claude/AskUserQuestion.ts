import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { QuestionDefinition } from "../../core/question/QuestionDefinition.ts"
import type { NativeAnswers } from "../../core/session/HookFact.ts"

/** Claude's question tool. Its name, its input and the record of its answers are the same in hooks and transcripts. */
export const tool = "AskUserQuestion"

const Input = Schema.Struct({
  questions: Schema.NonEmptyArray(
    Schema.Struct({
      question: Schema.NonEmptyString,
      header: Schema.optional(Schema.String),
      multiSelect: Schema.optional(Schema.Boolean),
      options: Schema.NonEmptyArray(
        Schema.Struct({
          label: Schema.NonEmptyString,
          description: Schema.optional(Schema.String),
          preview: Schema.optional(Schema.String)
        })
      )
    })
  )
})

const Answered = Schema.Struct({
  questions: Schema.optional(Schema.Unknown),
  answers: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  annotations: Schema.optional(
    Schema.Record(Schema.String, Schema.Struct({ notes: Schema.optional(Schema.String) }))
  )
})

// The agent's own records gain fields from version to version: what is not named here is left unread.
const decodeInput = Schema.decodeUnknownOption(Input)
const decodeAnswered = Schema.decodeUnknownOption(Answered)

/**
 * The questions that a tool input holds, or `null` where it holds none that can be shown. Capabilities are those
 * of the editor as measured (Q5.2): a choice takes text instead of an option; checkboxes take text beside them;
 * options with previews take notes beside the chosen one.
 */
export const definitions = (input: unknown): ReadonlyArray<QuestionDefinition> | null =>
  Option.match(decodeInput(input), {
    onNone: () => null,
    onSome: ({ questions }) =>
      questions.map(({ question, header, multiSelect, options }): QuestionDefinition => {
        const multiple = multiSelect === true
        const previews = !multiple && options.some(({ preview }) => preview !== undefined)
        return {
          prompt: question,
          header: header ?? null,
          options: options.map(({ label, description, preview }) => ({
            label,
            description: description ?? null,
            preview: preview ?? null
          })),
          selection: multiple ? "multiple" : "single",
          textMode: multiple || previews ? "additional" : "alternative"
        }
      })
  })

/** What the agent recorded as answered (`tool_response` of a hook, `toolUseResult` of a record), else `null`. */
export const answers = (record: unknown): NativeAnswers | null =>
  Option.match(decodeAnswered(record), {
    onNone: () => null,
    onSome: ({ answers, annotations }) =>
      Object.entries(answers).map(([prompt, value]) => ({
        prompt,
        value: typeof value === "string" ? value : value.map(quoteItem).join(", "),
        notes: ownNotes(annotations, prompt)
      }))
  })

const ownNotes = (
  annotations: { readonly [prompt: string]: { readonly notes?: string | undefined } } | undefined,
  prompt: string
): string | null =>
  annotations !== undefined && Object.hasOwn(annotations, prompt)
    ? (annotations[prompt]?.notes ?? null)
    : null

/**
 * One item of a checkbox answer as the agent writes it: quoted as JSON where it could be taken for more than one
 * item, verbatim otherwise (measured).
 */
export const quoteItem = (item: string): string => (/, |"/.test(item) ? JSON.stringify(item) : item)
