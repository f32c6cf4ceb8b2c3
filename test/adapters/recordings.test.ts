import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as ClaudeRecording from "../../src/adapters/claude/ClaudeRecording.ts"
import * as CodexRecording from "../../src/adapters/codex/CodexRecording.ts"
import * as PiRecording from "../../src/adapters/pi/PiRecording.ts"
import * as Turns from "../fixtures/Turns.ts"

const formats = {
  claude: ClaudeRecording.format,
  codex: CodexRecording.format,
  pi: PiRecording.format
}
const agents = ["claude", "codex", "pi"] as const

const brief = (agent: keyof typeof formats) =>
  Turns.read(formats[agent], agent).calls.map(({ call: { cwd, input, tool } }) => [tool, cwd, input])

describe("recordings of agents", () => {
  it.for(agents)("a turn of %s is read by its own format and by no other [L6.1]", (agent) => {
    const lines = Turns.lines(readFileSync(Turns.files[agent], "utf8"))
    const readers = agents.filter((other) => formats[other].read(lines) !== null)
    expect(readers).toEqual([agent])
    expect(formats[agent].read(lines)).toMatchObject({ agent, projectRoot: "/home/dev/project" })
  })

  it("Claude Code's calls are those of its transcript, in order [L6.1]", () => {
    const calls = brief("claude")
    expect(calls).toHaveLength(25)
    expect(calls[0]).toEqual([
      "Bash",
      "/home/dev/project",
      { command: "git status", description: "Show the working tree" }
    ])
    expect(calls.map(([tool]) => tool).filter((tool) => tool === "Edit")).toHaveLength(4)
  })

  it("Codex's calls are named as its hooks name them, in the directory they ran in [L6.1, L4.1]", () => {
    const calls = brief("codex")
    expect(calls).toHaveLength(12)
    expect(calls[0]).toEqual(["Bash", "/home/dev/project", { command: "git status" }])
    expect(calls[7]).toEqual(["Bash", "/home/dev/project/test", { command: "ls -la" }])
    expect(calls[5]?.[0]).toBe("apply_patch")
    expect(calls[5]?.[2]).toMatchObject({ command: expect.stringContaining("*** Update File: src/pages.js") })
    expect(calls.at(-1)?.[0]).toBe("request_user_input")
  })

  it("Pi's calls are the agent's, not the commands that the person typed [L6.1]", () => {
    const calls = brief("pi")
    expect(calls).toHaveLength(10)
    expect(calls[3]).toEqual(["read", "/home/dev/project", { path: "src/pages.js" }])
    expect(JSON.stringify(calls)).not.toContain("git push")
  })

  it.for(agents)("what %s copies from an earlier session counts once [L6.1]", (agent) => {
    const lines = Turns.lines(readFileSync(Turns.files[agent], "utf8"))
    const twice = formats[agent].read([...lines, ...lines])
    expect(twice?.calls).toEqual(formats[agent].read(lines)?.calls)
  })

  it.for(agents)("what is no record of %s is passed over [L6.1]", (agent) => {
    const lines = Turns.lines(readFileSync(Turns.files[agent], "utf8"))
    const strange = [null, 1, "x", [], {}, { type: 1 }, { type: "assistant", message: null }]
    const mixed = lines.flatMap((line) => [...strange.map((value) => ({ line: 0, value })), line])
    expect(formats[agent].read(mixed)).toEqual(formats[agent].read(lines))
    expect(formats[agent].read(strange.map((value) => ({ line: 0, value })))).toBeNull()
  })
})
