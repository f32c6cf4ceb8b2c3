import * as Arbitrary from "effect/Arbitrary"
import type * as Arr from "effect/Array"
import * as Schema from "effect/Schema"
import type { AskPayload, AskUnit } from "../../core/ask/AskPayload.ts"

const integer = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

const oneOf = <A>(values: Arr.NonEmptyReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(integer(0, values.length - 1), (index) => values[index]!)

/** Pieces that steer, hide, reorder, widen or imitate, beside plain ones. */
const pieces = [
  "a",
  "rm -rf ",
  "git push --force origin main",
  " ",
  "\n",
  "\t",
  "\r\n",
  "漢字",
  "é",
  "e\u0301",
  "o\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a\u030b",
  "😀",
  "👩\u200d💻",
  "❤\ufe0f",
  "a\ufe0f",
  "🇪🇺",
  "한국어",
  "שלום",
  "\x1b[2J",
  "\x1b]0;safe\x07",
  "\u009b2J",
  "\x00",
  "\u202e",
  "\u200b",
  "\u2028",
  "\u{e0041}",
  "\u{e0100}",
  "\u3164",
  "\ud800",
  "\u00a0".repeat(300),
  " ".repeat(90),
  "x".repeat(200),
  "❯ Deny   Allow once",
  "── … ──",
  " rule:       │ *"
] as const

/** Text as an agent may send it; from nothing up to a few rows. */
export const hostileText: Arbitrary.Arbitrary<string> = Arbitrary.map(
  Arbitrary.array(oneOf(pieces), { minLength: 0, maxLength: 12 }),
  (parts) => parts.join("")
)

const orNull = <A>(arbitrary: Arbitrary.Arbitrary<A>): Arbitrary.Arbitrary<A | null> =>
  Arbitrary.map(Arbitrary.all([Arbitrary.schema(Schema.Boolean), arbitrary]), ([present, value]) =>
    present ? value : null
  )

const unit: Arbitrary.Arbitrary<AskUnit> = Arbitrary.all({
  surface: oneOf(["bash", "code", "path_write", "mcp", "skill", "web", "some tool \x1b[0m"]),
  value: hostileText,
  matchedPattern: oneOf(["git push *", "<no-rule>", "<indirection-bash-wrapper>", "\u202e*"]),
  executedUnit: orNull(hostileText)
})

/** A payload that any gate could emit (P1). */
export const payload: Arbitrary.Arbitrary<AskPayload> = Arbitrary.map(
  Arbitrary.all({
    agentName: orNull(hostileText),
    sessionId: orNull(oneOf(["s-1", "\u200bs"])),
    forwarded: Arbitrary.schema(Schema.Boolean),
    toolName: oneOf(["Bash", "mcp__server__tool", "T\x1b[31m"]),
    invokedToolName: orNull(oneOf(["exec_command"])),
    first: unit,
    rest: Arbitrary.array(unit, { minLength: 0, maxLength: 3 }),
    evidence: Arbitrary.array(
      Arbitrary.all({
        label: oneOf(["directory", "content", "a very long label of some tool's field", "\x1b[1mfield"]),
        text: hostileText,
        modelGenerated: Arbitrary.schema(Schema.Boolean)
      }),
      { minLength: 0, maxLength: 5 }
    ),
    annotations: Arbitrary.array(
      Arbitrary.all({ source: oneOf(["explainer", "\u202enote"]), text: hostileText }),
      { minLength: 0, maxLength: 2 }
    )
  }),
  ({ agentName, annotations, evidence, first, forwarded, invokedToolName, rest, sessionId, toolName }) => ({
    request: {
      agent: "claude",
      requester: { agentName, sessionId, forwarded },
      toolName,
      invokedToolName,
      units: [first, ...rest]
    },
    evidence,
    annotations
  })
)
