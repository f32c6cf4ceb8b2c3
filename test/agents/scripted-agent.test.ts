import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as AgentProgram from "../../src/layers/testing/AgentProgram.ts"
import * as ClaudeDialect from "../../src/adapters/claude/ClaudeDialect.ts"
import * as ClaudeHome from "../../src/layers/testing/ClaudeHome.ts"
import * as Sandbox from "../../src/layers/testing/Sandbox.ts"
import * as Script from "../../src/layers/testing/Script.ts"
import * as ScriptedModel from "../../src/layers/testing/ScriptedModel.ts"
import * as TestTerminal from "../fixtures/TestTerminal.ts"
import * as RealClaude from "./lib/RealClaude.ts"

const SESSION = "4f7ad0d5-2f0a-4c53-a9ab-0f4e2cf0d3a1"

const EVENTS = ["UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "Stop", "StopFailure"]

interface Scene {
  readonly script: Script.Script
  /** What the hook of an event does after it has kept its input. */
  readonly hooks?: Readonly<Record<string, string>>
  /** The ask rules; all tools if absent. */
  readonly ask?: ReadonlyArray<string>
  /** Keys, each sent once the screen shows its text; then the text that ends the scene. */
  readonly keys: ReadonlyArray<readonly [shown: RegExp, keys: string]>
  readonly end: RegExp
}

const Line = Schema.fromJsonString(Schema.JsonObject)
const decodeLine = Schema.decodeUnknownSync(Line)
const lines = (file: string) =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => decodeLine(line))
    : []

/** Looks again and again until a file holds what is waited for. */
const eventually = (file: string, holds: (line: Schema.JsonObject) => boolean): Effect.Effect<void> =>
  Effect.suspend(() =>
    lines(file).some(holds)
      ? Effect.void
      : Effect.flatMap(Effect.sleep("20 millis"), () => eventually(file, holds))
  )

const Result = Schema.Struct({
  type: Schema.Literal("user"),
  message: Schema.Struct({
    content: Schema.Array(
      Schema.Struct({
        type: Schema.String,
        content: Schema.optionalKey(Schema.String),
        text: Schema.optionalKey(Schema.String),
        is_error: Schema.optionalKey(Schema.Boolean)
      })
    )
  }),
  permissionDecision: Schema.optionalKey(Schema.JsonObject)
})
const isResult = Schema.is(Result)

/** What a host can see of a scene: the events with their fields, and the results in the transcript. */
const play = Effect.fnUntraced(function* (scene: Scene, which: "real" | "scripted") {
  const sandbox = yield* Sandbox.make()
  const model = yield* ScriptedModel.make(scene.script)
  const program = yield* AgentProgram.install(sandbox.root, scene.script)
  const kept = join(sandbox.root, "events.jsonl")
  const hooks = Object.fromEntries(
    EVENTS.map((event) => [
      event,
      [{ hooks: [{ type: "command", command: `cat >> ${kept}; ${scene.hooks?.[event] ?? "exit 0"}` }] }]
    ])
  )
  const terminal = yield* TestTerminal.open({
    file: which === "real" ? RealClaude.file : program.file,
    args: [
      "--session-id",
      SESSION,
      "--settings",
      JSON.stringify({ permissions: { ask: scene.ask ?? ["*"] }, hooks })
    ],
    cwd: sandbox.cwd,
    env: yield* ClaudeHome.make(sandbox, { baseUrl: model.url })
  })
  yield* terminal.until((screen) => /^─+\n❯.*\n─+\n.*manual mode on/m.test(screen))
  terminal.write("\u001b[200~Go on\u001b[201~")
  yield* terminal.until((screen) => /^❯\sGo on/m.test(screen))
  terminal.write("\r")
  if (scene.keys.length > 0)
    yield* eventually(kept, (event) => event["hook_event_name"] === "PermissionRequest")
  for (const [index, [shown, keys]] of scene.keys.entries()) {
    yield* terminal.until((screen) => shown.test(screen))
    // A dialog that has just been drawn drops keys for a while, and shows nothing of it.
    if (index === 0) yield* Effect.sleep(ClaudeDialect.dialect.questions.deafMs)
    terminal.write(keys)
  }
  yield* terminal.until((screen) => scene.end.test(screen) && /· done/.test(screen))
  const folder = sandbox.cwd.replaceAll(/[^a-zA-Z0-9]/g, "-")
  const file = join(sandbox.home, ".claude", "projects", folder, `${SESSION}.jsonl`)
  yield* eventually(
    file,
    (record) =>
      record["subtype"] === "turn_duration" || JSON.stringify(record).includes("[Request interrupted")
  )
  const transcript = lines(file)
  return {
    events: lines(kept).map((event) => [event["hook_event_name"], Object.keys(event).toSorted()]),
    results: transcript.filter(isResult).map(({ message, permissionDecision }) => ({
      content: message.content.map(({ type, content, text, is_error: isError }) => ({
        type,
        text: (content ?? text)?.replaceAll(sandbox.root, "ROOT"),
        isError: isError ?? false
      })),
      decision: permissionDecision ?? null
    })),
    answers: lines(kept).flatMap((event) =>
      event["tool_name"] === "AskUserQuestion" ? [event["tool_response"] ?? null] : []
    )
  }
})

