import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { outside } from "../../agents/lib/loopback-only.ts"

const RUNNER = fileURLToPath(new URL("../../agents/run.sh", import.meta.url))

const address = (internal: boolean) => ({
  address: "192.0.2.1",
  netmask: "255.255.255.0",
  mac: "00:00:00:00:00:00",
  cidr: null,
  family: "IPv4" as const,
  internal
})

describe("the agent tests' isolation", () => {
  it("knows an interface that leads outside from loopback [X11]", () => {
    assert.deepStrictEqual(outside({ lo: [address(true)] }), [])
    assert.deepStrictEqual(outside({ lo: [address(true)], eth0: [address(true), address(false)] }), ["eth0"])
  })

  it.effect("starts nothing where no network namespace can be made, and says what to do [X11]", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const bin = yield* fs.makeTempDirectoryScoped()
      for (const program of ["bash", "dirname", "id", "node"]) {
        const found = spawnSync("/bin/sh", ["-c", `command -v ${program}`], {
          encoding: "utf8"
        }).stdout.trim()
        yield* fs.symlink(found, join(bin, program))
      }
      yield* fs.writeFileString(join(bin, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 })
      const ran = spawnSync("bash", [RUNNER], { env: { PATH: bin }, encoding: "utf8" })
      assert.strictEqual(ran.status, 1)
      assert.include(ran.stderr, "OBSTAT_TESTS_ISOLATED=1")
      assert.strictEqual(ran.stdout, "")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
