import { spawn } from "node:child_process"
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync
} from "node:fs"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as UnixSocketHookBridge from "../../../src/adapters/unix-socket/UnixSocketHookBridge.ts"
import { HookBridge, type HookFault, type HookReply } from "../../../src/core/session/HookBridge.ts"
import * as Contract from "../../contracts/HookBridge.ts"
import * as HookProcess from "../../fixtures/HookProcess.ts"

describe.each([
  { client: "native" as const, burst: 1000 },
  { client: "node" as const, burst: 24 }
])("UnixSocketHookBridge with the $client client", ({ client, burst }) => {
  Contract.contract({ layer: UnixSocketHookBridge.layer({ client }), fire: HookProcess.run, burst })
})

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "obstat-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A bridge in a directory of its own, and the queue of its faults. */
const opened = Effect.fnUntraced(function* (
  handle: (payload: unknown) => Effect.Effect<HookReply>,
  options: UnixSocketHookBridge.Options = {}
) {
  const parent = options.parent ?? (yield* temporary)
  const faults = yield* Queue.unbounded<HookFault["reason"]>()
  const endpoint = yield* Effect.flatMap(HookBridge, (bridge) =>
    bridge.open({ handle, onFault: ({ reason }) => void Queue.offerUnsafe(faults, reason) })
  ).pipe(Effect.provide(UnixSocketHookBridge.layer({ ...options, parent })))
  const directory = join(parent, readdirSync(parent).find((name) => name.startsWith("obstat-")) ?? "")
  return { endpoint, faults, parent, directory }
})

const HOST = fileURLToPath(new URL("../../fixtures/hook-host.ts", import.meta.url))

const silent = () => Effect.succeed<HookReply>({ _tag: "silent" })

/** A peer that speaks the socket's language by hand. */
const peer = (directory: string) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect(join(directory, "hook.sock"))
      socket.on("error", () => undefined)
      socket.once("connect", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const request = (directory: string, event: string, length = Buffer.byteLength(event)): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(length)
  return Buffer.concat([
    Buffer.from("OBH1"),
    readFileSync(join(directory, "token")),
    size,
    Buffer.from(event)
  ])
}

/** Everything the bridge sends to this peer until it hangs up. */
const received = (socket: Socket) =>
  Effect.callback<Buffer>((resume) => {
    const chunks: Array<Buffer> = []
    socket.on("data", (bytes: Buffer) => chunks.push(bytes))
    socket.once("close", () => resume(Effect.succeed(Buffer.concat(chunks))))
  })

