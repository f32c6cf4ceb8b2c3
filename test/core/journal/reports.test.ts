import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as JournalDigests from "../../../src/adapters/files/JournalDigests.ts"
import * as JournalFile from "../../../src/adapters/files/JournalFile.ts"
import * as JournalFolder from "../../../src/adapters/files/JournalFolder.ts"
import * as Export from "../../../src/core/journal/Export.ts"
import { Journal } from "../../../src/core/journal/Journal.ts"
import * as JournalRow from "../../../src/core/journal/JournalRow.ts"
import * as SecretText from "../../../src/core/journal/SecretText.ts"
import * as Verification from "../../../src/core/journal/Verification.ts"
import { permit } from "../policy/Fixtures.ts"
import { call, chain, decision, digests, opened } from "./Fixtures.ts"

/*
 * Public bug reports of other tools about files and secrets, each played on the journal.
 */

const Row = Schema.fromJsonString(
  Schema.Struct({ id: Schema.String, area: Schema.String, symptom: Schema.String })
)
const rows = readFileSync(new URL("../../corpus/reports.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => Schema.decodeSync(Row)(line))
  .filter(({ area }) => ["files", "secrets", "journal"].includes(area))

type Play = (folder: string) => Effect.Effect<void, unknown, Scope.Scope>

const append = (note: string) =>
  Journal.use((journal) => journal.append({ _tag: "link", ask: "a-1", link: "test", note }))

const use = <A, E>(folder: string, body: Effect.Effect<A, E, Journal>) =>
  body.pipe(Effect.provide(JournalFile.layer({ folder, host: "host", version: "test" })), Effect.scoped)

const AWS_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

const plays: Readonly<Record<string, Play>> = {
  // Rows are appended, never renamed into place; what is, has a name of its own and can be tried again.
  "BUG-155": (folder) =>
    Effect.gen(function* () {
      const digest = JournalDigests.sha256("policy")
      const target = join(folder, "policies", `${digest}.json`)
      yield* use(folder, append("a"))
      mkdirSync(target, { recursive: true, mode: 0o700 })
      const error = yield* Effect.flip(JournalFolder.keep(folder, "policy"))
      assert.strictEqual(error._tag, "JournalUnavailable")
      assert.lengthOf(readdirSync(join(folder, "policies")), 1)
      rmdirSync(target)
      assert.strictEqual(yield* JournalFolder.keep(folder, "policy"), digest)
    }),
  // A reader holds no lock, and never sees half of a row as a whole one.
  "BUG-156": (folder) =>
    use(
      folder,
      Effect.gen(function* () {
        yield* append("first")
        for (let row = 0; row < 200; row++) {
          const [, found] = yield* Effect.all(
            [append(String(row)), Effect.exit(JournalFolder.find(folder, "host"))],
            { concurrency: "unbounded" }
          )
          if (found._tag === "Success") {
            assert.isNull(Verification.verify(JournalDigests.sha256, found.value).broken)
          }
        }
        const { rows } = Verification.verify(JournalDigests.sha256, yield* JournalFolder.find(folder, "host"))
        assert.lengthOf(rows, 202)
      })
    ),
  // What stands there already is neither used nor trusted; what is made is private from its first byte.
  "BUG-157": (folder) =>
    Effect.gen(function* () {
      yield* JournalFolder.key(folder)
      const stale = JournalFolder.fileOf(folder, "host", 1)
      writeFileSync(stale, "", { mode: 0o644 })
      assert.strictEqual((yield* use(folder, Effect.flip(append("a")))).reason, "exists")
      assert.strictEqual(statSync(stale).size, 0)
      assert.strictEqual(statSync(join(folder, "key")).mode & 0o777, 0o600)
    }),
  // Fingerprints in place of previews.
  "BUG-160": () =>
    Effect.sync(() => {
      const policy = permit({ bash: { "*": "deny" } })
      const of = call("Bash", { command: `aws configure set aws_secret_access_key ${AWS_KEY}` })
      const lines = chain([opened(), decision(policy, of)])
      const { rows } = Verification.verify(digests.sha256, {
        whole: true,
        parts: [{ file: "f", text: lines.join("") }]
      })
      const exported = JSON.stringify(rows.map((row) => Export.row(digests.fingerprint, row)))
      for (let at = 0; at + 8 <= AWS_KEY.length; at++) {
        assert.notInclude(lines.join(""), AWS_KEY.slice(at, at + 8))
        assert.notInclude(exported, AWS_KEY.slice(at, at + 8))
      }
    }),
  // One redactor, at the only way into a row.
  "BUG-161": () =>
    Effect.sync(() => {
      for (const text of [
        "sk-proj-abcdefgh12345678",
        "sk-ant-abcdefgh12345678",
        "gsk_abcdefgh12345678",
        "telegram.token=abcdefgh12345678"
      ]) {
        const { line } = JournalRow.write(digests.sha256, JournalRow.start, 0, {
          _tag: "link",
          ask: text,
          link: text,
          note: text
        })
        assert.notInclude(line, "abcdefgh12345678")
        assert.notInclude(SecretText.mask(text), "abcdefgh12345678")
      }
    })
}

const temporary = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.realPath(yield* fs.makeTempDirectoryScoped())
}).pipe(Effect.orDie, Effect.provide(NodeServices.layer))

describe("reports of other tools", () => {
  it("has every row about files and secrets played", () => {
    assert.sameMembers(
      rows.map(({ id }) => id),
      Object.keys(plays)
    )
  })

  for (const { id, symptom } of rows) {
    it.live(`${id}: ${symptom} [X3, X5]`, () =>
      Effect.flatMap(temporary, (root) => plays[id]!(join(root, "journal"))).pipe(Effect.scoped)
    )
  }
})
