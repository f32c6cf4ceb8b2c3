import type { TranscriptFact } from "./TranscriptFact.ts"

/** One message of the agent, whole. */
export interface AssistantMessage {
  readonly id: string
  readonly text: string
}

/** One tool call of a turn; `isError` is `null` until its result came. */
export interface TurnToolCall {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  readonly isError: boolean | null
  readonly result: string | null
}

/** Tokens as the agent reports them. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/**
 * How far a turn is. It ends on the agent's own boundary evidence *and* a transcript that has caught up with it
 * (S3.2); screen text is never content.
 */
export interface Turn {
  readonly taken: boolean
  readonly messages: ReadonlyArray<AssistantMessage>
  readonly toolCalls: ReadonlyArray<TurnToolCall>
  /** Per message of the agent's. */
  readonly usage: ReadonlyMap<string, Usage>
  /** The boundary: what the agent says was its last message; `null` text where it names none. */
  readonly boundary: { readonly text: string | null } | null
  /** The transcript's own end mark was read after the prompt was. */
  readonly endMark: boolean
  readonly failure:
    | { readonly _tag: "failed"; readonly reason: string }
    | { readonly _tag: "interrupted" }
    | null
}

export type TurnInput =
  | { readonly _tag: "prompt_taken" }
  | { readonly _tag: "turn_ended"; readonly text: string | null; readonly background: number }
  | { readonly _tag: "turn_failed"; readonly reason: string }
  | { readonly _tag: "record"; readonly fact: TranscriptFact }

export const initial: Turn = {
  taken: false,
  messages: [],
  toolCalls: [],
  usage: new Map(),
  boundary: null,
  endMark: false,
  failure: null
}

const record = (turn: Turn, fact: TranscriptFact): Turn => {
  switch (fact._tag) {
    case "user_prompt":
      return { ...turn, taken: true }
    case "assistant_text":
      return turn.messages.some((message) => message.id === fact.id && message.text === fact.text)
        ? turn
        : { ...turn, taken: true, messages: [...turn.messages, { id: fact.id, text: fact.text }] }
    case "tool_call":
      return {
        ...turn,
        taken: true,
        toolCalls: [
          ...turn.toolCalls,
          { id: fact.id, tool: fact.tool, input: fact.input, isError: null, result: null }
        ]
      }
    case "tool_result":
      return {
        ...turn,
        toolCalls: turn.toolCalls.map((call) =>
          call.id === fact.id ? { ...call, isError: fact.isError, result: fact.text } : call
        )
      }
    case "usage": {
      const { id, inputTokens, outputTokens } = fact
      return { ...turn, usage: new Map([...turn.usage, [id, { inputTokens, outputTokens }]]) }
    }
    case "turn_end":
      // An end mark read before this turn's prompt belongs to the turn before it.
      return turn.taken ? { ...turn, endMark: true } : turn
    // So does a failure: the record of one may be read after its hook already ended that turn.
    case "turn_interrupted":
      return turn.taken ? { ...turn, failure: turn.failure ?? { _tag: "interrupted" } } : turn
    case "turn_failed":
      return turn.taken ? { ...turn, failure: turn.failure ?? { _tag: "failed", reason: fact.reason } } : turn
  }
}

export const step = (turn: Turn, input: TurnInput): Turn => {
  switch (input._tag) {
    case "prompt_taken":
      return { ...turn, taken: true }
    case "turn_ended":
      // With work still going on behind it, the agent will speak again: this is not the end.
      return input.background > 0 ? turn : { ...turn, boundary: { text: input.text } }
    case "turn_failed":
      return { ...turn, failure: turn.failure ?? { _tag: "failed", reason: input.reason } }
    case "record":
      return record(turn, input.fact)
  }
}

/** `open`: no boundary yet. `catching_up`: the boundary is there, the transcript is behind it. */
export type Progress = "open" | "catching_up" | "completed" | "failed"

const unspaced = (text: string): string => text.replaceAll(/\s+/g, "")

/**
 * Records are not written in the order of what they tell: the agent's own end mark may stand before its last
 * message. So where the boundary names that message, it has to have been read; blanks and the cut into blocks aside.
 */
export const progress = (turn: Turn): Progress => {
  if (turn.failure !== null) return "failed"
  if (turn.boundary === null) return "open"
  const last = unspaced(turn.boundary.text ?? "")
  const caughtUp =
    last === "" ? turn.endMark : unspaced(turn.messages.map(({ text }) => text).join("")).endsWith(last)
  return caughtUp ? "completed" : "catching_up"
}

/** The turn's final text: the agent's last message, empty if it said nothing. */
export const finalText = (turn: Turn): string => turn.messages.at(-1)?.text ?? ""

/** What the turn took altogether; `null` if the agent told nothing. */
export const totalUsage = (turn: Turn): Usage | null =>
  turn.usage.size === 0
    ? null
    : [...turn.usage.values()].reduce((sum, one) => ({
        inputTokens: sum.inputTokens + one.inputTokens,
        outputTokens: sum.outputTokens + one.outputTokens
      }))
