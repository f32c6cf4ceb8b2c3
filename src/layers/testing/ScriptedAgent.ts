import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import type { Key } from "../../core/ask/Keys.ts"
import * as AgentCalls from "./AgentCalls.ts"
import type { AgentFaults } from "./AgentFaults.ts"
import * as AgentHooks from "./AgentHooks.ts"
import * as AgentScreen from "./AgentScreen.ts"
import type { Settings } from "./AgentSettings.ts"
import * as AgentTranscript from "./AgentTranscript.ts"
import * as Script from "./Script.ts"

/** The version of Claude Code whose ways the agent has. */
export const VERSION = "2.1.305"

export interface AgentOptions {
  readonly script: Script.Script
  readonly faults: AgentFaults
  readonly settings: Settings
  readonly sessionId: string
  /** Whether the session continues an earlier one's transcript. */
  readonly resumed: boolean
  readonly model: string
  readonly cwd: string
  readonly configDirectory: string
  /** The directory in which a file of a gate's name opens it; `null`: no gate ever opens. */
  readonly gates: string | null
  readonly env: Readonly<Record<string, string>>
  /** Ends the program at once, as a crash does. */
  readonly crash: () => void
}

/** How often a closed gate is looked at. */
const GATE_POLL = "10 millis"

/** Events of the session, which belong to no prompt. */
const OUTSIDE_TURNS: ReadonlySet<string> = new Set(["SessionStart", "SessionEnd"])

const SPINNER = "Scripting…"

/**
 * An agent that plays a script in a terminal, with Claude Code's prompt field, dialogs, hooks, tools and
 * transcript, and without a model. `run` lasts until the person leaves; interrupting it stops the session.
 */
