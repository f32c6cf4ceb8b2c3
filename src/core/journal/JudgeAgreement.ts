import * as Option from "effect/Option"
import * as JudgeRow from "../authority/JudgeRow.ts"
import type { JournalEntry, Of } from "./JournalEntry.ts"

/** What a judge predicted. */
type Word = JudgeRow.JudgeRow["prediction"]

/** How often a person decided so, by what the judge had predicted. */
export type Counts = Readonly<Record<Word, number>>

/** One judge on one surface, against the people who decided in the end (A3.6). */
export interface Agreement {
  readonly link: string
  readonly model: string
  readonly surface: string
  readonly personAllowed: Counts
  readonly personDenied: Counts
}

const NONE: Counts = { allow: 0, deny: 0, defer: 0, unavailable: 0, none: 0 }

/** Allow or deny, where a person said so; a prompt that was closed is neither. */
const personSaid = ({ action, by, denial }: Of<"decision">): "allow" | "deny" | null =>
  by._tag !== "person" ? null : denial === null || denial === "person" ? action : null

/**
 * How far judges and people agree, from a journal's entries in their order (A3.6). Only asks that a person
 * decided count: what a judge decided by itself agrees with nobody.
 */
export const measure = (entries: Iterable<JournalEntry>): ReadonlyArray<Agreement> => {
  const open = new Map<string, Map<string, JudgeRow.JudgeRow>>()
  const found = new Map<string, Agreement>()
  for (const entry of entries) {
    if (entry._tag === "link") {
      const row = JudgeRow.read(entry.note)
      if (Option.isNone(row) || entry.ask === undefined) continue
      // Asked about anew, a call is judged anew: the last row is the one that the person's decision is about.
      open.set(entry.ask, (open.get(entry.ask) ?? new Map()).set(entry.link, row.value))
    }
    if (entry._tag !== "decision") continue
    const said = personSaid(entry)
    for (const [link, row] of open.get(entry.ask) ?? []) {
      if (said === null) continue
      const [surface] = row.surfaces
      const key = JSON.stringify([link, row.model, surface])
      const before = found.get(key) ?? {
        link,
        model: row.model,
        surface,
        personAllowed: NONE,
        personDenied: NONE
      }
      const side = said === "allow" ? "personAllowed" : "personDenied"
      found.set(key, {
        ...before,
        [side]: { ...before[side], [row.prediction]: before[side][row.prediction] + 1 }
      })
    }
    open.delete(entry.ask)
  }
  return [...found.values()]
}

/**
 * The part of a judge's verdicts, allows and denies alone, that the person shared; `null` where there were none.
 * What it deferred or could not say is no verdict.
 */
export const share = ({ personAllowed, personDenied }: Agreement): number | null => {
  const shared = personAllowed.allow + personDenied.deny
  const verdicts = shared + personAllowed.deny + personDenied.allow
  return verdicts === 0 ? null : shared / verdicts
}
