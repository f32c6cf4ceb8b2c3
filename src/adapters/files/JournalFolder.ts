import { randomBytes } from "node:crypto"
import { readdir, readFile, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { JournalUnavailable } from "../../core/journal/Journal.ts"
import * as JournalRow from "../../core/journal/JournalRow.ts"
import * as KeptPolicy from "../../core/journal/KeptPolicy.ts"
import type { Policies } from "../../core/journal/Replay.ts"
import type { Part } from "../../core/journal/Verification.ts"
import type { Policy } from "../../core/policy/Policy.ts"
import * as JournalDigests from "./JournalDigests.ts"
import * as PrivateFile from "./PrivateFile.ts"

/** `HOST.0001.jsonl`: the rows of one host process, in parts that continue each other. */
const NAME = /^(.+)\.(\d{4,})\.jsonl$/

export const fileOf = (folder: string, host: string, part: number): string =>
  join(folder, `${host}.${String(part).padStart(4, "0")}.jsonl`)

const policyFile = (folder: string, digest: string): string => join(folder, "policies", `${digest}.json`)

const unavailable = ({ path, reason }: PrivateFile.PrivateFileRefused): JournalUnavailable =>
  new JournalUnavailable({ path, reason })

export const freshKey = (): string => randomBytes(32).toString("hex")

const KEY = /^[0-9a-f]{64}$/

/**
 * The key of this user's fingerprints, made on first use; reading it makes sure that the folder is ours alone (X5).
 * Two hosts that make it at once may each use their own for that one life, which only keeps their fingerprints apart.
 */
export const key = Effect.fnUntraced(function* (folder: string) {
  const path = join(folder, "key")
  const text = yield* PrivateFile.read(path).pipe(
    Effect.catchIf(
      ({ reason }) => reason === "ENOENT",
      () => Effect.andThen(PrivateFile.write(path, freshKey()), PrivateFile.read(path))
    ),
    Effect.mapError(unavailable)
  )
  return KEY.test(text) ? text : yield* new JournalUnavailable({ path, reason: "malformed" })
})

/** Keeps a text under its SHA-256. */
export const keep = Effect.fnUntraced(function* (folder: string, text: string) {
  const digest = JournalDigests.sha256(text)
  const path = policyFile(folder, digest)
  const kept = yield* Effect.option(PrivateFile.read(path))
  if (Option.isNone(kept) || kept.value !== text) {
    yield* Effect.mapError(PrivateFile.write(path, text), unavailable)
  }
  return digest
})

/** A journal cannot be found or read. */
export class JournalNotFound extends Schema.TaggedError<JournalNotFound>()("JournalNotFound", {
  journal: Schema.String,
  /** `none`: there is none of this name; `several`: the beginning of an id fits more than one; else the system's code. */
  reason: Schema.String
}) {}

const code = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown"

const io = <A>(journal: string, run: () => Promise<A>): Effect.Effect<A, JournalNotFound> =>
  Effect.tryPromise({ try: run, catch: (error) => new JournalNotFound({ journal, reason: code(error) }) })

/** Far above what a part grows to: another file of this size is no journal. */
const MAX_PART = 64 * 1024 * 1024

const readPart = Effect.fnUntraced(function* (file: string) {
  const status = yield* io(file, () => stat(file))
  if (!status.isFile()) return yield* new JournalNotFound({ journal: file, reason: "EISDIR" })
  if (status.size > MAX_PART) return yield* new JournalNotFound({ journal: file, reason: "EFBIG" })
  return { file, text: yield* io(file, () => readFile(file, "utf8")) } satisfies Part
})

/** A journal as its files are now. */
export interface Found {
  /** Where the policies are kept. */
  readonly folder: string
  /** All parts that there are, and not one file of them. */
  readonly whole: boolean
  readonly parts: ReadonlyArray<Part>
}

const numbered = (name: string): { readonly host: string; readonly part: number } | null => {
  const match = NAME.exec(name)
  return match === null ? null : { host: match[1]!, part: Number(match[2]) }
}

const partsOf = (folder: string, names: ReadonlyArray<string>, host: string) =>
  Effect.forEach(
    names
      .flatMap((name) => {
        const found = numbered(name)
        return found?.host === host ? [{ name, part: found.part }] : []
      })
      .toSorted((left, right) => left.part - right.part),
    ({ name }) => readPart(join(folder, name))
  )

/** Whether a part speaks of a session whose id begins so. */
const mentions = ({ text }: Part, prefix: string): boolean =>
  text.includes(`"_tag":"session_started"`) &&
  text.includes(`"session":${JSON.stringify(prefix).slice(0, -1)}`)

/** All that is asked for by one file: its own rows alone. */
const ofFile = (file: string) =>
  Effect.map(readPart(file), (part): Found => ({ folder: dirname(file), whole: false, parts: [part] }))

/** The journals in a folder, each with its parts, the newest last. */
const all = Effect.fnUntraced(function* (folder: string) {
  const names = yield* Effect.catchIf(
    io(folder, () => readdir(folder)),
    ({ reason }) => reason === "ENOENT",
    () => Effect.succeed([])
  )
  const hosts = [...new Set(names.flatMap((name) => numbered(name)?.host ?? []))]
  const journals = yield* Effect.forEach(hosts, (host) =>
    Effect.map(partsOf(folder, names, host), (parts) => ({ host, folder, whole: true, parts }))
  )
  return journals.toSorted((left, right) => openedAt(left.parts) - openedAt(right.parts))
})

/** When a journal was begun, 0 where its first row says nothing. */
const openedAt = ([first]: ReadonlyArray<Part>): number => {
  const line = first?.text.slice(0, first.text.indexOf("\n")) ?? ""
  return Result.match(JournalRow.read(JournalDigests.sha256, null, line), {
    onFailure: () => 0,
    onSuccess: ({ at }) => at
  })
}

/**
 * A journal by one of its files, or by the beginning of a host's or a session's id; `null`: the newest one. Of a
 * file only that file is read, of an id all parts.
 */
export const find = Effect.fnUntraced(function* (folder: string, journal: string | null) {
  if (journal !== null && (journal.includes("/") || numbered(basename(journal)) !== null)) {
    return yield* ofFile(journal)
  }
  const journals = yield* all(folder)
  if (journal === null) {
    const newest = journals.at(-1)
    return newest ?? (yield* new JournalNotFound({ journal: folder, reason: "none" }))
  }
  const found = journals.filter(
    ({ host, parts }) => host.startsWith(journal) || parts.some((part) => mentions(part, journal))
  )
  const [only] = found
  if (only === undefined) return yield* new JournalNotFound({ journal, reason: "none" })
  if (found.length > 1) return yield* new JournalNotFound({ journal, reason: "several" })
  return only
})

const DIGEST = /^[0-9a-f]{64}$/

/** The policies that are kept in a folder, each read once, so that a replay needs no file system. */
export const policies = Effect.fnUntraced(function* (folder: string, kept: ReadonlyArray<string>) {
  const found = new Map<string, Option.Option<Policy | "changed">>()
  for (const digest of new Set(kept)) {
    if (!DIGEST.test(digest)) continue
    const text = yield* Effect.option(io(digest, () => readFile(policyFile(folder, digest), "utf8")))
    found.set(
      digest,
      Option.map(text, (text) =>
        JournalDigests.sha256(text) === digest
          ? Option.getOrElse(KeptPolicy.read(text), () => "changed" as const)
          : "changed"
      )
    )
  }
  const policies: Policies = (digest) => Option.flatten(Option.fromUndefinedOr(found.get(digest)))
  return policies
})
