import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fileURLToPath } from "node:url"
import * as TestTerminal from "../../fixtures/TestTerminal.ts"

const program = fileURLToPath(new URL("../../fixtures/AskAtTerminal.ts", import.meta.url))

/** A shell in a real terminal: what it prints behind the program shows how the terminal was left. */
const shell = (script: string, size: { readonly cols?: number; readonly rows?: number } = {}) =>
  TestTerminal.open({
    file: "/bin/sh",
    args: ["-c", script, "sh", process.execPath, program],
    cwd: process.cwd(),
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" },
    cols: size.cols ?? 60,
    rows: size.rows ?? 20
  })

/** Runs a program in a session of its own, without a controlling terminal but with the same stdout. */
const OWN_SESSION =
  'require("child_process").spawn(process.execPath, process.argv.slice(1), { detached: true, stdio: "inherit" })'

/** Lines are edited and echoed by the terminal itself again. */
const isSane = (screen: string) => / icanon/.test(screen) && / echo /.test(screen)

describe("DevTty", () => {
  it.live("asks on the controlling terminal, whatever stdin and stdout are [P6.1]", () =>
    Effect.gen(function* () {
      const terminal = yield* shell('"$1" "$2" ask </dev/null | tr a-z A-Z; stty -a; sleep 100')
      yield* terminal.until((screen) => screen.includes("❯ Deny"))
      assert.isTrue(terminal.alternateScreen())
      terminal.write("\x1b[C\x1b[C\r")
      const screen = yield* terminal.until(
        (screen) => screen.includes("VERDICT=") && screen.includes("icanon")
      )
      assert.include(screen.replaceAll("\n", ""), '"_TAG":"ALLOW"')
      assert.include(screen, "Obstat: you allowed once: Bash: git push --force origin ma…")
      assert.isTrue(isSane(screen))
      assert.isFalse(terminal.alternateScreen())
    }).pipe(Effect.scoped)
  )

  it.live("follows the terminal's size", () =>
    Effect.gen(function* () {
      const terminal = yield* shell('exec "$1" "$2" ask')
      yield* terminal.until((screen) => screen.includes("❯ Deny"))
      terminal.resize(34, 12)
      yield* terminal.until((screen) => screen.includes("Obstat: claude as… "))
      terminal.resize(90, 30)
      yield* terminal.until((screen) => screen.includes("Obstat: claude asks to use Bash      "))
      terminal.write("\r")
      assert.strictEqual((yield* terminal.exit).exitCode, 0)
    }).pipe(Effect.scoped)
  )

  it.live("puts the terminal back when the ask is withdrawn [A1]", () =>
    Effect.gen(function* () {
      const terminal = yield* shell('exec "$1" "$2" withdraw')
      yield* terminal.until((screen) => screen.includes("❯ Deny"))
      process.kill(terminal.pid, "SIGUSR1")
      assert.strictEqual((yield* terminal.exit).exitCode, 0)
      assert.isFalse(terminal.alternateScreen())
      assert.include(terminal.screen(), "Obstat: withdrawn before you decided")
    }).pipe(Effect.scoped)
  )

  it.live("puts the terminal back when the program crashes in the middle [A1.2]", () =>
    Effect.gen(function* () {
      const terminal = yield* shell('"$1" "$2" crash 2>/dev/null; echo left; stty -a; sleep 100')
      yield* terminal.until((screen) => screen.includes("❯ Deny"))
      terminal.resize(70, 30)
      const screen = yield* terminal.until((screen) => screen.includes("left") && screen.includes("icanon"))
      assert.isTrue(isSane(screen))
      assert.isFalse(terminal.alternateScreen())
      assert.isFalse(terminal.bracketedPaste())
    }).pipe(Effect.scoped)
  )

  it.live("nobody is there without a terminal, nor in the background [A1]", () =>
    Effect.gen(function* () {
      for (const [script, presence] of [
        ['"$1" "$2" presence', "present"],
        [`"$1" -e '${OWN_SESSION}' "$2" presence`, "absent"],
        ['set -m; "$1" "$2" presence & wait', "absent"]
      ] as const) {
        const terminal = yield* shell(`${script}; sleep 100`)
        yield* terminal.until((screen) => screen.includes(`presence=${presence}`))
      }
    }).pipe(Effect.scoped)
  )
})
