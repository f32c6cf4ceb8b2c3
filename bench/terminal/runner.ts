/** One mode of the terminal benchmark, in a process of its own: prints `ready`, waits for a line, prints JSON. */
import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { once } from "node:events"
import headless from "@xterm/headless"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as pty from "node-pty"
import * as NodePty from "../../src/adapters/node-pty/NodePty.ts"
import * as XtermScreen from "../../src/adapters/xterm/XtermScreen.ts"
import type { Frame } from "../../src/core/session/Frame.ts"
import { Pty } from "../../src/core/session/Pty.ts"
import * as Terminal from "../../src/core/session/Terminal.ts"
import type { Outcome, Run } from "../terminal.ts"

const run: Run = JSON.parse(process.argv[2] ?? "null")
const size = { cols: 189, rows: 48 }
const kept = { ...size, scrollback: 0, allowProposedApi: true }

/** The same bytes on the screen's side as in the file: the terminal must not turn line ends into others. */
const command = (file: string) => ["-c", `stty -opost; exec cat ${file}`]
const environment = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" }

const check = (holds: boolean, what: string) => {
  if (!holds) throw new Error(`${run.mode}: ${what}`)
}

const text = (terminal: InstanceType<typeof headless.Terminal>): string => {
  const buffer = terminal.buffer.active
  return Array.from({ length: size.rows }, (_, row) =>
    buffer.getLine(buffer.baseY + row)?.translateToString(true)
  ).join("\n")
}

const bare = async (): Promise<void> => {
  const bytes = readFileSync(run.file)
  const terminal = new headless.Terminal(kept)
  await new Promise<void>((resolve) => {
    for (let from = 0; from < bytes.length; from += 65_536) {
      const part = bytes.subarray(from, from + 65_536)
      terminal.write(part, from + 65_536 >= bytes.length ? resolve : undefined)
    }
  })
  check(text(terminal).includes(run.marker), "no marker")
  terminal.dispose()
}

const naive = (): Promise<void> =>
  new Promise((resolve) => {
    const terminal = new headless.Terminal(kept)
    const child = pty.spawn("/bin/sh", command(run.file), { ...size, cwd: "/", env: environment })
    let received = 0
    let rendered = 0
    let exited = false
    const done = () => {
      if (!exited || received !== rendered) return
      check(rendered === run.bytes, `${rendered} bytes`)
      check(text(terminal).includes(run.marker), "no marker")
      terminal.dispose()
      resolve()
    }
    child.onData((data) => {
      const length = Buffer.byteLength(data)
      received += length
      terminal.write(data, () => {
        rendered += length
        done()
      })
    })
    child.onExit(() => {
      exited = true
      done()
    })
  })

/** What a dialect looks for on a screen: a prompt field, a dialog's rows, a spinner, wherever they are. */
const landmarks = [
  /^[│|]?\s*[>❯›]\s/,
  /\besc to interrupt\b/,
  /^\s*(?:❯\s*)?\d+\.\s/,
  /^[╭╰]─+[╮╯]$/,
  /Do you want|trust/
]
const observe = (frame: Frame): number => {
  let seen = 0
  for (let row = frame.lines.length - 1; row >= 0; row -= 1) {
    const line = frame.lines[row]!
    for (const landmark of landmarks) if (landmark.test(line.text)) seen += 1
    for (const mark of line.marks) if (mark.inverse || mark.dim) seen += 1
  }
  return seen
}

const counts = { frames: 0, mostPending: 0, seen: 0 }

/** Counts what was received of each child, so that what waits can be told. */
const counted = Layer.effect(
  Pty,
  Effect.map(Pty, ({ spawn }) => ({
    spawn: (options) =>
      Effect.map(spawn(options), (child) => ({
        ...child,
        onData: (listener) =>
          child.onData((bytes) => {
            receivedBy.set(child.pid, (receivedBy.get(child.pid) ?? 0) + bytes.length)
            listener(bytes)
          })
      }))
  }))
)
const receivedBy = new Map<number, number>()

