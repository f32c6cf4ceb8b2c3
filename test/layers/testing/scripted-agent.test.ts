import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { AgentFaults } from "../../../src/layers/testing/AgentFaults.ts"
import * as AgentProgram from "../../../src/layers/testing/AgentProgram.ts"
import * as Sandbox from "../../../src/layers/testing/Sandbox.ts"
import * as Script from "../../../src/layers/testing/Script.ts"
import * as TestTerminal from "../../fixtures/TestTerminal.ts"

const SESSION = "0b5c7a52-3f5e-4b0e-9d55-6f1f4a6f0c11"

/** The part of hook events and transcript records that the tests look at. */
const Content = Schema.Struct({
  type: Schema.String,
  text: Schema.optionalKey(Schema.String),
  content: Schema.optionalKey(Schema.String),
  is_error: Schema.optionalKey(Schema.Boolean)
})
const Line = Schema.fromJsonString(
  Schema.Struct({
    hook_event_name: Schema.optionalKey(Schema.String),
    tool_response: Schema.optionalKey(Schema.JsonObject),
    source: Schema.optionalKey(Schema.String),
    type: Schema.optionalKey(Schema.String),
    subtype: Schema.optionalKey(Schema.String),
    parentUuid: Schema.optionalKey(Schema.NullOr(Schema.String)),
    uuid: Schema.optionalKey(Schema.String),
    message: Schema.optionalKey(
      Schema.Struct({ content: Schema.Union([Schema.String, Schema.Array(Content)]) })
    )
  })
)
const decodeLine = Schema.decodeUnknownSync(Line)
const decodeFields = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.JsonObject))

const texts = (file: string): ReadonlyArray<string> =>
  existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : []

const EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "Stop",
  "StopFailure",
  "SessionEnd"
]

/** A shell command that answers a hook with this JSON. */
const replying = (hookSpecificOutput: unknown) => `printf '%s' '${JSON.stringify({ hookSpecificOutput })}'`

const idle = (screen: string) => /^❯.*\n─+\n {2}⏸ manual mode on.*$/m.test(screen) && !screen.includes("✽")
const shows = (text: string) => (screen: string) => screen.includes(text)
const done = (text: string) => (screen: string) =>
  screen.includes(text) && screen.lastIndexOf("· done") > screen.indexOf(text) && idle(screen)

interface Start {
  readonly faults?: AgentFaults
  /** What the hook of an event does after it has kept its input. */
  readonly hooks?: Readonly<Record<string, string>>
  readonly ask?: ReadonlyArray<string>
  readonly args?: ReadonlyArray<string>
  readonly sandbox?: Sandbox.Sandbox
}

/** Starts the agent at its prompt field, with a hook on every event that keeps its input in a file. */
const start = Effect.fnUntraced(function* (script: Script.Script, options: Start = {}) {
  const sandbox = options.sandbox ?? (yield* Sandbox.make())
  const program = yield* AgentProgram.install(sandbox.root, script, options.faults)
  const kept = join(sandbox.root, "events.jsonl")
  const hooks = Object.fromEntries(
    EVENTS.map((event) => [
      event,
      [{ hooks: [{ type: "command", command: `cat >> ${kept}; ${options.hooks?.[event] ?? "exit 0"}` }] }]
    ])
  )
  const terminal = yield* TestTerminal.open({
    file: program.file,
    args: [
      "--settings",
      JSON.stringify({ permissions: { ask: options.ask ?? [] }, hooks }),
      ...(options.args ?? ["--session-id", SESSION])
    ],
    cwd: sandbox.cwd,
    env: sandbox.env
  })
  yield* terminal.until(idle)
  const folder = sandbox.cwd.replaceAll(/[^a-zA-Z0-9]/g, "-")
  const transcript = join(sandbox.home, ".claude", "projects", folder, `${SESSION}.jsonl`)
  return {
    sandbox,
    program,
    terminal,
    /** Pastes a prompt, and sends it once it is in the field. */
    type: Effect.fnUntraced(function* (text: string) {
      terminal.write(`\u001b[200~${text}\u001b[201~`)
      yield* terminal.until(shows(`❯\u00a0${text}`))
      terminal.write("\r")
    }),
    /** Keys, then the screen that they lead to. */
    press: (keys: string, holds: (screen: string) => boolean) =>
      Effect.suspend(() => {
        terminal.write(keys)
        return terminal.until(holds)
      }),
    events: () => texts(kept).map((line) => decodeLine(line)),
    rawEvents: () => texts(kept).map((line) => decodeFields(line)),
    transcript: () => texts(transcript).map((line) => decodeLine(line))
  }
})

