import { assert, describe, it } from "@effect/vitest"
import type { Decision, DenialKind } from "../../../src/core/authority/Decision.ts"
import * as Denial from "../../../src/core/ask/Denial.ts"
import { call, ruling, unit } from "./Fixtures.ts"

const denied = (denial: DenialKind, over: Partial<Decision> = {}): Decision => ({
  action: "deny",
  by: { _tag: "rule" },
  denial,
  reason: null,
  ruling: ruling(),
  steps: [],
  node: "s-1",
  ...over
})

const KINDS: ReadonlyArray<DenialKind> = [
  "policy",
  "link",
  "person",
  "unavailable",
  "timed_out",
  "cancelled",
  "gate_error"
]

describe("Denial", () => {
  it("tells every kind apart [P3.1]", () => {
    assert.strictEqual(new Set(KINDS.map((kind) => Denial.render(call(), denied(kind)))).size, KINDS.length)
  })

  it.each(KINDS.filter((kind) => kind !== "person"))("claims no human act for %s [P3.1]", (kind) => {
    assert.notMatch(Denial.render(call(), denied(kind)), /(by a|the) person(?!'s)|user|human|refused by/i)
  })

  it("passes a person's reason on unchanged [P3.6] [A1.3]", () => {
    const reason = "Use `--dry-run` first\n  then ask \u200bagain."
    const text = Denial.render(
      call(),
      denied("person", { by: { _tag: "person", channel: "terminal" }, reason })
    )
    assert.include(text, `denied by a person, who wrote: ${reason}\n`)
  })

  it("names call, surface and rule, and whether another shape could pass [P3.6]", () => {
    const text = Denial.render(call(), denied("policy", { reason: "main is protected" }))
    assert.include(text, "Bash was not run")
    assert.include(text, "main is protected")
    assert.include(text, "Surface: bash. Rule: git push * (ask).")
    assert.include(text, "A call that this rule does not match may pass")
    const all = { ...unit("x"), winner: { ...unit("x").winner, pattern: "*" } }
    assert.include(
      Denial.render(call(), denied("policy", { ruling: ruling({ units: [all] }) })),
      "no other form of this call will pass"
    )
  })

  it("names a link, and marks its words where a model wrote them [P3.9]", () => {
    const by = { _tag: "link", name: "judge", modelGenerated: true } as const
    assert.include(
      Denial.render(call(), denied("link", { by, reason: "too broad" })),
      'authorizer "judge"; no person was asked. Its words (model-generated): too broad'
    )
    assert.notInclude(
      Denial.render(call(), denied("link", { by: { ...by, modelGenerated: false }, reason: "x" })),
      "model-generated"
    )
  })

  it.each(KINDS)(
    "never reproduces the input, and is as long for 45 kB as for 20 bytes: %s [P3.6] [P3.7]",
    (kind) => {
      const render = (command: string) =>
        Denial.render(
          call({ input: { command, description: command } }),
          denied(kind, {
            ruling: ruling({ command, units: [unit(command, { executedUnit: command })], residue: command })
          })
        )
      const short = render("git push --forceful")
      assert.strictEqual(render("git push --forceful".repeat(2400)), short)
      assert.notInclude(short, "--forceful")
    }
  )

  it("stays short and harmless when names and reasons are not [P3.7] [P2.6]", () => {
    const huge = `\x1b[2J${"x".repeat(100_000)}`
    const text = Denial.render(
      call({ tool: huge }),
      denied("link", {
        by: { _tag: "link", name: huge, modelGenerated: false },
        reason: huge,
        ruling: ruling({
          units: [unit("x", { surface: huge, winner: { ...unit("x").winner, pattern: huge } })]
        })
      })
    )
    assert.isBelow(text.length, 1600)
    assert.notInclude(text, "\x1b")
  })

  it("says what it can where policy itself broke [A1.2]", () => {
    assert.include(
      Denial.render(call(), denied("gate_error", { ruling: null })),
      "the permission gate failed"
    )
  })
})
