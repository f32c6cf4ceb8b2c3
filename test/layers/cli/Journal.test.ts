import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, delimiter, dirname, join } from "node:path"
import * as AgentProgram from "../../../src/layers/testing/AgentProgram.ts"
import * as Sandbox from "../../../src/layers/testing/Sandbox.ts"
import * as Script from "../../../src/layers/testing/Script.ts"
import * as ObstatProcess from "./ObstatProcess.ts"

/** Stands in every text that a person, an agent or a file brings into a run, in a form that shows a secret. */
const MARKER = "hunter2MARKER"

const question = {
  questions: [
    {
      question: `Which of ${MARKER}?`,
      header: "Colour",
      multiSelect: false,
      options: [
        { label: `Red ${MARKER}`, description: MARKER },
        { label: "Green", description: "Fresh" }
      ]
    }
  ]
}

const script = Script.make({
  calls: [
    Script.reply(
      Script.text(`I was told ${MARKER}.`),
      Script.tool("Bash", { command: "echo hi", description: MARKER }, "toolu_echo"),
      Script.tool("Bash", { command: `TOKEN=${MARKER} rm x` }, "toolu_rm"),
      Script.tool("Bash", { command: `curl -H "Authorization: Bearer ${MARKER}" https://h` }, "toolu_curl"),
      Script.tool("Write", { file_path: "notes.txt", content: MARKER }, "toolu_write")
    ),
    Script.reply(Script.tool("AskUserQuestion", question, "toolu_question")),
    Script.reply(Script.text("Done."))
  ],
  plain: [
    Script.reply(Script.tool("Bash", { command: "echo hi" }, "toolu_echo")),
    Script.reply(Script.text("Ok."))
  ]
})

const policy = (journal: string) => `{
  "journal": "${journal}",
  "permission": {
    "*": "deny",
    "bash": { "*": "deny", "echo *": "allow", "rm *": { "action": "deny", "reason": "keep it" } }
  }
}`

const stage = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make()
  const agent = yield* AgentProgram.install(sandbox.root, script)
  const env = {
    ...sandbox.env,
    XDG_RUNTIME_DIR: sandbox.runtime,
    PATH: [dirname(agent.file), sandbox.env["PATH"]].join(delimiter)
  }
  const obstat = (...args: ReadonlyArray<string>) =>
    Effect.promise(() => ObstatProcess.run(args, { cwd: sandbox.cwd, env }))
  const run = Effect.fnUntraced(function* (mode: string, ...args: ReadonlyArray<string>) {
    const policyFile = join(sandbox.root, "policy.jsonc")
    writeFileSync(policyFile, policy(mode))
    return yield* obstat("run", "--policy", policyFile, "--non-interactive", ...args)
  })
  const state = join(sandbox.home, ".local", "state", "obstat")
  const folder = join(state, "journal")
  const journals = () => readdirSync(folder).filter((name) => name.endsWith(".jsonl"))
  return { sandbox, env, obstat, run, state, folder, journals }
})

type Stage = Effect.Success<typeof stage>

