import { describe, expect, it } from "@effect/vitest"
import * as AskUserQuestion from "../../../src/adapters/claude/AskUserQuestion.ts"
import { dialect } from "../../../src/adapters/claude/ClaudeDialect.ts"
import type { QuestionDefinition } from "../../../src/core/question/QuestionDefinition.ts"
import {
  type QuestionRequest,
  RequestId,
  fromDefinitions
} from "../../../src/core/question/QuestionRequest.ts"
import type { EditorStep } from "../../../src/core/session/Dialect.ts"
import type { Frame } from "../../../src/core/session/Frame.ts"
import * as Recorded from "./Recorded.ts"

const { questions, screen } = dialect
const up = "\u001B[A"
const down = "\u001B[B"
const tab = "\t"
const back = "\u001B[Z"
const enter = "\r"

/** The questions of a scene, as the program itself told them to a hook. */
const asked = (scene: string, index = 0): ReadonlyArray<QuestionDefinition> => {
  const facts = Recorded.hooks(scene).map(dialect.hooks.decode)
  const found = facts.flatMap((fact) =>
    fact._tag === "question_requested" && fact.phase === "tool" ? [fact.definitions] : []
  )
  return found[index]!
}

const requestOf = (definitions: ReadonlyArray<QuestionDefinition>): QuestionRequest => {
  const [first, ...rest] = definitions
  return fromDefinitions(RequestId.make("r"), "claude", "blocking", [first!, ...rest])
}

/** An answer to each question: options by position, and text. */
type Given = ReadonlyArray<{ readonly options?: ReadonlyArray<number>; readonly text?: string }>

const answersTo = ({ questions }: QuestionRequest, given: Given) =>
  given.map(({ options = [], text }, index) => ({
    questionId: questions[index]!.id,
    ...(options.length === 0 ? {} : { optionIds: options.map((at) => questions[index]!.options[at]!.id) }),
    ...(text === undefined ? {} : { text })
  }))

const next = (frame: Frame, definitions: ReadonlyArray<QuestionDefinition>, given: Given): EditorStep => {
  const request = requestOf(definitions)
  return questions.next(frame, request, answersTo(request, given))
}

const keysOf = (step: EditorStep) => (step._tag === "type" || step._tag === "submit" ? step.keys : null)
const submits = (keys: string): EditorStep => ({ _tag: "submit", keys })

const single = asked("single")
const multi = asked("multi")
const grouped = asked("grouped")
const preview = asked("special", 0)
const long = asked("special", 1)

describe("which questions a frame shows", () => {
  it("their own, at any page that names them, and no others [Q5.1, Q5.6]", () => {
    for (const size of Recorded.sizes) {
      const shows = (name: string, definitions: ReadonlyArray<QuestionDefinition>) =>
        questions.shows(Recorded.frame(name, size), definitions)
      for (const name of ["single", "single-second", "single-text-lines", "single-text-wrapped"]) {
        expect(shows(name, single), name).toBe(true)
        expect(shows(name, multi), name).toBe(false)
        expect(shows(name, grouped), name).toBe(false)
      }
      for (const name of Recorded.names(size).filter((name) => name.startsWith("grouped-"))) {
        if (name === "grouped-answered") continue
        expect(shows(name, grouped), name).toBe(true)
        expect(shows(name, single), name).toBe(false)
      }
      expect(shows("multi-review", multi)).toBe(true)
      expect(shows("preview", preview)).toBe(true)
      expect(shows("long", long)).toBe(true)
      // Too little of them is on the screen to say whose they are.
      expect(shows("single-text-tall", single)).toBe(false)
      expect(shows("composer-empty", single)).toBe(false)
    }
  })

  it("a changed word makes them others [Q3.3, Q5.6]", () => {
    const frame = Recorded.frame("single")
    const [first] = single
    const variants: ReadonlyArray<QuestionDefinition> = [
      { ...first!, prompt: "Which colour should the button have" },
      { ...first!, header: "Colours" },
      { ...first!, options: first!.options.toReversed() },
      { ...first!, options: first!.options.slice(1) },
      { ...first!, options: first!.options.map((option) => ({ ...option, description: "other" })) },
      { ...first!, selection: "multiple", textMode: "additional" },
      { ...first!, textMode: "additional" }
    ]
    for (const variant of variants) expect(questions.shows(frame, [variant])).toBe(false)
    expect(questions.shows(frame, [...single, ...single])).toBe(false)
  })
})

