import { spawn, spawnSync, type ChildProcess } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HookProcess from "../fixtures/HookProcess.ts"

const native = fileURLToPath(new URL("../../native/", import.meta.url))
const source = join(native, "hook-client.c")
const built = mkdtempSync(join(tmpdir(), "obstat-test-"))
const compiler = process.env["CC"] ?? "cc"
const token = Buffer.alloc(32, 7)
const MIB = 1024 * 1024
const LISTEN_AND_DIE = `
  require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`

/** Each way to run the client, as the words before its arguments. */
const clients = {
  native: join(built, "strict"),
  sanitized: join(built, "sanitized"),
  node: `${process.execPath} ${join(native, "hook-client.mjs")}`
}

beforeAll(() => {
  const strict = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
  const compile = (name: string, ...flags: ReadonlyArray<string>) => {
    const { status, stderr } = spawnSync(compiler, [...strict, ...flags, "-o", join(built, name), source])
    assert.strictEqual(status, 0, String(stderr))
  }
  compile("strict", "-O2")
  compile("sanitized", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

const reply = (kind: number, text: string, length = Buffer.byteLength(text)): Buffer => {
  const frame = Buffer.alloc(9)
  frame.write("OBR1")
  frame.writeUInt8(kind, 4)
  frame.writeUInt32BE(length, 5)
  return Buffer.concat([frame, Buffer.from(text)])
}

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "obstat-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A host that treats each connection as it is told, in a directory as the bridge makes it. */
const host = Effect.fnUntraced(function* (serve: (socket: Socket, request: Buffer) => void) {
  const directory = yield* temporary
  writeFileSync(join(directory, "token"), token, { mode: 0o600 })
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    let request = Buffer.alloc(0)
    socket.on("data", (bytes) => {
      request = Buffer.concat([request, bytes])
      const length = request.length < 40 ? Number.POSITIVE_INFINITY : 40 + request.readUInt32BE(36)
      if (request.length === length || length > 40 + 8 * MIB) serve(socket, request)
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(join(directory, "hook.sock"), () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )
  return directory
})

/** Resolves once this child is gone, with how it went. */
const ended = (child: ChildProcess) =>
  Effect.callback<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>((resume) => {
    child.once("exit", (code, signal) => resume(Effect.succeed({ code, signal })))
  })

describe.each(Object.entries(clients))("hook client, %s", (kind, client) => {
  const run = (directory: string, event: string | Uint8Array = "{}", seconds = "20") =>
    HookProcess.run(`${client} '${directory}' ${seconds}`, event)

  /** Exit 1, nothing printed, one line of ours on stderr. */
  const refused = (end: HookProcess.HookProcessEnd, why: string) => {
    assert.deepStrictEqual([end.exitCode, end.stdout, end.stderr], [1, "", `obstat hook: ${why}\n`])
  }

  it.live("sends the token and the event, and prints the reply [S5.7]", () =>
    Effect.gen(function* () {
      let request = Buffer.alloc(0)
      const directory = yield* host((socket, bytes) => {
        request = Buffer.from(bytes)
        socket.end(reply(1, '{"decision":"é"}'))
      })
      const end = yield* run(directory, "event")
      assert.deepStrictEqual([end.exitCode, end.stdout, end.stderr], [0, '{"decision":"é"}', ""])
      assert.deepStrictEqual(
        request,
        Buffer.concat([Buffer.from("OBH1"), token, Buffer.from([0, 0, 0, 5]), Buffer.from("event")])
      )
    })
  )

  it.live("a silent reply prints nothing and is success [S5.7]", () =>
    Effect.gen(function* () {
      const end = yield* run(yield* host((socket) => socket.end(reply(0, ""))))
      assert.deepStrictEqual([end.exitCode, end.stdout, end.stderr], [0, "", ""])
    })
  )

  it.live("a reply that comes byte by byte is one reply [S5.7]", () =>
    Effect.gen(function* () {
      const bytes = reply(1, "slow")
      const directory = yield* host((socket) => {
        let at = 0
        const next = () => {
          if (at === bytes.length) socket.end()
          else socket.write(bytes.subarray(at, ++at), () => setImmediate(next))
        }
        next()
      })
      const end = yield* run(directory)
      assert.deepStrictEqual([end.exitCode, end.stdout], [0, "slow"])
    })
  )

  it.live("the largest event and the largest reply pass whole [S5.1]", () =>
    Effect.gen(function* () {
      const event = Buffer.alloc(8 * MIB, "e")
      const directory = yield* host((socket, request) =>
        socket.end(request.subarray(40).equals(event) ? reply(1, "r".repeat(8 * MIB)) : Buffer.alloc(0))
      )
      const end = yield* run(directory, event)
      assert.strictEqual(end.exitCode, 0)
      assert.isTrue(end.stdout === "r".repeat(8 * MIB))
    })
  )

  it.live("of an event over the limit the host gets the length alone [S5.3]", () =>
    Effect.gen(function* () {
      let request = Buffer.alloc(0)
      const directory = yield* host((socket, bytes) => {
        request = Buffer.from(bytes)
        socket.end()
      })
      refused(yield* run(directory, Buffer.alloc(9 * MIB)), "the host gave no decision")
      assert.deepStrictEqual([request.length, request.readUInt32BE(36)], [40, 8 * MIB + 1])
    })
  )

  const broken: ReadonlyArray<readonly [string, Buffer, string]> = [
    ["no reply", Buffer.alloc(0), "the host gave no decision"],
    ["half a header", reply(1, "x").subarray(0, 5), "no valid reply"],
    ["half a reply", reply(1, "x".repeat(100)).subarray(0, 50), "no valid reply"],
    ["junk", Buffer.from("HTTP/1.1 200 OK\r\n\r\n{}"), "no valid reply"],
    ["an unknown kind", reply(2, "x"), "no valid reply"],
    ["bytes after the reply", reply(1, "x", 0), "no valid reply"],
    ["two replies", Buffer.concat([reply(0, ""), reply(0, "")]), "no valid reply"],
    ["silence with output", reply(0, "x"), "no valid reply"],
    ["output without bytes", reply(1, ""), "no valid reply"],
    ["a length over the limit", reply(1, "x", 0xffffffff), "no valid reply"],
    ["a reply over the limit", reply(1, "x".repeat(8 * MIB + 1)), "no valid reply"]
  ]
  for (const [name, bytes, why] of broken) {
    it.live(`${name} is no decision [S5.7]`, () =>
      Effect.gen(function* () {
        refused(yield* run(yield* host((socket) => socket.end(bytes))), why)
      })
    )
  }

  it.live("a host that hangs up in the middle of the reply gives no decision [S5.7] [X8]", () =>
    Effect.gen(function* () {
      const directory = yield* host((socket) =>
        socket.write(reply(1, "x".repeat(100)).subarray(0, 50), () => socket.destroy())
      )
      const end = yield* run(directory)
      assert.deepStrictEqual([end.exitCode, end.stdout], [1, ""])
    })
  )

  it.live("a host that hangs is given up at the client's own deadline, half a reply or none [S5.7]", () =>
    Effect.gen(function* () {
      const hosts = [
        yield* host(() => undefined),
        yield* host((socket) => void socket.write(reply(1, "xy").subarray(0, 10))),
        // A whole reply is none either until its end is there.
        yield* host((socket) => void socket.write(reply(1, "xy")))
      ]
      const ends = yield* Effect.forEach(hosts, (directory) => run(directory, "{}", "1"), { concurrency: 3 })
      for (const end of ends) refused(end, "no reply in time")
    })
  )

  it.live("a host that is gone, or never was, is no decision at once [S5.2]", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      refused(yield* run(join(directory, "gone")), "no such directory: the host is gone")
      writeFileSync(join(directory, "token"), token)
      refused(yield* run(directory), "the host is gone")
      // What a host that was killed leaves: a socket that nobody listens on.
      const dead = spawnSync(process.execPath, ["-e", LISTEN_AND_DIE, join(directory, "hook.sock")])
      assert.strictEqual(dead.signal, "SIGKILL")
      assert.isTrue(existsSync(join(directory, "hook.sock")))
      refused(yield* run(directory), "the host is gone")
    })
  )

  it.live("only a directory of this user alone is entered: nobody else can play the host [X5]", () =>
    Effect.gen(function* () {
      const directory = yield* host((socket) => socket.end(reply(0, "")))
      for (const mode of [0o755, 0o710, 0o702]) {
        chmodSync(directory, mode)
        refused(yield* run(directory), "the directory is not ours alone")
      }
      chmodSync(directory, 0o700)
      assert.strictEqual((yield* run(directory)).exitCode, 0)
    })
  )

  it.live("a token that is missing, short, long or a link is none [X5]", () =>
    Effect.gen(function* () {
      const directory = yield* host((socket) => socket.end(reply(0, "")))
      const path = join(directory, "token")
      for (const size of [0, 31, 33]) {
        writeFileSync(path, Buffer.alloc(size))
        refused(yield* run(directory), "no valid token")
      }
      rmSync(path)
      refused(yield* run(directory), "no token")
      writeFileSync(join(directory, "other"), token)
      symlinkSync("other", path)
      refused(yield* run(directory), "no token")
    })
  )

  it.live("wrong arguments are exit 1, never 2 [S5.7]", () =>
    Effect.gen(function* () {
      const usage = "usage: hook-client DIRECTORY SECONDS"
      for (const words of [
        "",
        "/tmp",
        "/tmp 0",
        "/tmp -1",
        "/tmp 1s",
        "/tmp 1.5",
        "/tmp 1234567",
        "/tmp ''"
      ]) {
        refused(yield* HookProcess.run(`${client} ${words}`, ""), usage)
      }
      refused(yield* HookProcess.run(`${client} /tmp 1 more`, ""), usage)
    })
  )

  it.live("SIGTERM ends it without a decision, also where it was started with it ignored [S5.7]", () =>
    Effect.gen(function* () {
      for (const ignored of kind === "node" ? [false] : [false, true]) {
        let connected = () => undefined as void
        const arrived = new Promise<void>((resolve) => {
          connected = resolve
        })
        const directory = yield* host(() => connected())
        const script = `${ignored ? "trap '' TERM; " : ""}exec ${client} '${directory}' 20`
        const child = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "pipe"] })
        let stdout = ""
        child.stdout.on("data", (bytes: Buffer) => (stdout += bytes.toString()))
        child.stdin.end("{}")
        yield* Effect.promise(() => arrived)
        child.kill("SIGTERM")
        const end = yield* ended(child)
        assert.notStrictEqual(end.code, 0)
        assert.strictEqual(stdout, "")
      }
    })
  )

  it.live("a client that was killed is gone for its host at once [X8]", () =>
    Effect.gen(function* () {
      let left = () => undefined as void
      const gone = new Promise<void>((resolve) => {
        left = resolve
      })
      let child: ChildProcess | undefined
      const directory = yield* host((socket) => {
        socket.once("end", left)
        child?.kill("SIGKILL")
      })
      child = spawn("sh", ["-c", `exec ${client} '${directory}' 20`], { stdio: ["pipe", "ignore", "ignore"] })
      child.stdin?.end("{}")
      yield* Effect.promise(() => gone)
    })
  )

  it.live("a client whose shell was killed alone follows it, and so does its ask [X9]", () =>
    Effect.gen(function* () {
      let left = () => undefined as void
      const gone = new Promise<void>((resolve) => {
        left = resolve
      })
      let shell: ChildProcess | undefined
      const directory = yield* host((socket) => {
        socket.once("end", left)
        shell?.kill("SIGKILL")
      })
      shell = spawn("sh", ["-c", `${client} '${directory}' 20 || exit 2`], {
        stdio: ["pipe", "ignore", "ignore"]
      })
      shell.stdin?.end("{}")
      yield* Effect.promise(() => gone)
    })
  )

  it.live("leaves no file behind", () =>
    Effect.gen(function* () {
      const directory = yield* host((socket) => socket.end(reply(0, "")))
      const before = readdirSync(directory)
      yield* run(directory)
      assert.deepStrictEqual(readdirSync(directory), before)
    })
  )
})

