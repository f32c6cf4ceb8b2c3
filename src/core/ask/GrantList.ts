import type { GrantRule, SessionGrant } from "../policy/Grant.ts"
import * as GrantOffer from "../policy/GrantOffer.ts"

/** The grants that a person is about to give: what was offered, as far as they have left and changed it (P6.2). */
export interface GrantList {
  readonly entries: ReadonlyArray<Entry>
  readonly scope: SessionGrant["scope"]
  /** Index into `LIMITS`. */
  readonly limit: number
}

export interface Entry {
  readonly offer: GrantOffer.GrantOffer
  readonly rule: GrantRule
}

/** How long a grant may hold. The first is what L5.3 ends anyway. */
export const LIMITS = [
  { label: "the session ends", short: "until its end", minutes: null, uses: null },
  { label: "10 minutes from now", short: "10 min", minutes: 10, uses: null },
  { label: "1 hour from now", short: "1 hour", minutes: 60, uses: null },
  { label: "10 more calls are made", short: "10 calls", minutes: null, uses: 10 }
] as const

export const SCOPES: Readonly<Record<SessionGrant["scope"], string>> = {
  requester: "this agent only",
  session: "every agent of the session"
}

/** The narrower scope first: a wider one is somebody's choice. */
export const open = (offers: ReadonlyArray<GrantOffer.GrantOffer>): GrantList => ({
  entries: offers.map((offer) => ({ offer, rule: offer.rule })),
  scope: "requester",
  limit: 0
})

export const remove = (list: GrantList, index: number): GrantList => ({
  ...list,
  entries: list.entries.filter((_, at) => at !== index)
})

/** The list with another pattern at `index`; or the list as it is, and why it cannot be that one. */
export const change = (
  list: GrantList,
  index: number,
  text: string
): { readonly list: GrantList; readonly problem: string | null } => {
  const entry = list.entries[index]
  if (entry === undefined) return { list, problem: "There is no such entry." }
  const { problem, rule } = GrantOffer.edit(entry.offer, text)
  if (rule === null) return { list, problem }
  return {
    list: {
      ...list,
      entries: list.entries.map((other, at) => (at === index ? { ...other, rule } : other))
    },
    problem: null
  }
}

export const nextScope = (list: GrantList): GrantList => ({
  ...list,
  scope: list.scope === "session" ? "requester" : "session"
})

export const nextLimit = (list: GrantList): GrantList => ({
  ...list,
  limit: (list.limit + 1) % LIMITS.length
})

export const limitOf = (list: GrantList): (typeof LIMITS)[number] => LIMITS[list.limit] ?? LIMITS[0]

/** What it amounts to; `null` where nothing is left in it. */
export const grantOf = (list: GrantList): SessionGrant | null => {
  const [first, ...rest] = list.entries.map(({ rule }) => rule)
  const { minutes, uses } = limitOf(list)
  return first === undefined ? null : { rules: [first, ...rest], scope: list.scope, minutes, uses }
}

/** How an entry is called in front of its pattern. */
export const label = ({ rule }: Entry, index: number): string =>
  `${rule.surface} ${index + 1}${rule.line !== null ? ", only in this command line" : rule.exact ? ", exactly" : ""}`
