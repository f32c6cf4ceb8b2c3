import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as AskBudget from "../../../src/core/ask/AskBudget.ts"
import * as DialogKeys from "../../../src/core/ask/DialogKeys.ts"
import type { Key } from "../../../src/core/ask/Keys.ts"
import { asking, chars, named, screen } from "./Fixtures.ts"

const SIZE = { columns: 60, rows: 20 }

const opened = (command = "git push --force") => DialogKeys.open(asking(command), AskBudget.defaults, SIZE)

/** Painted and confirmed. */
const shown = (state: DialogKeys.State) => DialogKeys.confirm(state, state)

const armed = (command?: string) => shown(opened(command))

/** Presses keys one after the other; each paint in between is confirmed. */
const press = (state: DialogKeys.State, ...keys: ReadonlyArray<Key>) =>
  keys.reduce((before, key) => shown(DialogKeys.press(before, key)), state)

const long = Array.from({ length: 100 }, (_, index) => `echo ${index}`).join("\n")

const focused = (state: DialogKeys.State) =>
  /❯ ([\w ]+?) {2,}|❯ ([\w ]+?) ?$/.exec(
    screen(DialogKeys.view(state, "")).find((row) => row.includes("❯")) ?? ""
  )

const ANY_KEYS: ReadonlyArray<Key> = [
  ...(
    [
      "enter",
      "escape",
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
      "backspace",
      "delete"
    ] as const
  ).map(named),
  ...chars("e gGbx1y"),
  { _tag: "ctrl", letter: "c" },
  { _tag: "ctrl", letter: "o" },
  { _tag: "ctrl", letter: "j" },
  { _tag: "paste", text: "yes\n" },
  { _tag: "unknown" }
]

const anyKeys = Arbitrary.array(
  Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: ANY_KEYS.length - 1 }))),
    (index) => ANY_KEYS[index] ?? named("enter")
  ),
  { minLength: 1, maxLength: 30 }
)