describe("hook client, native alone", () => {
  it.live("goes at once when the agent closes its end of the output [X9]", () =>
    Effect.gen(function* () {
      let left = () => undefined as void
      const gone = new Promise<void>((resolve) => {
        left = resolve
      })
      const close: { now?: () => void } = {}
      const directory = yield* host((socket) => {
        socket.once("end", left)
        close.now?.()
      })
      const child = spawn(clients.sanitized, [directory, "20"], { stdio: ["pipe", "pipe", "pipe"] })
      let stderr = ""
      child.stderr.on("data", (bytes: Buffer) => (stderr += bytes.toString()))
      close.now = () => child.stdout.destroy()
      child.stdin.end("{}")
      yield* Effect.promise(() => gone)
      const end = yield* ended(child)
      assert.deepStrictEqual([end.code, stderr], [1, "obstat hook: the agent is gone\n"])
    })
  )

  it.live("refuses to run with a standard stream closed, where it could write to the wrong place", () =>
    Effect.gen(function* () {
      const directory = yield* host((socket) => socket.end(reply(1, "x")))
      for (const [closing, said] of [
        ["<&-", "obstat hook: a standard stream is closed\n"],
        [">&-", "obstat hook: a standard stream is closed\n"],
        ["2>&-", ""]
      ] as const) {
        const end = yield* HookProcess.run(`${clients.native} '${directory}' 20 ${closing}`, "{}")
        assert.deepStrictEqual([end.exitCode, end.stdout, end.stderr], [1, "", said])
      }
    })
  )

  it.live("a reply larger than any pipe waits for its reader [S5.7]", () =>
    Effect.gen(function* () {
      const directory = yield* host((socket) => socket.end(reply(1, "r".repeat(4 * MIB))))
      const end = yield* HookProcess.run(`${clients.sanitized} '${directory}' 20 | wc -c`, "{}")
      assert.strictEqual(end.stdout.trim(), String(4 * MIB))
    })
  )
})