describe("UnixSocketHookBridge", () => {
  it.live(
    "its directory, socket and token are this user's alone, and gone with the scope [S5.1] [X5] [X9]",
    () =>
      Effect.gen(function* () {
        const parent = yield* temporary
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { directory } = yield* opened(silent, { parent })
            const mode = (path: string) => statSync(path).mode & 0o777
            assert.deepStrictEqual(readdirSync(directory).toSorted(), ["hook.sock", "token"])
            assert.strictEqual(mode(directory), 0o700)
            assert.strictEqual(mode(join(directory, "hook.sock")), 0o600)
            assert.strictEqual(mode(join(directory, "token")), 0o600)
          })
        )
        assert.deepStrictEqual(readdirSync(parent), [])
      })
  )

  it.live("the token is in no argument, where other users could read it [S5.1]", () =>
    Effect.gen(function* () {
      const { endpoint, directory } = yield* opened(silent)
      const token = readFileSync(join(directory, "token"))
      for (const encoding of ["hex", "base64", "latin1"] as const) {
        assert.notInclude(endpoint.blockingCommand, token.toString(encoding))
      }
    })
  )

  it.live("each launch has a token of its own [S5.1]", () =>
    Effect.gen(function* () {
      const tokens = yield* Effect.forEach([1, 2], () =>
        Effect.map(opened(silent), ({ directory }) => readFileSync(join(directory, "token"), "hex"))
      )
      assert.strictEqual(new Set(tokens).size, 2)
    })
  )

  it.live("a runtime directory that is too long for a socket is a typed error [C9]", () =>
    Effect.gen(function* () {
      const parent = join(yield* temporary, "x".repeat(100))
      mkdirSync(parent)
      const error = yield* Effect.flip(opened(silent, { parent }))
      assert.deepInclude(error, { _tag: "HookBridgeFailed", reason: "path_too_long" })
      assert.deepStrictEqual(readdirSync(parent), [])
    })
  )

  it.live("a runtime directory that others may write to, or that is none, is a typed error [X5]", () =>
    Effect.gen(function* () {
      const parent = yield* temporary
      for (const mode of [0o777, 0o770, 0o702]) {
        chmodSync(parent, mode)
        assert.deepInclude(yield* Effect.flip(opened(silent, { parent })), { reason: "unsafe_directory" })
      }
      chmodSync(parent, 0o700)
      symlinkSync("/etc/passwd", join(parent, "file"))
      assert.deepInclude(yield* Effect.flip(opened(silent, { parent: join(parent, "file") })), {
        reason: "unsafe_directory"
      })
      assert.deepInclude(yield* Effect.flip(opened(silent, { parent: join(parent, "gone") })), {
        reason: "ENOENT"
      })
    })
  )

  const refusals: ReadonlyArray<readonly [string, (directory: string) => Buffer, HookFault["reason"]]> = [
    [
      "a wrong token",
      (directory) => {
        const bytes = request(directory, "{}")
        bytes[10] = (bytes[10] ?? 0) ^ 1
        return bytes
      },
      "wrong_token"
    ],
    ["another protocol", () => Buffer.from(`GET / HTTP/1.1\r\nHost: ${"x".repeat(40)}\r\n\r\n`), "malformed"],
    ["a declared length over the envelope", (directory) => request(directory, "", 0xffff_ffff), "oversized"],
    ["bytes after the event", (directory) => request(directory, "{} {}", 2), "malformed"],
    [
      "an event that is no UTF-8",
      (directory) => {
        const bytes = request(directory, '"x"')
        bytes[41] = 0xff
        return bytes
      },
      "malformed"
    ]
  ]
  for (const [name, bytes, reason] of refusals) {
    it.live(`${name} gets no byte back and is one fault [S5.3]`, () =>
      Effect.gen(function* () {
        const { directory, faults } = yield* opened(() => Effect.die("handled"))
        const socket = yield* peer(directory)
        const answer = yield* Effect.forkChild(received(socket))
        socket.write(bytes(directory))
        assert.strictEqual(yield* Queue.take(faults), reason)
        assert.strictEqual((yield* Fiber.join(answer)).length, 0)
        assert.strictEqual(yield* Queue.size(faults), 0)
      })
    )
  }

  it.live("half an event whose sender leaves is malformed [S5.3]", () =>
    Effect.gen(function* () {
      const { directory, faults } = yield* opened(() => Effect.die("handled"))
      const socket = yield* peer(directory)
      socket.end(request(directory, "{", 2))
      assert.strictEqual(yield* Queue.take(faults), "malformed")
    })
  )

  it.live("half an event whose sender stays is late, and gets no byte back [S5.3]", () =>
    Effect.gen(function* () {
      const { directory, faults } = yield* opened(() => Effect.die("handled"), { eventMs: 50 })
      const socket = yield* peer(directory)
      const answer = yield* Effect.forkChild(received(socket))
      socket.write(request(directory, "{", 2))
      assert.strictEqual(yield* Queue.take(faults), "late")
      assert.strictEqual((yield* Fiber.join(answer)).length, 0)
    })
  )

  it.live("a parked hook is not late, however long it is parked [S5.6]", () =>
    Effect.gen(function* () {
      const parked = yield* Deferred.make<void>()
      const released = yield* Deferred.make<void>()
      const { directory, faults } = yield* opened(
        () =>
          Effect.andThen(
            Deferred.succeed(parked, undefined),
            Effect.andThen(Deferred.await(released), silent())
          ),
        { eventMs: 1000 }
      )
      const socket = yield* peer(directory)
      const answer = yield* Effect.forkChild(received(socket))
      socket.write(request(directory, "{}"))
      yield* Deferred.await(parked)
      // A second peer's own time-out proves that the first one's has passed too.
      yield* peer(directory)
      assert.strictEqual(yield* Queue.take(faults), "late")
      yield* Deferred.succeed(released, undefined)
      assert.strictEqual((yield* Fiber.join(answer)).length, 9)
      assert.strictEqual(yield* Queue.size(faults), 0)
    })
  )

  it.live("a reply whose hook is gone before it has it is late [S5.3]", () =>
    Effect.gen(function* () {
      const { directory, faults } = yield* opened(() =>
        Effect.succeed({ _tag: "json", value: "x".repeat(4 * 1024 * 1024) })
      )
      const socket = yield* peer(directory)
      socket.pause()
      socket.write(request(directory, "{}"))
      yield* Effect.callback<void>((resume) => {
        // The first bytes are there: the reply was written, and does not fit.
        socket.once("readable", () => resume(Effect.void))
      })
      socket.destroy()
      assert.strictEqual(yield* Queue.take(faults), "late")
    })
  )

  it.live("a peer that leaves without a word is no event [S5.3]", () =>
    Effect.gen(function* () {
      const { directory, faults, endpoint } = yield* opened(silent)
      const socket = yield* peer(directory)
      const left = yield* Effect.forkChild(received(socket))
      socket.end()
      yield* Fiber.join(left)
      yield* HookProcess.run(endpoint.command, "no event")
      assert.deepStrictEqual(yield* Queue.takeAll(faults), ["malformed"])
    })
  )

  it.live("what a killed host left is removed by the next one, and nothing of one that lives [X8] [X9]", () =>
    Effect.gen(function* () {
      const parent = yield* temporary
      const live = yield* opened(silent, { parent })
      const host = spawn(process.execPath, [HOST, parent], { stdio: ["ignore", "pipe", "inherit"] })
      const gone = yield* Effect.forkChild(
        Effect.callback<void>((resume) => void host.once("exit", () => resume(Effect.void)))
      )
      yield* Effect.callback<void>((resume) => void host.stdout.once("data", () => resume(Effect.void)))
      assert.strictEqual(readdirSync(parent).length, 2)
      host.kill("SIGKILL")
      yield* Fiber.join(gone)
      assert.strictEqual(readdirSync(parent).length, 2)
      yield* Effect.scoped(opened(silent, { parent }))
      assert.deepStrictEqual(readdirSync(parent), [basename(live.directory)])
      assert.strictEqual((yield* HookProcess.run(live.endpoint.command, "{}")).exitCode, 0)
    })
  )

  it.live("a host that is killed blocks the parked call [S5.2] [X8]", () =>
    Effect.gen(function* () {
      const parent = yield* temporary
      const host = spawn(process.execPath, [HOST, parent], { stdio: ["ignore", "pipe", "inherit"] })
      const lines = yield* Queue.unbounded<string>()
      createInterface(host.stdout).on("line", (line) => Queue.offerUnsafe(lines, line))
      const { command, blockingCommand } = JSON.parse(yield* Queue.take(lines))
      const hooks = yield* Effect.forkChild(
        Effect.forEach([command, blockingCommand], (line) => HookProcess.run(line, "{}"), { concurrency: 2 })
      )
      yield* Queue.takeN(lines, 2)
      host.kill("SIGKILL")
      const ends = yield* Fiber.join(hooks)
      assert.deepStrictEqual(
        ends.map(({ exitCode, stdout }) => [exitCode, stdout]),
        [
          [1, ""],
          [2, ""]
        ]
      )
    })
  )
})
