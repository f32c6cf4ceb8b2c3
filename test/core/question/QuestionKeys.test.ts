import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Key } from "../../../src/core/ask/Keys.ts"
import * as TerminalText from "../../../src/core/ask/TerminalText.ts"
import * as TerminalView from "../../../src/core/ask/TerminalView.ts"
import * as Answer from "../../../src/core/question/Answer.ts"
import * as QuestionKeys from "../../../src/core/question/QuestionKeys.ts"
import * as QuestionLines from "../../../src/core/question/QuestionLines.ts"
import {
  OptionId,
  QuestionId,
  RequestId,
  type Question,
  type QuestionRequest
} from "../../../src/core/question/QuestionRequest.ts"
import * as QuestionGenerators from "../../../src/layers/testing/QuestionGenerators.ts"
import { chars, named, screen } from "../ask/Fixtures.ts"

const SIZE = { columns: 60, rows: 20 }

const question = (over: Partial<Question> = {}, id = "q"): Question => ({
  id: QuestionId.make(id),
  prompt: "Which one?",
  options: ["Red", "Green", "Blue"].map((label) => ({ id: OptionId.make(`${id}-${label}`), label })),
  selection: "single",
  textMode: "none",
  supportsSecretInput: false,
  ...over
})

const request = (...questions: readonly [Question, ...Array<Question>]): QuestionRequest => ({
  id: RequestId.make("r"),
  agent: "claude",
  delivery: "blocking",
  questions
})

const shown = (state: QuestionKeys.State) => QuestionKeys.confirm(state, state)

const armed = (asked: QuestionRequest, size = SIZE) => shown(QuestionKeys.open(asked, size))

const press = (state: QuestionKeys.State, ...keys: ReadonlyArray<Key>) =>
  keys.reduce((before, key) => QuestionKeys.press(before, key), state)

const text = (state: QuestionKeys.State) => screen(QuestionKeys.view(state, "")).join("\n")

const ENTER = named("enter")
const DOWN = named("down")
const RIGHT = named("right")

