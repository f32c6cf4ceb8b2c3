import * as Result from "effect/Result"
import type { AnswerRule } from "./AnswerRule.ts"
import type { QuestionRequest } from "./QuestionRequest.ts"

/** One answer as the caller gave it, copied; only its form is checked. */
export interface CopiedAnswer {
  readonly questionId: string
  readonly optionIds: ReadonlyArray<string>
  readonly text: string | null
}

export interface Failure {
  readonly rule: AnswerRule
  readonly position: number | null
}

/**
 * Copies a batch out of a value that nobody vouches for, each property once and through its own descriptor,
 * so that nothing of it runs and nothing can change afterwards (Q2.5). At most one item more than the request
 * could ever need is copied: that one is enough to be refused.
 */
export const answers = (
  input: unknown,
  request: QuestionRequest,
  isProxy: (value: object) => boolean = () => false
): Result.Result<ReadonlyArray<CopiedAnswer>, Failure> => {
  let position: number | null = null
  // The traps of a proxy that `isProxy` cannot tell may throw.
  try {
    const items = list(input, request.questions.length, isProxy)
    if (typeof items === "string") return Result.fail({ rule: items, position })
    const mostOptions = Math.max(...request.questions.map(({ options }) => options.length))
    const copied: Array<CopiedAnswer> = []
    for (const [index, item] of items.entries()) {
      position = index
      const answer = one(item, mostOptions, isProxy)
      if (typeof answer === "string") return Result.fail({ rule: answer, position })
      copied.push(answer)
    }
    return Result.succeed(copied)
  } catch {
    return Result.fail({ rule: "not_plain", position })
  }
}

type IsProxy = (value: object) => boolean

const one = (input: unknown, mostOptions: number, isProxy: IsProxy): CopiedAnswer | AnswerRule => {
  if (typeof input !== "object" || input === null) return "malformed"
  const own = isProxy(input) ? null : values(input, Reflect.ownKeys(input))
  if (own === null) return "not_plain"
  const questionId = own.get("questionId")
  const text = own.get("text") ?? null
  if (typeof questionId !== "string" || (text !== null && typeof text !== "string")) return "malformed"
  const chosen = own.get("optionIds")
  const optionIds = chosen === undefined ? [] : list(chosen, mostOptions, isProxy)
  if (typeof optionIds === "string") return optionIds === "not_an_array" ? "malformed" : optionIds
  return optionIds.every((id) => typeof id === "string") ? { questionId, optionIds, text } : "malformed"
}

/** The items of a dense array without accessors; of one that is too long, as many as show that it is. */
const list = (
  input: unknown,
  most: number,
  isProxy: IsProxy
): ReadonlyArray<unknown> | "not_an_array" | "not_plain" => {
  if (typeof input !== "object" || input === null) return "not_an_array"
  if (isProxy(input)) return "not_plain"
  if (!Array.isArray(input)) return "not_an_array"
  const length: unknown = Object.getOwnPropertyDescriptor(input, "length")?.value
  if (typeof length !== "number") return "not_plain"
  const keys =
    length > most ? Array.from({ length: most + 1 }, (_, index) => String(index)) : Reflect.ownKeys(input)
  const own = values(input, keys)
  if (own === null) return "not_plain"
  const items: Array<unknown> = []
  for (let index = 0; index < length && index <= most; index++) {
    const key = String(index)
    if (!own.has(key)) return "not_plain"
    items.push(own.get(key))
  }
  return items
}

/** Own data properties, each read once; `null` where one is absent or an accessor. */
const values = (
  input: object,
  keys: ReadonlyArray<PropertyKey>
): ReadonlyMap<PropertyKey, unknown> | null => {
  const own = new Map<PropertyKey, unknown>()
  for (const key of keys) {
    const descriptor = Object.getOwnPropertyDescriptor(input, key)
    if (descriptor === undefined || !("value" in descriptor)) return null
    own.set(key, descriptor.value)
  }
  return own
}
