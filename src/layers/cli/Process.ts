import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import * as ExitCode from "./ExitCode.ts"

/** The signals that ask a command to stop (C4). */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

const runMain = Runtime.makeRunMain(({ fiber, teardown }) => {
  let asked = false
  const stop = () => {
    // The first signal interrupts, and every scope cleans up; a second one does not wait for that.
    if (asked) return process.exit(ExitCode.of("interrupted"))
    asked = true
    fiber.interruptUnsafe(fiber.id)
  }
  for (const signal of signals) process.on(signal, stop)
  fiber.addObserver((exit) => teardown(exit, (code) => process.exit(code)))
})

/**
 * Runs a program that ends with an exit status as this process. All output has been taken by then
 * (`Output.write`), so the process ends at once, whatever else is still open.
 */
export const main = (program: Effect.Effect<number>): void => {
  // Nobody may be reading our diagnostics; that is no reason to fail.
  process.stderr.on("error", () => undefined)
  runMain(program, {
    disableErrorReporting: true,
    teardown: (exit, onExit) =>
      onExit(Exit.isSuccess(exit) && typeof exit.value === "number" ? exit.value : ExitCode.of("interrupted"))
  })
}