const call = (command: string) =>
  Script.sequence(
    Script.reply(Script.text("I try."), Script.tool("Bash", { command, description: "Try it" }, "toolu_1")),
    Script.reply(Script.text("All done."))
  )

const questions = [
  {
    question: "Which colour?",
    header: "Colour",
    multiSelect: false,
    options: [
      { label: "Green", description: "Calm" },
      { label: "Red", description: "Loud" }
    ]
  },
  {
    question: "Which toppings?",
    header: "Toppings",
    multiSelect: true,
    options: [
      { label: "Cheese", description: "Mozzarella" },
      { label: "Basil", description: "Fresh" }
    ]
  }
]
const ask = Script.sequence(
  Script.reply(Script.text("I ask."), Script.tool("AskUserQuestion", { questions }, "toolu_1")),
  Script.reply(Script.text("All done."))
)

const deciding = (decision: unknown) =>
  `printf '%s' '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } })}'`

const down = "\u001b[B"
const dialog = /Do you want to proceed\?/

const SCENES: Readonly<Record<string, Scene>> = {
  "a call that a person allows": {
    script: call("touch made && echo out"),
    keys: [[dialog, "1"]],
    end: /All done\./
  },
  "a call that fails": { script: call("echo half; exit 3"), keys: [[dialog, "1"]], end: /All done\./ },
  "a call without output": { script: call("touch made"), keys: [[dialog, "1"]], end: /All done\./ },
  "a call refused with words": {
    script: call("touch made"),
    keys: [
      [dialog, down],
      [/❯ 2\. No/, "\t"],
      [/what to do differently/, "use make"],
      [/use make/, "\r"]
    ],
    end: /All done\./
  },
  "a call refused": { script: call("touch made"), keys: [[dialog, "\u001b"]], end: /Interrupted/ },
  "a call that a hook blocks": {
    script: call("touch made"),
    hooks: { PreToolUse: "echo not here >&2; exit 2" },
    keys: [],
    end: /All done\./
  },
  "a call that a hook allows beside the dialog": {
    script: call("echo out"),
    hooks: { PermissionRequest: deciding({ behavior: "allow" }) },
    keys: [],
    end: /All done\./
  },
  "a call that a hook denies beside the dialog": {
    script: call("echo out"),
    hooks: { PermissionRequest: deciding({ behavior: "deny", message: "no reason" }) },
    keys: [],
    end: /All done\./
  },
  "a form, filled in": {
    script: ask,
    keys: [
      [/☐ Colour/, "2"],
      [/\[ \] Cheese/, "1"],
      [/❯ 1\. \[✔\] Cheese/, down + down],
      [/❯ 3\. \[ \] Type something/, "\u001b[200~more, please\u001b[201~"],
      [/more, please/, down],
      [/❯ {4}Submit/, "\r"],
      [/Review your answers/, "1"]
    ],
    end: /All done\./
  },
  "a form with options alone": {
    script: ask,
    keys: [
      [/☐ Colour/, "1"],
      [/\[ \] Cheese/, "1"],
      [/❯ 1\. \[✔\] Cheese/, "2"],
      [/2\. \[✔\] Basil/, "\t"],
      [/Review your answers/, "1"]
    ],
    end: /All done\./
  },
  "a form, declined": { script: ask, keys: [[/☐ Colour/, "\u001b"]], end: /declined to answer/ },
  "a call that a hook changes beside the dialog, where no rule asks": {
    script: call("touch made"),
    ask: [],
    hooks: { PermissionRequest: deciding({ behavior: "allow", updatedInput: { command: "echo changed" } }) },
    keys: [],
    end: /All done\./
  },
  "a form that a hook answers": {
    script: ask,
    ask: [],
    hooks: {
      PermissionRequest: deciding({
        behavior: "allow",
        updatedInput: {
          questions,
          answers: { "Which colour?": "Red", "Which toppings?": "Cheese, Basil" }
        }
      })
    },
    keys: [],
    end: /All done\./
  },
  "an error of the model server": {
    script: Script.sequence(Script.failure(529, "busy")),
    keys: [],
    end: /API Error: 529 busy/
  }
}

describe("the scripted agent beside the real Claude Code", () => {
  for (const [name, scene] of Object.entries(SCENES)) {
    it.live(`gives a host the same events and results: ${name}`, () =>
      Effect.gen(function* () {
        const real = yield* Effect.scoped(play(scene, "real"))
        assert.deepStrictEqual(yield* Effect.scoped(play(scene, "scripted")), real)
      }).pipe(Effect.provide(NodeServices.layer))
    )
  }
})
