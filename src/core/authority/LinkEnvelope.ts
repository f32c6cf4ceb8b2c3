import type { Ruling, UnitRuling } from "../policy/Ruling.ts"
import type { Verdict } from "./AuthorizerLink.ts"

/** Where the operator lets a link allow although the envelope would not (A2.4). */
export interface LinkOptIn {
  /** Surfaces by their exact name. */
  readonly surfaces: ReadonlyArray<string>
  /** Units whose text does not show all that runs; an `unresolved` one stays with the person (L3.3). */
  readonly indirect: boolean
}

/**
 * Surfaces on which a link's allow stands by itself. Paths and external directories are left out on purpose,
 * and so is every surface that is not known here: a tool's own name, `code`.
 */
const OPEN_SURFACES: ReadonlySet<string> = new Set(["bash", "mcp", "skill", "web", "agent"])

/**
 * The verdict that counts: an allow becomes `defer` unless every asking unit lies within the envelope; deny
 * and defer are never changed (A2.4). A rule that asks for a person is outside it always (L1.4), and so is text
 * that the analysis could not understand (L3.5).
 */
export const confine = (verdict: Verdict, ruling: Ruling, optIn: LinkOptIn): Verdict => {
  if (verdict._tag !== "allow") return verdict
  const asking = ruling.units.filter(asks)
  const within = asking.length > 0 && asking.every((unit) => permits(unit, optIn))
  return within && ruling.residue === null ? verdict : { _tag: "defer" }
}

const asks = (unit: UnitRuling): boolean => unit.winner.action !== "allow"

const permits = (unit: UnitRuling, optIn: LinkOptIn): boolean =>
  unit.winner.by !== "person" &&
  unit.indirect !== "unresolved" &&
  (unit.indirect === null || optIn.indirect) &&
  (OPEN_SURFACES.has(unit.surface) || optIn.surfaces.includes(unit.surface))
