import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as GateProofFiles from "../../src/adapters/files/GateProofFiles.ts"
import { GateProofs } from "../../src/core/session/GateProofs.ts"
import * as GateTrial from "../../src/layers/GateTrial.ts"
import * as RealClaude from "./lib/RealClaude.ts"

describe("the gate's trial", () => {
  it.live(
    "holds on the real Claude Code: a denied call, and one whose client is killed, do not run [S5.2]",
    () => GateTrial.prove("claude", RealClaude.file).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("is remembered for this very program and client, and for no other [S5.2, X5]", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "obstat-proofs-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true }))
      )
      const program = join(folder, "claude")
      const client = join(folder, "client")
      writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 })
      writeFileSync(client, "client")
      const options = { stateDirectory: join(folder, "state"), client }
      const covers = Effect.provide(
        GateProofs.use((proofs) => proofs.covers("claude", program)),
        GateProofFiles.layer(options)
      )
      assert.isFalse(yield* covers)
      const proof = yield* Effect.provide(
        GateProofs.use((proofs) => proofs.keep("claude", program, "2.1.305")),
        GateProofFiles.layer(options)
      )
      assert.match(proof.programHash, /^[0-9a-f]{64}$/)
      const again = GateProofs.use((proofs) => proofs.covers("claude", program))
      assert.isTrue(yield* Effect.provide(again, GateProofFiles.layer({ ...options })))
      const other = join(folder, "other-client")
      copyFileSync(client, other)
      appendFileSync(other, "changed")
      assert.isFalse(yield* Effect.provide(again, GateProofFiles.layer({ ...options, client: other })))
      appendFileSync(program, "exit 0\n")
      assert.isFalse(yield* Effect.provide(again, GateProofFiles.layer({ ...options })))
    }).pipe(Effect.scoped)
  )
})
