import * as Effect from "effect/Effect"
import * as MemoryPty from "../../../src/adapters/memory/MemoryPty.ts"
import { PtySpawnFailed, type PtySpawnOptions } from "../../../src/core/session/Pty.ts"
import * as PtyContract from "../../contracts/Pty.ts"

const program = (file: string, ...args: ReadonlyArray<string>): PtySpawnOptions => ({
  file,
  args,
  cwd: "/",
  env: {},
  cols: 80,
  rows: 24
})

const run: MemoryPty.Program = Effect.fnUntraced(function* (child) {
  const { args, file } = child.options
  switch (file) {
    case "echo": {
      yield* child.print("ready")
      for (;;) {
        const line = (yield* child.read).trimEnd()
        if (line.startsWith("exit ")) return Number(line.slice(5))
        yield* child.print(`[${line}]`)
      }
    }
    case "digits": {
      const all = PtyContract.digits(Number(args[0]))
      for (let at = 0; at < all.length; at += 4096) {
        yield* child.print(all.subarray(at, at + 4096))
        yield* Effect.yieldNow
      }
      return 0
    }
    case "stubborn":
      yield* child.trap(() => child.print("ignored"))
      yield* child.print("ready")
      return yield* Effect.never
    case "size":
      for (;;) {
        const { cols, rows } = yield* child.size
        yield* child.print(`${rows}x${cols}`)
        yield* child.read
      }
    default:
      return yield* new PtySpawnFailed({ at: "file", path: file, reason: "ENOENT" })
  }
})

PtyContract.contract({
  layer: MemoryPty.layer(run),
  programs: {
    echo: program("echo"),
    digits: (count) => program("digits", String(count)),
    stubborn: program("stubborn"),
    size: program("size"),
    absent: program("absent")
  }
})