describe("QuestionKeys", () => {
  it("answers a single choice in two steps: choose, submit", () => {
    const state = press(armed(request(question())), DOWN, ENTER)
    assert.isNull(state.result)
    assert.include(text(state), "(•) Green")
    assert.include(text(state), "❯ Submit")
    assert.deepStrictEqual(press(state, ENTER).result, {
      _tag: "answered",
      answers: [{ questionId: QuestionId.make("q"), optionIds: [OptionId.make("q-Green")] }]
    })
  })

  it("chooses by number, and only what is there", () => {
    assert.include(text(press(armed(request(question())), ...chars("3"))), "(•) Blue")
    assert.notInclude(text(press(armed(request(question())), ...chars("7"))), "(•)")
  })

  it("keys before the paint is confirmed change nothing [P6.1]", () => {
    const state = QuestionKeys.open(request(question()), SIZE)
    assert.strictEqual(press(state, ENTER, ENTER, named("escape"), ...chars("1")), state)
    const resized = QuestionKeys.resize(armed(request(question())), { columns: 40, rows: 10 })
    assert.strictEqual(press(resized, ENTER), resized)
  })

  it("takes any number of checkboxes, in the order of the options [Q2.6]", () => {
    const state = press(
      armed(request(question({ selection: "multiple" }))),
      ...chars("31"),
      ENTER,
      ENTER,
      named("end"),
      ENTER
    )
    assert.deepStrictEqual(state.result, {
      _tag: "answered",
      answers: [
        { questionId: QuestionId.make("q"), optionIds: [OptionId.make("q-Red"), OptionId.make("q-Blue")] }
      ]
    })
  })

  it("refuses to submit what is no answer, and says so [Q2.2]", () => {
    for (const asked of [
      question(),
      question({ selection: "multiple" }),
      question({ selection: "none", options: [], textMode: "alternative" })
    ]) {
      const state = press(armed(request(asked)), named("escape"))
      if (asked.selection !== "none") continue
      const refused = press(state, ENTER)
      assert.isNull(refused.result)
      assert.include(text(refused), "not answered yet")
    }
    assert.isNull(press(armed(request(question())), named("end"), ENTER).result)
  })

  it("takes text in place of an option, typed and pasted, with its lines and tabs [Q1.2] [Q5.5]", () => {
    const state = press(
      armed(request(question({ textMode: "alternative" }))),
      ...chars("1"),
      named("up"),
      ...chars("My own"),
      { _tag: "paste", text: ":\r\n\tthis\x1b" },
      ENTER
    )
    assert.notInclude(text(state), "(•) Red")
    assert.deepStrictEqual(press(state, ENTER).result, {
      _tag: "answered",
      answers: [{ questionId: QuestionId.make("q"), text: "My own:\n\tthis" }]
    })
  })

  it("sets a text aside when an option is chosen instead, and keeps it [Q2.2]", () => {
    const typed = press(
      armed(request(question({ textMode: "alternative" }))),
      named("end"),
      named("up"),
      ...chars("other")
    )
    const chosen = press(typed, named("up"), ENTER)
    assert.deepStrictEqual(press(chosen, ENTER).result, {
      _tag: "answered",
      answers: [{ questionId: QuestionId.make("q"), optionIds: [OptionId.make("q-Blue")] }]
    })
    assert.include(text(chosen), "( ) Something else: other")
  })

  it("takes a note beside an option, and no note without one [Q2.2]", () => {
    const asked = request(question({ textMode: "additional" }))
    const alone = press(armed(asked), named("end"), named("up"), ...chars("note"), ENTER, ENTER)
    assert.isNull(alone.result)
    const both = press(armed(asked), ...chars("2"), ...chars("note"), ENTER, ENTER)
    assert.deepStrictEqual(both.result, {
      _tag: "answered",
      answers: [{ questionId: QuestionId.make("q"), optionIds: [OptionId.make("q-Green")], text: "note" }]
    })
  })

  it("goes through a group and reviews it before anything is submitted", () => {
    const asked = request(
      question({}, "a"),
      question({ selection: "multiple", prompt: "Which?" }, "b"),
      question({ selection: "none", options: [], textMode: "alternative" }, "c")
    )
    const filled = press(armed(asked), ENTER, ENTER, ...chars("12"), RIGHT, ...chars("words"), named("tab"))
    for (const line of ["your answers to claude", "✓ Red", "✓ Green", "✎ words", "❯ Submit"]) {
      assert.include(text(filled), line)
    }
    assert.deepStrictEqual(press(filled, ENTER).result, {
      _tag: "answered",
      answers: [
        { questionId: QuestionId.make("a"), optionIds: [OptionId.make("a-Red")] },
        { questionId: QuestionId.make("b"), optionIds: [OptionId.make("b-Red"), OptionId.make("b-Green")] },
        { questionId: QuestionId.make("c"), text: "words" }
      ]
    })
  })

  it("leads from the review to what is missing", () => {
    const asked = request(question({}, "a"), question({}, "b"))
    const review = press(armed(asked), ...chars("1"), RIGHT, RIGHT)
    assert.include(text(review), "not answered")
    const back = press(review, ENTER)
    assert.isNull(back.result)
    assert.include(text(back), "2 of 2")
    assert.include(text(press(review, named("up"), named("up"), ENTER)), "1 of 2")
  })

  it("leaves the question to the agent on Esc and Ctrl+C, out of a text first by Esc [Q3.7]", () => {
    const asked = request(question({ textMode: "alternative" }))
    assert.deepStrictEqual(press(armed(asked), named("escape")).result, { _tag: "left" })
    assert.deepStrictEqual(press(armed(asked), { _tag: "ctrl", letter: "c" }).result, { _tag: "left" })
    const inText = press(armed(asked), named("end"), named("up"), ...chars("x"), named("escape"))
    assert.isNull(inText.result)
    assert.deepStrictEqual(press(inText, named("escape")).result, { _tag: "left" })
  })

  it("cuts descriptions and previews with an ellipsis, and shows them whole on demand [P2.2] [P2.4]", () => {
    const option = {
      id: OptionId.make("o"),
      label: "Long",
      description: "word ".repeat(60),
      preview: Array.from({ length: 20 }, (_, index) => `row ${index}`).join("\n")
    }
    const state = armed(request(question({ options: [option] })), { columns: 60, rows: 60 })
    assert.match(text(state), /word…/)
    assert.notInclude(text(state), "row 19")
    const whole = press(state, { _tag: "ctrl", letter: "o" })
    assert.include(text(whole), "row 19")
    assert.isNull(whole.result)
  })

  it("shows a long prompt first, and takes nothing that is not on the screen", () => {
    const state = armed(request(question({ prompt: "line\n".repeat(30) })))
    assert.include(text(state), "│ line")
    const revealed = press(state, ENTER)
    assert.include(text(revealed), "❯ 1. ( ) Red")
    assert.include(text(press(revealed, ENTER)), "(•) Red")
    assert.include(text(press(revealed, named("page_up"), named("page_up"))), "│ line")
  })

  it("follows the focus through a form taller than the terminal", () => {
    const options = Array.from({ length: 40 }, (_, index) => ({
      id: OptionId.make(`o${index}`),
      label: `Option ${index}`
    }))
    let state = armed(request(question({ options })))
    for (let index = 0; index < 40; index++) {
      assert.match(text(state), new RegExp(`❯ ${index + 1}\\.`))
      state = press(state, DOWN)
    }
    for (let index = 40; index > 0; index--) {
      state = press(state, named("up"))
      assert.match(text(state), new RegExp(`❯ ${index}\\.`))
    }
  })

  it("shows controls in prompt and labels as escapes [P2.6]", () => {
    const state = armed(
      request(question({ prompt: "\x1b[2Jsafe\u202e", options: [{ id: OptionId.make("o"), label: "a\rb" }] }))
    )
    assert.include(text(state), "\\u{1b}[2Jsafe\\u{202e}")
    assert.include(text(state), "a\\rb")
    assert.include(text(state), "Hidden characters are shown as escapes.")
  })

  const KEYS: ReadonlyArray<Key> = [
    ...(
      [
        "enter",
        "enter",
        "tab",
        "back_tab",
        "up",
        "down",
        "left",
        "right",
        "page_up",
        "page_down",
        "home",
        "end",
        "backspace"
      ] as const
    ).map(named),
    ...chars(" 12x"),
    { _tag: "ctrl", letter: "o" },
    { _tag: "paste", text: "some\r\ntext\x07" }
  ]

  it.prop(
    "whatever is pressed: fits, and what it submits is a valid answer [Q2.2] [P2.7]",
    [
      QuestionGenerators.request,
      Arbitrary.array(
        Arbitrary.map(
          Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: KEYS.length - 1 }))),
          (index) => KEYS[index] ?? ENTER
        ),
        { minLength: 1, maxLength: 60 }
      ),
      Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 3, maximum: 120 }))),
      Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 3, maximum: 50 })))
    ],
    ([asked, keys, columns, rows]) => {
      let state = armed(asked, { columns, rows })
      for (const key of keys) {
        state = QuestionKeys.press(state, key)
        const view = QuestionKeys.view(state, "since 10:00:00")
        assert.isAtMost(view.rows.length, rows)
        for (const row of view.rows) assert.isAtMost(TerminalText.width(TerminalView.text(row)), columns)
        if (state.result?._tag === "answered") {
          assert.isTrue(Result.isSuccess(Answer.validate(asked, state.result.answers)))
        }
      }
    },
    { arbitrary: { runs: 400 } }
  )
})

