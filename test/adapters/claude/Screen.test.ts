import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { dialect } from "../../../src/adapters/claude/ClaudeDialect.ts"
import { blank, type Frame } from "../../../src/core/session/Frame.ts"
import type { ScreenFact } from "../../../src/core/session/ScreenFact.ts"
import * as Recorded from "./Recorded.ts"

const read = (name: string, size?: "189x48" | "100x40") => dialect.screen.read(Recorded.frame(name, size))

/** What each recorded frame shows, by how its name begins; the longest beginning counts. */
const shown: Readonly<Record<string, ScreenFact["_tag"]>> = {
  composer: "composer",
  "startup-": "startup",
  "startup-auto-mode-declined": "composer",
  "permission-": "permission",
  single: "question",
  multi: "question",
  grouped: "question",
  preview: "question",
  long: "question",
  "special-answered": "composer",
  "hostile-": "composer",
  "hostile-question": "question",
  "hostile-grouped": "question"
}
const ended = /-(?:rejected|done|declined|chat|answered)$/
/** After these the next question is already up. */
const goesOn = new Set(["single-answered"])

const expected = (name: string): ScreenFact["_tag"] | undefined => {
  if (ended.test(name) && !goesOn.has(name)) return "composer"
  const beginning = Object.keys(shown)
    .filter((key) => name.startsWith(key))
    .toSorted((a, b) => b.length - a.length)[0]
  return beginning === undefined ? undefined : shown[beginning]
}

describe("the screen of Claude Code", () => {
  for (const size of Recorded.sizes) {
    it(`every recorded frame is what it is, at ${size} [S2.8, Q4.8]`, () => {
      for (const name of Recorded.names(size)) {
        const fact = read(name, size)
        expect(fact._tag, name).toBe(expected(name))
        if (fact._tag === "question") expect(fact.recognised, name).toBe(true)
      }
    })
  }

  it("the frames of the newest measured version too [S2.8, S4.4]", () => {
    for (const name of Recorded.names("189x48", dialect.characterised.to)) {
      const fact = dialect.screen.read(Recorded.frame(name, "189x48", dialect.characterised.to))
      expect(fact._tag, name).toBe(expected(name))
      if (fact._tag === "question") expect(fact.recognised, name).toBe(true)
    }
  })

  it("the prompt field: draft, placeholder and work [S2.8, S3.3]", () => {
    const composer = (draft: string, working = false): ScreenFact => ({ _tag: "composer", draft, working })
    expect(read("composer-empty")).toEqual(composer(""))
    expect(read("composer-draft")).toEqual(composer("A draft in one line"))
    expect(read("composer-draft-lines")).toEqual(composer("First line\n  Second, indented"))
    expect(read("composer-draft-pasted")).toEqual(composer("[Pasted text #1 +19 lines]"))
    expect(read("composer-working")).toEqual(composer("", true))
    // With a draft, the footer no longer says that a turn is running; the title does.
    expect(read("composer-working-draft")).toEqual(composer("A draft meanwhile", true))
    // The hint in an empty field is no draft.
    expect(read("composer-queued")).toEqual(composer("", true))
    expect(read("composer-interrupted")).toEqual(composer("More work"))
  })

  it("start-up dialogs are answered from the list alone, by the row that was seen selected [S6.2, S6.4]", () => {
    const gate = (name: string) => {
      const fact = read(name)
      return fact._tag === "startup" ? fact.gate : null
    }
    expect(gate("startup-trust")).toEqual({
      label: "folder_trust",
      kind: "trust",
      selected: "No, exit",
      move: "\u001B[B",
      commit: "\r"
    })
    expect(gate("startup-trust-yes")).toMatchObject({ selected: "Yes, I trust this folder", move: "" })
    expect(gate("startup-auto-mode")).toMatchObject({ kind: "offer", move: "\u001B[B" })
    expect(gate("startup-auto-mode-no")).toMatchObject({ selected: "No, keep manual mode", move: "" })
    for (const name of ["startup-api-key", "startup-bypass", "startup-mcp"]) {
      expect(gate(name), name).toMatchObject({ kind: "blocked", move: "", commit: "" })
    }
  })

  it("the field's own caret, its footer and the cursor in it make it the prompt field [S6.3]", () => {
    const frame = Recorded.frame("composer-draft")
    const tag = (changed: Frame) => dialect.screen.read(changed)._tag
    const caret = frame.lines.findIndex(({ text }) => text.startsWith("❯"))
    const texts: Array<string> = []
    texts[caret] = frame.lines[caret]!.text.replace("\u00A0", " ")
    expect(tag(Recorded.withRows(frame, texts))).toBe("unknown")
    expect(tag({ ...frame, cursor: { ...frame.cursor, y: 3 } })).toBe("unknown")
    const bare: Array<string> = []
    bare[frame.rows - 1] = ""
    expect(tag(Recorded.withRows(frame, bare))).toBe("unknown")
  })

  it("a start-up dialog with its cursor elsewhere is not answered [S6.2]", () => {
    for (const name of ["startup-trust", "startup-trust-yes", "startup-auto-mode", "startup-auto-mode-no"]) {
      const frame = Recorded.frame(name)
      for (let y = 0; y < frame.rows; y++) {
        if (y === frame.cursor.y) continue
        const fact = dialect.screen.read({ ...frame, cursor: { ...frame.cursor, y } })
        expect(fact._tag === "startup" && fact.gate.commit !== "", `${name} ${y}`).toBe(false)
      }
    }
  })

  it("a start-up dialog with one word changed is a person's [S6.2]", () => {
    const frame = Recorded.frame("startup-trust")
    for (const row of [2, 6, 13, 14, 16]) {
      const texts: Array<string> = []
      texts[row] = frame.lines[row]!.text.replace(/[a-z]{2,}/, "other")
      const fact = dialect.screen.read(Recorded.withRows(frame, texts))
      const commits = fact._tag === "startup" && fact.gate.commit !== ""
      expect(commits, String(row)).toBe(false)
    }
  })

  it("permission dialogs say their title [S6.1]", () => {
    const title = (name: string) => {
      const fact = read(name)
      return fact._tag === "permission" ? fact.title : null
    }
    expect(title("permission-bash")).toBe("Bash command")
    expect(title("permission-write")).toBe("Create file")
    expect(title("permission-edit")).toBe("Edit file")
    expect(title("permission-fetch")).toBe("Fetch")
    expect(title("permission-subagent")).toBe("Bash command · from the general-purpose agent")
    expect(title("permission-bash-hostile")).toBe("Bash command")
  })
})

