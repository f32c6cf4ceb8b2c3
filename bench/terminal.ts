/**
 * [V1, V2, V3, V4, V5]: output of agents through real pseudo-terminals to rendered screens, with an observer that reads every
 * frame as a dialect does.
 *
 * References in the same run, taking turns with ours so that a busy machine slows all alike, without observers:
 * `bare` writes the same bytes to an emulator on one thread; `naive` joins node-pty's `onData` to
 * `terminal.write` on one thread. Each runs in a process of its own, warmed up, and checks the byte count and the
 * marker at the end of the screen.
 *
 *     npm run bench -- terminal [--quick] [V1] [V2] [V5]      (V3 and V4 come with V2)
 */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const MIB = 1024 * 1024
const marker = "the very last line"

/** What agents print: coloured logs, wide characters, repainted boxes, spinners, cleared lines. */
const recording = (bytes: number): Buffer => {
  const lines = [
    "\u001b[32m✓\u001b[39m src/core/session/Terminal.ts \u001b[2m(12 tests)\u001b[22m 48ms\r\n",
    "\u001b[1m● Bash\u001b[22m(git diff --stat HEAD~3 -- src test bench)\r\n",
    "  \u001b[38;5;246m⎿\u001b[39m  src/adapters/xterm/Emulator.ts | 131 \u001b[32m++++++++++++\u001b[31m----\u001b[39m\r\n",
    "\u001b[2K\u001b[1G\u001b[38;2;215;119;87m✻\u001b[39m Thinking… \u001b[2m(12s · esc to interrupt)\u001b[22m",
    "\r\n終わりました。次の作業に移ります: the quick brown fox jumps over the lazy dog 0123456789\r\n",
    "\u001b[7m selected row \u001b[27m  other row   another row with a good deal of plain text that runs on\r\n",
    "╭──────────────────────────────────────────────────────────────────────────────╮\r\n",
    '│ \u001b[1m>\u001b[22m Try "refactor the parser"                                                    │\r\n',
    "╰──────────────────────────────────────────────────────────────────────────────╯\r\n",
    "\u001b[3A\u001b[2K\r\u001b[3Bplain output of some build step, without any colour at all, as most of it is\r\n"
  ].map((line) => Buffer.from(line))
  const end = Buffer.from(`\u001b[0m\r\n${marker}`)
  const parts: Array<Buffer> = []
  let size = end.length
  for (let index = 0; ; index += 1) {
    const line = lines[(index * 7 + (index >> 4)) % lines.length]!
    if (size + line.length > bytes) break
    parts.push(line)
    size += line.length
  }
  return Buffer.concat([...parts, Buffer.alloc(bytes - size, "."), end])
}

export interface Run {
  readonly mode: "bare" | "naive" | "ours" | "idle" | "last"
  readonly file: string
  readonly bytes: number
  readonly sessions: number
  readonly marker: string
}

export interface Outcome {
  readonly milliseconds: number
  readonly [figure: string]: unknown
}

const runner = fileURLToPath(new URL("terminal/runner.ts", import.meta.url))

