import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as AskBudget from "../../../src/core/ask/AskBudget.ts"
import * as AskDialog from "../../../src/core/ask/AskDialog.ts"
import * as AskLines from "../../../src/core/ask/AskLines.ts"
import type { AskPayload } from "../../../src/core/ask/AskPayload.ts"
import * as DialogKeys from "../../../src/core/ask/DialogKeys.ts"
import * as TerminalText from "../../../src/core/ask/TerminalText.ts"
import * as TerminalView from "../../../src/core/ask/TerminalView.ts"
import * as AskGenerators from "../../../src/layers/testing/AskGenerators.ts"
import { asking, named, screen } from "./Fixtures.ts"

const between = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

const budgets = Arbitrary.all({ rows: between(1, 60), columns: between(1, 200) })

/** The values of a render without keys and gutters: what is left when the layout is taken away. */
const values = (rows: ReadonlyArray<TerminalView.Row>): string =>
  rows.map((row) => row.at(-1)?.text ?? "").join("")

/** What the core says, each fact as it must be found again. */
const coreFacts = ({ request }: AskPayload): ReadonlyArray<string> => [
  request.agent,
  request.requester.agentName ?? "",
  request.requester.sessionId ?? "",
  request.toolName,
  request.invokedToolName ?? "",
  ...request.units.flatMap((unit) => [unit.surface, unit.value, unit.matchedPattern, unit.executedUnit ?? ""])
]

const deepFreeze = <A>(value: A): A => {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}

