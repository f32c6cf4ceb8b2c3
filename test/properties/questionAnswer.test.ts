import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { types } from "node:util"
import * as Answer from "../../src/core/question/Answer.ts"
import type { QuestionRequest } from "../../src/core/question/QuestionRequest.ts"
import * as Generators from "../../src/layers/testing/QuestionGenerators.ts"

/** As many cases as Q2.5 asks for. */
const runs = { arbitrary: { runs: 10_000 } }

const isDeepFrozen = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isDeepFrozen))

const small = (maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))

const thrower = () => {
  throw new Error("a trap")
}

/** A proxy whose every trap throws. */
const throwing = (target: object) =>
  new Proxy(target, {
    get: thrower,
    has: thrower,
    ownKeys: thrower,
    getOwnPropertyDescriptor: thrower,
    getPrototypeOf: thrower
  })

const revoked = (target: object) => {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

const cyclic = () => {
  const all: Array<unknown> = []
  all.push(all)
  return all
}

/** Every object of a batch, by where it sits, and how it is put back. */
const spoil: ReadonlyArray<(value: object) => unknown> = [
  throwing,
  revoked,
  (value) => new Proxy(value, {}),
  (value) =>
    Object.defineProperty(Object.assign(Array.isArray(value) ? [] : {}, value), "extra", { get: thrower }),
  (value) => {
    const copy: object = Object.assign(Array.isArray(value) ? [] : {}, value)
    const [key] = Object.keys(copy)
    return Object.defineProperty(copy, key ?? "0", { get: thrower, enumerable: true })
  },
  (value) =>
    Array.isArray(value)
      ? Object.assign(Array.from({ length: value.length }), { length: 4_000_000_000 })
      : null,
  // oxlint-disable-next-line no-sparse-arrays
  (value) => (Array.isArray(value) ? [, ...value.slice(1)] : new Map(Object.entries(value))),
  () => cyclic(),
  (value) => Object.assign(() => undefined, value),
  () => null,
  () => 7n,
  () => Symbol("answer"),
  // oxlint-disable-next-line no-new-wrappers
  () => new String("yes")
]

const hostile = Arbitrary.map(
  Arbitrary.all({ all: Generators.answered, how: small(spoil.length - 1), where: small(2), at: small(3) }),
  ({ all, at, how, where }): { readonly request: QuestionRequest; readonly input: unknown } => {
    const change = spoil[how]!
    const index = at % all.answers.length
    if (where === 0) return { request: all.request, input: change(all.answers) }
    const answer = all.answers[index]!
    const replaced =
      where === 1 ? change(answer) : { ...answer, optionIds: change(answer.optionIds ?? ["none"]) }
    return { request: all.request, input: all.answers.map((each, i) => (i === index ? replaced : each)) }
  }
)

describe("a batch of answers", () => {
  it.prop(
    "is accepted whole, as a frozen copy, in option order and in the caller's [Q2.1, Q2.6, Q1.4]",
    [Generators.answered],
    ([{ answers, request }]) => {
      const result = Answer.validate(request, answers, { isProxy: types.isProxy })
      const valid = Result.getOrThrow(result)
      expect(valid.given).toEqual(answers)
      expect(valid.answers.map(({ questionId }) => questionId)).toEqual(request.questions.map(({ id }) => id))
      for (const [i, question] of request.questions.entries()) {
        const given = answers.find(({ questionId }) => questionId === question.id)!
        const rows = (valid.answers[i]!.optionIds ?? []).map((id) =>
          question.options.findIndex((option) => option.id === id)
        )
        expect(rows).toEqual(rows.toSorted((a, b) => a - b))
        expect(new Set(valid.answers[i]!.optionIds)).toEqual(new Set(given.optionIds))
        expect(valid.answers[i]!.text).toBe(given.text)
      }
      expect(isDeepFrozen(valid)).toBe(true)
    },
    runs
  )

  it.prop(
    "that breaks one rule is refused by that rule, and the error holds none of its content [Q2.2, Q2.3]",
    [Generators.broken],
    ([{ input, request, rule }]) => {
      const error = Result.getOrThrow(
        Result.flip(Answer.validate(request, input, { isProxy: types.isProxy }))
      )
      expect(error.rule).toBe(rule)
      expect(Object.keys(error).toSorted()).toEqual(["_tag", "code", "position", "rule"])
    },
    runs
  )

  it.prop(
    "of any hostile shape ends in a value or this one error, never a defect [Q2.5]",
    [hostile],
    ([{ input, request }]) => {
      for (const isProxy of [types.isProxy, undefined]) {
        const result = Answer.validate(request, input, { isProxy })
        if (Result.isFailure(result)) expect(result.failure.code).toBe("invalid_question_answer")
        else expect(isDeepFrozen(result.success)).toBe(true)
      }
    },
    runs
  )

  it.prop(
    "made of anything at all ends in a value or this one error [Q2.5]",
    [Generators.request, Schema.Unknown],
    ([request, input]) => {
      const result = Answer.validate(request, input, { isProxy: types.isProxy })
      expect(Result.isFailure(result) && result.failure.code).toBe("invalid_question_answer")
    },
    runs
  )

  it.prop(
    "under a proxy is always refused where the platform can tell [Q2.2]",
    [Generators.answered, small(2)],
    ([{ answers, request }, where]) => {
      const first = answers[0]!
      const wrapped: unknown =
        where === 0
          ? new Proxy(answers, {})
          : [
              where === 1
                ? new Proxy(first, {})
                : { ...first, optionIds: new Proxy([...(first.optionIds ?? [])], {}) },
              ...answers.slice(1)
            ]
      const result = Answer.validate(request, wrapped, { isProxy: types.isProxy })
      expect(Result.isFailure(result) && result.failure.rule).toBe("not_plain")
    }
  )
})
