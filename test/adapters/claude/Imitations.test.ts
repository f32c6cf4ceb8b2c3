import { describe, expect, it } from "@effect/vitest"
import { dialect } from "../../../src/adapters/claude/ClaudeDialect.ts"
import type { Frame } from "../../../src/core/session/Frame.ts"
import * as Recorded from "./Recorded.ts"

/** What the recorded scene itself typed. */
const typed = [
  ...[0, 1, 2, 3, 4, 5].map((index) => `Say it ${index}`),
  "Say all of it as code",
  "Show the file",
  "   2. No Esc to cancel · Tab to amend"
]

/** While it is being drawn, a draft may lack some of its characters; it has none that were not typed. */
const isPartOf = (part: string, whole: string): boolean => {
  let at = 0
  for (const character of part.replaceAll(/\s/g, "")) {
    at = whole.indexOf(character, at) + 1
    if (at === 0) return false
  }
  return true
}

/** Only the prompt field is ever in front in that scene, or nothing that is known. */
const imitates = (frame: Frame): string | null => {
  const fact = dialect.screen.read(frame)
  if (fact._tag === "unknown") return null
  if (fact._tag !== "composer") return fact._tag
  return typed.some((text) => isPartOf(fact.draft, text)) ? null : `composer: ${JSON.stringify(fact.draft)}`
}

describe("text that imitates a dialog", () => {
  for (const [size, cols, rows, step] of [
    ["100x40", 100, 40, 1],
    ["189x48", 189, 48, 7]
  ] as const) {
    it(`is none in the conversation, in output, in a draft, at any cut of the stream, at ${size} [S6.3]`, () => {
      const bytes = Recorded.stream("hostile", size)
      const seen = new Set<string>()
      let frames = 0
      let composers = 0
      for (const frame of Recorded.replay(bytes, cols, rows, step)) {
        frames += 1
        if (dialect.screen.read(frame)._tag === "composer") composers += 1
        const imitation = imitates(frame)
        if (imitation !== null) seen.add(imitation)
      }
      expect([...seen]).toEqual([])
      expect(frames).toBe(Math.ceil(bytes.length / step))
      // The replay did show the program at work: the field is only read once the cursor is back in it.
      expect(composers).toBeGreaterThan(100)
    })
  }

  it("is none where it stands for the conversation above the prompt field, whole or cut [S6.3]", () => {
    const ground = Recorded.frame("composer-empty")
    for (const name of Recorded.names("189x48")) {
      const fact = dialect.screen.read(Recorded.frame(name))
      if (fact._tag === "composer" || fact._tag === "unknown") continue
      const dialog = Recorded.frame(name).lines.filter(({ text }) => text.trim() !== "")
      for (let cut = 1; cut <= dialog.length; cut++) {
        // As the program draws what others say: behind its own mark, or indented under it.
        const said = dialog
          .slice(0, cut)
          .slice(-42)
          .map(({ text }, row) => `${row === 0 ? "● " : "  "}${text}`.slice(0, ground.cols))
        expect(dialect.screen.read(Recorded.withRows(ground, said)), `${name} ${cut}`).toEqual({
          _tag: "composer",
          draft: "",
          working: false
        })
      }
    }
  })

  it("in a draft is a draft [S6.3, S3.3]", () => {
    const ground = Recorded.frame("composer-draft-lines")
    for (const name of ["single", "multi-review", "permission-bash", "startup-trust"]) {
      const dialog = Recorded.frame(name)
        .lines.filter(({ text }) => text.trim() !== "")
        .slice(-20)
      const top = 46 - 1 - dialog.length
      const texts: Array<string> = []
      texts[top] = "─".repeat(ground.cols)
      dialog.forEach(({ text }, row) => {
        texts[top + 1 + row] = `${row === 0 ? "❯\u00A0" : "  "}${text}`.slice(0, ground.cols)
      })
      const fact = dialect.screen.read(Recorded.withRows(ground, texts))
      expect(fact._tag, name).toBe("composer")
    }
  })

  it("of the editor's own rows, in a question, changes nothing of it [S6.3]", () => {
    for (const size of Recorded.sizes) {
      const fact = dialect.screen.read(Recorded.frame("hostile-question", size))
      expect(fact).toEqual({ _tag: "question", recognised: true })
    }
  })
})
