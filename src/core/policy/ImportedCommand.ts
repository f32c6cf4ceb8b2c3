import {
  type CarriedRule,
  carried,
  type Imported,
  noted,
  PERSON,
  together,
  widened
} from "./ImportedRules.ts"

/** What makes a pattern of another gate mean something else here; `allow` needs the very same meaning. */
const UNLIKE: ReadonlyArray<{ readonly holds: RegExp; readonly why: string }> = [
  { holds: /&&|\|\||[;|&\n]/, why: "each command of a chain is ruled by itself here" },
  { holds: /\$\(|`|[<>]/, why: "redirections and what runs inside $(…) are ruled by themselves here" },
  { holds: /["'\\]/, why: "words are compared without their quotes here" },
  { holds: /^[A-Za-z_]\w*=/, why: "variables before a command are set aside here" }
]

/** The leading words that mean the same everywhere. */
const plainWords = (pattern: string): string => {
  const words = pattern.replace(/^(?:[A-Za-z_]\w*=\S* +)+/, "").split(/\s+/)
  const end = words.findIndex((word) => !/^[\w@%+=:,./~-]+$/.test(word))
  return (end === -1 ? words : words.slice(0, end)).join(" ")
}

/** What means less there than it does here; a stricter rule may be wider. */
const wider = (pattern: string, literal: RegExp): string | null =>
  literal.test(pattern)
    ? 'a "?" is a wildcard here'
    : /^\s|\s$|\s\s/.test(pattern)
      ? "how words are spaced does not count here"
      : null

/**
 * A rule for shell commands. An allow is carried only where it means the same; a deny or ask that does not is
 * turned into an ask of a person about everything that begins like it.
 *
 * @param rule as the other file writes it
 * @param literal characters that are wildcards here and mean themselves there
 */
export const carry = (
  rule: string,
  pattern: string,
  value: CarriedRule["value"],
  literal: RegExp = /(?!)/
): Imported => {
  const text = pattern.trim() === "" ? "*" : pattern.trim()
  const unlike = UNLIKE.find(({ holds }) => holds.test(text))
  const wide = wider(pattern, literal)
  if (unlike !== undefined) {
    if (value.action === "allow") return noted("left", rule, unlike.why)
    const words = plainWords(text)
    return together([
      widened("bash", [words === "" ? "*" : `${words} *`], PERSON),
      noted("changed", rule, `${unlike.why}: a person is asked about all that begins like it`)
    ])
  }
  if (value.action === "allow")
    return wide === null ? carried("bash", [text], value) : noted("left", rule, wide)
  // There a "?" may be a blank; here no single character is.
  const strict = text.replaceAll("?", "*")
  return wide === null && strict === text ? carried("bash", [text], value) : widened("bash", [strict], value)
}