type Agent = Effect.Success<ReturnType<typeof start>>

const eventNames = (agent: Agent) => agent.events().map((event) => event.hook_event_name)

/** The results of tool calls in the transcript. */
const results = (agent: Agent) =>
  agent
    .transcript()
    .flatMap(({ message }) =>
      message === undefined || typeof message.content === "string"
        ? []
        : message.content.flatMap(({ type, content, is_error: isError }) =>
            type === "tool_result" ? [{ text: content, isError: isError ?? false }] : []
          )
    )

const userTexts = (agent: Agent) =>
  agent.transcript().flatMap(({ type, message }) => {
    if (type !== "user" || message === undefined) return []
    return typeof message.content === "string"
      ? [message.content]
      : message.content.flatMap((block) => block.text ?? [])
  })

const run = (
  name: string,
  body: () => Effect.Effect<unknown, unknown, FileSystem.FileSystem | Scope.Scope>
) => it.live(name, () => Effect.scoped(body()).pipe(Effect.provide(NodeServices.layer)))

const touch = Script.tool(
  "Bash",
  { command: "touch made && echo out", description: "Make it" },
  "toolu_touch"
)
const working = Script.sequence(
  Script.reply(Script.text("I make it."), touch),
  Script.reply(Script.text("All done."))
)

const colour = {
  question: "Which colour?",
  header: "Colour",
  multiSelect: false,
  options: [
    { label: "Green", description: "Calm" },
    { label: "Red", description: "Loud" }
  ]
}
const toppings = {
  question: "Which toppings?",
  header: "Toppings",
  multiSelect: true,
  options: [{ label: "Cheese" }, { label: "Basil" }]
}
const asking = (...questions: ReadonlyArray<typeof colour | typeof toppings>) =>
  Script.sequence(
    Script.reply(Script.tool("AskUserQuestion", { questions }, "toolu_ask")),
    Script.reply(Script.text("Thank you."))
  )

const made = (agent: Agent) => existsSync(join(agent.sandbox.cwd, "made"))

