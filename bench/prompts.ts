/**
 * [V9] what it costs to put a large ask on the screen, 60 × 20: the first paint with its whole layout, each paint after
 * a key, and the other renders of the same ask. The reference, in the same run and taking turns, walks the same text
 * once, character by character: what no render can do without.
 *
 *     npm run bench -- prompts
 */
import * as AskBudget from "../src/core/ask/AskBudget.ts"
import * as AskPayload from "../src/core/ask/AskPayload.ts"
import * as Broadcast from "../src/core/ask/Broadcast.ts"
import * as DialogKeys from "../src/core/ask/DialogKeys.ts"
import * as TerminalView from "../src/core/ask/TerminalView.ts"
import type { ToolCall } from "../src/core/call/ToolCall.ts"
import type { Ruling } from "../src/core/policy/Ruling.ts"

const SIZE = { columns: 60, rows: 20 }
const ROUNDS = 200
const WARM_UP = 100

const commandOf = (lines: number): string =>
  Array.from({ length: lines }, (_, index) => `printf '%s\\n' "row ${index}" >> build/report.txt`).join("\n")

const askOf = (command: string): AskPayload.AskPayload => {
  const call: ToolCall = {
    agent: "claude",
    tool: "Bash",
    input: { command, description: "Write the report" },
    callId: null,
    cwd: "/home/dev/project",
    mode: "default",
    requester: { agentName: null, sessionId: "s-1", forwarded: false }
  }
  const winner = { action: "ask", surface: "bash", pattern: "<no-rule>", scope: null } as const
  const ruling: Ruling = {
    action: "ask",
    units: [
      {
        surface: "bash",
        value: command,
        executedUnit: null,
        indirect: null,
        winner: { ...winner, source: null, reason: null, by: null },
        runnerUp: null
      }
    ],
    command,
    residue: null,
    policyDigest: ""
  }
  return AskPayload.make(call, ruling)
}

const paint = (state: DialogKeys.State): number => {
  const view = DialogKeys.view(state, "since 10:00:00")
  TerminalView.encode(view, { styled: true })
  return view.rows.length
}

const walk = (text: string): number => {
  let sum = 0
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index)
  return sum
}

/** The median of each, in milliseconds; they take turns. */
const measure = (work: Readonly<Record<string, () => unknown>>): Readonly<Record<string, number>> => {
  const samples = new Map<string, Array<number>>(Object.keys(work).map((name) => [name, []]))
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(work)) {
      const begin = process.hrtime.bigint()
      run()
      const milliseconds = Number(process.hrtime.bigint() - begin) / 1e6
      if (round >= 0) samples.get(name)?.push(milliseconds)
    }
  }
  const median = (values: ReadonlyArray<number>) =>
    values.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
  return Object.fromEntries([...samples].map(([name, values]) => [name, Number(median(values).toFixed(3))]))
}

for (const lines of [5000, 10_000]) {
  const command = commandOf(lines)
  const payload = askOf(command)
  const opened = DialogKeys.open(payload, AskBudget.defaults, SIZE)
  let shown = DialogKeys.confirm(opened, opened)
  const rows = paint(opened)
  const figures = measure({
    firstPaint: () => paint(DialogKeys.open(payload, AskBudget.defaults, SIZE)),
    nextPaint: () => {
      const next = DialogKeys.press(shown, { _tag: "named", name: "page_down" })
      paint(next)
      shown = DialogKeys.confirm(next, next)
    },
    broadcast: () => Broadcast.uiPrompt("id", payload),
    reference: () => walk(command)
  })
  console.log(
    JSON.stringify({
      figure: "V9",
      unit: "ms, median",
      lines,
      characters: command.length,
      rounds: ROUNDS,
      ...figures,
      rows,
      goal: { firstPaint: 2, rows: SIZE.rows }
    })
  )
  if (rows > SIZE.rows) throw new Error(`${rows} rows are more than the terminal has`)
}
