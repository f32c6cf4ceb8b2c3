import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import * as AgentProgram from "../../../src/layers/testing/AgentProgram.ts"
import * as Sandbox from "../../../src/layers/testing/Sandbox.ts"
import * as Script from "../../../src/layers/testing/Script.ts"
import * as ObstatProcess from "./ObstatProcess.ts"

const question = {
  questions: [
    {
      question: "Which colour?",
      header: "Colour",
      multiSelect: false,
      options: [
        { label: "Red", description: "Warm" },
        { label: "Green", description: "Fresh" }
      ]
    }
  ]
}

const script = Script.make({
  plain: [Script.reply(Script.text("First.")), Script.reply(Script.text("never"))],
  two: [
    Script.reply(Script.text("Looking."), Script.tool("Bash", { command: "echo hi" }, "toolu_echo")),
    Script.reply(Script.text("Done \u001b[31mred\u001b[0m."))
  ],
  denied: [
    Script.reply(Script.tool("Bash", { command: "rm x" }, "toolu_rm")),
    Script.reply(Script.text("Then not."))
  ],
  asked: [
    Script.reply(Script.tool("Bash", { command: "touch made" }, "toolu_touch")),
    Script.reply(Script.text("Went on."))
  ],
  question: [
    Script.reply(Script.tool("AskUserQuestion", question, "toolu_question")),
    Script.reply(Script.text("Thank you."))
  ],
  wait: [Script.reply(Script.gate("never"), Script.text("late"))]
})

const policy = `{
  "permission": {
    "*": "ask",
    "bash": { "echo *": "allow", "rm *": { "action": "deny", "reason": "keep it" } }
  }
}`

/** A sandbox with the scripted agent on the path, and the command in it. */
const stage = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make()
  const agent = yield* AgentProgram.install(sandbox.root, script)
  const policyFile = join(sandbox.root, "policy.jsonc")
  writeFileSync(policyFile, policy)
  const env = {
    ...sandbox.env,
    XDG_RUNTIME_DIR: sandbox.runtime,
    PATH: [dirname(agent.file), sandbox.env["PATH"]].join(delimiter)
  }
  const run = (...args: ReadonlyArray<string>) =>
    Effect.promise(() =>
      ObstatProcess.run(["run", "--policy", policyFile, "--non-interactive", ...args], {
        cwd: sandbox.cwd,
        env
      })
    )
  return { sandbox, env, policyFile, run }
})

type Stage = Effect.Success<typeof stage>

