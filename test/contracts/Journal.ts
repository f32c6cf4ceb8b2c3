import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as JournalDigests from "../../src/adapters/files/JournalDigests.ts"
import { Journal } from "../../src/core/journal/Journal.ts"
import type { JournalEntry } from "../../src/core/journal/JournalEntry.ts"
import type { JournalRow } from "../../src/core/journal/JournalRow.ts"
import * as Verification from "../../src/core/journal/Verification.ts"

interface Driver {
  readonly layer: Layer.Layer<Journal>
  /** What is kept of it now, in order. */
  readonly parts: Effect.Effect<ReadonlyArray<Verification.Part>>
  readonly kept: (digest: string) => Effect.Effect<string>
  /** No row can be written until it is mended. */
  readonly breaks: Effect.Effect<void>
  readonly mends: Effect.Effect<void>
}

const note = (text: string): JournalEntry => ({ _tag: "link", ask: "a-1", link: "test", note: text })
const notes = (rows: ReadonlyArray<JournalRow>) =>
  rows.flatMap(({ entry }) => (entry._tag === "link" ? [entry.note] : []))

/** What every journal guarantees, wherever it keeps its rows. */
export const contract = (driver: Effect.Effect<Driver, never, Scope.Scope>): void => {
  const read = Effect.fnUntraced(function* ({ parts }: Driver) {
    return Verification.verify(JournalDigests.sha256, { whole: true, parts: yield* parts })
  })
  const append = (text: string) => Journal.use((journal) => journal.append(note(text)))

  describe("contract", () => {
    it.live("keeps one unbroken chain, from its opening to its end [A4.1, A4.2]", () =>
      Effect.gen(function* () {
        const journal = yield* driver
        yield* Effect.forEach(["a", "b"], append).pipe(Effect.provide(journal.layer), Effect.scoped)
        const { broken, ended, rows, torn } = yield* read(journal)
        assert.deepStrictEqual({ broken, ended, torn }, { broken: null, ended: true, torn: false })
        assert.deepStrictEqual(
          rows.map(({ entry }) => entry._tag),
          ["opened", "link", "link", "closed"]
        )
      }).pipe(Effect.scoped)
    )

    it.live("has a row by the time that append returns [A4.4]", () =>
      Effect.gen(function* () {
        const journal = yield* driver
        yield* Effect.gen(function* () {
          for (const text of ["a", "b"]) {
            yield* append(text)
            assert.strictEqual(notes((yield* read(journal)).rows).at(-1), text)
          }
        }).pipe(Effect.provide(journal.layer))
      }).pipe(Effect.scoped)
    )

    it.live("takes rows of many at once, each whole, none lost [A4.1, X8]", () =>
      Effect.gen(function* () {
        const journal = yield* driver
        const texts = Array.from({ length: 200 }, (_, index) => String(index))
        yield* Effect.forEach(texts, append, { concurrency: "unbounded" }).pipe(Effect.provide(journal.layer))
        const { broken, rows } = yield* read(journal)
        assert.isNull(broken)
        assert.sameMembers(notes(rows), texts)
      }).pipe(Effect.scoped)
    )

    it.live(
      "fails with its own error while it cannot write, and goes on in the same chain after [A4.3, X8]",
      () =>
        Effect.gen(function* () {
          const journal = yield* driver
          yield* Effect.gen(function* () {
            yield* append("before")
            yield* journal.breaks
            const error = yield* Effect.flip(append("lost"))
            assert.strictEqual(error._tag, "JournalUnavailable")
            assert.notInclude(JSON.stringify(error), "lost")
            yield* journal.mends
            yield* append("after")
          }).pipe(Effect.provide(journal.layer))
          const { broken, rows } = yield* read(journal)
          assert.isNull(broken)
          assert.deepStrictEqual(notes(rows), ["before", "after"])
        }).pipe(Effect.scoped)
    )

    it.live("writes no secret, whoever gives it one [X3]", () =>
      Effect.gen(function* () {
        const journal = yield* driver
        yield* append("TOKEN=hunter2-MARKER ls").pipe(Effect.provide(journal.layer))
        const text = (yield* journal.parts).map((part) => part.text).join("")
        assert.include(text, "TOKEN=***")
        assert.notInclude(text, "hunter2-MARKER")
      }).pipe(Effect.scoped)
    )

    it.live("keeps a text under its digest, once [A4.2]", () =>
      Effect.gen(function* () {
        const journal = yield* driver
        yield* Journal.use(
          Effect.fnUntraced(function* ({ keep }) {
            const digest = yield* keep("a policy")
            assert.strictEqual(digest, JournalDigests.sha256("a policy"))
            assert.strictEqual(yield* keep("a policy"), digest)
            assert.strictEqual(yield* journal.kept(digest), "a policy")
          })
        ).pipe(Effect.provide(journal.layer))
      }).pipe(Effect.scoped)
    )

    it.live("has equal fingerprints for equal texts, which are no bare digests [X3]", () =>
      Effect.gen(function* () {
        const { layer } = yield* driver
        yield* Journal.useSync(({ fingerprint }) => {
          assert.strictEqual(fingerprint("yes"), fingerprint("yes"))
          assert.notStrictEqual(fingerprint("yes"), fingerprint("no"))
          assert.notStrictEqual(fingerprint("yes"), JournalDigests.sha256("yes"))
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped)
    )
  })
}
