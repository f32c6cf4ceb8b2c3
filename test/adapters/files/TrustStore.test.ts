import { describe, expect, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { chownSync, linkSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import * as PrivateFile from "../../../src/adapters/files/PrivateFile.ts"
import * as TrustStore from "../../../src/adapters/files/TrustStore.ts"

const FILE = "/work/project/.obstat/obstat.jsonc"

/** A state folder that is not there yet, and what stands in it. */
const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
  const state = join(root, "state", "obstat")
  const folder = join(state, "trust")
  return {
    fs,
    root,
    state,
    folder,
    store: TrustStore.make(state),
    only: () => join(folder, readdirSync(folder)[0]!)
  }
})

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe("the trust store", () => {
  it.layer(NodeServices.layer)((it) => {
    it.effect(
      "accepts exactly one content of one file, until it is revoked [L2.1]",
      Effect.fnUntraced(function* () {
        const { store } = yield* place
        expect(yield* store.accepts(FILE, "sha256-a")).toBe(false)
        expect(yield* store.list).toEqual([])
        const accepted = yield* store.accept(FILE, "sha256-a")
        expect(yield* store.accepts(FILE, "sha256-a")).toBe(true)
        expect(yield* store.accepts(FILE, "sha256-b")).toBe(false)
        expect(yield* store.accepts("/work/other/.obstat/obstat.jsonc", "sha256-a")).toBe(false)
        expect(yield* store.list).toEqual([accepted])
        yield* store.accept(FILE, "sha256-b")
        expect(yield* store.accepts(FILE, "sha256-a")).toBe(false)
        expect(yield* store.revoke(FILE)).toBe(true)
        expect(yield* store.revoke(FILE)).toBe(false)
        expect(yield* store.accepts(FILE, "sha256-b")).toBe(false)
      })
    )

    it.effect(
      "is a 0600 file in a 0700 folder, put there whole [X5]",
      Effect.fnUntraced(function* () {
        const { folder, only, state, store } = yield* place
        yield* store.accept(FILE, "sha256-a")
        yield* store.accept(FILE, "sha256-b")
        expect([modeOf(state), modeOf(folder), modeOf(only())]).toEqual(["700", "700", "600"])
        expect(readdirSync(folder)).toHaveLength(1)
      })
    )

    it.effect(
      "trusts nothing that others could have put there [X5]",
      Effect.fnUntraced(function* () {
        const { folder, fs, only, root, state, store } = yield* place
        yield* store.accept(FILE, "sha256-a")
        const kept = only()
        const refused = Effect.fnUntraced(function* () {
          expect(yield* store.accepts(FILE, "sha256-a")).toBe(false)
          return (yield* Effect.flip(store.list)).reason
        })
        const mended = Effect.map(store.accepts(FILE, "sha256-a"), (accepts) => expect(accepts).toBe(true))

        yield* fs.chmod(kept, 0o640)
        expect(yield* refused()).toBe("shared")
        yield* fs.chmod(kept, 0o600)
        yield* mended

        yield* fs.chmod(folder, 0o750)
        expect(yield* refused()).toBe("shared")
        expect((yield* Effect.flip(store.accept(FILE, "sha256-b"))).path).toBe(folder)
        yield* fs.chmod(folder, 0o700)
        yield* mended

        yield* fs.chmod(state, 0o777)
        expect(yield* refused()).toBe("shared")
        yield* fs.chmod(state, 0o700)
        yield* mended

        linkSync(kept, join(root, "second"))
        expect(yield* refused()).toBe("link")
        yield* fs.remove(join(root, "second"))
        yield* mended

        yield* fs.rename(kept, join(root, "real"))
        yield* fs.symlink(join(root, "real"), kept)
        expect(yield* refused()).toBe("link")
        yield* fs.remove(kept)
        yield* fs.rename(join(root, "real"), kept)
        yield* mended

        yield* fs.rename(folder, join(root, "trust"))
        yield* fs.symlink(join(root, "trust"), folder)
        expect(yield* refused()).toBe("link")
      })
    )

    it.effect(
      "refuses a file of someone else's [X5]",
      Effect.fnUntraced(function* () {
        const { only, store } = yield* place
        yield* store.accept(FILE, "sha256-a")
        // Root gives the file away; anybody else tries one that root owns.
        const path = process.geteuid?.() === 0 ? only() : "/etc/hostname"
        if (process.geteuid?.() === 0) chownSync(path, 1, 1)
        expect((yield* Effect.flip(PrivateFile.read(path))).reason).toBe("foreign")
      })
    )

    it.effect(
      "says what is not its own, and takes no content under another name [X5, X2]",
      Effect.fnUntraced(function* () {
        const { folder, fs, only, store } = yield* place
        yield* store.accept(FILE, "sha256-a")
        const kept = only()
        const text = yield* fs.readFileString(kept)
        const stranger = join(folder, "0.json")
        yield* fs.writeFileString(stranger, text, { mode: 0o600 })
        const error = yield* Effect.flip(store.list)
        expect([error.path, error.reason]).toEqual([stranger, "malformed"])
        expect(error.message).toContain("take it away")
        yield* fs.writeFileString(kept, "{", { mode: 0o600 })
        expect(yield* store.accepts(FILE, "sha256-a")).toBe(false)
      })
    )

    it.effect(
      "leaves the old content where the new one cannot be written [X5, X8]",
      Effect.fnUntraced(function* () {
        const { folder, fs, only, store } = yield* place
        yield* store.accept(FILE, "sha256-a")
        const kept = only()
        yield* fs.remove(kept)
        yield* fs.makeDirectory(join(kept, "in the way"), { recursive: true })
        const error = yield* Effect.flip(store.accept(FILE, "sha256-b"))
        expect(error.path).toBe(kept)
        expect(readdirSync(folder)).toHaveLength(1)
      })
    )
  })
})
