import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as JournalDigests from "../../adapters/files/JournalDigests.ts"
import * as JournalFolder from "../../adapters/files/JournalFolder.ts"
import { Action } from "../../core/policy/Ruling.ts"
import * as Export from "../../core/journal/Export.ts"
import * as JournalLines from "../../core/journal/JournalLines.ts"
import { JournalRow } from "../../core/journal/JournalRow.ts"
import * as Replay from "../../core/journal/Replay.ts"
import * as Verification from "../../core/journal/Verification.ts"
import * as StateFolder from "../StateFolder.ts"
import * as Diagnostic from "./Diagnostic.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Manifest from "./Manifest.ts"
import * as Output from "./Output.ts"

/** The journal is not there, or cannot be read. */
class NoJournal extends Schema.TaggedError<NoJournal>()("NoJournal", { message: Schema.String }) {
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

/** What was asked of the journal does not hold; what is wrong has been said. */
class JournalBroken extends Schema.TaggedError<JournalBroken>()("JournalBroken", {
  message: Schema.String
}) {
  override readonly [Runtime.errorExitCode] = ExitCode.of("failure")
}

const REASONS: Readonly<Record<string, string>> = {
  none: "there is no such journal; see: obstat journal show --help",
  several: "more than one journal fits; give more of the id",
  ENOENT: "there is no such file"
}

const folder = () => StateFolder.journal(StateFolder.of(process.env))

/** A journal, followed from its first row to its last or to the first that does not hold. */
const open = Effect.fnUntraced(function* (journal: string | null) {
  const found = yield* JournalFolder.find(folder(), journal).pipe(
    Effect.mapError(
      (error) => new NoJournal({ message: `${error.journal}: ${REASONS[error.reason] ?? error.reason}` })
    )
  )
  return { ...found, ...Verification.verify(JournalDigests.sha256, found) }
})

type Opened = Effect.Success<ReturnType<typeof open>>

const WHY: Readonly<Record<Verification.BrokenLink["reason"], string>> = {
  unreadable: "no row that this version knows",
  changed: "its content is not what was written",
  not_linked: "a row before it was changed, moved, added or taken away"
}

const place = ({ file, line, reason }: Verification.BrokenLink): string => `${file}:${line}: ${WHY[reason]}`

/** What the chain cannot vouch for, besides a broken link. */
const gaps = ({ ended, torn }: Pick<Opened, "ended" | "torn">): ReadonlyArray<string> => [
  ...(torn ? ["the last row was never finished and is left out: its writer was killed"] : []),
  ...(ended ? [] : ["the host did not write its end: it runs, was killed, or rows are missing at the end"])
]

const requireWhole = ({ broken }: Opened) =>
  broken === null
    ? Effect.void
    : Effect.fail(new JournalBroken({ message: `broken link at ${place(broken)}` }))

interface Filters {
  readonly kind: Option.Option<string>
  readonly action: Option.Option<string>
  readonly tool: Option.Option<string>
  readonly by: Option.Option<string>
}

const accepts =
  ({ action, by, kind, tool }: Filters) =>
  ({ entry }: JournalRow): boolean => {
    const is = (wanted: Option.Option<string>, value: string | null) =>
      Option.isNone(wanted) || wanted.value === value
    const decision = entry._tag === "decision" ? entry : null
    const about = decision?.call.tool ?? ("tool" in entry ? entry.tool : null)
    return (
      is(kind, entry._tag) &&
      is(action, decision?.action ?? null) &&
      is(by, decision?.by._tag ?? null) &&
      is(tool, about)
    )
  }

const Shown = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  rows: Schema.Array(JournalRow),
  ended: Schema.Boolean,
  torn: Schema.Boolean,
  broken: Schema.NullOr(Verification.BrokenLink)
})

export interface ShowOptions extends Filters {
  readonly journal: Option.Option<string>
  readonly output: Output.Format
}

/** What `obstat journal show` does. */
export const show = Effect.fnUntraced(function* (asked: ShowOptions) {
  const opened = yield* open(Option.getOrNull(asked.journal))
  const { broken, ended, torn } = opened
  const rows = opened.rows.filter(accepts(asked))
  switch (asked.output) {
    case "json":
      yield* Output.json(Shown)({ schemaVersion: 1, rows, ended, torn, broken })
      break
    case "jsonl":
      yield* Output.jsonl(JournalRow)(Stream.fromIterable(rows))
      break
    case "text":
      yield* Output.text(rows.map(JournalLines.line).join("\n"))
  }
  if (torn) yield* Diagnostic.print(gaps({ torn, ended: true }))
  yield* requireWhole(opened)
})

const Verified = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  holds: Schema.Boolean,
  /** Rows that hold, from the first on. */
  rows: Schema.Int,
  files: Schema.Int,
  /** The hash of the last of them. */
  last: Schema.NullOr(Schema.String),
  broken: Schema.NullOr(Verification.BrokenLink),
  torn: Schema.Boolean,
  ended: Schema.Boolean
})