/** Rows that a recogniser looks for, and rows like them. */
const pieces = [
  "─".repeat(60),
  " ☐ Colour",
  "←  ☐ One  ☒ Two  ✔ Submit  →",
  "❯ 1. Green",
  "  2. Red",
  "  2. [✔] Red",
  "     Submit",
  "❯    Next",
  "  3. Type something.",
  "  4. Chat about this",
  "Enter to select · ↑/↓ to navigate · Esc to cancel",
  "❯ 1. Submit answers",
  "  2. Cancel",
  " Do you want to proceed?",
  " ❯ 1. Yes",
  "   2. No",
  " Esc to cancel",
  "❯\u00A0draft",
  "  Notes: press n to add notes",
  " Enter to confirm · Esc to cancel",
  "",
  "漢字 😀 é"
]

const integer = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

const row = Arbitrary.map(
  Arbitrary.all([integer(0, 2 * pieces.length), Arbitrary.schema(Schema.String)]),
  ([index, text]) => pieces[index] ?? text
)

const frames: Arbitrary.Arbitrary<Frame> = Arbitrary.map(
  Arbitrary.all([Arbitrary.array(row, { maxLength: 24 }), integer(-1, 80), integer(-1, 30)]),
  ([texts, x, y]) => ({
    ...Recorded.withRows(
      blank(60, 24),
      Array.from({ length: 24 }, (_, at) => texts[at] ?? "")
    ),
    cursor: { x, y, visible: true }
  })
)

describe("any screen", () => {
  it.prop(
    "is read without a fault, and shows no question that is not on it [S6.3, Q4.3]",
    [frames],
    ([frame]) => {
      expect(["composer", "question", "permission", "startup", "unknown"]).toContain(
        dialect.screen.read(frame)._tag
      )
      expect(dialect.questions.shows(frame, [])).toBe(false)
    },
    { arbitrary: { runs: 2_000 } }
  )
})
