import { once } from "node:events"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Explanation } from "../../../src/core/policy/Explanation.ts"
import * as ObstatProcess from "./ObstatProcess.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Explanation), { onExcessProperty: "error" })

const policy = `{
  // Everything may run but what removes.
  "permission": {
    "bash": {
      "*": "allow",
      "rm *": { "action": "deny", "reason": "nothing is removed" }
    }
  }
}`

describe("obstat policy explain", () => {
  let directory: string
  let file: string

  beforeAll(async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), "obstat-explain-")))
    file = join(directory, "policy.jsonc")
    await writeFile(file, policy)
  })

  afterAll(() => rm(directory, { recursive: true, force: true }))

  const explain = (args: ReadonlyArray<string>, options?: ObstatProcess.Options) =>
    ObstatProcess.run(["policy", "explain", "--policy", file, "-C", directory, ...args], options)

  /** Started on standard input, which stays open. */
  const startOnInput = () =>
    ObstatProcess.start(["policy", "explain", "--policy", file, "-C", directory, "--output", "jsonl", "-"])

  it("says which rule decides, where it stands, and why [L6.1]", async () => {
    const { stdout, stderr, status } = await explain(["true && rm -rf x"])
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
    expect(stdout).toContain("deny  true && rm -rf x")
    expect(stdout).toContain(`"rm *" (user policy, ${file}:6)`)
    expect(stdout).toContain("nothing is removed")
    expect(stdout).toContain(`write ${directory}/x`)
  })

  it("prints one document, and for one command one line, of the same explanation [L6.3]", async () => {
    const json = await explain(["--output", "json", "true && rm -rf x"])
    const jsonl = await explain(["--output", "jsonl", "true && rm -rf x"])
    expect([json.status, jsonl.status]).toEqual([0, 0])
    const document = decode(json.stdout)
    expect(decode(jsonl.stdout)).toEqual(document)
    expect(jsonl.stdout.split("\n")).toHaveLength(2)
    expect(document).toMatchObject({
      schemaVersion: 1,
      command: "true && rm -rf x",
      cwd: directory,
      units: [{ argv: ["true"] }, { argv: ["rm", "-rf", "x"] }],
      ruling: { action: "deny", pattern: "rm *", source: { file, line: 6 } }
    })
  })

  it("prints one document per line of input, in order, for thousands of commands [L6.3]", async () => {
    const commands = Array.from({ length: 3_000 }, (_, index) => `true && rm -rf "x ${index}"`)
    const { stdout, stderr, status } = await explain(["--output", "jsonl", "-"], {
      stdin: commands.map((command) => `${JSON.stringify(command)}\n`).join("")
    })
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
    const documents = stdout
      .trimEnd()
      .split("\n")
      .map((line) => decode(line))
    expect(documents.map(({ command }) => command)).toEqual(commands)
    expect(new Set(documents.map(({ ruling }) => ruling.action))).toEqual(new Set(["deny"]))
  })

  it("answers each line before the next one is there [L6.3]", async () => {
    const child = startOnInput()
    const lines = child.stdout.setEncoding("utf8")[Symbol.asyncIterator]()
    for (const command of ["rm a", "true"]) {
      child.stdin.write(`${JSON.stringify(command)}\n`)
      const { value } = await lines.next()
      expect(decode(String(value)).command).toBe(command)
    }
    child.stdin.end()
    await once(child, "close")
    expect(child.exitCode).toBe(0)
  })

  it.each([
    { name: "no JSON", line: "rm -rf x" },
    { name: "no string", line: '{"command": "rm"}' },
    { name: "nothing", line: "" }
  ])("names a line that is $name, after the documents before it [L6.3]", async ({ line }) => {
    const { stdout, stderr, status } = await explain(["--output", "jsonl", "-"], {
      stdin: `"first"\n"second"\n${line}\n"fourth"\n`
    })
    expect(status).toBe(2)
    expect(stderr).toContain("line 3 ")
    const documents = stdout
      .trimEnd()
      .split("\n")
      .map((each) => decode(each))
    expect(documents.map(({ command }) => command)).toEqual(["first", "second"])
  })

  it("prints nothing for no input [L6.3]", async () => {
    expect(await explain(["--output", "jsonl", "-"])).toEqual({ stdout: "", stderr: "", status: 0 })
  })

  it("ends quietly with status 0 when its reader has seen enough [C1] [C4]", async () => {
    const child = startOnInput()
    let stderr = ""
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdin.on("error", () => undefined)
    child.stdin.write('"true"\n')
    await once(child.stdout, "data")
    child.stdout.destroy()
    // The reader is gone; the next document finds that out.
    child.stdin.write('"true"\n')
    await once(child, "close")
    expect({ stderr, status: child.exitCode }).toEqual({ stderr: "", status: 0 })
  })

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("stops at %s [C1] [C4]", async (signal) => {
    const child = startOnInput()
    child.stdin.write('"true"\n')
    await once(child.stdout, "data")
    child.kill(signal)
    await once(child, "close")
    expect(child.exitCode).toBe(130)
  })

  it("refuses input for any other format with the cure [C1]", async () => {
    const { stdout, stderr, status } = await explain(["-"])
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 })
    expect(stderr).toContain("--output jsonl")
  })

  it.each([
    { name: "an unknown key", text: '{\n  "permision": {}\n}', says: ':2:3: unknown key "permision"' },
    { name: "broken syntax", text: '{\n  "permission": {\n', says: ":3:1: " },
    { name: "an unknown action", text: '{"permission": {"bash": {"ls": "alow"}}}', says: ":1:" }
  ])("does not start with $name in the policy, and says where [C1] [L2.2]", async ({ text, says }) => {
    const broken = join(directory, "broken.jsonc")
    await writeFile(broken, text)
    const { stdout, stderr, status } = await ObstatProcess.run([
      "policy",
      "explain",
      "--policy",
      broken,
      "ls"
    ])
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 })
    expect(stderr).toContain(`${broken}${says}`)
  })

  it("does not start without the policy it was told to use [C1] [L2.2]", async () => {
    const missing = join(directory, "missing.jsonc")
    const { stdout, stderr, status } = await ObstatProcess.run([
      "policy",
      "explain",
      "--policy",
      missing,
      "ls"
    ])
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 })
    expect(stderr).toContain(missing)
  })

  it.each([
    { command: "ls -la", action: "allow", scope: "default" },
    { command: "git push --force", action: "ask", scope: null },
    { command: "echo alias >> ~/.bashrc", action: "deny", scope: "default" }
  ])("rules by the starter where there is no policy file: $command, $action [L2.6]", async (expected) => {
    const { stdout, status } = await ObstatProcess.run(
      ["policy", "explain", "-C", directory, "--output", "json", expected.command],
      { env: { XDG_CONFIG_HOME: join(directory, "none") } }
    )
    expect(status).toBe(0)
    const { command, ruling } = decode(stdout)
    expect({ command, action: ruling.action, scope: ruling.scope }).toEqual(expected)
  })

  it("says on standard error that an untrusted project's allows are ignored, and keeps its denies [L2.1] [X7]", async () => {
    const project = join(directory, "project")
    await mkdir(join(project, ".obstat"), { recursive: true })
    await writeFile(join(project, ".obstat", "obstat.jsonc"), policy)
    const run = (command: string) =>
      ObstatProcess.run(["policy", "explain", "-C", project, "--output", "json", command], {
        env: { XDG_CONFIG_HOME: join(directory, "none") }
      })
    const [curl, removal] = [await run("curl example.com"), await run("rm x")]
    expect(curl.stderr).toContain("not trusted")
    expect(decode(curl.stdout).ruling.action).toBe("ask")
    expect(decode(removal.stdout).ruling).toMatchObject({ action: "deny", scope: "project" })
  })

  it("shows no control sequence that a command holds, in any format [C2] [X4]", async () => {
    const hostile = "printf '\u001b[2J\u009b0m\u202e\u200b'"
    for (const format of ["text", "json", "jsonl"]) {
      const { stdout, status } = await explain(["--output", format, hostile], { env: { FORCE_COLOR: "1" } })
      expect(status).toBe(0)
      expect(stdout).not.toMatch(/[^\P{C}\n]/u)
      if (format !== "text") expect(decode(stdout).command).toBe(hostile)
    }
  })
})
