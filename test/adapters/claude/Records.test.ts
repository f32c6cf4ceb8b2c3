import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { dialect } from "../../../src/adapters/claude/ClaudeDialect.ts"
import { RequestId, fromDefinitions } from "../../../src/core/question/QuestionRequest.ts"
import type { HookFact } from "../../../src/core/session/HookFact.ts"
import type { TranscriptFact } from "../../../src/core/session/TranscriptFact.ts"
import * as Recorded from "./Recorded.ts"

const { hooks, transcript } = dialect
const facts = (scene: string): ReadonlyArray<HookFact> => Recorded.hooks(scene).map(hooks.decode)
const tags = (scene: string) => facts(scene).map(({ _tag }) => _tag)
const written = (scene: string): ReadonlyArray<TranscriptFact> =>
  Recorded.transcript(scene).flatMap(transcript.decode)

describe("hook events", () => {
  it("of a session with a question, in order [S5.1, Q5.1]", () => {
    expect(tags("grouped")).toEqual([
      "session_start",
      "prompt_taken",
      "question_requested",
      "question_requested",
      "question_completed",
      "turn_ended",
      "session_ended"
    ])
    const [, , tool, permission] = facts("grouped")
    expect(tool).toMatchObject({ phase: "tool", nativeId: "toolu_question_1" })
    expect(permission).toMatchObject({ phase: "permission", nativeId: null })
  })

  it("say what the editor takes for each form of question [Q1.2, Q5.2]", () => {
    const forms = facts("special").flatMap((fact) =>
      fact._tag === "question_requested" && fact.phase === "tool"
        ? fact.definitions.map(({ header, selection, textMode }) => `${header} ${selection} ${textMode}`)
        : []
    )
    expect(forms).toEqual([
      "Layout single additional",
      "Artefacts single alternative",
      "Layout single additional",
      "Colour single alternative"
    ])
    expect(facts("multi").find(({ _tag }) => _tag === "question_requested")).toMatchObject({
      definitions: [{ selection: "multiple", textMode: "additional" }]
    })
  })

  it("of calls carry the whole call, and the subagent that makes it [S5.1, P1.1]", () => {
    const calls = facts("permissions").flatMap((fact) =>
      fact._tag === "tool_requested" || fact._tag === "permission_requested" ? [fact] : []
    )
    expect(calls[0]).toMatchObject({
      _tag: "tool_requested",
      agentId: null,
      call: {
        agent: "claude",
        tool: "Bash",
        input: { command: "touch build.log", description: "Make an empty log" },
        callId: "toolu_call_1",
        cwd: "/home/dev/project",
        mode: "default",
        requester: { agentName: null, forwarded: false }
      }
    })
    expect(calls[1]).toMatchObject({ _tag: "permission_requested", call: { callId: null, tool: "Bash" } })
    const below = calls.filter(({ agentId }) => agentId !== null)
    expect(below.map(({ call }) => call.requester.agentName)).toEqual(["general-purpose", "general-purpose"])
  })

  it("of a turn's end say what goes on behind it [S3.2]", () => {
    const ends = facts("permissions").flatMap((fact) => (fact._tag === "turn_ended" ? [fact.background] : []))
    expect(ends.at(-2)).toBe(1)
    expect(ends.at(-1)).toBe(0)
    expect(facts("composer").find(({ _tag }) => _tag === "turn_failed")).toEqual({
      _tag: "turn_failed",
      reason: "server_error"
    })
  })

  const payload = Arbitrary.all({
    hook_event_name: Arbitrary.schema(
      Schema.Literals(["PreToolUse", "PermissionRequest", "PostToolUse", "Stop", "SessionStart", "Later"])
    ),
    session_id: Arbitrary.schema(Schema.Union([Schema.String, Schema.Null])),
    tool_name: Arbitrary.schema(Schema.Literals(["AskUserQuestion", "Bash", ""])),
    tool_input: Arbitrary.schema(Schema.Json),
    tool_response: Arbitrary.schema(Schema.Json)
  })

  it.prop(
    "of any content are read without a fault [S5.3]",
    [payload, Arbitrary.schema(Schema.Json)],
    ([event, anything]) => {
      expect(hooks.decode(event)._tag).toBeTypeOf("string")
      expect(["other", "unreadable"]).toContain(hooks.decode(anything)._tag)
      expect(transcript.decode(anything)).toEqual([])
    }
  )
})

