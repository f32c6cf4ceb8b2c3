import { assert, describe, it } from "@effect/vitest"
import * as LinkEnvelope from "../../../src/core/authority/LinkEnvelope.ts"
import type { UnitRuling } from "../../../src/core/policy/Ruling.ts"
import { allowed, ruling, unit } from "../ask/Fixtures.ts"

const ALLOW = { _tag: "allow" } as const
const NONE = { surfaces: [], indirect: false }

const confine = (units: readonly [UnitRuling, ...Array<UnitRuling>], optIn: LinkEnvelope.LinkOptIn = NONE) =>
  LinkEnvelope.confine(ALLOW, ruling({ units }), optIn)._tag

describe("LinkEnvelope", () => {
  it.each(["bash", "mcp", "skill", "web", "agent"])("lets an allow on %s stand [A2.4]", (surface) => {
    assert.strictEqual(confine([unit("x", { surface })]), "allow")
  })

  it.each([
    "path_read",
    "path_write",
    "external_directory_read",
    "external_directory_write",
    "code",
    "Read",
    "my_tool"
  ])("turns an allow on %s into defer, unless the operator opted in by that name [A2.4]", (surface) => {
    assert.strictEqual(confine([unit("x", { surface })]), "defer")
    assert.strictEqual(confine([unit("x", { surface })], { surfaces: [surface], indirect: false }), "allow")
    assert.strictEqual(
      confine([unit("x", { surface })], { surfaces: ["*", "other"], indirect: true }),
      "defer"
    )
  })

  it("holds for every asking unit, and not for those that policy allows [A2.4]", () => {
    assert.strictEqual(confine([unit("x"), unit("/a", { surface: "path_write" })]), "defer")
    const path = { ...allowed("/a"), surface: "path_write" }
    assert.strictEqual(confine([unit("x"), path]), "allow")
  })

  it("defers on what the text does not show, unless opted in; never lifts unresolved [A2.4] [L3.3]", () => {
    for (const indirect of ["code", "open", "unresolved"] as const) {
      assert.strictEqual(confine([unit("x", { indirect })]), "defer")
      assert.strictEqual(
        confine([unit("x", { indirect })], { surfaces: [], indirect: true }),
        indirect === "unresolved" ? "defer" : "allow"
      )
    }
  })

  it("leaves to a person what a rule reserves for one, whatever is opted in [L1.4]", () => {
    const reserved = unit("x", { winner: { ...unit("").winner, by: "person" } })
    assert.strictEqual(confine([reserved], { surfaces: ["bash"], indirect: true }), "defer")
  })

  it("leaves to a person what could not be understood, whatever is opted in [L3.5]", () => {
    const unread = ruling({ residue: "$(" })
    assert.strictEqual(
      LinkEnvelope.confine(ALLOW, unread, { surfaces: ["bash"], indirect: true })._tag,
      "defer"
    )
    assert.strictEqual(confine([allowed("ls")]), "defer")
  })

  it("never changes a deny or a defer [A2.4]", () => {
    const path = ruling({ units: [unit("/a", { surface: "path_write" })] })
    for (const verdict of [{ _tag: "deny", reason: "x" }, { _tag: "defer" }] as const) {
      assert.strictEqual(LinkEnvelope.confine(verdict, path, NONE), verdict)
    }
  })
})
