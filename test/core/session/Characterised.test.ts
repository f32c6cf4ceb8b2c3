import { describe, expect, it } from "@effect/vitest"
import * as Characterised from "../../../src/core/session/Characterised.ts"

const dialect = {
  characterised: { from: "2.1.305", to: "2.1.332" },
  version: (printed: string) => /^\S+/.exec(printed)?.[0] ?? null
}

describe("Characterised", () => {
  it("covers the measured versions, both ends included, and nothing else [S4.4]", () => {
    for (const printed of ["2.1.305", "2.1.332 (x)", "2.1.310"]) {
      expect(Characterised.covers(dialect, printed), printed).toBe(true)
    }
    for (const printed of ["2.1.304", "2.1.333", "2.2.0", "3.1.310", "", "new", "2.1"]) {
      expect(Characterised.covers(dialect, printed), printed).toBe(false)
    }
  })
})
