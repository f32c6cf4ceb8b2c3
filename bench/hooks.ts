/**
 * [V11] from an agent's hook event to the decision in its hands, with each hook client. The reference is `true`,
 * started in the same way in the same run; the variants take turns, so that a busy machine slows all alike.
 *
 *     npm run bench -- hooks
 */
import { spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import * as UnixSocketHookBridge from "../src/adapters/unix-socket/UnixSocketHookBridge.ts"
import { HookBridge } from "../src/core/session/HookBridge.ts"

const RUNS = 200
const BURST = 100
/** About what an agent sends for one command. */
const EVENT = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "git status", description: "x".repeat(700) }
})
const REPLY = JSON.stringify({ hookSpecificOutput: { permissionDecision: "deny" } })

/** Milliseconds from the start of a process to the end of its output. */
const once = (command: string, expected: string) =>
  Effect.callback<number>((resume) => {
    const begin = performance.now()
    // As the agents do: through a shell, which becomes the command.
    const child = spawn("sh", ["-c", `exec ${command}`], { stdio: ["pipe", "pipe", "inherit"] })
    let output = ""
    child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()))
    child.stdin.on("error", () => undefined)
    child.once("close", (code) => {
      if (code !== 0 || output !== expected) throw new Error(`${command}: exit ${code}, ${output}`)
      resume(Effect.succeed(performance.now() - begin))
    })
    child.stdin.end(EVENT)
  })

const round = (value: number): number => Math.round(value * 100) / 100

const spread = (samples: ReadonlyArray<number>) => {
  const sorted = samples.toSorted((left, right) => left - right)
  const at = (share: number): number => round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN)
  return { p50: at(0.5), p99: at(0.99) }
}

const open = (client: "native" | "node") =>
  Effect.flatMap(HookBridge, (bridge) =>
    bridge.open({
      handle: () => Effect.succeed({ _tag: "json", value: JSON.parse(REPLY) }),
      onFault: ({ reason }) => {
        throw new Error(reason)
      }
    })
  ).pipe(Effect.provide(UnixSocketHookBridge.layer({ client })))

const burst = Effect.fnUntraced(function* (command: string, expected: string, count: number) {
  const begin = performance.now()
  yield* Effect.all(
    Array.from({ length: count }, () => once(command, expected)),
    { concurrency: "unbounded" }
  )
  return round(performance.now() - begin)
})

const benchmark = Effect.gen(function* () {
  const native = yield* open("native")
  const node = yield* open("node")
  const variants = [
    { name: "true", command: "true", expected: "" },
    { name: "native", command: native.command, expected: REPLY },
    { name: "node", command: node.command, expected: REPLY }
  ]
  const samples = variants.map((variant) => ({ ...variant, milliseconds: new Array<number>() }))
  for (let run = 0; run < RUNS; run++) {
    for (const { command, expected, milliseconds } of samples) {
      milliseconds.push(yield* once(command, expected))
    }
  }
  const [reference, compiled, standIn] = samples.map(({ milliseconds }) => spread(milliseconds))
  const bursts = yield* Effect.forEach(variants.slice(0, 2), ({ command, expected }) =>
    Effect.all([burst(command, expected, BURST), burst(command, expected, 2 * BURST)])
  )
  console.log(
    JSON.stringify({
      figure: "V11",
      unit: "ms",
      runs: RUNS,
      reference: { true: reference },
      native: { ...compiled, goal: { p50: 15 } },
      node: standIn,
      atOnce: { events: [BURST, 2 * BURST], true: bursts[0], native: bursts[1] }
    })
  )
})

await Effect.runPromise(Effect.scoped(benchmark))
