import type { Selection, TextMode } from "./QuestionRequest.ts"

/**
 * A question as an agent's record defines it, before it is raised: no ids of ours. Two definitions are the
 * same when prompt, header, selection and the options' labels and descriptions agree, in order (Q5.6).
 */
export interface QuestionDefinition {
  readonly prompt: string
  readonly header: string | null
  readonly options: ReadonlyArray<{
    readonly label: string
    readonly description: string | null
    readonly preview: string | null
  }>
  readonly selection: Selection
  readonly textMode: TextMode
}