export interface JournalOptions {
  readonly journal: string
  readonly output: "text" | "json"
}

/** What `obstat journal verify` does. */
export const verify = Effect.fnUntraced(function* (asked: JournalOptions & { readonly ended: boolean }) {
  const opened = yield* open(asked.journal)
  const { broken, ended, last, parts, rows, torn } = opened
  const holds = broken === null && (ended || !asked.ended)
  if (asked.output === "json") {
    yield* Output.json(Verified)({
      schemaVersion: 1,
      holds,
      rows: rows.length,
      files: parts.length,
      last,
      broken,
      torn,
      ended
    })
  } else {
    yield* Output.text(
      [
        `${rows.length} rows hold, in ${parts.length} file${parts.length === 1 ? "" : "s"}`,
        ...(last === null ? [] : [`last hash ${last}`]),
        ...(broken === null ? gaps(opened) : [])
      ].join("\n")
    )
  }
  yield* requireWhole(opened)
  if (!holds) return yield* new JournalBroken({ message: "the journal has no end (--ended)" })
})

const Replayed = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  /** Versions of Obstat. Rules that ship with it may differ between two. */
  recordedBy: Schema.Array(Schema.String),
  replayedBy: Schema.String,
  equal: Schema.Int,
  different: Schema.Array(Schema.Struct({ seq: Schema.Int, recorded: Action, replayed: Action })),
  policyChanged: Schema.Array(Schema.Int),
  notReplayable: Schema.Array(
    Schema.Struct({ seq: Schema.Int, obstacle: Schema.Literals(["altered", "no_basis", "no_policy"]) })
  )
})

const OBSTACLES: Readonly<Record<Replay.Obstacle, string>> = {
  altered: "redaction or a limit took something of the row",
  no_basis: "there was no ruling to make again",
  no_policy: "its policy was not kept"
}

const replayRows = Effect.fnUntraced(function* ({ folder, rows }: Opened) {
  const decisions = rows.flatMap(({ altered, entry, seq }) =>
    entry._tag === "decision" ? [{ altered, entry, seq }] : []
  )
  const policies = yield* JournalFolder.policies(
    folder,
    decisions.flatMap(({ entry }) => entry.policy ?? [])
  )
  const made = decisions.map(({ altered, entry, seq }) => ({
    seq,
    made: Replay.replay({ altered }, entry, policies)
  }))
  return Replayed.make({
    schemaVersion: 1,
    recordedBy: [...new Set(rows.flatMap(({ entry }) => (entry._tag === "opened" ? [entry.version] : [])))],
    replayedBy: Manifest.version,
    equal: made.filter(({ made }) => made._tag === "equal").length,
    different: made.flatMap(({ made, seq }) =>
      made._tag === "different" ? [{ seq, recorded: made.recorded, replayed: made.replayed }] : []
    ),
    policyChanged: made.flatMap(({ made, seq }) => (made._tag === "policy_changed" ? [seq] : [])),
    notReplayable: made.flatMap(({ made, seq }) =>
      made._tag === "not_replayable" ? [{ seq, obstacle: made.obstacle }] : []
    )
  })
})

/** What `obstat journal replay` does. */
export const replay = Effect.fnUntraced(function* (asked: JournalOptions) {
  const opened = yield* open(asked.journal)
  const replayed = yield* replayRows(opened)
  const { different, equal, notReplayable, policyChanged, recordedBy, replayedBy } = replayed
  const wrong = different.length + policyChanged.length
  if (asked.output === "json") yield* Output.json(Replayed)(replayed)
  else {
    yield* Output.text(
      [
        `${equal} equal, ${wrong} different, ${notReplayable.length} not replayable`,
        ...different.map(
          ({ recorded, replayed, seq }) =>
            `row ${seq}: recorded ${recorded}, now ${replayed}, or for another reason`
        ),
        ...policyChanged.map((seq) => `row ${seq}: what is kept as its policy is another`),
        ...notReplayable.map(({ obstacle, seq }) => `row ${seq}: not replayable: ${OBSTACLES[obstacle]}`)
      ].join("\n")
    )
  }
  const others = recordedBy.filter((version) => version !== replayedBy)
  if (others.length > 0) {
    yield* Diagnostic.print([
      `recorded by obstat ${others.join(", ")}, replayed by ${replayedBy}: shipped rules may differ`
    ])
  }
  yield* requireWhole(opened)
  if (wrong > 0) return yield* new JournalBroken({ message: `${wrong} rulings are not what was recorded` })
})

/** What `obstat journal export` does. */
export const exported = Effect.fnUntraced(function* ({ journal }: { readonly journal: string }) {
  const opened = yield* open(journal)
  const key = yield* JournalFolder.key(folder())
  const { fingerprint } = JournalDigests.make(key)
  yield* Output.jsonl(Export.ExportedRow)(
    Stream.fromIterable(opened.rows).pipe(Stream.map((row) => Export.row(fingerprint, row)))
  )
  yield* requireWhole(opened)
})
