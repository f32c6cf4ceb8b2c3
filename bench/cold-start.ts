/**
 * [V13] what the command costs before it does anything, over a bare Node in the same run. The variants take turns,
 * so that a busy machine slows all of them alike.
 *
 *     npm run build && node bench/cold-start.ts
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const RUNS = 21

const command = fileURLToPath(new URL("../dist/layers/bin/obstat.js", import.meta.url))

const variants = {
  node: ["-e", "0"],
  help: [command, "--help"],
  explain: [command, "policy", "explain", "git push --force"]
} as const

type Variant = keyof typeof variants

const names = ["node", "help", "explain"] as const satisfies ReadonlyArray<Variant>

const milliseconds = (args: ReadonlyArray<string>): number => {
  const begin = process.hrtime.bigint()
  const { status } = spawnSync(process.execPath, args, { stdio: "ignore" })
  if (status !== 0) throw new Error(`status ${status}: ${args.join(" ")}`)
  return Number(process.hrtime.bigint() - begin) / 1e6
}

const samples: Record<Variant, Array<number>> = { node: [], help: [], explain: [] }
for (let run = 0; run < RUNS; run++) {
  for (const name of names) samples[name].push(milliseconds(variants[name]))
}

const median = (name: Variant): number => samples[name].toSorted((a, b) => a - b)[RUNS >> 1] ?? Number.NaN
const over = (name: Variant): number => Math.round(median(name) - median("node"))

console.log(
  JSON.stringify({
    figure: "V13",
    unit: "ms, median over bare node",
    runs: RUNS,
    reference: { node: Math.round(median("node")) },
    help: { over: over("help"), goal: 150 },
    explain: { over: over("explain"), goal: 250 }
  })
)
