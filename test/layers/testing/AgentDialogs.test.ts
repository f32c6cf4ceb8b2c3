import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Keys from "../../../src/core/ask/Keys.ts"
import type { Frame } from "../../../src/core/session/Frame.ts"
import * as AgentComposer from "../../../src/layers/testing/AgentComposer.ts"
import * as AgentDraft from "../../../src/layers/testing/AgentDraft.ts"
import * as AgentPermission from "../../../src/layers/testing/AgentPermission.ts"
import * as AgentQuestion from "../../../src/layers/testing/AgentQuestion.ts"
import * as AgentQuestionView from "../../../src/layers/testing/AgentQuestionView.ts"
import type * as AgentRows from "../../../src/layers/testing/AgentRows.ts"

const RECORDED = new URL("../../fixtures/recorded/claude/2.1.305/", import.meta.url)

const recorded = (size: string, name: string): Frame =>
  JSON.parse(readFileSync(new URL(`${size}/${name}.json`, RECORDED), "utf8"))

/** A row as it looks: its text without trailing blanks, and its marks. */
const looks = (text: string, marks: ReadonlyArray<readonly [start: number, end: number, style: string]>) => ({
  text: text.trimEnd(),
  marks: marks.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
})

const drawn = ({ text, spans }: AgentRows.Row) =>
  looks(
    text,
    spans.map(({ start, end, style }) => [start, end, style] as const)
  )

/** The dialog of a recorded frame: from its rule, or the blank row before it, to the last row. */
const dialogOf = (frame: Frame, from: RegExp) => {
  const lines = frame.lines.map(({ text, marks }) =>
    looks(
      text,
      marks.map(({ start, end, bold, dim }) => [start, end, bold ? "bold" : dim ? "dim" : "inverse"] as const)
    )
  )
  const header = lines.findLastIndex((line) => from.test(line.text))
  const start = lines.findLastIndex((line, index) => index < header && /^─+$/.test(line.text))
  const end = lines.findLastIndex((line) => line.text !== "")
  return { start, rows: lines.slice(start, end + 1) }
}

const keys = (text: string): ReadonlyArray<Keys.Key> => {
  const first = Keys.decode(Keys.empty, text)
  return [...first.keys, ...Keys.flush(first.decoder).keys]
}