describe("hook replies", () => {
  const requested = facts("grouped").find((fact) => fact._tag === "question_requested")
  if (requested?._tag !== "question_requested") throw new Error("no question recorded")
  const [first, ...rest] = requested.definitions
  const request = fromDefinitions(RequestId.make("r"), "claude", "blocking", [first!, ...rest])
  const option = (question: number, row: number) => request.questions[question]!.options[row]!.id
  const answers = [
    { questionId: request.questions[0].id, optionIds: [option(0, 1)] },
    { questionId: request.questions[1]!.id, optionIds: [option(1, 0), option(1, 2)], text: "a, b" },
    { questionId: request.questions[2]!.id, text: "teal\r\nor so" }
  ]

  it("answer a question by its exact text, and give its whole input back [Q5.4, Q5.5]", () => {
    expect(hooks.answer(requested.input, request, answers)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: {
          behavior: "allow",
          updatedInput: {
            ...Object(requested.input),
            answers: {
              "Which database should we use?": "SQLite",
              "Which toppings do you want?": 'Cheese, Olives, "a, b"',
              "Which colour should the button have?": "teal\nor so"
            },
            annotations: {}
          }
        }
      }
    })
  })

  it("carry no answer where two questions or two options read alike [Q1.4, Q5.4]", () => {
    const twice = fromDefinitions(RequestId.make("t"), "claude", "blocking", [first!, first!])
    expect(hooks.answer(requested.input, twice, [])).toBe(null)
    const both = twice.questions.map(({ id, options }) => ({ questionId: id, optionIds: [options[0]!.id] }))
    expect(hooks.answer(requested.input, twice, both)).toBe(null)
    const alike = { ...first!, options: [first!.options[0]!, first!.options[0]!] }
    const one = fromDefinitions(RequestId.make("o"), "claude", "blocking", [alike])
    const answer = [{ questionId: one.questions[0].id, optionIds: [one.questions[0].options[1]!.id] }]
    expect(hooks.answer(requested.input, one, answer)).toBe(null)
  })

  it("deny, release and refuse as measured [S5.2, S6.1]", () => {
    expect(hooks.deny("no")).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "no"
      }
    })
    expect(hooks.release).toEqual({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } }
    })
    expect(hooks.refuse("no")).toEqual({
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: { behavior: "deny", message: "no" }
      }
    })
  })
})

describe("the transcript", () => {
  it("prompts, text, calls, results and the turn's end [S7.1, S3.2]", () => {
    const kinds = written("grouped")
      .map(({ _tag }) => _tag)
      .filter((tag) => tag !== "usage")
    expect(kinds).toEqual([
      "user_prompt",
      "assistant_text",
      "tool_call",
      "tool_result",
      "assistant_text",
      "turn_end"
    ])
    const texts = written("grouped").flatMap((fact) => (fact._tag === "assistant_text" ? [fact] : []))
    expect(texts.map(({ text, final }) => [text, final])).toEqual([
      ["Let me ask.", false],
      ["Done.", true]
    ])
  })

  it("holds the answers as the hook does [Q4.5]", () => {
    for (const scene of ["single", "multi", "grouped", "special"]) {
      const told = facts(scene).flatMap((fact) => (fact._tag === "question_completed" ? [fact.answers] : []))
      const kept = written(scene).flatMap((fact) =>
        fact._tag === "tool_result" && fact.answers !== null ? [fact.answers] : []
      )
      expect(kept, scene).toEqual(told)
    }
  })

  it("tells a person's refusal, and that the turn ended with it [S3.2, Q3.2]", () => {
    const results = written("single").flatMap((fact) => (fact._tag === "tool_result" ? [fact] : []))
    expect(results.map(({ isError, rejected }) => [isError, rejected])).toEqual([
      [false, false],
      [false, false],
      [true, true],
      [true, true]
    ])
    expect(written("single").some(({ _tag }) => _tag === "turn_interrupted")).toBe(true)
  })

  it("a failed request is no text [S3.2]", () => {
    const failed = written("composer")
    expect(failed.find(({ _tag }) => _tag === "turn_failed")).toEqual({
      _tag: "turn_failed",
      reason: "server_error"
    })
    expect(failed.some((fact) => fact._tag === "assistant_text" && fact.text.includes("API Error"))).toBe(
      false
    )
  })

  it("what nobody typed is no prompt, and a subagent's records are not this turn's [S7.2]", () => {
    const prompts = written("permissions").flatMap((fact) => (fact._tag === "user_prompt" ? [fact.text] : []))
    expect(prompts).toEqual([
      "Make a log",
      "Write a file",
      "Edit the file",
      "Fetch a page",
      "Print it",
      "Delegate"
    ])
    expect(written("permissions-subagent")).toEqual([])
  })
})

describe("versions", () => {
  it("are read from what the program prints [S4.4]", () => {
    expect(dialect.version("2.1.305 (Claude Code)\n")).toBe("2.1.305")
    expect(dialect.version("claude: command not found")).toBe(null)
    expect(dialect.version("12.1.305-beta")).toBe(null)
  })
})