describe("DialogKeys", () => {
  it.prop("keys before the paint is confirmed change nothing at all [P6.1]", [anyKeys], ([keys]) => {
    const state = opened()
    assert.strictEqual(
      keys.reduce((before, key) => DialogKeys.press(before, key), state),
      state
    )
  })

  it("a confirmation of a paint of another size does not arm [P6.1]", () => {
    const first = opened()
    const resized = DialogKeys.resize(first, { columns: 80, rows: 24 })
    assert.isFalse(DialogKeys.confirm(resized, first).armed)
    assert.isTrue(DialogKeys.confirm(resized, resized).armed)
  })

  it("a confirmed paint that shows nothing new asks for no other", () => {
    const state = armed()
    assert.strictEqual(DialogKeys.confirm(state, state), state)
  })

  it("starts on deny, and Enter denies without a reason [P6.2]", () => {
    assert.deepStrictEqual(press(armed(), named("enter")).result, { _tag: "deny", reason: null })
  })

  it("allows once when allow is chosen and all of the core was shown [P6.2]", () => {
    assert.deepStrictEqual(press(armed(), named("right"), named("right"), named("enter")).result, {
      _tag: "allow"
    })
    assert.deepStrictEqual(press(armed(), named("back_tab"), named("enter")).result, { _tag: "allow" })
  })

  it("passes over allow until every core row has been on the screen [P6.2]", () => {
    const state = armed(long)
    assert.isFalse(state.complete)
    assert.match(screen(DialogKeys.view(state, "")).join("\n"), /Allow once \(read all first\)/)
    assert.strictEqual(press(state, named("left")).focus, "deny_with_reason")
    assert.strictEqual(press(state, named("right"), named("right")).focus, "deny")

    // The end alone is not all of it: the middle was skipped.
    const end = press(state, named("end"))
    assert.isFalse(end.complete)

    let reading = press(state, named("home"))
    while (!reading.complete) {
      const next = press(reading, named("page_down"))
      assert.notStrictEqual(next, reading)
      reading = next
    }
    assert.deepStrictEqual(press(reading, named("left"), named("enter")).result, { _tag: "allow" })
  })

  it("rows count as shown only when their paint is confirmed [P6.1] [P6.2]", () => {
    const first = opened(long)
    let state = DialogKeys.confirm(first, first)
    for (let page = 0; page < 100; page++) state = DialogKeys.press(state, named("page_down"))
    assert.isFalse(DialogKeys.confirm(state, state).complete)
  })

  it.prop(
    "whatever is pressed, allow comes only from Enter on allow with the whole core shown [P6.2]",
    [anyKeys],
    ([keys]) => {
      for (const command of ["ls", long]) {
        let state = armed(command)
        for (const key of keys) {
          const next = shown(DialogKeys.press(state, key))
          if (next.result?._tag === "allow" && state.result === null) {
            assert.deepStrictEqual(key, named("enter"))
            assert.strictEqual(state.focus, "allow")
            assert.isTrue(state.complete)
            assert.isNull(state.field)
          }
          state = next
        }
      }
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop("a decision is final [P6.2]", [anyKeys], ([keys]) => {
    const decided = press(armed(), named("enter"))
    assert.strictEqual(press(decided, ...keys).result, decided.result)
  })

  it("letters and pastes decide nothing [P6.1]", () => {
    const state = press(armed(), ...chars("yYaAdDnN1"), { _tag: "paste", text: "y\r" })
    assert.isNull(state.result)
    assert.strictEqual(state.focus, "deny")
  })

  it("leaves on Esc and Ctrl+C: cancelled, which is no consent", () => {
    assert.deepStrictEqual(press(armed(), named("escape")).result, { _tag: "cancelled" })
    assert.deepStrictEqual(press(armed(), { _tag: "ctrl", letter: "c" }).result, { _tag: "cancelled" })
  })

  it("takes a reason as it is typed and pasted, and shows it [A1.3]", () => {
    const typing = press(
      armed(),
      named("right"),
      named("enter"),
      ...chars("  use x"),
      named("backspace"),
      { _tag: "paste", text: "git\r\npush \x1b[31m❯" },
      named("home"),
      ...chars("-")
    )
    assert.include(screen(DialogKeys.view(typing, "")).join("\n"), " Reason: -  use git")
    assert.deepStrictEqual(press(typing, named("enter")).result, {
      _tag: "deny",
      reason: "-  use git\npush [31m❯"
    })
  })

  it("an empty reason is none; Esc goes back to the choices", () => {
    const typing = press(armed(), named("right"), named("enter"), ...chars("  "))
    assert.deepStrictEqual(press(typing, named("enter")).result, { _tag: "deny", reason: null })
    const back = press(typing, named("escape"))
    assert.isNull(back.result)
    assert.isNull(back.field)
  })

  it("keeps the cursor where the text is, and the controls on the screen, however long the reason", () => {
    const typing = press(armed(), named("right"), named("enter"), {
      _tag: "paste",
      text: "漢x\n".repeat(400)
    })
    const view = DialogKeys.view(typing, "")
    assert.isAtMost(view.rows.length, SIZE.rows)
    assert.isNotNull(view.cursor)
    assert.isBelow(view.cursor?.row ?? Infinity, view.rows.length)
    assert.match(screen(view).join("\n"), / Reason: /)
  })

  it("expands by e and Ctrl+O to everything and back, deciding and arming nothing [P2.4] [P6.1]", () => {
    const unarmed = opened()
    assert.isFalse(DialogKeys.press(unarmed, { _tag: "char", char: "e" }).expanded)
    const keys: ReadonlyArray<Key> = [...chars("e"), { _tag: "ctrl", letter: "o" }]
    for (const key of keys) {
      const expanded = press(armed(), key)
      assert.isTrue(expanded.expanded)
      assert.isNull(expanded.result)
      assert.include(screen(DialogKeys.view(expanded, "")).join("\n"), "in full:")
      assert.isFalse(press(expanded, key).expanded)
    }
  })

  it("a resize keeps what was chosen and typed, and arms only after its own paint [P2.7] [P6.1]", () => {
    const typing = press(armed(), named("right"), named("enter"), ...chars("why"))
    const resized = DialogKeys.resize(typing, { columns: 30, rows: 10 })
    assert.isFalse(resized.armed)
    assert.isTrue(resized.complete)
    assert.isNull(DialogKeys.press(resized, named("enter")).result)
    assert.deepStrictEqual(press(shown(resized), named("enter")).result, { _tag: "deny", reason: "why" })
  })

  it("says since when and how many wait, and always where the focus is [P6.4]", () => {
    const view = screen(DialogKeys.view(armed(), "since 10:00:00 · 2 waiting"))
    assert.match(view[0] ?? "", /^Obstat: claude.* {2}since 10:00:00 · 2 waiting$/)
    assert.strictEqual(focused(armed())?.[1], "Deny")
  })
})