const down = "\u001b[B"
const up = "\u001b[A"
const backTab = "\u001b[Z"
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`

const single = {
  question: "Which colour should the button have?",
  header: "Colour",
  multiSelect: false,
  options: [
    { label: "Green", description: "Calm" },
    { label: "Red", description: "Loud" }
  ]
}
const multi = {
  question: "Which toppings do you want?",
  header: "Toppings",
  multiSelect: true,
  options: [
    { label: "Cheese", description: "Mozzarella" },
    { label: "Basil", description: "Fresh leaves" },
    { label: "Olives", description: "Black, without stones" }
  ]
}
const database = {
  question: "Which database should we use?",
  header: "Database",
  multiSelect: false,
  options: [
    { label: "Postgres", description: "A server of its own" },
    { label: "SQLite", description: "One file" }
  ]
}

const answer = (input: AgentQuestion.Input, ...typed: ReadonlyArray<string>) => {
  let state = AgentQuestion.make(input)
  for (const key of keys(typed.join(""))) {
    const pressed = AgentQuestion.press(state, key)
    if (AgentQuestion.isOutcome(pressed)) return pressed
    state = pressed
  }
  return state
}

/** What was typed into the real agent before each recorded frame. */
const SCENES: ReadonlyArray<
  readonly [input: AgentQuestion.Input, frames: ReadonlyArray<readonly [frame: string, keys: string]>]
> = [
  [
    { questions: [single] },
    [
      ["single", ""],
      ["single-second", down],
      ["single-text-empty", down],
      ["single-text-line", paste("maroon please")],
      ["single-text-left", down],
      ["single-text-cleared", `${up}\u0015`],
      [
        "single-text-lines-cleared-once",
        `${paste("first line\nsecond line\n\n\tfourth with a tab\n❯ 1. Green\n   trailing   \nünï 漢字 😀 end")}\u0015`
      ],
      ["single-text-lines-cleared", "\u0015".repeat(20)],
      ["single-text-wrapped", paste(`${"word ".repeat(80)}${"x".repeat(400)} end`)],
      ["single-text-again", `${"\u0015".repeat(20)}${paste("first line\nsecond line")}`]
    ]
  ],
  [
    { questions: [multi] },
    [
      ["multi", ""],
      ["multi-checked", "13"],
      ["multi-text-empty", down + down + down],
      ["multi-text", paste("with, comma\nand a second line")],
      ["multi-submit", down],
      ["multi-review", "\r"]
    ]
  ],
  [
    { questions: [database, multi, single] },
    [
      ["grouped-first", ""],
      ["grouped-second", "2"],
      ["grouped-second-checked", "2"],
      ["grouped-second-next", down + down + down + down],
      ["grouped-second-text", backTab],
      ["grouped-second-last", up],
      ["grouped-first-revisited", backTab],
      ["grouped-second-revisited", "\t"],
      ["grouped-third", "\t"],
      ["grouped-third-text", "3"],
      ["grouped-third-text-filled", paste("teal\nor so")],
      ["grouped-third-options", up + up],
      ["grouped-review-incomplete", "\t"],
      ["grouped-third-revisited", backTab]
    ]
  ]
]

describe("the scripted question editor", () => {
  for (const [input, frames] of SCENES) {
    it(`looks and moves like the recorded one: ${frames[0]?.[0]} [Q5.2]`, () => {
      let typed = ""
      for (const [name, more] of frames) {
        typed += more
        const state = answer(input, typed)
        if (AgentQuestion.isOutcome(state)) assert.fail(`${name}: the editor is gone`)
        const frame = recorded("189x48", name)
        const view = AgentQuestionView.view(state, frame.cols)
        const { start, rows } = dialogOf(frame, /^(←.*→| ☐ .*)$/)
        // The review page keeps a blank row above its rule.
        const above = view.rows.findIndex((row) => row.text.startsWith("─"))
        assert.deepStrictEqual(view.rows.slice(above).map(drawn), rows, name)
        const cursor =
          view.cursor === null
            ? { x: 0, y: frame.rows - 1 }
            : { x: view.cursor.x, y: view.cursor.y + start - above }
        assert.deepStrictEqual({ x: frame.cursor.x, y: frame.cursor.y }, cursor, `${name}: cursor`)
      }
    })
  }

  it("gives the answers that the real agent gives", () => {
    const colour = single.question
    const toppings = multi.question
    const given = (outcome: ReturnType<typeof answer>) =>
      "_tag" in outcome && outcome._tag === "answered" ? outcome.answers : outcome
    assert.deepStrictEqual(given(answer({ questions: [single] }, "2")), { [colour]: "Red" })
    assert.deepStrictEqual(given(answer({ questions: [single] }, "3", "1 of both\r")), {
      [colour]: "1 of both"
    })
    assert.deepStrictEqual(given(answer({ questions: [multi] }, "13", down, down, down, "plain\t\r1")), {
      [toppings]: "Cheese, Olives, plain"
    })
    assert.deepStrictEqual(
      given(answer({ questions: [multi] }, "1", down, down, down, paste("a,\nb"), "\t\r1")),
      {
        [toppings]: 'Cheese, "a,\\nb"'
      }
    )
    assert.deepStrictEqual(given(answer({ questions: [database, single] }, "1", "\t", "1")), {
      [database.question]: "Postgres"
    })
    assert.deepStrictEqual(given(answer({ questions: [multi] }, "1", "\t", "1")), { [toppings]: "Cheese" })
  })

  it("declines as the real agent does: Escape, an empty text field, Cancel; chat is none of both", () => {
    const tag = (...typed: ReadonlyArray<string>) => {
      const outcome = answer({ questions: [single] }, ...typed)
      return "_tag" in outcome ? outcome._tag : "open"
    }
    assert.strictEqual(tag("\u001b"), "declined")
    assert.strictEqual(tag("3", "\r"), "declined")
    assert.strictEqual(tag("3", "text", "\u001b"), "declined")
    assert.strictEqual(tag("4"), "chat")
    assert.strictEqual(tag("x", paste("ignored"), " "), "open")
    const cancelled = answer({ questions: [multi] }, "1", "\t", "2")
    assert.deepStrictEqual(cancelled, { _tag: "declined" })
  })

  it("a digit of the text row of several choices checks it and does not focus it", () => {
    const state = answer({ questions: [multi] }, "4")
    if (AgentQuestion.isOutcome(state)) assert.fail("the editor is gone")
    assert.isTrue(state.entries[0]?.textChosen)
    assert.strictEqual(state.focus, 0)
    // Checked and empty it is no answer.
    assert.deepStrictEqual(AgentQuestion.answers(state), {})
  })
})

describe("the scripted permission dialog", () => {
  const bash = AgentPermission.make({
    title: "Bash command",
    description: "Make an empty log",
    detail: "touch build.log",
    question: "Do you want to proceed?",
    rule: "*"
  })

  const after = (typed: string) => {
    let state = bash
    for (const key of keys(typed)) {
      const pressed = AgentPermission.press(state, key)
      if (AgentPermission.isOutcome(pressed)) return pressed
      state = pressed
    }
    return state
  }

  for (const [name, typed] of [
    ["permission-bash", ""],
    ["permission-bash-second", down]
  ] as const) {
    it(`looks like the recorded one: ${name} [S6.1]`, () => {
      const frame = recorded("189x48", name)
      const state = after(typed)
      if (AgentPermission.isOutcome(state)) assert.fail("the dialog is gone")
      const view = AgentPermission.view(state, frame.cols)
      const { start, rows } = dialogOf(frame, /^ Bash command/)
      assert.deepStrictEqual(view.rows.slice(1).map(drawn), rows)
      assert.deepStrictEqual(
        { x: frame.cursor.x, y: frame.cursor.y },
        { x: view.cursor?.x, y: (view.cursor?.y ?? 0) + start - 1 }
      )
    })
  }

  it("ends like the real one", () => {
    assert.deepStrictEqual(after("1"), { _tag: "allowed", words: "" })
    assert.deepStrictEqual(after(up + "\r"), { _tag: "rejected", words: "" })
    assert.deepStrictEqual(after("\u001b"), { _tag: "rejected", words: "" })
    assert.deepStrictEqual(after(`\t${paste("and be quick")}\r`), { _tag: "allowed", words: "and be quick" })
    assert.deepStrictEqual(after(`${down}\tuse yarn\r`), { _tag: "rejected", words: "use yarn" })
    assert.deepStrictEqual(after("\tno\u001b"), { _tag: "rejected", words: "" })
    assert.deepStrictEqual(after("7x "), bash)
  })
})

describe("the scripted prompt field", () => {
  const type = (typed: string) => {
    let composer = AgentComposer.empty
    const acts: Array<AgentComposer.Act> = []
    for (const key of keys(typed)) {
      const [next, act] = AgentComposer.press(composer, key)
      composer = next
      if (act._tag !== "none") acts.push(act)
    }
    return { composer, acts }
  }

  for (const [name, typed] of [
    ["composer-empty", ""],
    ["composer-draft", paste("A draft in one line")],
    ["composer-draft-lines", paste("First line\n  Second, indented")]
  ] as const) {
    it(`looks like the recorded one: ${name}`, () => {
      const frame = recorded("189x48", name)
      const view = AgentComposer.view(type(typed).composer, { working: false, queued: 0, width: frame.cols })
      const rows = view.rows.slice(1, -1).map(drawn)
      const lines = frame.lines.slice(-1 - rows.length, -1)
      assert.deepStrictEqual(
        rows.map((row) => row.text),
        lines.map((line) => line.text.trimEnd())
      )
      const cursor = { x: view.cursor?.x, y: frame.rows - view.rows.length + (view.cursor?.y ?? 0) }
      assert.deepStrictEqual({ x: frame.cursor.x, y: frame.cursor.y }, cursor)
    })
  }

  it("submits what was pasted whole, however it is shown", () => {
    const long = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\r\n")
    const { composer } = type(paste(long))
    assert.strictEqual(AgentDraft.shown(composer.draft), "[Pasted text #1 +19 lines]")
    const wide = type(paste("x".repeat(801)))
    assert.strictEqual(AgentDraft.shown(wide.composer.draft), "[Pasted text #1]")
    assert.strictEqual(AgentDraft.shown(type(paste("a\nb\nc")).composer.draft), "a\nb\nc")
    assert.deepStrictEqual(type(`${paste(long)} tail\r`).acts, [
      { _tag: "submit", text: `${long.replaceAll("\r\n", "\n")} tail` }
    ])
  })

  it("takes no empty prompt, clears line by line and leaves at the second Control-C", () => {
    assert.deepStrictEqual(type("\r \r").acts, [])
    assert.strictEqual(AgentDraft.text(type(`${paste("a\nb")}\u0015`).composer.draft), "a\n")
    assert.isTrue(AgentDraft.isEmpty(type(`${paste("a\nb")}\u0015\u0015\u0015`).composer.draft))
    assert.deepStrictEqual(type("x\u0003\u0003").acts, [{ _tag: "leave" }])
    assert.deepStrictEqual(type("x\u0003y\u0003").acts, [])
    assert.deepStrictEqual(type("one\\\rtwo\r").acts, [{ _tag: "submit", text: "one\ntwo" }])
  })
})