describe("QuestionLines", () => {
  const both = question({ selection: "multiple", textMode: "additional" })

  it("prints everything", () => {
    const lines = QuestionLines.render(question({ header: "Colour", textMode: "alternative" }), 60).join("\n")
    for (const part of ["Colour", "Which one?", "1. ( ) Red", "3. ( ) Blue", "Something else:"]) {
      assert.include(lines, part)
    }
  })

  it.each<[Question, string, QuestionLines.Reply]>([
    [
      question(),
      "417 2",
      { _tag: "answer", answer: { questionId: QuestionId.make("q"), optionIds: [OptionId.make("q-Green")] } }
    ],
    [
      both,
      "417 3, 1",
      {
        _tag: "answer",
        answer: {
          questionId: QuestionId.make("q"),
          optionIds: [OptionId.make("q-Red"), OptionId.make("q-Blue")]
        }
      }
    ],
    [
      both,
      "417 1 text: why 2?",
      {
        _tag: "answer",
        answer: { questionId: QuestionId.make("q"), optionIds: [OptionId.make("q-Red")], text: "why 2?" }
      }
    ],
    [
      question({ textMode: "alternative" }),
      "417 text: 3",
      { _tag: "answer", answer: { questionId: QuestionId.make("q"), text: "3" } }
    ],
    [question(), "leave 417", { _tag: "left" }]
  ])("reads an answer with the code just shown [P6.1]", (asked, line, reply) => {
    assert.deepStrictEqual(QuestionLines.read(line, asked, "417"), reply)
  })

  it.each([
    [question(), "2"],
    [question(), "418 2"],
    [question(), "417 1 2"],
    [question(), "417 9"],
    [question(), "417"],
    [question(), "417 text: x"],
    [both, "417 1 1"],
    [question({ textMode: "alternative" }), "417 1 text: x"],
    [question({ textMode: "additional" }), "417 text: x"],
    [question({ selection: "none", textMode: "alternative" }), "417 1"]
  ])("takes anything else for no answer [P6.1] [Q2.2]", (asked, line) => {
    assert.deepStrictEqual(QuestionLines.read(line, asked, "417"), { _tag: "unclear" })
  })
})
