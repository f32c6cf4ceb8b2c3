import { describe, expect, it } from "@effect/vitest"
import * as Turn from "../../../src/core/session/Turn.ts"

const play = (...inputs: ReadonlyArray<Turn.TurnInput>) => inputs.reduce(Turn.step, Turn.initial)
const taken: Turn.TurnInput = { _tag: "prompt_taken" }
const said = (text: string, id = text): Turn.TurnInput => ({
  _tag: "record",
  fact: { _tag: "assistant_text", id, text, final: true }
})
const stop = (text: string | null, background = 0): Turn.TurnInput => ({
  _tag: "turn_ended",
  text,
  background
})
const endMark: Turn.TurnInput = { _tag: "record", fact: { _tag: "turn_end" } }

describe("Turn", () => {
  it("ends on the boundary and a transcript that caught up, in either order [S3.2]", () => {
    expect(Turn.progress(play(taken, said("Done.")))).toBe("open")
    expect(Turn.progress(play(taken, stop("Done.")))).toBe("catching_up")
    expect(Turn.progress(play(taken, stop("Done."), said("Done.")))).toBe("completed")
    expect(Turn.progress(play(taken, said("Done."), stop("Done.")))).toBe("completed")
    expect(Turn.progress(play(taken, stop(null), endMark))).toBe("completed")
  })

  it("does not take an earlier message for the last one [S3.2]", () => {
    expect(Turn.progress(play(taken, said("First."), stop("Second.")))).toBe("catching_up")
  })

  it("waits for the last message though the end mark was written before it [S3.2]", () => {
    expect(Turn.progress(play(taken, stop("Done."), endMark))).toBe("catching_up")
    expect(Turn.progress(play(taken, stop("Done."), endMark, said("Done.")))).toBe("completed")
    expect(Turn.progress(play(taken, said("One\n"), said(" two"), stop("One\n\n two")))).toBe("completed")
  })

  it("goes on while work runs behind the boundary [S3.2]", () => {
    expect(Turn.progress(play(taken, said("Waiting."), stop("Waiting.", 1)))).toBe("open")
    expect(Turn.progress(play(taken, said("W."), stop("W.", 1), said("Done."), stop("Done.")))).toBe(
      "completed"
    )
  })

  it("takes no end mark or failure of the turn before it [S3.2]", () => {
    const interrupted: Turn.TurnInput = { _tag: "record", fact: { _tag: "turn_interrupted" } }
    const failed: Turn.TurnInput = { _tag: "record", fact: { _tag: "turn_failed", reason: "old" } }
    expect(Turn.progress(play(endMark, interrupted, failed, taken, stop(null)))).toBe("catching_up")
  })

  it("a rejected turn fails with the agent's reason, never an empty success [S3.2]", () => {
    const turn = play(taken, { _tag: "turn_failed", reason: "overloaded" }, stop(""), endMark)
    expect(Turn.progress(turn)).toBe("failed")
    expect(turn.failure).toEqual({ _tag: "failed", reason: "overloaded" })
  })

  it("collects messages, calls with their results, and usage [S3.1]", () => {
    const turn = play(
      taken,
      said("Looking.", "m1"),
      said("Looking.", "m1"),
      { _tag: "record", fact: { _tag: "tool_call", id: "t1", tool: "Bash", input: { command: "ls" } } },
      {
        _tag: "record",
        fact: { _tag: "tool_result", id: "t1", isError: false, rejected: false, text: "a", answers: null }
      },
      { _tag: "record", fact: { _tag: "usage", id: "m1", inputTokens: 3, outputTokens: 2 } },
      { _tag: "record", fact: { _tag: "usage", id: "m1", inputTokens: 3, outputTokens: 5 } },
      { _tag: "record", fact: { _tag: "usage", id: "m2", inputTokens: 4, outputTokens: 1 } },
      said("Done.", "m2")
    )
    expect(turn.messages.map(({ text }) => text)).toEqual(["Looking.", "Done."])
    expect(turn.toolCalls).toEqual([
      { id: "t1", tool: "Bash", input: { command: "ls" }, isError: false, result: "a" }
    ])
    expect(Turn.totalUsage(turn)).toEqual({ inputTokens: 7, outputTokens: 6 })
    expect(Turn.finalText(turn)).toBe("Done.")
  })
})
