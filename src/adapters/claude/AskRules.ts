import * as AskUserQuestion from "./AskUserQuestion.ts"

/** How Claude's own tools begin; its rules take no other first letter, but for servers' tools. */
const first = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("")
const later = [...first, ..."abcdefghijklmnopqrstuvwxyz0123456789_-".split("")]

/**
 * Rules that together match every tool name but one: what leaves it at some letter, and what goes on behind it. What
 * ends early is matched by its last letter, which the whole name must not end with.
 */
const allBut = (name: string): ReadonlyArray<string> => [
  ...name
    .split("")
    .flatMap((letter, index) =>
      (index === 0 ? first : later)
        .filter((other) => other !== letter)
        .map((other) => `${name.slice(0, index)}${other}*`)
    ),
  ...later.map((letter) => `${name}${letter}*`),
  ...[...new Set(name.slice(0, -1))].filter((letter) => !name.endsWith(letter)).map((letter) => `*${letter}`)
]

/**
 * The native ask rules of a session: every tool, known and future, and every server's tool raises the native
 * dialog, whatever other settings allow. All but the question tool, which always shows its own editor: under an
 * ask rule Claude takes a hook's answer for it as a mere permission, and drops the answers (measured on 2.1.305).
 * A bare `*` would include it, and a rule cannot exclude, so its complement is spelled out.
 */
export const rules: ReadonlyArray<string> = [...allBut(AskUserQuestion.tool), "mcp__*"]
