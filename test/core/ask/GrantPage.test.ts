import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as AskBudget from "../../../src/core/ask/AskBudget.ts"
import * as DialogKeys from "../../../src/core/ask/DialogKeys.ts"
import type { Key } from "../../../src/core/ask/Keys.ts"
import * as TerminalText from "../../../src/core/ask/TerminalText.ts"
import * as TerminalView from "../../../src/core/ask/TerminalView.ts"
import type { GrantOffer } from "../../../src/core/policy/GrantOffer.ts"
import * as AskGenerators from "../../../src/layers/testing/AskGenerators.ts"
import { asking, chars, named, offerOf, screen } from "./Fixtures.ts"

const SIZE = { columns: 60, rows: 20 }
const OFFERS = [offerOf("git push"), offerOf("rm -rf build", { exact: true })]

const shown = (state: DialogKeys.State) => DialogKeys.confirm(state, state)

const press = (state: DialogKeys.State, ...keys: ReadonlyArray<Key>) =>
  keys.reduce((before, key) => shown(DialogKeys.press(before, key)), state)

const armed = (offers: ReadonlyArray<GrantOffer> = OFFERS, size: TerminalView.Size = SIZE) =>
  shown(DialogKeys.open(asking("git push origin main"), AskBudget.defaults, size, offers))

/** On the page of grants. */
const opened = (offers: ReadonlyArray<GrantOffer> = OFFERS) =>
  press(armed(offers), named("left"), named("enter"))

const text = (state: DialogKeys.State) => screen(DialogKeys.view(state, "")).join("\n")

const granted = (state: DialogKeys.State) => (state.result?._tag === "allow" ? state.result.grant : undefined)

const ENTER = named("enter")
const DOWN = named("down")
const UP = named("up")

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
      "page_down",
      "home",
      "delete"
    ] as const
  ).map(named),
  ...chars("dex*"),
  { _tag: "ctrl", letter: "o" },
  { _tag: "ctrl", letter: "u" },
  { _tag: "paste", text: "git push\n" }
]

const between = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

const anyKeys = Arbitrary.array(
  Arbitrary.map(between(0, ANY_KEYS.length - 1), (index) => ANY_KEYS[index] ?? ENTER),
  { minLength: 1, maxLength: 30 }
)