describe("answering a lone choice", () => {
  it("its digit, once an option has the keys [Q4.4, Q5.2]", () => {
    for (const size of Recorded.sizes) {
      const step = (name: string, option: number) =>
        next(Recorded.frame(name, size), single, [{ options: [option] }])
      expect(step("single", 1)).toEqual(submits("2"))
      expect(step("single-second", 0)).toEqual(submits("1"))
      // In the field a digit would be text.
      expect(keysOf(step("single-text-line", 1))).toBe(up)
      expect(keysOf(step("single-text-left", 1))).toBe(up)
      expect(step("single-text-lines", 1)._tag).toBe("type")
    }
  })

  it("own text: into the field by arrows, pasted, read back, then Enter once [Q4.4, Q5.2]", () => {
    for (const size of Recorded.sizes) {
      const step = (name: string, text: string) => next(Recorded.frame(name, size), single, [{ text }])
      expect(keysOf(step("single", "maroon please"))).toBe(down + down)
      expect(keysOf(step("single-second", "maroon please"))).toBe(down)
      expect(keysOf(step("single-text-left", "maroon please"))).toBe(up)
      expect(keysOf(step("single-text-empty", "a\r\nb\rc"))).toBe("\u001B[200~a\nb\nc\u001B[201~")
      expect(step("single-text-line", "maroon please")).toEqual(submits(enter))
      // The placeholder is no text, and a text of its words is none of it.
      expect(keysOf(step("single-text-empty", "Type something."))).toBe(
        "\u001B[200~Type something.\u001B[201~"
      )
      const lines =
        "first line\nsecond line\n\n\tfourth with a tab\n❯ 1. Green\n   trailing   \nünï 漢字 😀 end"
      expect(step("single-text-lines", lines)).toEqual(submits(enter))
      const wrapped = "word ".repeat(80) + "x".repeat(400) + " end"
      expect(step("single-text-wrapped", wrapped)).toEqual(submits(enter))
    }
  })

  it("a field that holds anything else is cleared, and nothing is submitted [Q4.4]", () => {
    const step = (name: string, text: string) => next(Recorded.frame(name), single, [{ text }])
    for (const text of ["maroon pleas", "maroon please!", "Maroon please", "please maroon"]) {
      const wrong = step("single-text-line", text)
      expect(wrong._tag, text).toBe("type")
      expect(keysOf(wrong), text).toMatch(/^\u000B+\u0015+$/)
    }
    expect(keysOf(step("single-text-lines", "first line\nsecond line"))).toMatch(/^\u000B+\u0015+$/)
  })

  it("a field taller than the screen is read as far as it is on it [Q4.4]", () => {
    const lines = (count: number, last = "") =>
      Array.from({ length: count }, (_, index) => `line ${index + 1} of the text`).join("\n") + last
    const step = (text: string, size?: "100x40") =>
      next(Recorded.frame("single-text-tall", size), single, [{ text }])
    expect(step(lines(60))).toEqual(submits(enter))
    expect(step(lines(60), "100x40")).toEqual(submits(enter))
    expect(keysOf(step(lines(60, "!")))).toMatch(/^\u000B+\u0015+$/)
    expect(keysOf(step(lines(59)))).toMatch(/^\u000B+\u0015+$/)
    // Not an editor of this question's rows.
    const frame = Recorded.frame("single-text-tall")
    expect(next(frame, long, [{ options: [0] }])._tag).toBe("unrecognised")
    expect(next(frame, multi, [{ text: lines(60) }])._tag).toBe("unrecognised")
  })

  it("no answer is typed that the program would take for a refusal [Q2.2]", () => {
    for (const text of ["", "   ", "\n\t\n"]) {
      expect(next(Recorded.frame("single-text-empty"), single, [{ text }])._tag).toBe("unrecognised")
      expect(next(Recorded.frame("single-text-line"), single, [{ text }])._tag).toBe("unrecognised")
    }
    expect(questions.next(Recorded.frame("single"), requestOf(single), [])._tag).toBe("unrecognised")
  })
})

