import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as ShellAnalysis from "../../../src/core/shell/ShellAnalysis.ts"
import * as BashPrograms from "./BashPrograms.ts"

/** Programs in one bash process: enough to be cheap, few enough to lose little if one ends it. */
const BATCH = 250

/**
 * Runs each program in a subshell of its own, with nothing on the PATH, nowhere to write but a fresh directory,
 * a second of time and no terminal. Markers are written to descriptor 3, which every process holds that a
 * program leaves behind: its end is the end of all of them.
 */
const DRIVER = String.raw`
ulimit -v 2000000
for ((n = 0; n < $1; n++)); do
  IFS= read -r -d '' text < "$2/$n.sh"
  (
    ulimit -t 1
    eval "zap() { printf '%s %s\n' $n \"\$1\" >&3; }"
    PATH=
    eval "$text"
  ) </dev/null >/dev/null 2>&1
done
`

const run = (programs: ReadonlyArray<string>): ReadonlyArray<ReadonlySet<string>> => {
  const directory = mkdtempSync(join(tmpdir(), "obstat-bash-"))
  try {
    programs.forEach((program, index) => writeFileSync(join(directory, `${index}.sh`), `${program}\0`))
    const ended = spawnSync("bash", ["--norc", "-c", DRIVER, "driver", String(programs.length), directory], {
      cwd: mkdtempSync(join(directory, "cwd-")),
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      timeout: 120_000,
      killSignal: "SIGKILL"
    })
    expect(ended.error).toBeUndefined()
    const ran = programs.map(() => new Set<string>())
    for (const line of String(ended.output[3]).split("\n")) {
      const match = /^(\d+) (\d+)$/.exec(line)
      if (match !== null) ran[Number(match[1])]?.add(match[2]!)
    }
    return ran
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Result {
  readonly ran: number
  readonly clean: number
  readonly lost: ReadonlyArray<{ readonly program: string; readonly markers: ReadonlyArray<string> }>
}

const compare = (seed: number, count: number): Result => {
  const next = BashPrograms.random(seed)
  const programs = Array.from({ length: count }, () => BashPrograms.make(next))
  const lost: Array<Result["lost"][number]> = []
  let ran = 0
  let clean = 0
  for (let from = 0; from < count; from += BATCH) {
    const batch = programs.slice(from, from + BATCH)
    for (const [index, markers] of run(batch).entries()) {
      const program = batch[index]!
      const { flaw, units } = ShellAnalysis.analyse(program, { cwd: "/", home: "/" })
      if (markers.size > 0) ran++
      if (flaw === null) clean++
      const marked =
        flaw !== null || units.some((unit) => unit.mark !== null && unit.mark.indirect !== "open")
      const listed = new Set(
        units
          .filter((unit) => unit.words[0]!.value === BashPrograms.MARKER)
          .map((unit) => unit.words[1]?.value ?? "")
      )
      // A damaged number may be an expansion: the marker is listed all the same.
      const damaged = [...listed].some((marker) => !/^\d+$/.test(marker))
      const missing = damaged ? [] : [...markers].filter((marker) => !listed.has(marker))
      if (missing.length > 0 && !marked) lost.push({ program, markers: missing })
    }
  }
  return { ran, clean, lost }
}

describe("generated programs, run by bash itself", () => {
  it("run no command that is neither listed nor marked: the same 5,000 each time [L3.9]", () => {
    const { clean, lost, ran } = compare(1, 5_000)
    expect(lost).toEqual([])
    // The comparison says something only while most programs run, and are understood.
    expect(ran).toBeGreaterThan(2_000)
    expect(clean).toBeGreaterThan(2_000)
  }, 300_000)

  it("run no command that is neither listed nor marked: 2,000 new ones [L3.9]", () => {
    const seed = Date.now() >>> 0
    expect({ seed, lost: compare(seed, 2_000).lost }).toEqual({ seed, lost: [] })
  }, 300_000)
})
