import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/**
 * What a scripted agent or a scripted model says, as data: no code runs in it, so a script can be a JSON file.
 *
 * A prompt picks its conversation by a marker, `SCRIPT:name`; a prompt without one plays `otherwise`. A
 * conversation is a list of steps, one per model reply, a failure standing before the reply that follows it.
 *
 * @example
 * ```ts
 * import { Script } from "obstat/testing"
 *
 * const script = Script.make({
 *   tidy: [
 *     Script.reply(Script.text("I remove the build."), Script.tool("Bash", { command: "rm -rf dist" }, "toolu_1")),
 *     Script.reply(Script.text("Done."))
 *   ]
 * })
 * ```
 */

/** A JSON object, as tool inputs and hook events are. */
export type JsonFields = Readonly<Record<string, Schema.Json>>

/** Words of the model. */
export const Text = Schema.TaggedStruct("text", { text: Schema.String })

/** The model's thinking before an answer; an agent may show it or not. */
export const Thinking = Schema.TaggedStruct("thinking", { text: Schema.String })

/** One tool call. Several in one reply are parallel calls. `id` is the agent's own id of the call everywhere. */
export const Tool = Schema.TaggedStruct("tool", {
  id: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
  input: Schema.JsonObject
})

/** The reply stops here until the gate of this name is released; once released it stays open. */
export const Gate = Schema.TaggedStruct("gate", { name: Schema.NonEmptyString })

/** The reply pauses for so many milliseconds. For shows and rehearsals; a test uses a gate. */
export const Pause = Schema.TaggedStruct("pause", {
  millis: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
})

export const Block = Schema.Union([Text, Thinking, Tool, Gate, Pause])
export type Block = typeof Block.Type

export const Reply = Schema.TaggedStruct("reply", { blocks: Schema.NonEmptyArray(Block) })
export type Reply = typeof Reply.Type

/**
 * An HTTP error in place of a reply. Asked again at the same place, by a retry or by a further prompt, the
 * script goes on to the next step: two failures before a reply are two failed attempts. Failures that no reply
 * follows repeat their last one for ever.
 */
export const Failure = Schema.TaggedStruct("failure", {
  status: Schema.Int.check(Schema.isBetween({ minimum: 400, maximum: 599 })),
  message: Schema.String
})
export type Failure = typeof Failure.Type

export const Step = Schema.Union([Reply, Failure])
export type Step = typeof Step.Type

export const Script = Schema.Struct({
  /** What prompts that carry `SCRIPT:name` play. A name is letters, digits, `_` and `-`. */
  conversations: Schema.Record(Schema.String.check(Schema.isPattern(/^[\w-]+$/)), Schema.NonEmptyArray(Step)),
  /** What prompts without a marker play, in order over the whole session; absent: they are unexpected. */
  otherwise: Schema.optionalKey(Schema.NonEmptyArray(Step)),
  /** The answer to an agent's request for a session title. */
  title: Schema.optionalKey(Schema.NonEmptyString)
})
export type Script = typeof Script.Type

/** A script from a JSON file's text; unknown keys are errors. */
export const fromJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Script), {
  onExcessProperty: "error"
})

export const make = (
  conversations: Script["conversations"],
  rest: Omit<Script, "conversations"> = {}
): Script => Script.make({ conversations, ...rest })

/** One script for every prompt, marker or not: its steps are played in order over the whole session. */
export const sequence = (...steps: NonNullable<Script["otherwise"]>): Script => make({}, { otherwise: steps })

export const reply = (...blocks: Reply["blocks"]): Reply => Reply.make({ blocks })
export const failure = (status: number, message: string): Failure => Failure.make({ status, message })
export const text = (text: string): Block => Text.make({ text })
export const thinking = (text: string): Block => Thinking.make({ text })
export const tool = (name: string, input: JsonFields, id: string): Block => Tool.make({ id, name, input })
export const gate = (name: string): Block => Gate.make({ name })
export const pause = (millis: number): Block => Pause.make({ millis })

/** Where a conversation stands, read from the conversation itself. */
export interface Position {
  /** The name that the last marker names; `null` where no prompt has one. */
  readonly name: string | null
  /** Replies that the agent has taken since that prompt (without a marker: since the beginning). */
  readonly turn: number
  /** How often a reply was asked for at this place of the conversation before: 0 the first time. */
  readonly attempt: number
}

const MARKER = /SCRIPT:([\w-]+)/g

/** The last conversation that a prompt's text names, else `null`. */
export const named = (prompt: string): string | null =>
  Array.from(prompt.matchAll(MARKER), (match) => match[1] ?? null).at(-1) ?? null

/** Each turn: the failures before a reply, and that reply. */
const turns = (steps: ReadonlyArray<Step>): ReadonlyArray<ReadonlyArray<Step>> => {
  const out: Array<ReadonlyArray<Step>> = []
  let open: Array<Step> = []
  for (const step of steps) {
    open.push(step)
    if (step._tag === "reply") {
      out.push(open)
      open = []
    }
  }
  return open.length === 0 ? out : [...out, open]
}

/** The step for a position, or why the script has none: never a guess. */
export const at = (script: Script, position: Position): Result.Result<Step, string> => {
  const steps =
    position.name === null
      ? script.otherwise
      : Object.hasOwn(script.conversations, position.name)
        ? script.conversations[position.name]
        : undefined
  const where = position.name === null ? "for prompts without a marker" : `named ${position.name}`
  if (steps === undefined) return Result.fail(`the script has no conversation ${where}`)
  const all = turns(steps)
  const turn = all[position.turn]
  const step = turn?.[Math.min(position.attempt, turn.length - 1)]
  return step === undefined
    ? Result.fail(
        `the conversation ${where} has ${all.length} replies; reply ${position.turn + 1} was asked for`
      )
    : Result.succeed(step)
}

/** Every gate that the script names. */
export const gates = (script: Script): ReadonlySet<string> =>
  new Set(
    [...Object.values(script.conversations), script.otherwise ?? []]
      .flat()
      .flatMap((step) => (step._tag === "reply" ? step.blocks : []))
      .flatMap((block) => (block._tag === "gate" ? [block.name] : []))
  )
