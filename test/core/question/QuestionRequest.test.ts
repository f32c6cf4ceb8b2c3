import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Answer from "../../../src/core/question/QuestionAnswer.ts"
import * as Request from "../../../src/core/question/QuestionRequest.ts"
import * as Generators from "../../../src/layers/testing/QuestionGenerators.ts"
import { define } from "./Desk.ts"

const isDeepFrozen = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isDeepFrozen))

describe("a request", () => {
  const request = Request.fromDefinitions(Request.RequestId.make("random"), "codex", "queued", [
    define("Which?", ["Same", "Same", "None of the above"], { header: "Pick" }),
    define("Which?", [], { selection: "none" })
  ])

  it("keeps order, gives absent things no key, and promises no secret input [Q1.1, Q1.2]", () => {
    expect(request).toMatchObject({ agent: "codex", delivery: "queued" })
    expect(request.questions.map(({ header, supportsSecretInput }) => [header, supportsSecretInput])).toEqual(
      [
        ["Pick", false],
        [undefined, false]
      ]
    )
    expect(Object.keys(request.questions[1]!)).not.toContain("header")
    expect(Object.keys(request.questions[0].options[0]!)).toEqual(["id", "label"])
  })

  it("is deeply frozen, and equal labels and prompts have ids of their own [Q1.4]", () => {
    expect(isDeepFrozen(request)).toBe(true)
    const ids = request.questions.flatMap(({ id, options }) => [id, ...options.map((option) => option.id)])
    expect(new Set<string>([request.id, ...ids]).size).toBe(1 + ids.length)
  })

  it("freezes its own copy, not the agent's record [Q1.4]", () => {
    const definition = define("Which?")
    Request.fromDefinitions(Request.RequestId.make("r"), "claude", "blocking", [definition])
    expect(Object.isFrozen(definition)).toBe(false)
    expect(Object.isFrozen(definition.options)).toBe(false)
  })
})

describe("the schemas", () => {
  it("give JSON Schema of requests and of answers [Q1.5]", () => {
    const request = Request.jsonSchema()
    expect(request.dialect).toBe("draft-2020-12")
    expect(JSON.stringify(request)).toContain('"supportsSecretInput"')
    expect(Answer.jsonSchema().schema).toMatchObject({ type: "array" })
  })

  it.effect("accept what the generators make, and give generators themselves [Q1.5]", () =>
    Effect.gen(function* () {
      for (const { answers, request } of yield* Arbitrary.sampleEffect(Generators.answered, { count: 200 })) {
        expect(Schema.is(Request.QuestionRequest)(request)).toBe(true)
        expect(Schema.is(Schema.Array(Answer.QuestionAnswer))(answers)).toBe(true)
      }
      const own = yield* Arbitrary.sampleEffect(Arbitrary.schema(Request.QuestionRequest), { count: 20 })
      expect(own.every(({ questions }) => questions.length > 0)).toBe(true)
    })
  )
})
