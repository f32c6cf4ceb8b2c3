import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { join, resolve } from "node:path"
import * as ClaudeRecording from "../../adapters/claude/ClaudeRecording.ts"
import * as CodexRecording from "../../adapters/codex/CodexRecording.ts"
import * as PiRecording from "../../adapters/pi/PiRecording.ts"
import type { RecordedLine, Recording, RecordingFormat } from "../../core/call/Recording.ts"
import * as JournalRecording from "../../core/journal/JournalRecording.ts"
import * as Analysis from "../../core/policy/Analysis.ts"
import { PathFacts } from "../../core/policy/PathFacts.ts"
import * as Simulation from "../../core/policy/Simulation.ts"
import * as Diagnostic from "./Diagnostic.ts"
import * as ExitCode from "./ExitCode.ts"
import * as LocalPolicy from "./LocalPolicy.ts"
import * as Output from "./Output.ts"
import type { Asked } from "./PolicySimulate.ts"

/** Every kind of file that can be replayed. */
const formats: ReadonlyArray<RecordingFormat> = [
  ClaudeRecording.format,
  CodexRecording.format,
  PiRecording.format,
  JournalRecording.format
]

/** None of the files is a recording that is known. */
class NoRecording extends Schema.TaggedError<NoRecording>()("NoRecording", {
  files: Schema.Array(Schema.String)
}) {
  override get message() {
    const known = formats.map(({ name }) => name).join(", ")
    return `nothing to replay (known: ${known}) in ${this.files.join(", ")}`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

/** A file cannot be read. */
class UnreadableRecording extends Schema.TaggedError<UnreadableRecording>()("UnreadableRecording", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.file} cannot be read: ${this.reason}`
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

const SUFFIX = ".jsonl"

/** The file, or every `.jsonl` file below the folder, in order. */
const filesOf = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const { type } = yield* fs.stat(path)
  if (type !== "Directory") return [path]
  const names = yield* fs.readDirectory(path, { recursive: true })
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .toSorted()
    .map((name) => join(path, name))
})

const decodeLine = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))

/** The file's records. A line that is no JSON, such as one that was being written, is passed over. */
const linesOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const lines: Array<RecordedLine> = []
  yield* fs.stream(file).pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.zipWithIndex,
    Stream.runForEach(([text, index]) =>
      Effect.sync(() => {
        const value = decodeLine(text)
        if (Option.isSome(value)) lines.push({ line: index + 1, value: value.value })
      })
    )
  )
  return lines
})

const readRecording = Effect.fnUntraced(function* (file: string) {
  const lines = yield* linesOf(file)
  for (const { read } of formats) {
    const recording = read(lines)
    if (recording !== null) return [{ file, recording }]
  }
  return []
})

const readAll = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  const found: Array<{ file: string; recording: Recording }> = []
  for (const path of paths) {
    const failed = ({ reason }: { readonly reason: { readonly _tag: string } }) =>
      new UnreadableRecording({ file: path, reason: reason._tag })
    const files = yield* Effect.mapError(filesOf(path), failed)
    for (const file of files) {
      const read = yield* Effect.mapError(readRecording(file), failed)
      // In a folder there may be anything; what was named itself was meant.
      if (read.length === 0 && file === path)
        yield* Diagnostic.print([`${file} is no recording that is known`])
      found.push(...read)
    }
  }
  return found
})

/** The calls of one place with the policies that rule there; the file system is asked once about all of them. */
const casesOf = Effect.fnUntraced(function* (
  root: string,
  recordings: ReadonlyArray<{ readonly file: string; readonly recording: Recording }>,
  candidateFile: Option.Option<string>
) {
  const places = LocalPolicy.environment(root)
  const load = (file: Option.Option<string>) =>
    Effect.provide(LocalPolicy.load(places), LocalPolicy.layer(file, places, "alone"))
  const current = yield* load(Option.none())
  const candidate = Option.isSome(candidateFile) ? yield* load(candidateFile) : null
  const analysed = recordings.flatMap(({ file, recording }) =>
    recording.calls.map((recorded) => {
      const { cwd } = recorded.call
      return { file, recorded, analysis: Analysis.analyse(recorded.call, { ...places, cwd }) }
    })
  )
  const facts = yield* PathFacts.use((service) =>
    service.resolve(
      [...new Set(analysed.flatMap(({ analysis }) => analysis.paths))],
      [...new Set(analysed.flatMap(({ analysis }) => analysis.programs))]
    )
  ).pipe(Effect.provide(LocalPolicy.layer(Option.none(), places, "alone")))
  return analysed.map((item): Simulation.Case => ({ ...item, facts, current, candidate }))
})

/** What `obstat policy simulate` does. */
export const run = Effect.fnUntraced(function* ({ cwd, more, output, over, policy }: Asked) {
  const paths = [...over, ...more].map((path) => resolve(path))
  const recordings = yield* readAll(paths)
  if (recordings.length === 0) return yield* new NoRecording({ files: paths })
  const byRoot = Map.groupBy(recordings, ({ recording }) =>
    Option.getOrElse(Option.map(cwd, resolve), () => recording.projectRoot)
  )
  const cases: Array<Simulation.Case> = []
  for (const [root, own] of byRoot) cases.push(...(yield* casesOf(root, own, policy)))
  return yield* Output.result(Simulation.Simulation)(output, Simulation.simulate(cases), Simulation.render)
})
