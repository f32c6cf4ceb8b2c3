import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TranscriptReader from "../../../src/adapters/files/TranscriptReader.ts"
import * as TranscriptSource from "../../contracts/TranscriptSource.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "obstat-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("TranscriptReader", () => {
  TranscriptSource.contract({
    layer: TranscriptReader.layer,
    driver: Effect.map(directory, (root) => {
      const path = join(root, "projects", "-work", "session.jsonl")
      return {
        path,
        append: (bytes) => {
          mkdirSync(dirname(path), { recursive: true })
          appendFileSync(path, bytes)
        },
        replace: (bytes) => {
          writeFileSync(`${path}.new`, bytes)
          renameSync(`${path}.new`, path)
        }
      }
    })
  })
})
