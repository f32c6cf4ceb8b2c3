/**
 * What an exit status says (C1). The rows stand in order of precedence: when several apply, the first wins, so
 * that a failed clean-up never hides an unknown outcome. `usage` and `interrupted` end a run instead of the
 * others and stand outside that order.
 */
export const table = {
  unknownOutcome: { code: 5, meaning: "outcome unknown: the prompt may have been submitted" },
  timedOut: { code: 124, meaning: "the time-out passed" },
  personNeeded: { code: 4, meaning: "a person is needed: a blocked prompt or a question" },
  denied: { code: 3, meaning: "the turn ended by a denial, or --fail-on-denied and a call was denied" },
  failure: { code: 1, meaning: "the agent, the run or the clean-up failed" },
  usage: { code: 2, meaning: "wrong usage or configuration" },
  interrupted: { code: 130, meaning: "interrupted" },
  ok: { code: 0, meaning: "success, or the reader of the output closed it" }
} as const

export type Name = keyof typeof table

/** The status for a name. */
export const of = (name: Name): number => table[name].code