const one = Effect.scoped(
  Effect.gen(function* () {
    const terminal = yield* Terminal.open({
      file: "/bin/sh",
      args: command(run.file),
      cwd: "/",
      env: environment,
      ...size
    })
    yield* Stream.runForEach(terminal.frames, (frame) =>
      Effect.sync(() => {
        counts.frames += 1
        counts.seen += observe(frame)
        const pending = (receivedBy.get(terminal.pid) ?? 0) - frame.bytes
        if (pending > counts.mostPending) counts.mostPending = pending
      })
    ).pipe(Effect.orDie)
    const { bytes, lines } = yield* terminal.newest
    check(bytes === run.bytes, `${bytes} bytes`)
    check(
      lines.some((line) => line.text === run.marker),
      "no marker"
    )
    receivedBy.delete(terminal.pid)
  })
)

const many = (sessions: number) =>
  Effect.all(
    Array.from({ length: sessions }, () => one),
    { concurrency: "unbounded", discard: true }
  )

/** From the child's exit to its last screen. */
const last = Effect.scoped(
  Effect.gen(function* () {
    const terminal = yield* Terminal.open({
      file: "/bin/sh",
      args: command(run.file),
      cwd: "/",
      env: environment,
      ...size
    })
    yield* terminal.exit
    const exited = performance.now()
    yield* terminal.ended
    const { bytes } = yield* terminal.newest
    check(bytes === run.bytes, `${bytes} bytes`)
    return performance.now() - exited
  })
)

const told = () => once(process.stdin, "data")
const ready = async () => {
  console.log("ready")
  await told()
}
const tell = (outcome: Outcome) => console.log(JSON.stringify(outcome))
const mib = (bytes: number) => Number((bytes / 1024 / 1024).toFixed(1))
const heap = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

const watchLoop = () => {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  return () => {
    delays.disable()
    return {
      p99: Number((delays.percentile(99) / 1e6).toFixed(2)),
      max: Number((delays.max / 1e6).toFixed(2))
    }
  }
}

/** One session is measured several times in a row, since it is over in a moment. */
const repeats = run.sessions === 1 ? 5 : 1
/** Enough for the compiler to have done what it will do, on every render thread. */
const warmUps = 3
const median = (times: ReadonlyArray<number>): number => times.toSorted((a, b) => a - b)[times.length >> 1]!

const reference = async (work: () => Promise<void>) => {
  for (let warm = 0; warm < warmUps; warm += 1) await work()
  await ready()
  const times: Array<number> = []
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    times.push(await timed(() => Promise.all(Array.from({ length: run.sessions }, work))))
  }
  tell({ milliseconds: median(times) })
}

const ours = Effect.gen(function* () {
  for (let warm = 0; warm < warmUps; warm += 1) yield* many(availableParallelism())
  yield* Effect.promise(ready)
  const before = heap()
  counts.frames = 0
  counts.mostPending = 0
  const stop = watchLoop()
  const times: Array<number> = []
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const begin = performance.now()
    yield* many(run.sessions)
    times.push(performance.now() - begin)
  }
  const milliseconds = median(times)
  const loop = stop()
  const after = heap()
  return {
    milliseconds,
    loop,
    frames: counts.frames,
    mostPendingBytes: counts.mostPending,
    heapGrowthMib: mib(after - before)
  }
})

const adapters = Layer.merge(Layer.provide(counted, NodePty.layer), XtermScreen.layer)

switch (run.mode) {
  case "bare":
    await reference(bare)
    break
  case "naive":
    await reference(naive)
    break
  case "idle": {
    await ready()
    const stop = watchLoop()
    const begin = performance.now()
    await once(process.stdin, "end")
    tell({ milliseconds: performance.now() - begin, loop: stop() })
    break
  }
  case "last": {
    await ready()
    const times = await Effect.runPromise(
      Effect.forEach(Array.from({ length: run.sessions }), () => last).pipe(Effect.provide(adapters))
    )
    const sorted = times.slice(5).toSorted((a, b) => a - b)
    const at = (share: number) => Number(sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(2))
    tell({ milliseconds: at(0.5), p90: at(0.9), max: at(1), runs: sorted.length })
    break
  }
  case "ours": {
    const { heapGrowthMib, ...outcome } = await Effect.runPromise(Effect.provide(ours, adapters))
    await new Promise((resolve) => setTimeout(resolve, 100))
    const handles = process
      .getActiveResourcesInfo()
      .filter((name) => name !== "PipeWrap" && name !== "TTYWrap")
    tell({
      ...outcome,
      peakRss: Math.round(process.resourceUsage().maxRSS / 1024),
      left: { handles, heapGrowthMib }
    })
    break
  }
}
process.stdin.destroy()
