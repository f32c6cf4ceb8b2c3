import type { Policy } from "../policy/Policy.ts"

/** `off`: no rows. `on`: rows, and a journal that fails holds nothing up. `required`: no row, no allow (A4.3). */
export type JournalMode = "off" | "on" | "required"

const RANK: Readonly<Record<JournalMode, number>> = { off: 0, on: 1, required: 2 }

/** The strictest that a trusted policy file asks for, so that nobody switches off what another demands; else `on`. */
export const of = ({ settings }: Policy): JournalMode =>
  settings
    .flatMap(({ journal }) => journal ?? [])
    .toSorted((left, right) => RANK[left] - RANK[right])
    .at(-1) ?? "on"
