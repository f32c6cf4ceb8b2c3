import { randomBytes } from "node:crypto"
import { chmod, writeFile } from "node:fs/promises"
import { createServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import {
  HookBridge,
  HookBridgeFailed,
  type HookFault,
  type HookReply
} from "../../core/session/HookBridge.ts"
import * as HookClient from "./HookClient.ts"
import * as HookFrame from "./HookFrame.ts"
import * as PrivateDirectory from "./PrivateDirectory.ts"

const SOCKET = "hook.sock"
const TOKEN = "token"

/**
 * How long the client waits for a reply, in seconds: a minute less than the 86,400 that the agents are given
 * as their own time-out, so that it is always the client that ends, with its honest exit code.
 */
const CLIENT_SECONDS = 86_340
/** From connection to complete event, in milliseconds. The client has read it all before it connects. */
const EVENT_MS = 10_000
/** Connections that may wait to be accepted: more than one burst of events; the system may allow fewer. */
const BACKLOG = 4096

export interface Options {
  /** Where the socket's directory is made; default: the system's place for run-time files. */
  readonly parent?: string
  /** Which client to use; default: the compiled one if it is there. */
  readonly client?: "native" | "node"
  /** Default `CLIENT_SECONDS`. */
  readonly clientSeconds?: number
  /** Default `EVENT_MS`. */
  readonly eventMs?: number
}

type Handle = (payload: unknown) => Effect.Effect<HookReply>
type Run = (effect: Effect.Effect<HookReply>) => Fiber.Fiber<HookReply>
type Report = (reason: HookFault["reason"]) => void

const utf8 = new TextDecoder("utf-8", { fatal: true })

const parse = (event: Uint8Array): Option.Option<unknown> => {
  try {
    return Option.some(JSON.parse(utf8.decode(event)))
  } catch {
    return Option.none()
  }
}

type Encoded =
  | { readonly _tag: "frame"; readonly bytes: Uint8Array }
  | { readonly _tag: "none"; readonly fault: HookFault["reason"] | null }

/** What goes back for this outcome of a handler. Whatever is not a reply of ours is no decision. */
const encode = (exit: Exit.Exit<HookReply>): Encoded => {
  if (Exit.isFailure(exit)) return { _tag: "none", fault: "handler_failed" }
  if (exit.value._tag === "failed") return { _tag: "none", fault: null }
  if (exit.value._tag === "silent") return { _tag: "frame", bytes: HookFrame.silent }
  try {
    const text: string | undefined = JSON.stringify(exit.value.value)
    if (text === undefined) return { _tag: "none", fault: "handler_failed" }
    const bytes = Buffer.from(text)
    if (bytes.length > HookFrame.ENVELOPE_LIMIT) return { _tag: "none", fault: "oversized" }
    return { _tag: "frame", bytes: HookFrame.output(bytes) }
  } catch {
    return { _tag: "none", fault: "handler_failed" }
  }
}

/**
 * One connection, one event, at most one reply. The peer keeps its side open until it has the reply, so its
 * end of file means that the hook process is gone, and the handler with it.
 */
const serve = (
  socket: Socket,
  token: Uint8Array,
  eventMs: number,
  handle: Handle,
  run: Run,
  report: Report
): void => {
  const read = HookFrame.reader(token)
  let handler: Fiber.Fiber<HookReply> | undefined
  let ended = false
  let spoke = false

  const end = (fault: HookFault["reason"] | null): void => {
    if (ended) return
    ended = true
    clearTimeout(timer)
    if (fault !== null) report(fault)
    handler?.interruptUnsafe()
    socket.destroy()
  }
  const timer = setTimeout(() => end("late"), eventMs)

  const reply = (exit: Exit.Exit<HookReply>): void => {
    if (ended || socket.destroyed) return
    const encoded = encode(exit)
    if (encoded._tag === "none") return end(encoded.fault)
    socket.once("finish", () => {
      ended = true
    })
    socket.end(encoded.bytes)
  }

  socket.on("data", (bytes) => {
    if (ended) return
    spoke = true
    const progress = read(bytes)
    if (progress._tag === "partial") return
    if (progress._tag === "refused") return end(progress.reason)
    clearTimeout(timer)
    const payload = parse(progress.event)
    if (Option.isNone(payload)) return end("malformed")
    handler = run(Effect.suspend(() => handle(payload.value)))
    handler.addObserver(reply)
  })
  // A peer that leaves without a word only looked whether somebody listens; before its event is complete it
  // sent half a frame; once a reply was written it goes without it; in between it withdraws, and that is the
  // agent's own act.
  const left = (): void => {
    if (handler === undefined) return end(spoke ? "malformed" : null)
    return end(socket.writableEnded ? "late" : null)
  }
  socket.on("end", left)
  socket.on("error", left)
  socket.on("close", () => end(null))
}

const failed = (path: string) => (cause: unknown) =>
  new HookBridgeFailed({
    reason: cause instanceof Error && "code" in cause ? String(cause.code) : "unknown",
    path
  })

const refused = ({ reason, path }: PrivateDirectory.DirectoryRefused) =>
  new HookBridgeFailed({ reason, path })

const listen = (server: Server, path: string): Effect.Effect<void, HookBridgeFailed> =>
  Effect.callback<void, HookBridgeFailed>((resume) => {
    // Later errors are connections that could not be accepted: their clients end without a decision.
    server.on("error", (error) => resume(Effect.fail(failed(path)(error))))
    server.listen({ path, backlog: BACKLOG }, () => resume(Effect.void))
  })

/** Stops listening and ends every open connection without a reply. */
const close = (server: Server, sockets: ReadonlySet<Socket>): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    for (const socket of sockets) socket.destroy()
  })

/** The hook bridge over one Unix socket per launch, and the client that the agent starts (S5.1, S5.7). */
export const layer = (options: Options = {}): Layer.Layer<HookBridge> =>
  Layer.succeed(HookBridge, {
    open: Effect.fn("HookBridge.open")(function* ({ handle, onFault }) {
      const client = yield* Effect.fromOption(HookClient.find(options.client)).pipe(
        Effect.mapError(() => new HookBridgeFailed({ reason: "client_missing", path: "native" }))
      )
      const directory = yield* PrivateDirectory.make({ ...options, purpose: "hooks", socket: SOCKET }).pipe(
        Effect.mapError(refused)
      )
      const token = randomBytes(HookFrame.TOKEN_SIZE)
      const tokenPath = join(directory, TOKEN)
      yield* Effect.tryPromise({
        try: () => writeFile(tokenPath, token, { mode: 0o600, flag: "wx" }),
        catch: failed(tokenPath)
      })

      const run = yield* FiberSet.makeRuntime<never, HookReply, never>()
      const sockets = new Set<Socket>()
      const report: Report = (reason) => {
        try {
          onFault({ reason })
        } catch {
          // A listener that breaks must not take the bridge with it; nobody is left to tell.
        }
      }
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        sockets.add(socket)
        socket.once("close", () => sockets.delete(socket))
        serve(socket, token, options.eventMs ?? EVENT_MS, handle, run, report)
      })
      const path = join(directory, SOCKET)
      yield* Effect.acquireRelease(listen(server, path), () => close(server, sockets))
      yield* Effect.tryPromise({ try: () => chmod(path, 0o600), catch: failed(path) })

      const command = HookClient.command(client, directory, options.clientSeconds ?? CLIENT_SECONDS)
      return { command, blockingCommand: HookClient.blockingCommand(command), client: client.kind }
    })
  })
