import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { types } from "node:util"
import * as Answer from "../../../src/core/question/Answer.ts"
import type { QuestionDefinition } from "../../../src/core/question/QuestionDefinition.ts"
import { RequestId, fromDefinitions } from "../../../src/core/question/QuestionRequest.ts"
import { define } from "./Desk.ts"

const choice = define("Which?", ["Red", "Green", "Blue"])
const boxes = define("Which ones?", ["Red", "Green", "Blue"], { selection: "multiple", textMode: "none" })
const noted = define("With notes?", ["Left", "Right"], { textMode: "additional" })
const boxesNoted = define("Boxes with text?", ["Left"], { selection: "multiple", textMode: "additional" })
const plain = define("Your name?", [], { selection: "none", textMode: "alternative" })

const requestOf = (first: QuestionDefinition, ...rest: ReadonlyArray<QuestionDefinition>) =>
  fromDefinitions(RequestId.make("r"), "claude", "blocking", [first, ...rest])

const holes = (length: number): unknown => Object.assign([], { length })

/** An answer's fields; `rows` are options of the question by position. */
type Fields = Readonly<Record<string, unknown>> & { readonly rows?: ReadonlyArray<number> }

const verdictOf = (definition: QuestionDefinition, answer: Fields, options?: Answer.ValidateOptions) => {
  const request = requestOf(definition)
  const { rows, ...rest } = answer
  const input = [
    {
      questionId: "r.0",
      ...(rows === undefined ? {} : { optionIds: rows.map((row) => `r.0.${row}`) }),
      ...rest
    }
  ]
  const result = Answer.validate(request, input, options)
  return Result.isSuccess(result) ? "valid" : result.failure.rule
}

describe("one answer", () => {
  it.each<[string, QuestionDefinition, Fields, string]>([
    ["an option of a choice", choice, { rows: [1] }, "valid"],
    ["text in place of an option", choice, { text: "maroon" }, "valid"],
    ["no option but an empty list of them, and text", choice, { rows: [], text: "maroon" }, "valid"],
    ["absent fields said to be undefined", choice, { rows: [1], text: undefined }, "valid"],
    ["unknown fields", choice, { rows: [1], note: { deep: "ignored" } }, "valid"],
    ["two options of a choice", choice, { rows: [0, 1] }, "too_many_options"],
    ["an option and text of a choice", choice, { rows: [0], text: "also" }, "text_with_option"],
    ["an option of another question", choice, { optionIds: ["r.1.0"] }, "unknown_option"],
    ["a label instead of an id", choice, { optionIds: ["Red"] }, "unknown_option"],
    [
      "more rows than there are",
      choice,
      { optionIds: Array.from({ length: 9 }, () => "r.0.0") },
      "duplicate_option"
    ],
    ["nothing at all", choice, {}, "empty_answer"],
    ["an empty list", choice, { rows: [] }, "empty_answer"],
    ["empty text", choice, { text: "" }, "empty_answer"],
    ["several boxes", boxes, { rows: [2, 0] }, "valid"],
    ["one box twice", boxes, { rows: [2, 2] }, "duplicate_option"],
    ["boxes and text", boxes, { rows: [2], text: "also" }, "text_not_allowed"],
    ["an option with a note", noted, { rows: [0], text: "a note" }, "valid"],
    ["a note on no row", noted, { text: "a note" }, "text_without_option"],
    ["an option with an empty note", noted, { rows: [0], text: "" }, "empty_answer"],
    ["text beside no box", boxesNoted, { text: "only text" }, "valid"],
    ["text for a question without options", plain, { text: "Ada" }, "valid"],
    ["an option of a question without options", plain, { rows: [0], text: "Ada" }, "option_not_allowed"],
    ["tabs and line breaks", plain, { text: "a\tb\r\nc\nd\re" }, "valid"],
    ["an escape", plain, { text: "a\u001b[A" }, "control_character"],
    ["a bell", plain, { text: "\u0007" }, "control_character"],
    ["a delete", plain, { text: "a\u007f" }, "control_character"],
    ["a C1 control", plain, { text: "a\u009bA" }, "control_character"],
    ["a high surrogate alone", plain, { text: "a\ud83d" }, "lone_surrogate"],
    ["a low surrogate alone", plain, { text: "\ude00a" }, "lone_surrogate"],
    ["a pair of surrogates", plain, { text: "\ud83d\ude00" }, "valid"],
    ["an editor's own placeholder", plain, { text: "Type your answer" }, "valid"],
    ["text that is no string", plain, { text: 7 }, "malformed"],
    ["options that are no list", choice, { optionIds: { 0: "r.0.0", length: 1 } }, "malformed"],
    ["options that are no strings", choice, { optionIds: [0] }, "malformed"]
  ])("%s [Q2.2]", (_, definition, answer, verdict) => {
    expect(verdictOf(definition, answer)).toBe(verdict)
  })

  it("is empty if the agent's own trimming leaves nothing [Q2.2]", () => {
    const trim = (text: string) => text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, "")
    expect(verdictOf(plain, { text: " \u00a0\n" }, { trim })).toBe("empty_answer")
    expect(verdictOf(plain, { text: "\ufeff" }, { trim })).toBe("valid")
    expect(verdictOf(plain, { text: " " })).toBe("valid")
  })

  it("is at most as long as the agent takes whole [Q2.2]", () => {
    const limit = 40_000
    expect(verdictOf(plain, { text: "x".repeat(limit) }, { textLimit: limit })).toBe("valid")
    expect(verdictOf(plain, { text: "x".repeat(limit + 1) }, { textLimit: limit })).toBe("too_long_for_agent")
    expect(verdictOf(plain, { text: "x".repeat(limit + 1) }, { textLimit: null })).toBe("valid")
  })
})

