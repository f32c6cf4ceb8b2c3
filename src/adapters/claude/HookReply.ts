import * as Predicate from "effect/Predicate"
import type { QuestionAnswer } from "../../core/question/QuestionAnswer.ts"
import type { QuestionRequest } from "../../core/question/QuestionRequest.ts"
import * as Answers from "./Answers.ts"

const atTool = (decision: object) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...decision }
})

const atPermission = (decision: object) => ({
  hookSpecificOutput: { hookEventName: "PermissionRequest", decision }
})

/** Denies a call before it runs; the reason reaches the model and the turn goes on. */
export const deny = (reason: string): unknown =>
  atTool({ permissionDecision: "deny", permissionDecisionReason: reason })

/** Closes the permission dialog with its plain yes; nothing beyond this call is allowed. */
export const release: unknown = atPermission({ behavior: "allow" })

/** Closes the permission dialog with a no; the reason reaches the model and the turn goes on. */
export const refuse = (reason: string): unknown => atPermission({ behavior: "deny", message: reason })

/**
 * Answers the question that the parked permission hook is about (Q5.4), or `null` where the hook's form cannot
 * carry the answers: it names questions by their text and options by their labels, so either may occur once.
 */
export const answer = (
  input: unknown,
  request: QuestionRequest,
  answers: ReadonlyArray<QuestionAnswer>
): unknown => {
  const wanted = Answers.wanted(request, answers)
  if (!Predicate.isObject(input) || wanted === null) return null
  if (repeats(request.questions.map(({ prompt }) => prompt))) return null
  if (request.questions.some(({ options }) => repeats(options.map(({ label }) => label)))) return null
  return atPermission({
    behavior: "allow",
    updatedInput: {
      ...input,
      answers: Object.fromEntries(wanted.map((one) => [one.question.prompt, Answers.value(one)])),
      annotations: Object.fromEntries(
        wanted.flatMap(({ question, options, text }) => {
          if (!Answers.takesNotes(question) || text === null) return []
          const preview = question.options.find((_, position) => options.has(position))?.preview
          return [[question.prompt, { notes: text, ...(preview === undefined ? {} : { preview }) }]]
        })
      )
    }
  })
}

const repeats = (texts: ReadonlyArray<string>): boolean => new Set(texts).size !== texts.length
