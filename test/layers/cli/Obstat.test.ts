import { once } from "node:events"
import { describe, expect, it } from "vitest"
import manifest from "../../../package.json" with { type: "json" }
import * as ExitCode from "../../../src/layers/cli/ExitCode.ts"
import * as ObstatProcess from "./ObstatProcess.ts"

const ESCAPE = "\u001b"

describe("obstat", () => {
  it("prints help with an example and every exit status on standard output [C1]", async () => {
    const { stdout, stderr, status } = await ObstatProcess.run(["--help"])
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
    expect(stdout).toContain("obstat policy explain 'git push --force'")
    for (const { code, meaning } of Object.values(ExitCode.table)) {
      expect(stdout).toMatch(new RegExp(`^ +${code} +${meaning}$`, "m"))
    }
  })

  it("prints its version", async () => {
    expect(await ObstatProcess.run(["--version"])).toEqual({
      stdout: `obstat ${manifest.version}\n`,
      stderr: "",
      status: 0
    })
  })

  it("keeps the documented exit statuses [C1]", () => {
    expect(
      Object.fromEntries(Object.entries(ExitCode.table).map(([name, { code }]) => [name, code]))
    ).toEqual({
      ok: 0,
      failure: 1,
      usage: 2,
      denied: 3,
      personNeeded: 4,
      unknownOutcome: 5,
      timedOut: 124,
      interrupted: 130
    })
    const winners = Object.values(ExitCode.table).map(({ code }) => code)
    expect(winners.slice(0, 5)).toEqual([5, 124, 4, 3, 1])
  })

  it.each([
    { name: "no command", args: [], says: "SUBCOMMANDS" },
    { name: "a command group without its command", args: ["policy"], says: "SUBCOMMANDS" },
    { name: "an unknown flag", args: ["--nope"], says: "--nope" },
    { name: "a mistyped command", args: ["polcy"], says: "Did you mean this?\n    policy" },
    {
      name: "an unknown output format",
      args: ["policy", "explain", "--output", "xml", "ls"],
      says: '"jsonl"'
    },
    {
      name: "a directory that is none",
      args: ["policy", "explain", "-C", "/nonexistent", "ls"],
      says: "--cwd"
    }
  ])("answers $name on standard error with status 2 [C1]", async ({ args, says }) => {
    const { stdout, stderr, status } = await ObstatProcess.run(args)
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 })
    expect(stderr).toContain(says)
  })

  it.each([[["fix the failing test"]], [["fix", "the", "failing", "test"]]])(
    "starts no agent for a bare prompt, and says what to type [C11]",
    async (args) => {
      const { stdout, stderr, status } = await ObstatProcess.run(args)
      expect({ stdout, status }).toEqual({ stdout: "", status: 2 })
      expect(stderr).toContain('obstat run "PROMPT"')
    }
  )

  it("shows no control sequence that an argument holds [X4]", async () => {
    const { stderr } = await ObstatProcess.run([`${ESCAPE}[31mred${ESCAPE}]0;title\u0007\u009b2J`])
    expect(stderr).toContain("\\u{1b}[31mred")
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })

  it.each([
    { name: "not on a pipe", env: {}, colour: false },
    { name: "on request", env: { FORCE_COLOR: "1" }, colour: true },
    { name: "never against NO_COLOR", env: { FORCE_COLOR: "1", NO_COLOR: "1" }, colour: false },
    { name: "never on a dumb terminal", env: { FORCE_COLOR: "1", TERM: "dumb" }, colour: false }
  ])("colours help $name", async ({ env, colour }) => {
    const { stdout, status } = await ObstatProcess.run(["--help"], { env })
    expect(status).toBe(0)
    expect(stdout.includes(ESCAPE)).toBe(colour)
  })

  it("ends quietly when nobody reads its output [C1] [C4]", async () => {
    const child = ObstatProcess.start(["--help"])
    child.stdout.destroy()
    let stderr = ""
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    await once(child, "close")
    expect({ stderr, status: child.exitCode }).toEqual({ stderr: "", status: 0 })
  })
})
