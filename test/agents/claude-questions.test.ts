import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import type { QuestionAnswer } from "../../src/core/question/QuestionAnswer.ts"
import type { QuestionEvent } from "../../src/core/question/QuestionEvent.ts"
import type { Question, QuestionRequest } from "../../src/core/question/QuestionRequest.ts"
import * as Script from "../../src/layers/testing/Script.ts"
import * as GovernedClaude from "./lib/GovernedClaude.ts"
import * as Raised from "../fixtures/Raised.ts"

const option = (label: string) => ({ label, description: `About ${label}` })

const colour = {
  question: "Which colour?",
  header: "Colour",
  multiSelect: false,
  options: ["Red", "Green", "Blue"].map(option)
}
const toppings = {
  question: "Which toppings?",
  header: "Toppings",
  multiSelect: true,
  options: ["Cheese", "Olives", "Basil"].map(option)
}

const script = Script.make({
  single: [
    Script.reply(Script.tool("AskUserQuestion", { questions: [colour] }, "toolu_q")),
    Script.reply(Script.text("Thank you."))
  ],
  grouped: [
    Script.reply(Script.tool("AskUserQuestion", { questions: [colour, toppings] }, "toolu_q")),
    Script.reply(Script.text("Thank you."))
  ]
})

const pick = (question: Question, ...labels: ReadonlyArray<string>): QuestionAnswer => ({
  questionId: question.id,
  optionIds: question.options.filter(({ label }) => labels.includes(label)).map(({ id }) => id)
})

/** Long, with everything that a field could mangle: both line ends, tabs, carets, blanks at line ends. */
const long = [
  "first line",
  "\tindented by a tab",
  "❯ 1. looks like a row",
  "  ends in blanks   ",
  ...Array.from({ length: 12 }, (_, line) => `line ${line}: ünï 漢字 😀 ${"word ".repeat(10)}`),
  "Type something."
].join("\n")

const answers: Readonly<
  Record<
    string,
    {
      readonly script: string
      readonly give: (request: QuestionRequest) => ReadonlyArray<QuestionAnswer>
      /** The tool result as the model server receives it. */
      readonly told: ReadonlyArray<string>
    }
  >
> = {
  "a single choice": {
    script: "single",
    give: ({ questions }) => [pick(questions[0], "Green")],
    told: ['"Which colour?"="Green"']
  },
  "a grouped set with a multi-select": {
    script: "grouped",
    give: ({ questions: [first, second] }) => [pick(first, "Blue"), pick(second!, "Basil", "Cheese")],
    told: ['"Which colour?"="Blue"', '"Which toppings?"="Cheese, Basil"']
  },
  "a free text of many lines": {
    script: "single",
    give: ({ questions }) => [
      {
        questionId: questions[0].id,
        text: long.replace("first line\n", "first line\r\n").replace("\n❯", "\r❯")
      }
    ],
    told: [`"Which colour?"="${long}"`]
  }
}

describe.for(["hook", "editor"] as const)(
  "questions of the real Claude Code, answered through its %s",
  (way) => {
    for (const [name, { give, script: conversation, told }] of Object.entries(answers)) {
      it.live(`${name} reaches the model exactly [Q4.5, Q5.2, Q5.4, Q5.5, Q8.1, Q8.2]`, () =>
        Effect.gen(function* () {
          const { model, session } = yield* GovernedClaude.start({
            policy: '{"permission": {"*": "ask"}}',
            script,
            answerThrough: way
          })
          const events: Array<QuestionEvent> = []
          yield* session.events.pipe(
            Stream.runForEach((event) =>
              Effect.sync(() => void (event._tag === "question" && events.push(event.event)))
            ),
            Effect.forkScoped
          )
          const turn = yield* Effect.forkScoped(session.send(`Please. SCRIPT:${conversation}`))
          const request = yield* Raised.first(session)
          assert.strictEqual(request.agent, "claude")
          assert.deepStrictEqual(
            request.questions.map(({ selection, textMode }) => [selection, textMode]),
            request.questions.map((_, index) =>
              index === 0 ? ["single", "alternative"] : ["multiple", "additional"]
            )
          )
          yield* session.questions.answer(request.id, give(request))
          const result = yield* model.toolResult("toolu_q")
          assert.isFalse(result.isError)
          for (const part of told) assert.include(result.text, part)
          assert.deepStrictEqual(yield* session.questions.list, [])
          assert.strictEqual((yield* Fiber.join(turn)).text, "Thank you.")
          assert.deepStrictEqual(
            events.map((event) => (event.phase === "closed" ? event.closure : event.phase)),
            ["raised", { reason: "answered", by: "host" }]
          )
          yield* session.stop
        }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
      )
    }
  }
)