const scene = (name: string, play: (stage: Stage) => Effect.Effect<void>) =>
  it.live(name, () => Effect.flatMap(stage, play).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

/** All that is in the files below a folder. */
const everything = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n")

describe("obstat journal", () => {
  scene(
    "of a run shows, holds, is replayed and exported; no secret is in any of it [A4.1, A4.2, C25, Q3.6, X3]",
    (stage) =>
      Effect.gen(function* () {
        const { folder, journals, obstat, run, sandbox, state } = stage
        const answers = join(sandbox.root, "answers.json")
        writeFileSync(
          answers,
          JSON.stringify({ answers: [{ question: "Colour", options: [`Red ${MARKER}`] }] })
        )
        const ended = yield* run("on", "--answers", answers, "--output", "json", "SCRIPT:calls")
        assert.strictEqual(ended.status, 0, ended.stderr)
        const { sessionId } = JSON.parse(ended.stdout)
        assert.lengthOf(journals(), 1)

        const shown = yield* obstat("journal", "show", sessionId.slice(0, 8), "--output", "jsonl")
        assert.strictEqual(shown.status, 0, shown.stderr)
        const rows = shown.stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
        const of = (tag: string) => rows.filter(({ entry }) => entry._tag === tag).map(({ entry }) => entry)
        assert.deepStrictEqual(
          of("decision").map(({ action, call }) => [call.callId, action]),
          [
            ["toolu_echo", "allow"],
            ["toolu_rm", "deny"],
            ["toolu_curl", "deny"],
            ["toolu_write", "deny"]
          ]
        )
        assert.deepStrictEqual(
          of("outcome")
            .map(({ callId, isError }) => [callId, isError])
            .slice(0, 2),
          [
            ["toolu_echo", false],
            ["toolu_rm", true]
          ]
        )
        assert.includeMembers(
          of("delivery").map(({ callId, reply }) => `${callId} ${reply}`),
          ["toolu_echo pass", "toolu_rm deny"]
        )
        assert.deepStrictEqual(
          of("question").map(({ closure, phase }) => [phase, closure?.reason ?? null]),
          [
            ["raised", null],
            ["closed", "answered"]
          ]
        )
        assert.deepStrictEqual(of("session_ended"), [
          { _tag: "session_ended", session: sessionId, status: "stopped" }
        ])

        const text = yield* obstat("journal", "show", "--action", "deny", "--tool", "Bash")
        assert.match(
          text.stdout,
          /deny \(policy\) Bash: rm x; by a rule; policy deny \[bash rm \*, .*policy\.jsonc:5\]; reason: keep it/
        )
        assert.lengthOf(text.stdout.trim().split("\n"), 2)

        const verified = yield* obstat("journal", "verify", sessionId, "--ended")
        assert.strictEqual(verified.status, 0, verified.stderr)
        assert.include(
          verified.stdout,
          `${rows.length} rows hold, in 1 file\nlast hash ${rows.at(-1).hash}\n`
        )

        const replayed = yield* obstat("journal", "replay", sessionId, "--output", "json")
        assert.strictEqual(replayed.status, 0, replayed.stderr)
        assert.deepInclude(JSON.parse(replayed.stdout), { equal: 2, different: [], policyChanged: [] })
        assert.lengthOf(JSON.parse(replayed.stdout).notReplayable, 2)

        const exported = yield* obstat("journal", "export", "--redacted", join(folder, journals()[0] ?? ""))
        assert.strictEqual(exported.status, 0, exported.stderr)
        assert.lengthOf(exported.stdout.trim().split("\n"), rows.length)
        assert.notInclude(exported.stdout, "echo hi")
        assert.notInclude(exported.stdout, sandbox.root)

        for (const sink of [everything(state), shown.stdout, text.stdout, exported.stdout, ended.stderr]) {
          assert.notInclude(sink, MARKER)
        }
      })
  )

  scene("names what was changed, cut or forged, with status 1 [A4.2, A4.4, C1, X4]", (stage) =>
    Effect.gen(function* () {
      const { folder, journals, obstat, run, sandbox } = stage
      yield* run("on", "SCRIPT:plain")
      const name = journals()[0] ?? ""
      const original = join(folder, name)
      const copy = join(sandbox.root, basename(name))
      const lines = readFileSync(original, "utf8").split("\n")
      const at = lines.findIndex((line) => line.includes('"_tag":"decision"'))
      const tampered = Effect.fnUntraced(function* (text: string) {
        writeFileSync(copy, text)
        return yield* obstat("journal", "verify", copy)
      })

      const changed = yield* tampered(lines.with(at, lines[at]!.replace("allow", "deny")).join("\n"))
      assert.strictEqual(changed.status, 1)
      assert.include(changed.stderr, `${copy}:${at + 1}: its content is not what was written`)
      assert.include(changed.stdout, `${at} rows hold`)

      const out = yield* tampered(lines.toSpliced(2, 1).join("\n"))
      assert.strictEqual(out.status, 1)
      assert.include(out.stderr, `${copy}:3: a row before it`)

      const forged = yield* tampered([lines[0], `"\u001b[2J\u009b31m"`, ""].join("\n"))
      assert.strictEqual(forged.status, 1)
      assert.notMatch(forged.stdout + forged.stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)

      const torn = yield* tampered(lines.join("\n").slice(0, -20))
      assert.strictEqual(torn.status, 0)
      assert.include(torn.stdout, "never finished")
      assert.strictEqual((yield* obstat("journal", "verify", copy, "--ended")).status, 1)

      // What was kept as the policy is another.
      const policies = join(folder, "policies")
      const kept = join(policies, readdirSync(policies)[0] ?? "")
      writeFileSync(kept, readFileSync(kept, "utf8").replace("echo", "true"))
      const replayed = yield* obstat("journal", "replay", original)
      assert.strictEqual(replayed.status, 1)
      assert.include(replayed.stdout, "what is kept as its policy is another")
    })
  )

  scene(
    "off: a run leaves no row; required: a folder that cannot be used lets no call through [A4.3, X2]",
    (stage) =>
      Effect.gen(function* () {
        const { env, obstat, run, sandbox } = stage
        yield* run("off", "SCRIPT:plain")
        const none = yield* obstat("journal", "show")
        assert.deepStrictEqual([none.status, none.stdout], [2, ""])
        writeFileSync(join(sandbox.root, "file"), "")
        const blocked = { ...env, XDG_STATE_HOME: join(sandbox.root, "file") }
        const policyFile = join(sandbox.root, "policy.jsonc")
        for (const [mode, action] of [
          ["required", "deny"],
          ["on", "allow"]
        ] as const) {
          writeFileSync(policyFile, policy(mode))
          const args = [
            "run",
            "--policy",
            policyFile,
            "--non-interactive",
            "--output",
            "json",
            "SCRIPT:plain"
          ]
          const ended = yield* Effect.promise(() =>
            ObstatProcess.run(args, { cwd: sandbox.cwd, env: blocked })
          )
          const { decisions } = JSON.parse(ended.stdout)
          assert.deepInclude(decisions[0], { action, denial: action === "deny" ? "gate_error" : null })
          assert.strictEqual(ended.stderr.split("the journal cannot be written").length, 2, ended.stderr)
        }
      })
  )

  it.live("an export without --redacted, and a journal that is none, are usage errors [C1, C25]", () =>
    Effect.gen(function* () {
      const whole = yield* Effect.promise(() => ObstatProcess.run(["journal", "export", "x"]))
      assert.deepStrictEqual([whole.status, whole.stdout], [2, ""])
      assert.include(whole.stderr, "--redacted")
      const missing = yield* Effect.promise(() => ObstatProcess.run(["journal", "verify", "./no.0001.jsonl"]))
      assert.deepStrictEqual([missing.status, missing.stdout], [2, ""])
      assert.include(missing.stderr, "there is no such file")
    })
  )
})