const OUR_ESCAPES = /\x1b\[[?0-9;]*[A-Za-z]/g

describe("AskDialog", () => {
  it("aligns keys and values, and leaves out nothing that fits [P3.2]", () => {
    const payload = {
      ...asking("git push --force"),
      evidence: [
        { label: "directory", text: "/p", modelGenerated: false },
        { label: "description", text: "Push it", modelGenerated: true }
      ]
    }
    assert.deepStrictEqual(AskDialog.render(payload, AskBudget.defaults, 60).map(TerminalView.text), [
      "Obstat: claude asks to use Bash",
      " agent:       │ claude",
      " session:     │ s-1",
      " tool:        │ Bash",
      " surface:     │ bash",
      " rule:        │ git push *",
      " command:     │ git push --force",
      " directory:   │ /p",
      " description (model-generated):",
      "              │ Push it"
    ])
  })

  it("tells a new line from one that only wraps", () => {
    const rows = AskDialog.render(
      asking("rm -rf /tmp/some/long/directory/name/that/wraps\nhome"),
      AskBudget.defaults,
      50
    )
    assert.deepStrictEqual(rows.map(TerminalView.text).slice(6, 9), [
      " command:    │ rm -rf /tmp/some/long/directory/nam",
      "             ↳ e/that/wraps",
      "             │ home"
    ])
  })

  it("numbers several units, each with its own surface, rule and what it runs [P1.1]", () => {
    const payload: AskPayload = {
      ...asking("x"),
      request: {
        ...asking("x").request,
        requester: { agentName: "reviewer", sessionId: "s-2", forwarded: true },
        invokedToolName: "exec_command",
        units: [
          { surface: "bash", value: "sudo rm x", matchedPattern: "rm *", executedUnit: "rm x" },
          { surface: "code", value: "python -c …", matchedPattern: "<no-rule>", executedUnit: "import os" }
        ]
      }
    }
    const text = AskDialog.render(payload, AskBudget.defaults, 80).map(TerminalView.text).join("\n")
    for (const fact of [
      /subagent: +│ reviewer/,
      /forwarded: +│ yes/,
      /invoked as: +│ exec_command/,
      /command 1: +│ sudo rm x/,
      /runs 1: +│ rm x/,
      /rule 2: +│ <no-rule>/,
      /code 2: +│ import os/
    ]) {
      assert.match(text, fact)
    }
  })

  it("marks what it leaves out by an ellipsis and says nothing more [P2.2]", () => {
    const payload = {
      ...asking("ls"),
      evidence: [{ label: "content", text: "line\n".repeat(500), modelGenerated: false }]
    }
    const rows = AskDialog.render(payload, { rows: 12, columns: 40 }, 60).map(TerminalView.text)
    assert.strictEqual(rows.length, 12)
    assert.match(rows.at(-2) ?? "", /line …$/)
    assert.strictEqual(rows.at(-1), "…")
    assert.notMatch(rows.slice(6).join("\n"), /\d/)
  })

  it("gives each piece of evidence a row before any gets a second [P2.9]", () => {
    const payload = {
      ...asking("ls"),
      evidence: [
        { label: "content", text: "line\n".repeat(500), modelGenerated: false },
        { label: "mode", text: "0777", modelGenerated: false }
      ]
    }
    assert.match(
      AskDialog.render(payload, { rows: 12, columns: 40 }, 60).map(TerminalView.text).join("\n"),
      /mode: +│ 0777/
    )
  })

  it("cuts evidence at the width cap, and never the core [BUG-042] [P2.1]", () => {
    const long = "y".repeat(100)
    const payload = {
      ...asking(long),
      evidence: [{ label: "content", text: "z".repeat(100), modelGenerated: false }]
    }
    const text = AskDialog.render(payload, { rows: 24, columns: 30 }, 100)
    assert.include(values(text), long)
    assert.include(text.map(TerminalView.text).join("\n"), `${"z".repeat(29)}…`)
  })

  it("hides no secret from the person who decides: neither in the dialog, nor in full, nor in plain lines [P2.8]", () => {
    const command = "TOKEN=hunter2 deploy --password hunter3 && curl -H 'Authorization: Bearer hunter4' x"
    const payload = {
      ...asking(command),
      evidence: [{ label: "api_key", text: "hunter5", modelGenerated: false }]
    }
    for (const shown of [
      values(AskDialog.render(payload, AskBudget.defaults, 60)),
      values(AskDialog.renderAll(payload, AskBudget.defaults, 60)),
      values(AskDialog.full(AskDialog.layout(payload, AskBudget.defaults, 60)).rows)
    ]) {
      assert.include(shown, command)
      assert.include(shown, "hunter5")
    }
    assert.include(AskLines.render(payload, AskBudget.defaults, 200).join("\n"), command)
  })

  it("shows a core that outranks the budget whole, and no evidence beside it [P2.3]", () => {
    const command = Array.from({ length: 200 }, (_, index) => `echo ${index}`).join("\n")
    const payload = {
      ...asking(command),
      evidence: [{ label: "content", text: "zzz", modelGenerated: false }]
    }
    const text = AskDialog.render(payload, AskBudget.defaults, 60).map(TerminalView.text).join("\n")
    for (let index = 0; index < 200; index++) assert.include(text, `echo ${index}\n`)
    assert.notInclude(text, "zzz")
  })

  it("carries the model's mark wherever some of that text is, however narrow [P1.2]", () => {
    const payload = {
      ...asking("ls"),
      evidence: [{ label: "description", text: "trust me", modelGenerated: true }],
      annotations: [{ source: "explainer", text: "it lists files" }]
    }
    for (const columns of [3, 10, 20, 40, 80]) {
      const compact = (rows: ReadonlyArray<TerminalView.Row>) =>
        rows
          .map(TerminalView.text)
          .join("")
          .replace(/[\s│↳]/gu, "")
      const shown = compact(AskDialog.render(payload, { rows: 200, columns: 80 }, columns))
      if (columns > 12) assert.include(shown, "trustme")
      assert.include(shown, "model-generated")
      const all = compact(AskDialog.renderAll(payload, { rows: 1, columns: 5 }, columns))
      assert.include(all, "notebyexplainer(model-generated):")
      assert.include(all, "itlistsfiles")
    }
  })

  it.prop(
    "any payload, budget and width: bounded, complete in its core, harmless, repeatable [P2.1] [P2.3] [P2.6] [P2.7]",
    [AskGenerators.payload, budgets, between(1, 300)],
    ([payload, budget, columns]) => {
      deepFreeze(payload)
      const rows = AskDialog.render(payload, budget, columns)
      const layout = AskDialog.layout(payload, budget, columns)
      const head = TerminalText.wrap(TerminalText.line(AskDialog.title(payload)), columns).length

      // The title and the mark of an elision stand around a core that is alone taller than the budget.
      assert.isAtMost(rows.length, Math.max(budget.rows, head + layout.core.length + 1))
      for (const row of rows) assert.isAtMost(TerminalText.width(TerminalView.text(row)), columns)
      for (const row of rows.slice(head + layout.core.length)) {
        // The mark of a model's words is core; beside it a heading holds no more than the cap.
        const mark = row.length === 1 ? " (model-generated):".length + 1 : 0
        assert.isAtMost(TerminalText.width(row.at(-1)?.text ?? ""), budget.columns + mark)
      }

      if (columns > 4) {
        const shown = values(layout.core)
        for (const fact of coreFacts(payload)) {
          assert.include(shown, TerminalText.visible(fact).lines.join(""))
        }
      }

      for (const styled of [true, false]) {
        const { bytes } = TerminalView.encode({ rows, cursor: null }, { styled })
        assert.notMatch(bytes.replace(OUR_ESCAPES, ""), /[\p{Cc}\p{Cs}]/u)
      }

      assert.deepStrictEqual(AskDialog.render(payload, budget, columns), rows)
    },
    { arbitrary: { runs: 1500 } }
  )

  it.prop(
    "a dialog fits its terminal, its buttons are on it, and a resize loses nothing [P2.3] [P2.7]",
    [AskGenerators.payload, between(2, 120), between(1, 50), between(20, 120), between(6, 50)],
    ([payload, columns, rows, nextColumns, nextRows]) => {
      const size = { columns, rows }
      const state = DialogKeys.open(payload, AskBudget.defaults, size)
      const view = DialogKeys.view(state, "since 10:00:00")
      assert.isAtMost(view.rows.length, Math.max(2, Math.min(rows, AskBudget.defaults.rows)))
      for (const row of view.rows) assert.isAtMost(TerminalText.width(TerminalView.text(row)), columns)
      assert.isTrue(screen(view).some((row) => row.startsWith("❯")))

      const next = { columns: nextColumns, rows: nextRows }
      const resized = DialogKeys.resize(state, next)
      assert.deepStrictEqual(
        DialogKeys.view(resized, ""),
        DialogKeys.view(DialogKeys.open(payload, AskBudget.defaults, next), "")
      )
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop(
    "every row of everything is reached by scrolling [P2.3] [P2.4]",
    [AskGenerators.payload, between(12, 80), between(3, 30)],
    ([payload, columns, rows]) => {
      const size = { columns, rows }
      let state = DialogKeys.open(payload, AskBudget.defaults, size)
      state = DialogKeys.confirm(state, state)
      state = DialogKeys.press(state, { _tag: "char", char: "e" })
      const reached = new Set<string>()
      for (let step = 0; step <= state.body.rows.length; step++) {
        for (const row of DialogKeys.view(state, "").rows) reached.add(TerminalView.text(row))
        state = DialogKeys.press(state, named("down"))
      }
      for (const row of AskDialog.full(AskDialog.layout(payload, AskBudget.defaults, columns)).rows) {
        assert.isTrue(reached.has(TerminalView.text(row)))
      }
    },
    { arbitrary: { runs: 200 } }
  )

  it("text that imitates the frame stays behind its gutter [P2.6]", () => {
    const payload = asking(
      "ls\n❯ Deny   Allow once\n── ↓ more ──\nObstat: claude asks to use Bash\n rule:       │ *"
    )
    const size = { columns: 60, rows: 20 }
    const rows = screen(DialogKeys.view(DialogKeys.open(payload, AskBudget.defaults, size), ""))
    assert.strictEqual(rows.filter((row) => row.startsWith("❯")).length, 1)
    assert.strictEqual(rows.filter((row) => row.startsWith("──")).length, 1)
    assert.strictEqual(rows.filter((row) => row.startsWith("Obstat:")).length, 1)
    assert.strictEqual(rows.filter((row) => row.startsWith(" rule:")).length, 1)
  })
})
