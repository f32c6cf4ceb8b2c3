import { diffLines } from "diff"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { EvidenceFormatter } from "../../core/ask/EvidenceFormatters.ts"

/** Milliseconds for one edit: the library gives up, and the raw texts are shown. */
const TIMEOUT = 200

/** Lines that differ in one edit. Where more do, old and new text say more than their difference. */
const MAX_DIFFERENCE = 4000

/** One replacement of text. */
interface Edit {
  readonly before: string
  readonly after: string
}

const ClaudeEdit = Schema.Struct({ old_string: Schema.String, new_string: Schema.String })
const PiEdit = Schema.Struct({ oldText: Schema.String, newText: Schema.String })

/** What stands in an input, whichever of the known forms it has. */
const decode = Schema.decodeUnknownOption(
  Schema.Union([
    Schema.Struct({ edits: Schema.NonEmptyArray(Schema.Union([ClaudeEdit, PiEdit])) }),
    ClaudeEdit,
    PiEdit
  ])
)

const toEdit = (edit: typeof ClaudeEdit.Type | typeof PiEdit.Type): Edit =>
  "oldText" in edit
    ? { before: edit.oldText, after: edit.newText }
    : { before: edit.old_string, after: edit.new_string }

/** Every line of both texts, with what happens to it in front; `null` where the library gives up. */
const render = ({ after, before }: Edit): string | null => {
  // A last line without an end is the same line as one with it.
  const changes = diffLines(ended(before), ended(after), {
    timeout: TIMEOUT,
    maxEditLength: MAX_DIFFERENCE
  })
  return changes === undefined
    ? null
    : changes
        .flatMap(({ added, removed, value }) =>
          value
            .slice(0, -1)
            .split("\n")
            .map((line) => `${added ? "+" : removed ? "-" : " "} ${line}`)
        )
        .join("\n")
}

const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`)

const format: EvidenceFormatter["format"] = (call) =>
  Effect.sync(() => {
    const input = decode(call.input)
    if (Option.isNone(input)) return []
    const edits = "edits" in input.value ? input.value.edits.map(toEdit) : [toEdit(input.value)]
    const texts = edits.map(render)
    return texts.flatMap((text, index) =>
      text === null
        ? []
        : [{ label: edits.length === 1 ? "diff" : `diff ${index + 1}`, text, modelGenerated: false }]
    )
  })

/** Edits as diffs (P4.2). */
export const formatters: ReadonlyArray<EvidenceFormatter> = [
  { agent: "claude", tools: ["Edit", "MultiEdit"], format },
  { agent: "pi", tools: ["edit"], format }
]
