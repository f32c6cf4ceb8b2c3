/**
 * [V14] the longest time that a reader with a large backlog holds the event loop, beside an idle loop and one that
 * works a millisecond at a time in the same run, at one and at two sizes. [V6] What 128 readers with nothing to read cost.
 *
 *     npm run bench -- transcripts
 */
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TranscriptReader from "../src/adapters/files/TranscriptReader.ts"
import { TranscriptSource } from "../src/core/session/TranscriptSource.ts"

const MIB = 1024 * 1024
const BACKLOG_MIB = 200
const READERS = 128
const IDLE = Duration.seconds(10)

const round = (value: number): number => Math.round(value * 1000) / 1000

/**
 * A transcript of this size: mostly small records, some tool results of a megabyte that are all structure, some
 * images.
 */
const write = (path: string, mib: number): number => {
  const small = JSON.stringify({
    type: "assistant",
    uuid: "0f1e2d3c",
    message: { role: "assistant", content: [{ type: "text", text: "some words of an answer ".repeat(40) }] }
  })
  const dense = JSON.stringify({
    type: "user",
    toolUseResult: Array.from({ length: 20_000 }, (_, index) => ({
      line: index,
      hits: [index, "x"],
      ok: true
    }))
  })
  const image = JSON.stringify({ type: "user", image: "iVBORw0KGgo=".repeat((5 * MIB) / 12) })
  const file = openSync(path, "w")
  let records = 0
  let bytes = 0
  const add = (line: string): void => {
    bytes += writeSync(file, `${line}\n`)
    records += 1
  }
  for (let left = mib * MIB; left > 0; left = mib * MIB - bytes) {
    for (let count = 0; count < 5000; count++) add(small)
    for (let count = 0; count < 5; count++) add(dense)
    add(image)
  }
  closeSync(file)
  return records
}

/**
 * How long the loop was held while this ran, in milliseconds: by the clock, and by the processor time that this
 * thread used between two turns of it, which other processes cannot lengthen.
 */
const stall = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  // The first figure after the start is that of the start itself.
  yield* Effect.sleep("100 millis")
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const turns: Array<number> = []
  let running = true
  let last = process.threadCpuUsage()
  const turn = (): void => {
    const now = process.threadCpuUsage()
    turns.push((now.user + now.system - last.user - last.system) / 1000)
    last = now
    if (running) setImmediate(turn)
  }
  delay.enable()
  setImmediate(turn)
  const begin = performance.now()
  yield* effect
  const milliseconds = performance.now() - begin
  running = false
  delay.disable()
  turns.sort((left, right) => left - right)
  return {
    milliseconds: round(milliseconds),
    clock: { max: round(delay.max / 1e6), p99: round(delay.percentile(99) / 1e6) },
    processor: {
      max: round(turns.at(-1) ?? Number.NaN),
      p99: round(turns[Math.floor(turns.length * 0.99)] ?? 0)
    }
  }
})

const backlog = Effect.fnUntraced(function* (directory: string, mib: number) {
  const path = join(directory, `${mib}.jsonl`)
  const records = write(path, mib)
  const source = yield* TranscriptSource
  const held = yield* stall(source.follow(path).pipe(Stream.take(records), Stream.runDrain))
  return { mib, records, mibPerSecond: round((mib * 1000) / held.milliseconds), ...held }
})

const descriptors = (): number => readdirSync("/dev/fd").length

const cpu = (since?: NodeJS.CpuUsage): NodeJS.CpuUsage => process.cpuUsage(since)

/** Per cent of one core that this process uses in ten seconds. */
const load = Effect.gen(function* () {
  const begin = cpu()
  yield* Effect.sleep(IDLE)
  const { user, system } = cpu(begin)
  return (user + system) / Duration.toMillis(IDLE) / 10
})

const heap = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const idle = Effect.fnUntraced(function* (directory: string) {
  const source = yield* TranscriptSource
  const before = { descriptors: descriptors(), load: yield* load }
  const during = yield* Effect.scoped(
    Effect.gen(function* () {
      for (let reader = 0; reader < READERS; reader++) {
        // Half as Claude's, beside each other; half as Codex's, whose file comes with the first prompt.
        const path = join(directory, reader % 2 === 0 ? "projects" : `sessions/${reader}`, `${reader}.jsonl`)
        mkdirSync(join(path, ".."), { recursive: true })
        if (reader % 2 === 0) writeFileSync(path, "{}\n")
        yield* Effect.forkScoped(Stream.runDrain(source.follow(path)))
      }
      yield* Effect.sleep("1 second")
      const begin = heap()
      const used = yield* load
      return { load: used, heap: heap() - begin }
    })
  )
  return {
    readers: READERS,
    unit: "% of one core",
    reference: round(before.load),
    readersAndReference: round(during.load),
    over: round(during.load - before.load),
    goal: 0.2,
    heapGrowthKiB: Math.round(during.heap / 1024),
    descriptorsLeft: descriptors() - before.descriptors
  }
})

const directory = mkdtempSync(join(tmpdir(), "obstat-bench-"))

/** Work for two seconds, a millisecond at a time: what it is held up by is the machine alone. */
const paced = Effect.gen(function* () {
  const end = performance.now() + 2000
  while (performance.now() < end) {
    const pause = performance.now() + 1
    while (performance.now() < pause);
    yield* Effect.yieldNow
  }
})

const benchmark = Effect.gen(function* () {
  const idleLoop = yield* stall(Effect.sleep("2 seconds"))
  const busyLoop = yield* stall(paced)
  yield* backlog(directory, 20)
  console.log(
    JSON.stringify({
      figure: "V14",
      unit: "ms",
      goal: { max: 20 },
      reference: { idleLoop, busyLoop },
      backlogs: [yield* backlog(directory, BACKLOG_MIB), yield* backlog(directory, 2 * BACKLOG_MIB)]
    })
  )
  console.log(JSON.stringify({ figure: "V6", ...(yield* idle(directory)) }))
})

await Effect.runPromise(
  benchmark.pipe(
    Effect.provide(TranscriptReader.layer),
    Effect.ensuring(Effect.sync(() => rmSync(directory, { recursive: true, force: true })))
  )
)