describe("the scripted agent in a terminal", () => {
  run("plays a turn with hooks, a dialog and a real command, and leaves nothing [X9]", () =>
    Effect.gen(function* () {
      const agent = yield* start(working, { ask: ["*"] })
      assert.isTrue(agent.terminal.alternateScreen() && agent.terminal.bracketedPaste())
      yield* agent.type("Make it")
      yield* agent.terminal.until(shows("Do you want to proceed?"))
      assert.isFalse(made(agent))
      yield* agent.press("1", done("All done."))
      assert.isTrue(made(agent))
      assert.deepStrictEqual(results(agent), [{ text: "out", isError: false }])
      assert.deepStrictEqual(eventNames(agent), [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "Stop"
      ])
      const records = agent.transcript()
      assert.strictEqual(records.at(-1)?.subtype, "turn_duration")
      assert.deepStrictEqual(
        records.map((record) => record.parentUuid),
        [null, ...records.slice(0, -1).map((record) => record.uuid)]
      )
      process.kill(agent.terminal.pid, "SIGTERM")
      assert.strictEqual((yield* agent.terminal.exit).exitCode, 143)
      assert.strictEqual(eventNames(agent).at(-1), "SessionEnd")
      assert.isFalse(agent.terminal.alternateScreen())
    })
  )

  run("sends hook events with the fields of the recorded ones", () =>
    Effect.gen(function* () {
      const agent = yield* start(working, { ask: ["*"] })
      yield* agent.type("Make it")
      yield* agent.terminal.until(shows("Do you want to proceed?"))
      yield* agent.press("1", done("All done."))
      const recorded = new URL(
        "../../fixtures/recorded/claude/2.1.305/hooks/permissions.jsonl",
        import.meta.url
      )
      const samples = texts(recorded.pathname).map((line) => decodeFields(line))
      for (const event of agent.rawEvents()) {
        const sample = samples.find(
          (one) =>
            one["hook_event_name"] === event["hook_event_name"] &&
            (one["tool_name"] === undefined || one["tool_name"] === "Bash") &&
            one["agent_id"] === undefined
        )
        assert.isDefined(sample, JSON.stringify(event))
        assert.deepStrictEqual(Object.keys(event).toSorted(), Object.keys(sample ?? {}).toSorted())
      }
    })
  )

  run("runs a reading command unasked, and what a hook before the tool allows", () =>
    Effect.gen(function* () {
      const reading = Script.sequence(
        Script.reply(Script.tool("Bash", { command: "echo read" }, "toolu_1")),
        Script.reply(Script.text("All done."))
      )
      const agent = yield* start(reading)
      yield* agent.type("Read")
      yield* agent.terminal.until(done("All done."))
      const allowed = yield* start(working, {
        hooks: { PreToolUse: replying({ hookEventName: "PreToolUse", permissionDecision: "allow" }) }
      })
      yield* allowed.type("Make it")
      yield* allowed.terminal.until(done("All done."))
      assert.isTrue(made(allowed))
      assert.notInclude(eventNames(allowed), "PermissionRequest")
    })
  )

  for (const [how, hook, reason] of [
    [
      "exit 2",
      "echo no such thing >&2; exit 2",
      /^PreToolUse:Bash hook error: \[.*exit 2\]: no such thing\n$/
    ],
    [
      "a denial",
      replying({
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "not here"
      }),
      /^PreToolUse:Bash hook error: not here$/
    ]
  ] as const) {
    run(`blocks a call by ${how} of a hook before it; the turn goes on [S5.2]`, () =>
      Effect.gen(function* () {
        const agent = yield* start(working, { ask: ["*"], hooks: { PreToolUse: hook } })
        yield* agent.type("Make it")
        yield* agent.terminal.until(done("All done."))
        assert.isFalse(made(agent))
        assert.isTrue(results(agent)[0]?.isError)
        assert.match(results(agent)[0]?.text ?? "", reason)
      })
    )
  }

  for (const [broken, hook] of [
    ["exits 1", "exit 1"],
    ["is killed", "kill -9 $$"],
    ["prints junk", "echo junk"],
    ["is missing", "/nowhere/client"],
    ["never reads its input", "exec <&-; exit 1"]
  ] as const) {
    run(`keeps its dialog where a rule asks and the hook ${broken} [S5.2]`, () =>
      Effect.gen(function* () {
        const agent = yield* start(working, {
          ask: ["*"],
          hooks: { PreToolUse: hook, PermissionRequest: hook }
        })
        yield* agent.type("Make it")
        yield* agent.terminal.until(shows("Do you want to proceed?"))
        yield* agent.press("\u001b", shows("Interrupted · What should Claude do instead?"))
        yield* agent.terminal.until(idle)
        assert.isFalse(made(agent))
        assert.notInclude(eventNames(agent), "Stop")
        assert.deepStrictEqual(userTexts(agent), ["Make it", "[Request interrupted by user for tool use]"])
      })
    )
  }

  run("runs what a hook beside the dialog allows, with another input only where no rule asks", () =>
    Effect.gen(function* () {
      const other = { behavior: "allow", updatedInput: { command: "touch other" } }
      const hooks = { PermissionRequest: replying({ hookEventName: "PermissionRequest", decision: other }) }
      const agent = yield* start(working, { hooks })
      yield* agent.type("Make it")
      yield* agent.terminal.until(done("All done."))
      assert.isFalse(made(agent))
      assert.isTrue(existsSync(join(agent.sandbox.cwd, "other")))

      const sandbox = yield* Sandbox.make()
      const fs = yield* FileSystem.FileSystem
      const ended = join(sandbox.root, "ended")
      spawnSync("mkfifo", [ended])
      const ruled = yield* start(working, {
        sandbox,
        ask: ["B*h"],
        hooks: { PermissionRequest: `${hooks.PermissionRequest}; echo ended > ${ended}` }
      })
      yield* ruled.type("Make it")
      yield* ruled.terminal.until(shows("Permission rule B*h requires confirmation"))
      // The hook has said its word, and the dialog stays.
      assert.strictEqual(yield* fs.readFileString(ended), "ended\n")
      yield* ruled.press("\t", shows("Yes, and tell Claude what to do next"))
      yield* ruled.press("quickly", shows("Yes, quickly"))
      yield* ruled.press("\r", done("All done."))
      assert.isTrue(made(ruled))
      assert.isFalse(existsSync(join(sandbox.cwd, "other")))

      const plain = yield* start(working, {
        ask: ["*"],
        hooks: {
          PermissionRequest: replying({ hookEventName: "PermissionRequest", decision: { behavior: "allow" } })
        }
      })
      yield* plain.type("Make it")
      yield* plain.terminal.until(done("All done."))
      assert.isTrue(made(plain))
    })
  )

  run("lets a person decide first; the hook beside the dialog runs on to no effect", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const sandbox = yield* Sandbox.make()
      const [gate, ended] = [join(sandbox.root, "gate"), join(sandbox.root, "ended")]
      spawnSync("mkfifo", [gate, ended])
      const late = replying({
        hookEventName: "PermissionRequest",
        decision: { behavior: "deny", message: "late" }
      })
      const agent = yield* start(working, {
        sandbox,
        ask: ["*"],
        hooks: { PermissionRequest: `read line < ${gate}; ${late}; echo ended > ${ended}` }
      })
      yield* agent.type("Make it")
      yield* agent.terminal.until(shows("Do you want to proceed?"))
      yield* agent.press("1", done("All done."))
      yield* fs.writeFileString(gate, "go\n")
      assert.strictEqual(yield* fs.readFileString(ended), "ended\n")
      assert.isTrue(made(agent))
      assert.deepStrictEqual(results(agent), [{ text: "out", isError: false }])
    })
  )

  run("goes on with a person's words after No, and after Yes", () =>
    Effect.gen(function* () {
      const agent = yield* start(working, { ask: ["*"] })
      yield* agent.type("Make it")
      yield* agent.terminal.until(shows("❯ 1. Yes"))
      yield* agent.press("\u001b[B", shows("❯ 2. No"))
      yield* agent.press("\t", shows("tell Claude what to do differently"))
      yield* agent.press("use make", shows("No, use make"))
      yield* agent.press("\r", done("All done."))
      assert.isFalse(made(agent))
      assert.include(results(agent)[0]?.text, "the user said:\nuse make")
      assert.include(eventNames(agent), "Stop")
    })
  )

  run("has a form of several questions answered in its editor [Q5.2]", () =>
    Effect.gen(function* () {
      const agent = yield* start(asking(colour, toppings))
      yield* agent.type("Ask me")
      yield* agent.terminal.until(shows("←  ☐ Colour  ☐ Toppings  ✔ Submit  →"))
      yield* agent.press("2", shows("[ ] Cheese"))
      yield* agent.press("1", shows("❯ 1. [✔] Cheese"))
      yield* agent.press("\u001b[B\u001b[B", shows("❯ 3. [ ] Type something"))
      yield* agent.press("\u001b[200~ünï 漢字, and\r\nmore\u001b[201~", shows("ünï 漢字, and\n         more"))
      yield* agent.press("\u001b[B", shows("❯    Submit"))
      yield* agent.press("\r", shows("Review your answers"))
      yield* agent.press("1", done("Thank you."))
      const response = agent.events().find((event) => event.hook_event_name === "PostToolUse")?.tool_response
      assert.deepStrictEqual(response?.["answers"], {
        "Which colour?": "Red",
        "Which toppings?": 'Cheese, "ünï 漢字, and\\nmore"'
      })
      assert.include(
        results(agent)[0]?.text,
        'The user answered: "Which colour?"="Red", "Which toppings?"="Cheese, '
      )
      assert.deepStrictEqual(eventNames(agent).slice(2), [
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "Stop"
      ])
    })
  )

  run("is answered by a parked hook while the editor is on screen [Q5.4]", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make()
      const gate = join(sandbox.root, "gate")
      const decision = {
        behavior: "allow",
        updatedInput: { questions: [colour], answers: { "Which colour?": "Green" } }
      }
      const answer = replying({ hookEventName: "PermissionRequest", decision })
      spawnSync("mkfifo", [gate])
      const agent = yield* start(asking(colour), {
        sandbox,
        hooks: { PermissionRequest: `read line < ${gate}; ${answer}` }
      })
      yield* agent.type("Ask me")
      yield* agent.terminal.until(shows("Enter to select"))
      yield* agent.press("\u001b[B", shows("❯ 2. Red"))
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFileString(gate, "go\n")
      yield* agent.terminal.until(done("Thank you."))
      assert.deepStrictEqual(results(agent), [
        {
          text: 'Your questions have been answered: "Which colour?"="Green". You can now continue with these answers in mind.',
          isError: false
        }
      ])
    })
  )

  run("keeps the editor where a hook allows without answers, and is declined by Escape", () =>
    Effect.gen(function* () {
      const allow = replying({ hookEventName: "PermissionRequest", decision: { behavior: "allow" } })
      const agent = yield* start(asking(colour), { hooks: { PermissionRequest: allow } })
      yield* agent.type("Ask me")
      yield* agent.terminal.until(shows("Enter to select"))
      yield* agent.press("\u001b[B", shows("❯ 2. Red"))
      yield* agent.press("\u001b", shows("User declined to answer questions"))
      yield* agent.terminal.until(idle)
      assert.notInclude(eventNames(agent), "PostToolUse")
      assert.isTrue(results(agent)[0]?.isError)
    })
  )

  run("waits at a gate, queues a prompt meanwhile, and is interrupted by Escape", () =>
    Effect.gen(function* () {
      const agent = yield* start(
        Script.sequence(
          Script.reply(Script.text("Half"), Script.gate("one"), Script.text("Whole")),
          Script.reply(Script.text("Second"), Script.gate("two")),
          Script.reply(Script.gate("three"), Script.text("never"))
        )
      )
      yield* agent.type("First")
      yield* agent.terminal.until(shows("● Half"))
      assert.match(agent.terminal.title(), /^◐/)
      yield* agent.type("Next")
      yield* agent.terminal.until(shows("Press up to edit queued messages"))
      yield* agent.program.release("one")
      yield* agent.terminal.until(shows("● Second"))
      assert.include(agent.terminal.screen(), "● Whole")
      yield* agent.press("\u001b", (screen) => screen.includes("Interrupted") && idle(screen))
      assert.match(agent.terminal.title(), /^✳/)
      assert.deepStrictEqual(userTexts(agent), ["First", "Next", "[Request interrupted by user]"])
      // Before a word of the agent's the prompt returns to its field.
      yield* agent.type("Third")
      yield* agent.terminal.until(shows("esc to interrupt"))
      yield* agent.press("\u001b", (screen) => /^❯\u00a0Third\s*\n─+\n {2}⏸ manual mode on$/m.test(screen))
      assert.strictEqual(eventNames(agent).filter((name) => name === "Stop").length, 1)
    })
  )

  run("fails a turn with the script's error, and says so to its hook", () =>
    Effect.gen(function* () {
      const agent = yield* start(
        Script.sequence(Script.failure(529, "busy"), Script.reply(Script.text("Better.")))
      )
      yield* agent.type("Go")
      yield* agent.terminal.until(done("API Error: 529 busy"))
      assert.deepStrictEqual(eventNames(agent).slice(1), ["UserPromptSubmit", "StopFailure"])
      yield* agent.type("Again")
      yield* agent.terminal.until(done("Better."))
      yield* agent.type("SCRIPT:nowhere")
      yield* agent.terminal.until(done("no conversation named nowhere"))
    })
  )

  run("a Stop hook makes it go on, a blocked prompt returns to its field", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make()
      const once = `if [ ! -e ${sandbox.root}/stopped ]; then touch ${sandbox.root}/stopped; echo '{"decision":"block","reason":"more"}'; fi`
      const agent = yield* start(
        Script.sequence(Script.reply(Script.text("One")), Script.reply(Script.text("Two"))),
        {
          sandbox,
          hooks: { Stop: once }
        }
      )
      yield* agent.type("Go")
      yield* agent.terminal.until(done("● Two"))
      const blocked = yield* start(working, { hooks: { UserPromptSubmit: "echo not that >&2; exit 2" } })
      yield* blocked.type("Go")
      yield* blocked.terminal.until(
        (screen) =>
          screen.includes("blocked by hook") && screen.includes("not that") && /^❯\u00a0Go/m.test(screen)
      )
      assert.deepStrictEqual(blocked.transcript(), [])
    })
  )

  run("resumes a conversation where its transcript ends [S2.5]", () =>
    Effect.gen(function* () {
      const script = Script.make({
        talk: [Script.reply(Script.text("One")), Script.reply(Script.text("Two"))]
      })
      const first = yield* start(script)
      yield* first.type("SCRIPT:talk")
      yield* first.terminal.until(done("● One"))
      yield* first.type("/exit")
      assert.strictEqual((yield* first.terminal.exit).exitCode, 0)
      const second = yield* start(script, { sandbox: first.sandbox, args: ["--resume", SESSION] })
      yield* second.type("And then?")
      yield* second.terminal.until(done("● Two"))
      assert.deepStrictEqual(userTexts(second), ["SCRIPT:talk", "And then?"])
      assert.deepStrictEqual(
        second.events().flatMap((event) => event.source ?? []),
        ["startup", "resume"]
      )
    })
  )

  run("draws itself anew for another size", () =>
    Effect.gen(function* () {
      const agent = yield* start(working, { ask: ["*"] })
      yield* agent.type("Make it")
      yield* agent.terminal.until(shows("Do you want to proceed?"))
      agent.terminal.resize(60, 20)
      yield* agent.terminal.until(
        (screen) => screen.includes(`\n${"╌".repeat(60)}\n`) && screen.includes("❯ 1. Yes")
      )
    })
  )
})