const scene = (name: string, play: (stage: Stage) => Effect.Effect<void>) =>
  it.live(name, () => Effect.flatMap(stage, play).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

describe("obstat run", () => {
  scene("prints the agent's messages, and nothing that a terminal would act on [C2, C20]", ({ run }) =>
    Effect.gen(function* () {
      const ended = yield* run("Please.", "SCRIPT:two")
      assert.strictEqual(ended.stderr, "")
      assert.strictEqual(ended.stdout, "Looking.\n\nDone \\x1b[31mred\\x1b[0m.\n")
      assert.strictEqual(ended.status, 0)
    })
  )

  scene("prints one document with response, decisions and clean-up [C2]", ({ run }) =>
    Effect.gen(function* () {
      const ended = yield* run("--output", "json", "SCRIPT:denied")
      assert.strictEqual(ended.status, 0)
      const document = JSON.parse(ended.stdout)
      assert.deepInclude(document, {
        schemaVersion: 1,
        type: "result",
        agent: "claude",
        response: "Then not.",
        partial: false,
        cleanup: "complete",
        error: null
      })
      assert.strictEqual(typeof document.sessionId, "string")
      assert.strictEqual(document.decisions.length, 1)
      assert.deepInclude(document.decisions[0], {
        tool: "Bash",
        action: "deny",
        denial: "policy",
        reason: "keep it",
        surface: "bash",
        pattern: "rm *"
      })
      // A completed turn with denials is a success that lists them.
      assert.include(ended.stderr, "not allowed (policy) (rule rm *): Bash: rm x")
    })
  )

  scene(
    "runs the links that the policy names; one that is not there is skipped, and the journal says so [A2.2]",
    ({ env, policyFile, run, sandbox }) =>
      Effect.gen(function* () {
        writeFileSync(policyFile, policy.replace("{", '{ "authorizerChain": ["judge"],'))
        const ended = yield* run("SCRIPT:asked")
        assert.strictEqual(ended.status, 4, "no link made a person unnecessary")
        const shown = yield* Effect.promise(() =>
          ObstatProcess.run(["journal", "show"], { cwd: sandbox.cwd, env })
        )
        assert.include(shown.stdout, "link judge: named in authorizerChain but not registered: skipped")
      })
  )

  scene("--fail-on-denied makes any denial status 3 [C1]", ({ run }) =>
    Effect.gen(function* () {
      const ended = yield* run("--fail-on-denied", "SCRIPT:denied")
      assert.strictEqual(ended.status, 3)
      assert.strictEqual(ended.stdout, "Then not.\n")
    })
  )

  scene("an ask that nobody can answer ends with 4 and names what was asked [C1, C5]", ({ run, sandbox }) =>
    Effect.gen(function* () {
      const ended = yield* run("--output", "json", "SCRIPT:asked")
      assert.strictEqual(ended.status, 4)
      assert.include(ended.stderr, "touch made")
      const document = JSON.parse(ended.stdout)
      assert.deepInclude(document, { partial: true, cleanup: "complete" })
      assert.deepInclude(document.error, { code: "person_needed", exitCode: 4 })
      assert.isFalse(existsSync(join(sandbox.cwd, "made")))
    })
  )

  scene("--on-ask deny goes on without it [C5]", ({ run, sandbox }) =>
    Effect.gen(function* () {
      const ended = yield* run("--on-ask", "deny", "SCRIPT:asked")
      assert.strictEqual(ended.status, 0)
      assert.strictEqual(ended.stdout, "Went on.\n")
      assert.isFalse(existsSync(join(sandbox.cwd, "made")))
    })
  )

  scene("a question that nobody answers ends with 4, and is never guessed [C5, Q3.7]", ({ run }) =>
    Effect.gen(function* () {
      const ended = yield* run("SCRIPT:question")
      assert.strictEqual(ended.status, 4)
      assert.include(ended.stderr, "Which colour?")
    })
  )

  scene("--answers answers a question by its text or header [C5]", ({ run, sandbox }) =>
    Effect.gen(function* () {
      const file = join(sandbox.root, "answers.json")
      writeFileSync(file, '{"answers": [{"question": "Colour", "options": ["Green"]}]}')
      const ended = yield* run("--answers", file, "SCRIPT:question")
      assert.strictEqual(ended.stderr, "")
      assert.strictEqual(ended.stdout, "Thank you.\n")
      assert.strictEqual(ended.status, 0)
    })
  )

  scene("prepared answers that do not cover the question leave it open: status 4 [C5]", ({ run, sandbox }) =>
    Effect.gen(function* () {
      const file = join(sandbox.root, "answers.json")
      writeFileSync(file, '{"answers": [{"question": "Which size?", "options": ["Large"]}]}')
      assert.strictEqual((yield* run("--answers", file, "SCRIPT:question")).status, 4)
    })
  )

  scene("what is wrong with the call is said before anything starts, with status 2 [C1, C6, C8]", (stage) =>
    Effect.gen(function* () {
      const { sandbox, env } = stage
      const broken = join(sandbox.root, "broken.jsonc")
      const answers = join(sandbox.root, "answers.json")
      writeFileSync(broken, '{"permissions": {}}')
      writeFileSync(answers, '{"answers": [{"question": "Colour", "option": "Green"}]}')
      const run = (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
        Effect.promise(() =>
          ObstatProcess.run(["run", "--non-interactive", ...args], {
            cwd: sandbox.cwd,
            env: { ...env, ...more }
          })
        )
      const cases = [
        { args: ["--policy", broken, "hello"], says: `${broken}:1:2` },
        { args: ["--answers", answers, "hello"], says: "the answers file" },
        { args: ["--agent", "cursor", "hello"], says: "cursor" },
        { args: [], says: "there is no prompt" }
      ]
      for (const { args, says } of cases) {
        const ended = yield* run(args)
        assert.strictEqual(ended.status, 2, says)
        assert.include(ended.stderr, says)
        assert.strictEqual(ended.stdout, "")
      }
      const named = yield* run(["hello"], { OBSTAT_AGENT: "cursor" })
      assert.deepStrictEqual([named.status, named.stdout], [2, ""])
      assert.include(named.stderr, "OBSTAT_AGENT")
      const missing = yield* run(["hello"], { PATH: dirname(process.execPath) })
      assert.strictEqual(missing.status, 2)
      assert.include(missing.stderr, "npm install -g @anthropic-ai/claude-code")
    })
  )

  scene("a turn that takes too long is 124, and leaves nothing running [C1, X9]", ({ run }) =>
    Effect.gen(function* () {
      const ended = yield* run("--timeout", "4 seconds", "SCRIPT:wait")
      assert.strictEqual(ended.status, 124)
      assert.include(ended.stderr, "--timeout")
    })
  )

  scene("the first interrupt cleans up and is 130; what there is, is printed [C4, X9]", ({ sandbox, env }) =>
    Effect.gen(function* () {
      const marker = join(sandbox.root, "policy.jsonc")
      const child = ObstatProcess.start(
        ["run", "--policy", marker, "--non-interactive", "--output", "json", "SCRIPT:wait"],
        { cwd: sandbox.cwd, env }
      )
      let stdout = ""
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk))
      child.stdin.end()
      const transcripts = join(sandbox.home, ".claude", "projects")
      // The agent's transcript is the evidence that it has begun.
      yield* Effect.promise(async () => {
        while (!existsSync(transcripts)) await new Promise((resolve) => setTimeout(resolve, 20))
      })
      child.kill("SIGINT")
      const status = yield* Effect.promise(
        () => new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)))
      )
      assert.strictEqual(status, 130)
      assert.deepInclude(JSON.parse(stdout).error, { code: "interrupted", exitCode: 130 })
    })
  )

  scene("a closed standard output is quiet, and nothing stays behind [C4]", ({ sandbox, env, policyFile }) =>
    Effect.gen(function* () {
      const child = ObstatProcess.start(["run", "--policy", policyFile, "--non-interactive", "SCRIPT:two"], {
        cwd: sandbox.cwd,
        env
      })
      let stderr = ""
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
      child.stdin.end()
      child.stdout.destroy()
      const status = yield* Effect.promise(
        () => new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)))
      )
      assert.deepStrictEqual([status, stderr], [0, ""])
    })
  )
})
