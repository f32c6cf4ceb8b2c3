/** Versions whose screens, keys, hooks and records were measured, inclusive (S4.4). */
export const characterised = { from: "2.1.305", to: "2.1.332" } as const

/** The version in what `claude --version` prints (`2.1.305 (Claude Code)`), or `null`. */
export const parse = (stdout: string): string | null =>
  /^\s*(\d+\.\d+\.\d+)(?=\s|$)/.exec(stdout)?.[1] ?? null