export const make = Effect.fn("ScriptedAgent.make")(function* (
  options: AgentOptions,
  terminal: AgentScreen.AgentTerminal
) {
  const { script, faults, settings, sessionId } = options
  const fs = yield* FileSystem.FileSystem
  const scope = yield* Effect.scope
  const file = AgentTranscript.path(options.configDirectory, options.cwd, sessionId)
  const history = Array.from(options.resumed ? yield* AgentTranscript.load(file) : [])
  const transcript = yield* AgentTranscript.make(file, {
    sessionId,
    cwd: options.cwd,
    version: VERSION,
    model: options.model
  })
  const screen = AgentScreen.make(terminal, [
    `   Scripted agent in the manner of Claude Code v${VERSION}`,
    "   No model behind it",
    `   ${options.cwd}`
  ])
  const prompts = yield* Queue.unbounded<string>()
  const left = yield* Deferred.make<void>()
  const attempts = new Map<string, number>()

  let waiting = 0
  let promptId = randomUUID()
  /** Whether the running turn has put anything on the screen or into the record. */
  let spoke = false
  /** The tool call that is being made. */
  let calling: { readonly id: string; readonly record: string | null } | null = null
  let turn: Fiber.Fiber<void> | null = null
  let refusals = faults.refuseEnters ?? 0
  let swallows = faults.swallowPrompts ?? 0
  let questionKeys = 0

  const common = (event: string): Script.JsonFields => ({
    session_id: sessionId,
    transcript_path: file,
    cwd: options.cwd,
    ...(OUTSIDE_TURNS.has(event) ? {} : { prompt_id: promptId }),
    ...(OUTSIDE_TURNS.has(event) || event === "StopFailure" ? {} : { permission_mode: "default" }),
    ...(OUTSIDE_TURNS.has(event) || event === "UserPromptSubmit" ? {} : { effort: { level: "medium" } })
  })

  const calls = AgentCalls.make({
    settings,
    place: { cwd: options.cwd, env: options.env },
    screen,
    emptyAnswers: faults.emptyAnswers ?? false,
    common,
    scope
  })

  const opened = (name: string): Effect.Effect<void> =>
    options.gates === null
      ? Effect.never
      : fs.exists(join(options.gates, name)).pipe(
          Effect.orElseSucceed(() => false),
          Effect.flatMap((open) =>
            open ? Effect.void : Effect.flatMap(Effect.sleep(GATE_POLL), () => opened(name))
          )
        )

  const position = (): Script.Position => {
    const marks = history.map((message) => (message.role === "user" ? Script.named(message.text) : null))
    const from = marks.findLastIndex((mark) => mark !== null)
    const name = marks[from] ?? null
    const turn = history.slice(from + 1).filter((message) => message.role === "assistant").length
    const place = JSON.stringify([name, turn])
    const attempt = attempts.get(place) ?? 0
    attempts.set(place, attempt + 1)
    return { name, turn, attempt }
  }

  const fail = Effect.fnUntraced(function* (status: number, message: string) {
    const text = `API Error: ${status} ${message}`
    screen.say(AgentScreen.marked("● ", text))
    yield* transcript.failed(status, text)
    yield* calls.runAll("StopFailure", "", { error: "server_error", last_assistant_message: text })
  })

  /** Plays a reply's own words and gates; gives its tool calls with the ids of their records. */
  const say = Effect.fnUntraced(function* (reply: Script.Reply) {
    const uses: Array<{ readonly use: AgentCalls.ToolUse; readonly record: string | null }> = []
    const about = {
      id: `msg_scripted_${randomUUID()}`,
      stopReason: reply.blocks.some((block) => block._tag === "tool") ? "tool_use" : "end_turn"
    }
    history.push({ role: "assistant", text: "" })
    for (const block of reply.blocks) {
      if (block._tag === "gate") yield* opened(block.name)
      if (block._tag === "pause") yield* Effect.sleep(block.millis)
      if (block._tag === "text") screen.say(AgentScreen.marked("● ", block.text))
      const record = yield* transcript.block(about, block)
      if (record !== null) spoke = true
      if (block._tag === "tool") uses.push({ use: block, record })
    }
    return uses
  })

  /** Makes the calls one after the other; `true`: a person stopped the turn at one. */
  const callAll = Effect.fnUntraced(function* (uses: Effect.Success<ReturnType<typeof say>>) {
    for (const { use, record } of uses) {
      calling = { id: use.id, record }
      const { outcome, interrupts } = yield* calls.call(use)
      calling = null
      yield* transcript.toolResult(promptId, use.id, record, outcome)
      if (interrupts) {
        screen.say(AgentScreen.marked("  ⎿ \u00a0", "Interrupted · What should Claude do instead?"))
        yield* transcript.interrupted(promptId, true)
        return true
      }
      if (use.name !== "AskUserQuestion") {
        screen.say(AgentScreen.marked("● ", `${use.name}\n⎿ \u00a0${outcome.text}`))
      }
    }
    return false
  })

  /** Replies until one calls no tool, and no Stop hook asks for more. */
  const play = Effect.fnUntraced(function* () {
    let blocked = false
    for (;;) {
      const step = Script.at(script, position())
      if (Result.isFailure(step)) return yield* fail(400, `Scripted agent: ${step.failure}`)
      if (step.success._tag === "failure") return yield* fail(step.success.status, step.success.message)
      const reply = step.success
      const uses = yield* say(reply)
      if (uses.length > 0) {
        if (yield* callAll(uses)) return
        continue
      }
      const last = reply.blocks.findLast((block) => block._tag === "text")
      const results = yield* calls.runAll("Stop", "", {
        stop_hook_active: blocked,
        last_assistant_message: last?.text ?? "",
        background_tasks: [],
        session_crons: []
      })
      if (AgentHooks.blocked(results) === null) return
      blocked = true
    }
  })

  /** Escape during a turn: without a word of the agent's yet, the prompt goes back into its field. */
  const interrupted = Effect.fnUntraced(function* (prompt: string) {
    if (!spoke) {
      screen.unsay()
      screen.restore(prompt)
      history.pop()
      return
    }
    if (calling !== null) {
      yield* transcript.toolResult(promptId, calling.id, calling.record, AgentCalls.rejected.outcome)
    }
    yield* transcript.interrupted(promptId, calling !== null)
    screen.say(AgentScreen.marked("  ⎿ \u00a0", "Interrupted · What should Claude do instead?"))
  })

  const oneTurn = Effect.fnUntraced(function* (prompt: string) {
    const began = yield* Clock.currentTimeMillis
    promptId = randomUUID()
    spoke = false
    calling = null
    screen.say(AgentScreen.marked("❯ ", prompt))
    const submitted = yield* calls.runAll("UserPromptSubmit", "", { prompt })
    const reason = AgentHooks.blocked(submitted)
    if (reason !== null) {
      screen.say(AgentScreen.marked("  ⎿ \u00a0", `UserPromptSubmit operation blocked by hook: ${reason}`))
      return screen.restore(prompt)
    }
    history.push({ role: "user", text: prompt })
    yield* transcript.prompt(promptId, prompt)
    screen.title(script.title ?? "Scripted session")
    yield* Effect.onInterrupt(play(), () => Effect.ignore(interrupted(prompt)))
    const seconds = Math.round(((yield* Clock.currentTimeMillis) - began) / 1000)
    screen.say(AgentScreen.marked("✻ ", `Worked for ${seconds}s · done`))
    yield* transcript.turnEnd((yield* Clock.currentTimeMillis) - began)
  })

  const session = Effect.gen(function* () {
    const source = options.resumed ? "resume" : "startup"
    // The prompt field is there meanwhile; the first turn waits for them.
    yield* calls.runAll("SessionStart", source, { source, model: options.model })
    for (;;) {
      const prompt = yield* Queue.take(prompts)
      waiting--
      screen.queue(waiting)
      screen.work(SPINNER)
      turn = yield* Effect.forkChild(oneTurn(prompt).pipe(Effect.orDie))
      yield* Fiber.await(turn)
      turn = null
      screen.work(null)
    }
  })

  const submit = (prompt: string): void => {
    if (swallows > 0) {
      swallows--
      return
    }
    if (prompt.trim() === "/exit") {
      Deferred.doneUnsafe(left, Effect.void)
      return
    }
    waiting++
    Queue.offerUnsafe(prompts, prompt)
    if (turn !== null) screen.queue(waiting)
  }

  const press = (key: Key): void => {
    const enter = key._tag === "named" && key.name === "enter"
    if (screen.front() === "composer" && enter && refusals > 0) {
      refusals--
      return
    }
    if (screen.front() === "question" && questionKeys++ === faults.crashInQuestion) return options.crash()
    const act = screen.press(key)
    if (act._tag === "submit") submit(act.text)
    if (act._tag === "leave") Deferred.doneUnsafe(left, Effect.void)
    if (act._tag === "interrupt") turn?.interruptUnsafe()
  }

  const end = calls.runAll("SessionEnd", "", { reason: "other" })

  return {
    press,
    screen,
    /** Until the person leaves. */
    run: Effect.raceFirst(session, Deferred.await(left)).pipe(Effect.ensuring(Effect.ignore(end)))
  }
})