describe("answering checkboxes", () => {
  const step = (name: string, given: Given[number], size?: "100x40") =>
    next(Recorded.frame(name, size), multi, [given])

  it("boxes are turned over until they are right, then the page is left [Q5.2, Q4.9]", () => {
    expect(keysOf(step("multi", { options: [1, 2] }))).toBe("2")
    expect(keysOf(step("multi-checked", { options: [1, 2] }))).toBe("1")
    expect(keysOf(step("multi-checked", { options: [0, 2] }))).toBe(tab)
    expect(keysOf(step("multi-text", { options: [0] }))).toBe(up)
    expect(step("multi-checked", { options: [0, 2] })._tag).toBe("type")
  })

  it("own text beside them: never by its digit, never Enter in its row [Q4.9]", () => {
    const text = "with, comma\nand a second line"
    expect(keysOf(step("multi-checked", { options: [0, 2], text }))).toBe(down + down + down)
    expect(keysOf(step("multi-text-empty", { options: [0, 2], text }))).toBe(`\u001B[200~${text}\u001B[201~`)
    expect(keysOf(step("multi-text", { options: [0, 2], text }))).toBe(down)
    expect(keysOf(step("multi-submit", { options: [0, 2], text }))).toBe(enter)
    expect(keysOf(step("multi-submit", { options: [0, 2] }))).toBe(up)
    expect(keysOf(step("multi-text", { options: [0, 2] }))).toMatch(/^\u000B+\u0015+$/)
  })

  it("only the review page submits, and only what was wanted [Q4.4, Q5.2]", () => {
    const text = "with, comma\nand a second line"
    for (const size of [undefined, "100x40"] as const) {
      expect(step("multi-review", { options: [0, 2], text }, size)).toEqual(submits(enter))
      expect(keysOf(step("multi-review", { options: [0, 2] }, size))).toBe(back)
      expect(keysOf(step("multi-review", { options: [0], text }, size))).toBe(back)
      expect(keysOf(step("multi-review", { options: [0, 2], text: `${text}!` }, size))).toBe(back)
    }
  })

  it("a review page taller than the screen is read as far as it is on it [Q4.4]", () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1} of the text`).join("\n")
    expect(keysOf(step("multi-text-tall", { text: lines }))).toBe(down)
    expect(keysOf(step("multi-text-tall-submit", { text: lines }))).toBe(enter)
    expect(step("multi-review-tall", { text: lines })).toEqual(submits(enter))
    expect(step("multi-review-tall", { text: `${lines}!` })._tag).toBe("unrecognised")
    expect(step("multi-review-tall", { options: [0] })._tag).toBe("unrecognised")
  })
})

describe("answering several questions", () => {
  const given = [{ options: [1] }, { options: [1] }, { text: "teal\nor so" }]
  const step = (name: string, wanted: Given = given, size?: "100x40") =>
    next(Recorded.frame(name, size), grouped, wanted)

  it("each page by itself, forward while it is right [Q5.2, Q4.9]", () => {
    for (const size of [undefined, "100x40"] as const) {
      expect(keysOf(step("grouped-first", given, size))).toBe("2")
      expect(keysOf(step("grouped-second", given, size))).toBe("2")
      expect(keysOf(step("grouped-second-checked", given, size))).toBe(tab)
      expect(keysOf(step("grouped-second-next", given, size))).toBe(enter)
      expect(keysOf(step("grouped-first-revisited", given, size))).toBe(tab)
      expect(keysOf(step("grouped-first-revisited", [{ options: [0] }, ...given.slice(1)], size))).toBe("1")
      expect(keysOf(step("grouped-third", given, size))).toBe(down + down)
      expect(keysOf(step("grouped-third-text", given, size))).toBe("\u001B[200~teal\nor so\u001B[201~")
      expect(keysOf(step("grouped-third-text-filled", given, size))).toBe(enter)
    }
  })

  it("a text is taken anew, whatever mark stands behind it [Q4.4]", () => {
    expect(keysOf(step("grouped-third-taken"))).toBe(down + down)
    expect(keysOf(step("grouped-third-revisited"))).toBe(down + down)
  })

  it("no page submits but the review page, and it goes back where an answer differs [Q4.4]", () => {
    for (const name of Recorded.names("189x48").filter((name) => name.startsWith("grouped-"))) {
      if (!name.startsWith("grouped-review")) expect(step(name)._tag, name).not.toBe("submit")
    }
    expect(step("grouped-review")).toEqual(submits(enter))
    expect(step("grouped-review-again")).toEqual(submits(enter))
    expect(keysOf(step("grouped-review-incomplete"))).toBe(back.repeat(2))
    expect(keysOf(step("grouped-review", [{ options: [0] }, ...given.slice(1)]))).toBe(back.repeat(3))
    expect(keysOf(step("grouped-review", [given[0]!, { options: [0] }, given[2]!]))).toBe(back.repeat(2))
  })
})

describe("answering with previews", () => {
  const step = (name: string, given: Given[number], size?: "100x40") =>
    next(Recorded.frame(name, size), preview, [given])

  it("a digit selects, Enter takes; notes are pasted and read back [Q5.2]", () => {
    for (const size of [undefined, "100x40"] as const) {
      expect(step("preview", { options: [0] }, size)).toEqual(submits(enter))
      expect(keysOf(step("preview", { options: [1] }, size))).toBe("2")
      expect(step("preview", { options: [1] }, size)._tag).toBe("type")
      const noted = { options: [1], text: "my note\nsecond line" }
      expect(keysOf(step("preview-second", noted, size))).toBe("n")
      expect(keysOf(step("preview-notes-empty", noted, size))).toBe(
        "\u001B[200~my note\nsecond line\u001B[201~"
      )
      expect(step("preview-notes", noted, size)).toEqual(submits(enter))
      expect(keysOf(step("preview-notes", { options: [1], text: "other" }, size))).toMatch(/^\u000B+\u0015+$/)
      // The wrong option is selected, and the notes cannot be left.
      expect(step("preview-notes", { options: [0], text: "my note\nsecond line" }, size)._tag).toBe(
        "unrecognised"
      )
    }
  })
})

describe("keys", () => {
  const cases: ReadonlyArray<readonly [ReadonlyArray<QuestionDefinition>, Given]> = [
    [single, [{ options: [1] }]],
    [single, [{ text: "maroon please" }]],
    [multi, [{ options: [0, 2], text: "with, comma\nand a second line" }]],
    [grouped, [{ options: [1] }, { options: [1] }, { text: "teal\nor so" }]],
    [preview, [{ options: [1], text: "my note\nsecond line" }]],
    [long, [{ options: [1] }]]
  ]

  it("none on a frame that shows other things, and none on a frame with a row missing [Q4.3, Q4.8, S6.3]", () => {
    for (const name of Recorded.names("189x48")) {
      const frame = Recorded.frame(name)
      for (const [definitions, given] of cases) {
        const full = next(frame, definitions, given)
        if (screen.read(frame)._tag !== "question") expect(full._tag, name).toBe("unrecognised")
        // What was drawn so far, row by row.
        for (let rows = 0; rows < frame.lines.findLastIndex(({ text }) => text.trim() !== ""); rows++) {
          const lines = frame.lines.map((line, row) =>
            row < rows ? line : { text: "", wrapped: false, marks: [] }
          )
          expect(keysOf(next({ ...frame, lines }, definitions, given)), `${name} ${rows}`).toBe(null)
        }
      }
    }
  })

  it("a paste is text alone: no marker, no control, LF for every line end [S3.4, Q5.5]", () => {
    expect(dialect.screen.keys.prompt("a\r\nb\rc\td\u0000\u001B[201~e\u0003\u009B1m")).toBe(
      "\u001B[200~a\nb\nc\td[201~e1m\u001B[201~"
    )
  })
})

describe("what the record must hold", () => {
  const expected = (definitions: ReadonlyArray<QuestionDefinition>, given: Given) => {
    const request = requestOf(definitions)
    return questions.expected(request, answersTo(request, given))
  }

  it("is what the program wrote down, in every recorded answer [Q4.5]", () => {
    const recorded = (scene: string) =>
      Recorded.hooks(scene)
        .map(dialect.hooks.decode)
        .flatMap((fact) => (fact._tag === "question_completed" ? [fact.answers] : []))
    expect(recorded("single")).toEqual([
      expected(single, [{ text: "first line\r\nsecond line" }]),
      expected(single, [{ options: [0] }])
    ])
    expect(recorded("multi")[0]).toEqual(
      expected(multi, [{ options: [2, 0], text: "with, comma\nand a second line" }])
    )
    expect(recorded("grouped")).toEqual([
      expected(grouped, [{ options: [1] }, { options: [1] }, { text: "teal\nor so" }])
    ])
    expect(recorded("special")[0]).toEqual(
      expected(preview, [{ options: [1], text: "my note\nsecond line" }])
    )
  })

  it("an item that could be taken for several is quoted, others are not [Q4.5]", () => {
    expect(["a, b", 'a"b', "a,b", "a\tb", " a ", "a\nb"].map(AskUserQuestion.quoteItem)).toEqual([
      '"a, b"',
      '"a\\"b"',
      "a,b",
      "a\tb",
      " a ",
      "a\nb"
    ])
  })
})