describe("the scripted agent's faults", () => {
  run("refuses an Enter, then swallows a prompt, then takes it", () =>
    Effect.gen(function* () {
      const agent = yield* start(working, { faults: { refuseEnters: 1, swallowPrompts: 1 } })
      yield* agent.type("Make it")
      // The refused Enter left the draft: the next one is the one that is swallowed.
      yield* agent.press("\r", (screen) => !screen.includes("Make it"))
      assert.deepStrictEqual(agent.transcript(), [])
      yield* agent.type("Make it")
      yield* agent.terminal.until(shows("Do you want to proceed?"))
    })
  )

  run("completes an answered question with no answers", () =>
    Effect.gen(function* () {
      const agent = yield* start(asking(colour), { faults: { emptyAnswers: true } })
      yield* agent.type("Ask me")
      yield* agent.terminal.until(shows("Enter to select"))
      yield* agent.press("1", done("Thank you."))
      const response = agent.events().find((event) => event.hook_event_name === "PostToolUse")?.tool_response
      assert.deepStrictEqual(response?.["answers"], {})
      assert.deepStrictEqual(results(agent), [
        { text: "The user did not answer the questions.", isError: false }
      ])
    })
  )

  run("dies in the middle of a question", () =>
    Effect.gen(function* () {
      const agent = yield* start(asking(colour), { faults: { crashInQuestion: 1 } })
      yield* agent.type("Ask me")
      yield* agent.terminal.until(shows("Enter to select"))
      yield* agent.press("\u001b[B", shows("❯ 2. Red"))
      agent.terminal.write("\r")
      assert.strictEqual((yield* agent.terminal.exit).signal, 9)
    })
  )

  run("hangs on exit: gives the screen back and stays until it is killed", () =>
    Effect.gen(function* () {
      const agent = yield* start(working, { faults: { hangOnExit: true } })
      yield* agent.press("\u0003", shows("Press Ctrl-C again to exit"))
      yield* agent.press("\u0003", () => !agent.terminal.alternateScreen())
      process.kill(agent.terminal.pid, 0)
      process.kill(agent.terminal.pid, "SIGKILL")
      assert.strictEqual((yield* agent.terminal.exit).signal, 9)
    })
  )

  run("ignores signals to end", () =>
    Effect.gen(function* () {
      const agent = yield* start(working, { faults: { ignoreSignals: true } })
      process.kill(agent.terminal.pid, "SIGTERM")
      process.kill(agent.terminal.pid, "SIGHUP")
      yield* agent.type("Still here")
      yield* agent.terminal.until(shows("Do you want to proceed?"))
    })
  )
})

describe("the scripted agent as a program", () => {
  run("names a version, and refuses what it cannot do", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make()
      const { file } = yield* AgentProgram.install(sandbox.root, working)
      const tried = (...args: ReadonlyArray<string>) =>
        spawnSync(file, args, { cwd: sandbox.cwd, env: sandbox.env, encoding: "utf8" })
      assert.strictEqual(tried("--version").stdout, "2.1.305 (Claude Code)\n")
      assert.strictEqual(tried("--no-such-flag").status, 1)
      assert.include(tried("--no-such-flag").stderr, "--no-such-flag")
      assert.include(tried().stderr, "needs a terminal")
    })
  )
})