describe("a batch", () => {
  const failureOf = (
    request: ReturnType<typeof requestOf>,
    input: unknown,
    options?: Answer.ValidateOptions
  ) => Result.getOrThrow(Result.flip(Answer.validate(request, input, options)))

  it("answers every question once, and the error says which one not [Q2.1, Q2.3]", () => {
    const request = requestOf(plain, plain, plain)
    const answer = (i: number) => ({ questionId: `r.${i}`, text: "yes" })
    expect(failureOf(request, [answer(0), answer(2)])).toMatchObject({ rule: "missing_answer", position: 1 })
    expect(failureOf(request, [answer(2), answer(1), answer(2)])).toMatchObject({
      rule: "duplicate_question",
      position: 2
    })
    expect(failureOf(request, [answer(0), answer(1), answer(7)])).toMatchObject({
      rule: "unknown_question",
      position: 2
    })
    expect(failureOf(request, [answer(0), answer(1), answer(2), answer(3)])).toMatchObject({
      rule: "unknown_question",
      position: 3
    })
    expect(failureOf(request, [answer(2), answer(1), { questionId: "r.0", text: "" }])).toMatchObject({
      rule: "empty_answer",
      position: 0
    })
  })

  it("keeps the caller's order beside the question's own [Q2.6]", () => {
    const request = requestOf(boxes, plain)
    const input = [
      { questionId: "r.1", text: "last" },
      { questionId: "r.0", optionIds: ["r.0.2", "r.0.0"] }
    ]
    const valid = Result.getOrThrow(Answer.validate(request, input))
    expect(valid.given).toEqual(input)
    expect(valid.answers).toEqual([
      { questionId: "r.0", optionIds: ["r.0.0", "r.0.2"] },
      { questionId: "r.1", text: "last" }
    ])
  })

  it("is counted in UTF-8 bytes of ids and text, and refused over 8 MiB [Q2.2]", () => {
    const request = requestOf(plain, choice)
    const ids = "r.0".length + "r.1".length + "r.1.0".length
    const input = (text: string) => [
      { questionId: "r.0", text, ignored: "x".repeat(1000) },
      { questionId: "r.1", optionIds: ["r.1.0"] }
    ]
    const room = Answer.maximumBatchBytes - ids
    expect(Result.isSuccess(Answer.validate(request, input("x".repeat(room))))).toBe(true)
    expect(failureOf(request, input("x".repeat(room + 1))).rule).toBe("batch_too_large")
    expect(failureOf(request, input("é".repeat(room / 2 + 1))).rule).toBe("batch_too_large")
    expect(failureOf(request, input("漢".repeat(Math.ceil(room / 3) + 1))).rule).toBe("batch_too_large")
    expect(failureOf(request, input("😀".repeat(Math.ceil(room / 4) + 1))).rule).toBe("batch_too_large")
    expect(Result.isSuccess(Answer.validate(request, input("😀".repeat(Math.floor(room / 4)))))).toBe(true)
    expect(failureOf(request, input("x".repeat(200_000_000))).rule).toBe("batch_too_large")
  })

  it("is copied once: what the caller changes or computes later is not seen [Q2.5]", () => {
    const request = requestOf(boxes)
    const reads = new Map<PropertyKey, number>()
    const counting = <A extends object>(target: A): A =>
      new Proxy(target, {
        get: () => {
          throw new Error("read through a trap")
        },
        getOwnPropertyDescriptor: (object, key) => {
          if (key !== "length") reads.set(key, (reads.get(key) ?? 0) + 1)
          return Reflect.getOwnPropertyDescriptor(object, key)
        }
      })
    const optionIds = ["r.0.1"]
    const input = [{ questionId: "r.0", optionIds }]
    const valid = Result.getOrThrow(Answer.validate(request, [counting({ questionId: "r.0", optionIds })]))
    optionIds.push("r.0.2")
    input.pop()
    expect(valid.answers).toEqual([{ questionId: "r.0", optionIds: ["r.0.1"] }])
    expect([...reads]).toEqual([
      ["questionId", 1],
      ["optionIds", 1]
    ])
  })

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "not_an_array"],
    ["a bare approval", true, "not_an_array"],
    ["one answer outside a list", { questionId: "r.0", text: "yes" }, "not_an_array"],
    ["something like a list", { 0: { questionId: "r.0", text: "yes" }, length: 1 }, "not_an_array"],
    ["a list with a hole", holes(1), "not_plain"],
    ["an endless list of nothing", holes(4_294_967_295), "not_plain"],
    ["a proxy", new Proxy([{ questionId: "r.0", text: "yes" }], {}), "not_plain"],
    [
      "an accessor",
      [Object.defineProperty({ questionId: "r.0" }, "text", { get: () => "yes" })],
      "not_plain"
    ],
    [
      "an accessor beside the fields",
      [Object.defineProperty({ questionId: "r.0", text: "yes" }, "more", { get: () => "yes" })],
      "not_plain"
    ],
    [
      "an accessor beside the items",
      Object.defineProperty([{ questionId: "r.0", text: "yes" }], "more", { get: () => "yes" }),
      "not_plain"
    ],
    ["an inherited answer", [Object.create({ questionId: "r.0", text: "yes" })], "malformed"],
    ["a string object", [{ questionId: "r.0", text: Object("yes") }], "malformed"],
    ["an answer that is a list", [["r.0", "yes"]], "malformed"],
    ["nobody", [null], "malformed"]
  ])("of the wrong form: %s [Q2.2, Q2.5]", (_, input, rule) => {
    const failure = failureOf(requestOf(plain), input, { isProxy: types.isProxy })
    expect(failure.rule).toBe(rule)
  })

  it("with a throwing trap is one error where no proxy can be told [Q2.5]", () => {
    const trap = new Proxy([], {
      ownKeys: () => {
        throw new Error("trap")
      }
    })
    expect(failureOf(requestOf(plain), trap).rule).toBe("not_plain")
  })

  it("an error prints its rule and position, and no content [Q2.3]", () => {
    const failure = failureOf(requestOf(plain), [{ questionId: "r.0", text: "planted \u0007 marker" }])
    expect(JSON.stringify(failure)).not.toContain("planted")
    expect(String(failure) + failure.message + (failure.stack ?? "")).not.toContain("planted")
    expect(failure).toMatchObject({ code: "invalid_question_answer", rule: "control_character", position: 0 })
  })
})