/** Runs one mode in its own process; it begins to measure when told to, and tells what it found. */
const measure = async (run: Run): Promise<{ readonly outcome: Outcome; readonly idle: Outcome | null }> => {
  const start = (run: Run) => {
    const child = spawn(process.execPath, ["--expose-gc", runner, JSON.stringify(run)], {
      stdio: ["pipe", "pipe", "inherit"]
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return { child, next: async (): Promise<string> => (await lines.next()).value ?? "null" }
  }
  const one = start(run)
  const beside = run.mode === "ours" && run.sessions > 1 ? start({ ...run, mode: "idle" }) : null
  if ((await one.next()) !== "ready") throw new Error(`${run.mode} did not start`)
  await beside?.next()
  beside?.child.stdin.write("go\n")
  one.child.stdin.write("go\n")
  const outcome: Outcome | null = JSON.parse(await one.next())
  beside?.child.stdin.end()
  const idle: Outcome | null = beside === null ? null : JSON.parse(await beside.next())
  if (outcome === null) throw new Error(`${run.mode} failed`)
  return { outcome, idle }
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!
const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits))
const print = (figure: object) => console.log(JSON.stringify(figure))

const quick = process.argv.includes("--quick")
const chosen = process.argv.filter((argument) => /^V\d$/.test(argument))
const wanted = (figure: string) => chosen.length === 0 || chosen.includes(figure)
const folder = mkdtempSync(join(tmpdir(), "obstat-bench-"))

const fileOf = (bytes: number): string => {
  const file = join(folder, String(bytes))
  writeFileSync(file, recording(bytes))
  return file
}

const compare = async (
  sessions: number,
  bytes: number,
  rounds: number,
  modes: ReadonlyArray<Run["mode"]>
) => {
  const file = fileOf(bytes)
  const times = new Map<Run["mode"], Array<number>>(modes.map((mode) => [mode, []]))
  const details: Array<{ readonly ours: Outcome; readonly idle: Outcome | null }> = []
  for (let round = 0; round < rounds; round += 1) {
    for (const mode of modes) {
      const { idle, outcome } = await measure({ mode, file, bytes, sessions, marker })
      times.get(mode)!.push(outcome.milliseconds)
      if (mode === "ours") details.push({ ours: outcome, idle })
    }
  }
  const speed = (mode: Run["mode"]) => ((sessions * bytes) / MIB / median(times.get(mode)!)) * 1000
  return { speed, details }
}

try {
  for (const size of wanted("V1") ? [8, 16] : []) {
    const rounds = quick ? 2 : 5
    const { details, speed } = await compare(1, size * MIB, rounds, ["bare", "naive", "ours"])
    print({
      figure: "V1",
      sessions: 1,
      mib: size,
      rounds,
      unit: "MiB/s, median",
      ours: rounded(speed("ours"), 1),
      bare: rounded(speed("bare"), 1),
      naive: rounded(speed("naive"), 1),
      overBare: rounded(speed("ours") / speed("bare")),
      overNaive: rounded(speed("ours") / speed("naive")),
      goal: { overBare: 0.9, overNaive: 1.4 },
      load: rounded(loadavg()[0]!, 1),
      mostPendingBytes: Math.max(...details.map(({ ours }) => Number(ours["mostPendingBytes"]))),
      left: details.at(-1)?.ours["left"]
    })
  }
  for (const sessions of wanted("V2") ? (quick ? [32] : [32, 64]) : []) {
    const rounds = quick ? 1 : 3
    const { details, speed } = await compare(sessions, 8 * MIB, rounds, ["naive", "ours"])
    const loops = details.map(({ idle, ours }) => ({ ours: ours["loop"], idle: idle?.["loop"] }))
    print({
      figure: "V2",
      sessions,
      mib: 8,
      rounds,
      cores: availableParallelism(),
      unit: "MiB/s, median",
      ours: rounded(speed("ours"), 1),
      naive: rounded(speed("naive"), 1),
      overNaive: rounded(speed("ours") / speed("naive")),
      goal: { overNaive: availableParallelism() > 1 ? 1.3 : 1 },
      load: rounded(loadavg()[0]!, 1),
      mostPendingBytes: Math.max(...details.map(({ ours }) => Number(ours["mostPendingBytes"]))),
      frames: details.map(({ ours }) => ours["frames"])
    })
    print({ figure: "V3", sessions, unit: "ms", loops, goal: { p99: 10, maxOverIdle: 2 } })
    print({
      figure: "V4",
      sessions,
      unit: "MiB",
      peakRss: Math.max(...details.map(({ ours }) => Number(ours["peakRss"]))),
      goal: { peakRss: 400 },
      left: details.map(({ ours }) => ours["left"])
    })
  }
  if (wanted("V5")) {
    const last = await measure({
      mode: "last",
      file: fileOf(64 * 1024),
      bytes: 64 * 1024,
      sessions: quick ? 20 : 60,
      marker
    })
    print({ figure: "V5", ...last.outcome, goal: { milliseconds: 10 } })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