describe("the page of session grants", () => {
  it("is offered only where there is something to grant [L5.1] [P6.2]", () => {
    assert.include(text(armed()), "Session")
    assert.notInclude(text(armed([])), "ession ")
    assert.strictEqual(press(armed([]), named("left")).focus, "allow")
  })

  it("shows the exact list, each pattern whole, with the focus on no allow [P6.2] [BUG-051]", () => {
    const long = `find ${"very/long/".repeat(20)} -print`
    const state = opened([offerOf("git push"), offerOf(long, { exact: true })])
    const rows = screen(DialogKeys.view(state, ""))
    assert.match(rows.join("\n"), /❯bash 1: │ git push \*/)
    assert.include(rows.join("").replace(/ {9}↳ /g, ""), long)
    assert.strictEqual(rows.filter((row) => row.startsWith("❯")).length, 1)
    assert.isNull(press(state, ENTER).result)
    assert.include(text(press(state, ENTER)), " Pattern: git push *")
  })

  it("allows with what is listed, once that is chosen [L5.1] [P6.2]", () => {
    const state = press(opened(), UP, ENTER)
    assert.deepStrictEqual(granted(state), {
      rules: [OFFERS[0]!.rule, OFFERS[1]!.rule],
      scope: "requester",
      minutes: null,
      uses: null
    })
  })

  it("takes an entry out; with none left there is nothing to allow [P6.2]", () => {
    const one = press(opened(), ...chars("d"))
    assert.notInclude(text(one), "bash 2")
    assert.deepStrictEqual(
      granted(press(one, UP, ENTER))?.rules.map(({ pattern }) => pattern),
      ["rm -rf build"]
    )
    const none = press(one, named("delete"))
    assert.include(text(none), "Nothing is left")
    assert.isNull(press(none, UP, ENTER).result)
  })

  it("changes a pattern that still fits what is asked, and no other [L5.1] [BUG-053]", () => {
    const clear: Key = { _tag: "ctrl", letter: "u" }
    const changed = press(opened(), ENTER, clear, { _tag: "paste", text: "git push origin *" }, ENTER)
    assert.include(text(changed), "git push origin *")
    assert.deepStrictEqual(granted(press(changed, UP, ENTER))?.rules[0], {
      surface: "bash",
      pattern: "git push origin *",
      exact: false,
      line: null
    })
    for (const [typed, problem] of [
      ["*", "It has to name the program."],
      ["rm *", "It does not match what is asked."],
      ["  ", "It is empty; take it out instead."]
    ] as const) {
      const refused = press(opened(), ENTER, clear, ...chars(typed), ENTER)
      assert.include(text(refused), problem)
      const back = press(refused, named("escape"), UP, ENTER)
      assert.strictEqual(granted(back)?.rules[0].pattern, "git push *")
    }
  })

  it("leaves code as it is: it can be taken out, but not changed [L5.2]", () => {
    const code = {
      ...offerOf("npm test", { exact: true }),
      rule: {
        surface: "code",
        pattern: "npm test",
        exact: true,
        line: { command: "npm test", cwd: "/p" }
      },
      asked: []
    }
    const state = press(opened([code]), ENTER)
    assert.include(text(state), "code 1, only in this command line:")
    assert.include(text(state), "can be taken out, but not changed")
  })

  it("sets for whom and how long [L5.1]", () => {
    // Behind the two entries and Back: for whom, and until when.
    const state = press(opened(), DOWN, DOWN, DOWN, ENTER, DOWN, ENTER, ENTER, ENTER, DOWN, ENTER)
    const grant = granted(state)
    assert.deepInclude(grant, { scope: "session", minutes: null, uses: 10 })
  })

  it("goes back to the choices, and a denial from there grants nothing [BUG-052]", () => {
    const back = press(opened(), named("escape"))
    assert.isNull(back.grants)
    assert.strictEqual(back.focus, "allow_session")
    const denied = press(back, named("right"), ENTER)
    assert.deepStrictEqual(denied.result, { _tag: "deny", reason: null })
  })

  it("allows only once every pattern has been on the screen, also after a change [P6.2]", () => {
    const many = Array.from({ length: 11 }, (_, index) => offerOf(`tool-${index}`, { exact: true }))
    const state = opened(many)
    assert.include(text(state), "(Allow)")
    assert.isNull(press(state, UP, ENTER).result)
    let reading = state
    for (let index = 0; index < 10; index++) reading = press(reading, DOWN)
    assert.isDefined(granted(press(reading, DOWN, DOWN, DOWN, DOWN, ENTER)))
    // Nothing that was painted of the old list counts for the new one.
    const unpainted = DialogKeys.press(reading, chars("d")[0]!)
    assert.isFalse(DialogKeys.confirm(unpainted, reading).grants?.scroll.seen.length !== 0)
  })

  it("keeps what was done over a resize, and waits for the new paint [P2.7] [P6.1]", () => {
    const state = press(opened(), ...chars("d"), ENTER, ...chars("x"))
    const resized = DialogKeys.resize(state, { columns: 40, rows: 14 })
    assert.strictEqual(DialogKeys.press(resized, ENTER), resized)
    assert.include(text(shown(resized)), "Pattern: rm -rf buildx")
  })

  it.prop(
    "whatever is pressed, a grant is what the page showed, given by Enter on its allow [P6.2] [P6.1]",
    [anyKeys],
    ([keys]) => {
      let state = opened()
      for (const key of keys) {
        const next = shown(DialogKeys.press(state, key))
        const grant = granted(next)
        if (grant !== undefined && state.result === null) {
          assert.deepStrictEqual(key, ENTER)
          const before = state.grants
          assert.isNotNull(before)
          assert.isNull(before?.page.field)
          assert.deepStrictEqual(
            grant.rules.map((rule) => rule),
            before?.page.list.entries.map(({ rule }) => rule)
          )
          for (const { pattern } of grant.rules) {
            assert.include(state.body.rows.map(TerminalView.text).join("\n"), pattern)
          }
        }
        state = next
      }
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop(
    "any payload, patterns and size: bounded, harmless, the core within reach, repeatable [P2.3] [P2.6] [P2.7]",
    [
      AskGenerators.payload,
      Arbitrary.array(AskGenerators.hostileText, { minLength: 1, maxLength: 5 }),
      between(2, 120),
      between(1, 50),
      anyKeys
    ],
    ([payload, patterns, columns, rows, keys]) => {
      const size = { columns, rows }
      const offers = patterns.map((pattern) => ({
        ...offerOf("x"),
        rule: { surface: "bash", pattern, exact: true, line: null }
      }))
      let state = shown(DialogKeys.open(payload, AskBudget.defaults, size, offers))
      for (let page = 0; page < 400 && !state.complete; page++) state = press(state, named("page_down"))
      state = press({ ...state, focus: "allow_session" }, ENTER)
      if (!state.complete) return
      assert.isNotNull(state.grants)
      for (const key of [null, ...keys]) {
        if (key !== null) state = shown(DialogKeys.press(state, key))
        const view = DialogKeys.view(state, "since 10:00:00")
        // The controls are always on the screen; a field and what is wrong with it take a row each.
        assert.isAtMost(view.rows.length, Math.max(3, Math.min(rows, state.expanded ? rows : 24)))
        for (const row of view.rows) assert.isAtMost(TerminalText.width(TerminalView.text(row)), columns)
        const { bytes } = TerminalView.encode(view, { styled: true })
        assert.notMatch(bytes.replace(/\x1b\[[?0-9;]*[A-Za-z]/g, ""), /[\p{Cc}\p{Cs}]/u)
        assert.deepStrictEqual(DialogKeys.view(state, "since 10:00:00"), view)
        if (state.grants !== null) {
          const body = state.body.rows.map(TerminalView.text)
          const core = state.layout.core.map(TerminalView.text)
          assert.deepStrictEqual(body.slice(-core.length), core)
        }
      }
    },
    { arbitrary: { runs: 300 } }
  )
})
