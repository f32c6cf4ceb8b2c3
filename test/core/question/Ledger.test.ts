import { describe, expect, it } from "@effect/vitest"
import * as Ledger from "../../../src/core/question/Ledger.ts"
import * as Draft from "../../../src/core/question/LedgerDraft.ts"
import type { LedgerEvent, LedgerOutput } from "../../../src/core/question/LedgerEvent.ts"
import * as State from "../../../src/core/question/LedgerState.ts"
import type { QuestionDefinition } from "../../../src/core/question/QuestionDefinition.ts"
import { RequestId } from "../../../src/core/question/QuestionRequest.ts"
import type { NativeAnswers } from "../../../src/core/session/HookFact.ts"
import { define } from "./Desk.ts"

/** A ledger told one thing after the other; what follows is kept in short form. */
const play = () => {
  let state = State.make("claude")
  let at = 0
  let ids = 0
  const log: Array<string> = []
  const prompts = new Map<string, string>()
  const short = (output: LedgerOutput): string => {
    switch (output._tag) {
      case "raised":
        prompts.set(output.request.id, output.request.questions[0].prompt)
        return `raised ${output.request.id}`
      case "closed": {
        const { closure } = output
        return `closed ${output.request.id} ${closure.reason}${closure.reason === "answered" ? ` by ${closure.by}` : ""}`
      }
      case "hold":
        return output.held ? "held" : "free"
      case "granted":
        return `granted ${output.attempt}`
      case "settled":
        return `settled ${output.attempt} ${output.outcome}`
      case "warning":
        return output.code
    }
  }
  const tell = (event: LedgerEvent) => {
    const step = Ledger.transition(state, event)
    state = step.state
    const outputs = step.outputs.map(short)
    log.push(...outputs)
    return outputs
  }
  type Sighting = Partial<Extract<LedgerEvent, { readonly _tag: "sighted" }>>
  const defs = (given: string | QuestionDefinition): readonly [QuestionDefinition] => [
    typeof given === "string" ? define(given) : given
  ]
  return {
    log,
    tell,
    state: () => state,
    /** Told with a fresh id `r1`, `r2`, … */
    sight: (nativeId: string | null, given: string | QuestionDefinition, over: Sighting = {}) =>
      tell({
        _tag: "sighted",
        freshId: RequestId.make(`r${++ids}`),
        nativeId,
        definitions: defs(given),
        delivery: "blocking",
        source: "tool",
        hook: null,
        at,
        ...over
      }),
    hook: (token: string, outcome: "passed" | "answered" | "denied") =>
      tell({ _tag: "hook_settled", hook: token, outcome, at }),
    /** A new frame that shows the editors of these questions. */
    paint: (...shown: ReadonlyArray<string>) => {
      at++
      const matching = state.tracked.filter((one) => shown.includes(one.definitions[0]!.prompt))
      return tell({ _tag: "painted", shown: matching.map(({ id }) => id), editor: shown.length > 0, at })
    },
    begin: (attempt: number, request: string, value = "Red", way: "editor" | "hook" = "editor") => {
      const one = State.find(state, RequestId.make(request))
      const expected = (one?.definitions ?? []).map(({ prompt }) => ({ prompt, value, notes: null }))
      return tell({ _tag: "begun", attempt, request: RequestId.make(request), way, expected })
    },
    write: (attempt: number, submits = false) => {
      const outputs = tell({ _tag: "write", attempt, submits })
      tell({ _tag: "write_settled", attempt })
      return outputs
    },
    complete: (
      nativeId: string | null,
      given: string | QuestionDefinition | null,
      answers: NativeAnswers | string
    ) =>
      tell({
        _tag: "completed",
        nativeId,
        definitions: given === null ? null : defs(given),
        answers:
          typeof answers === "string"
            ? [{ prompt: given === null ? "" : defs(given)[0].prompt, value: answers, notes: null }]
            : answers,
        at
      }),
    end: (tag: "dismissed" | "withdrawn", nativeId: string | null, given: string | null = null) =>
      tell({ _tag: tag, nativeId, definitions: given === null ? null : defs(given), at }),
    turn: () => tell({ _tag: "turn_ended", at })
  }
}

const pending = (token: string) => ({ token, pending: true })

describe("a question is raised", () => {
  it("when its own editor is on a completed frame, and once [Q5.1, Q3.1, Q3.3]", () => {
    const it = play()
    expect(it.sight("a", "Ship?")).toEqual(["held"])
    expect(it.paint()).toEqual([])
    expect(it.paint("Other?")).toEqual([])
    expect(it.paint("Ship?")).toEqual(["raised r1"])
    it.paint("Ship?")
    it.sight("a", "Ship?", { source: "record" })
    it.sight(null, "Ship?", { source: "permission" })
    it.sight("hook's own id", "Ship?", { source: "permission" })
    it.paint()
    it.paint("Ship?")
    expect(it.log).toEqual(["held", "raised r1"])
  })

  it("only by a paint made after the caller's own decision, though a matching stale one stands [Q5.1]", () => {
    const it = play()
    it.sight("a", "Ship?", { hook: pending("h") })
    it.paint("Ship?")
    expect(it.log).toEqual(["held"])
    it.hook("h", "passed")
    expect(it.log).toEqual(["held"])
    it.paint("Ship?")
    expect(it.log).toEqual(["held", "raised r1"])
  })

  it("by a later paint too where the transcript knew of it before the hook [Q5.1, Q5.6]", () => {
    const it = play()
    it.sight("a", "Ship?", { source: "record" })
    it.sight("a", "Ship?", { hook: pending("h") })
    it.paint("Ship?")
    it.hook("h", "passed")
    expect(it.log).toEqual(["held"])
    it.paint("Ship?")
    expect(it.log).toEqual(["held", "raised r1"])
  })

  it("not by a frame that was received before the decision and rendered after it [Q5.1]", () => {
    const it = play()
    it.sight("a", "Ship?", { hook: pending("h") })
    it.tell({ _tag: "hook_settled", hook: "h", outcome: "passed", at: 10 })
    const shown = it.state().tracked.map(({ id }) => id)
    expect(it.tell({ _tag: "painted", shown, editor: true, at: 10 })).toEqual([])
    expect(it.tell({ _tag: "painted", shown, editor: true, at: 11 })).toEqual(["raised r1"])
  })

  it("never once the caller's own hook has answered or denied it [Q5.1, Q3.7]", () => {
    for (const outcome of ["answered", "denied"] as const) {
      const it = play()
      it.sight("a", "Ship?", { hook: pending("h") })
      it.hook("h", outcome)
      it.sight(null, "Ship?", { source: "permission" })
      it.sight("a", "Ship?", { source: "record" })
      it.paint("Ship?")
      it.complete("a", "Ship?", "Red")
      it.paint()
      expect(it.log).toEqual(["held", "free", "held", "free"])
    }
  })

  it("while another hook's decision is still out: each withholds only its own [Q5.6]", () => {
    const it = play()
    it.sight("a", "Ship?", { hook: pending("h a") })
    it.sight("b", "Which?", { hook: pending("h b") })
    it.hook("h b", "passed")
    expect(it.paint("Which?")).toEqual(["raised r2"])
    it.complete("b", "Which?", "Red")
    it.hook("h a", "passed")
    expect(it.paint("Ship?")).toEqual(["raised r1"])
  })

  it("from the frame that was there when its record came [Q3.3]", () => {
    const it = play()
    it.paint("Ship?")
    it.sight("a", "Ship?", { source: "record" })
    const shown = it.state().tracked.map(({ id }) => id)
    expect(it.tell({ _tag: "painted", shown, editor: true, at: 1 })).toEqual(["raised r1"])
  })

  it("under the id that a mirror without one was missing [Q3.3, Q5.6]", () => {
    const it = play()
    it.sight(null, "Ship?", { source: "permission" })
    it.paint("Ship?")
    it.sight("a", "Ship?", { source: "record" })
    expect(it.complete("a", null, [{ prompt: "Ship?", value: "Red", notes: null }])).toEqual([
      "closed r1 answered by terminal"
    ])
    expect(it.log.filter((entry) => entry.startsWith("raised"))).toEqual(["raised r1"])
  })
})

describe("a mirror that comes late", () => {
  it("of a question that ended raises nothing, whatever the screen shows [Q3.3]", () => {
    const it = play()
    it.sight(null, "Ship?", { source: "permission" })
    it.paint("Ship?")
    it.complete(null, "Ship?", "Red")
    it.sight(null, "Ship?", { source: "permission" })
    it.sight("late id", "Ship?", { source: "record" })
    it.paint("Ship?")
    it.sight("late id", "Ship?")
    it.paint("Ship?")
    expect(it.log.filter((entry) => entry.startsWith("raised"))).toEqual(["raised r1"])
  })

  it("does not hide a new question with the same words, which needs a paint of its own [Q3.3, Q5.1]", () => {
    const it = play()
    it.sight("a", "Ship?")
    it.paint("Ship?")
    it.complete("a", "Ship?", "Red")
    it.sight("b", "Ship?")
    // The stale panel of the first one.
    const shown = it.state().tracked.map(({ id }) => id)
    expect(it.tell({ _tag: "painted", shown, editor: true, at: 1 })).toEqual([])
    expect(it.paint("Ship?")).toEqual(["raised r2"])
  })

  it("under the id that only its completion carried [Q3.3]", () => {
    const it = play()
    it.sight(null, "Ship?", { source: "permission" })
    it.paint("Ship?")
    it.complete("a", "Ship?", "Red")
    it.sight("a", "Ship?")
    it.paint("Ship?")
    it.paint("Ship?")
    expect(it.log.filter((entry) => entry.startsWith("raised"))).toEqual(["raised r1"])
  })

  it("of a completion whose id is spent ends no other question [Q5.2, Q3.3]", () => {
    const it = play()
    it.complete("a", "Which?", "Red")
    it.sight(null, "Ship?", { source: "permission" })
    it.paint("Ship?")
    expect(it.complete("a", "Ship?", "Red")).toEqual([])
  })

  it("of a completion: an end seen before its beginning raises nothing afterwards [Q3.3]", () => {
    const it = play()
    it.complete("a", "Ship?", "Red")
    it.sight("a", "Ship?")
    it.paint("Ship?")
    expect(it.log).toEqual(["held"])
  })
})

describe("changed metadata", () => {
  it("closes the old request as unavailable and raises a new id [Q3.3]", () => {
    const it = play()
    it.sight("a", "Ship?")
    it.paint("Ship?")
    expect(it.sight("a", "Ship it now?")).toEqual(["closed r1 unavailable"])
    expect(it.paint("Ship?")).toEqual([])
    expect(it.paint("Ship it now?")).toEqual(["raised r2"])
  })

  it.each([
    ["prompt", define("Other?")],
    ["header", define("Ship?", ["Red", "Green", "Blue"], { header: "New" })],
    ["selection", define("Ship?", ["Red", "Green", "Blue"], { selection: "multiple", textMode: "none" })],
    ["label", define("Ship?", ["Red", "Green", "Blues"])],
    ["option order", define("Ship?", ["Green", "Red", "Blue"])],
    ["option count", define("Ship?", ["Red", "Green"])],
    [
      "description",
      define("Ship?", [], {
        options: ["Red", "Green", "Blue"].map((label) => ({ label, description: "d", preview: null }))
      })
    ]
  ])("is a change of the %s [Q5.6, Q3.3]", (_, changed) => {
    const it = play()
    it.sight("a", "Ship?")
    it.paint("Ship?")
    expect(it.sight("a", changed)).toEqual(["closed r1 unavailable"])
    expect(it.complete(null, "Ship?", "Red")).toEqual([])
  })

  it("makes a question whose parked hook is of the old one, so it owns none [Q5.4, Q3.3]", () => {
    const it = play()
    it.sight("a", "Ship?", { hook: { token: "tool", pending: false } })
    it.sight(null, "Ship?", { source: "permission", hook: { token: "parked", pending: false } })
    it.sight("a", "Changed?")
    const [changed] = it.state().tracked
    expect(State.ownHooks(it.state(), changed!)).toEqual([])
  })

  it("keeps waiting for a decision that was out [Q3.3, Q5.1]", () => {
    const it = play()
    it.sight("a", "Ship?", { hook: pending("h") })
    it.sight("a", "Changed?", { source: "record" })
    it.paint("Changed?")
    expect(it.log).toEqual(["held"])
    it.hook("h", "passed")
    expect(it.paint("Changed?")).toEqual(["raised r2"])
  })

  it("is no change where only a preview came with it [Q5.6]", () => {
    const it = play()
    const withPreview = define("Ship?", [], {
      options: ["Red", "Green", "Blue"].map((label) => ({ label, description: null, preview: "p" }))
    })
    it.sight("a", "Ship?")
    it.paint("Ship?")
    expect(it.sight("a", withPreview)).toEqual([])
  })

  it("ends an attempt that wrote nothing, and reserves what was written to [Q3.3, Q4.7]", () => {
    const open = play()
    open.sight("a", "Ship?")
    open.paint("Ship?")
    open.begin(1, "r1")
    expect(open.sight("a", "Changed?")).toEqual(["settled 1 frame_wait", "closed r1 unavailable"])
    expect(open.paint("Changed?")).toEqual(["raised r2"])

    const written = play()
    written.sight("a", "Ship?")
    written.paint("Ship?")
    written.begin(1, "r1")
    written.write(1)
    expect(written.sight("a", "Changed?")).toEqual(["settled 1 frame_wait", "closed r1 unavailable"])
    expect(written.paint("Changed?")).toEqual([])
    expect(written.end("withdrawn", "a")).toEqual([])
    expect(written.paint()).toEqual(["free"])
  })
})

describe("how a request closes", () => {
  const raised = () => {
    const it = play()
    it.sight("a", "Ship?")
    it.paint("Ship?")
    return it
  }

  it.each<[string, (it: ReturnType<typeof play>) => void, string, boolean]>([
    [
      "a person's answer in the terminal",
      (it) => it.complete("a", "Ship?", "Red"),
      "answered by terminal",
      false
    ],
    ["a completion without answers", (it) => it.complete("a", "Ship?", []), "unavailable", true],
    ["a completion with an empty answer", (it) => it.complete("a", "Ship?", ""), "unavailable", true],
    [
      "a completion that answers another question",
      (it) => it.complete("a", null, "Red"),
      "unavailable",
      true
    ],
    ["a person's dismissal", (it) => it.end("dismissed", "a"), "cancelled", false],
    ["a native time-out or an error", (it) => it.end("withdrawn", "a"), "unavailable", false],
    ["the turn's end", (it) => it.turn(), "unavailable", false],
    ["the agent's crash", (it) => it.tell({ _tag: "shut" }), "unavailable", false],
    ["an unsupported change", (it) => it.tell({ _tag: "opaque", nativeId: "a", at: 9 }), "unavailable", false]
  ])("by %s [Q3.2]", (_, happen, closure, warned) => {
    const it = raised()
    happen(it)
    happen(it)
    it.turn()
    expect(it.log.filter((entry) => entry.startsWith("closed"))).toEqual([`closed r1 ${closure}`])
    expect(it.log.includes("question_completed_without_answers")).toBe(warned)
    expect(State.open(it.state())).toEqual([])
  })

  it("by the caller's own hook, when that decided after the request was raised [Q3.2, Q5.1]", () => {
    const it = raised()
    it.sight(null, "Ship?", { source: "permission", hook: pending("p") })
    it.hook("p", "answered")
    // No host answers it any more.
    expect(it.begin(1, "r1")).toEqual(["settled 1 adapter"])
    expect(it.complete("a", "Ship?", "Red")).toEqual(["closed r1 answered by hook"])
  })

  it("as answered by the host only where the host wrote and the record equals it [Q3.2, Q4.5]", () => {
    const table = [
      [false, "Red", "closed r1 answered by terminal", "settled 1 native_acceptance"],
      [false, "Blue", "closed r1 unavailable", "settled 1 native_acceptance"],
      [true, "Red", "closed r1 answered by host", "settled 1 accepted"],
      [true, "Blue", "closed r1 unavailable", "settled 1 native_acceptance"]
    ] as const
    for (const [wrote, value, closed, settled] of table) {
      const it = raised()
      it.begin(1, "r1", "Red")
      if (wrote) it.write(1, true)
      expect(it.complete("a", "Ship?", value)).toEqual([closed, settled])
    }
  })

  it("with a dismissal, though the host had submitted [Q3.2, Q4.10]", () => {
    const it = raised()
    it.begin(1, "r1")
    it.write(1, true)
    expect(it.end("dismissed", "a")).toEqual(["closed r1 cancelled", "settled 1 native_acceptance"])
  })

  it("never by another tool, another id or other definitions [Q5.2, Q5.6]", () => {
    const it = raised()
    it.complete("b", "Ship?", "Red")
    it.complete("b", null, "Red")
    it.complete(null, "Which?", "Red")
    it.complete(null, null, "Red")
    it.end("dismissed", "b")
    it.end("withdrawn", null, "Which?")
    expect(it.log).toEqual(["held", "raised r1"])
  })

  it("without an id by a unique match of the definitions [Q5.2]", () => {
    expect(raised().complete(null, "Ship?", "Red")).toEqual(["closed r1 answered by terminal"])
  })
})

describe("two calls with the same definitions", () => {
  const twins = () => {
    const it = play()
    it.sight("a", "Ship?")
    it.sight("b", "Ship?")
    it.paint("Ship?")
    return it
  }

  it("give no authority while one panel fits both, and hold [Q5.6, Q5.2]", () => {
    const it = twins()
    it.complete(null, "Ship?", "Red")
    it.end("dismissed", null, "Ship?")
    it.paint("Ship?")
    expect(it.log).toEqual(["held"])
    it.complete("a", "Ship?", "Red")
    expect(it.paint("Ship?")).toEqual(["raised r2"])
    expect(it.complete("b", "Ship?", "Red")).toEqual(["closed r2 answered by terminal"])
  })

  it("take the keys from the one that was raised first [Q5.6, Q4.3]", () => {
    const it = play()
    it.sight("a", "Ship?")
    it.paint("Ship?")
    it.begin(1, "r1")
    it.sight("b", "Ship?")
    it.paint("Ship?")
    expect(it.write(1)).toEqual([])
    it.end("withdrawn", "b")
    it.paint("Ship?")
    expect(it.write(1)).toEqual(["granted 1"])
  })

  it("keep a mirror with the one whose dialog can be up [Q5.6]", () => {
    const it = play()
    it.sight("a", "Ship?", { hook: pending("tool a") })
    it.sight("b", "Ship?", { hook: pending("tool b") })
    it.hook("tool b", "passed")
    it.sight(null, "Ship?", { source: "permission", hook: { token: "dialog of b", pending: false } })
    it.paint("Ship?")
    const [a, b] = it.state().tracked
    expect(State.ownHooks(it.state(), a!)).toEqual(["tool a"])
    expect(State.ownHooks(it.state(), b!)).toEqual(["tool b", "dialog of b"])
    expect(it.log).toEqual(["held", "raised r2"])
  })

  it("and a caller's answer that could be for either decide neither [Q5.6]", () => {
    const it = twins()
    it.sight(null, "Ship?", { source: "permission", hook: pending("p") })
    it.hook("p", "answered")
    expect(it.state().tracked.map(({ decided, phase }) => [decided, phase])).toEqual([
      [null, "candidate"],
      [null, "candidate"]
    ])
    expect(it.state().tracked.flatMap((one) => State.ownHooks(it.state(), one))).toEqual([])
  })
})

describe("an attempt", () => {
  const begun = (way: "editor" | "hook" = "editor") => {
    const it = play()
    it.sight("a", "Ship?")
    it.paint("Ship?")
    it.begin(1, "r1", "Red", way)
    return it
  }

  it("owns the lane alone [Q4.1]", () => {
    const it = begun()
    it.sight("b", "Which?")
    it.paint("Which?")
    expect(it.begin(2, "r2")).toEqual(["settled 2 adapter"])
    it.tell({ _tag: "failed", attempt: 1, category: "aborted" })
    expect(it.begin(3, "r2")).toEqual([])
  })

  it.each<[string, LedgerEvent]>([
    ["a person's key", { _tag: "intervened", what: "key" }],
    ["an interrupt", { _tag: "intervened", what: "interrupt" }],
    ["a changed layout", { _tag: "intervened", what: "layout" }],
    ["an abort", { _tag: "failed", attempt: 1, category: "aborted" }],
    ["shutdown", { _tag: "shut" }]
  ])("is revoked by %s, written to or not [Q4.3, Q4.6]", (_, event) => {
    for (const wrote of [false, true]) {
      const it = begun()
      if (wrote) it.write(1)
      expect(it.tell(event)).toContain("settled 1 aborted")
      expect(it.write(1)).toEqual([])
      expect(State.open(it.state()).length).toBe(wrote || event._tag === "shut" ? 0 : 1)
    }
  })

  it("by a hook is not the person's at the keys to revoke, but an interrupt's [Q5.4]", () => {
    const it = begun("hook")
    it.paint()
    it.tell({ _tag: "intervened", what: "key" })
    it.tell({ _tag: "intervened", what: "layout" })
    expect(it.write(1, true)).toEqual(["granted 1"])
    expect(it.tell({ _tag: "intervened", what: "interrupt" })).toEqual([
      "settled 1 aborted",
      "closed r1 unavailable"
    ])
  })

  it("writes only for the newest frame's own editor, undecided [Q4.3]", () => {
    const it = begun()
    it.paint()
    expect(it.write(1)).toEqual([])
    it.paint("Ship?")
    expect(it.write(1)).toEqual(["granted 1"])
    it.sight(null, "Ship?", { source: "permission", hook: pending("p") })
    expect(it.write(1)).toEqual([])
    it.hook("p", "passed")
    expect(it.write(1, true)).toEqual(["granted 1"])
    expect(it.write(1)).toEqual([])
  })

  it.each([
    ["nothing written", "editor", [], "frame_wait"],
    ["keys written", "editor", [false], "frame_wait"],
    ["submitted", "editor", [false, true], "native_acceptance"],
    ["no reply sent", "hook", [], "adapter"],
    ["reply sent", "hook", [true], "native_acceptance"]
  ] as const)("that ran out of time with %s by the %s says where [Q4.6]", (_, way, writes, category) => {
    for (const late of [
      { _tag: "timed_out", attempt: 1 },
      { _tag: "turn_ended", at: 9 }
    ] as const) {
      const it = begun(way)
      for (const submits of writes) it.write(1, submits)
      expect(it.tell(late)).toContain(`settled 1 ${category}`)
    }
  })

  it("that was submitted waits through an empty composer for its own completion [Q5.3]", () => {
    const it = begun()
    it.write(1, true)
    it.paint()
    it.complete("other", "Ship?", "Red")
    expect(it.log.filter((entry) => entry.startsWith("settled"))).toEqual([])
    expect(it.complete("a", "Ship?", "Red")).toEqual([
      "closed r1 answered by host",
      "settled 1 accepted",
      "free"
    ])
  })

  it("undone by the caller's own hook closes what it wrote to [Q5.1, Q4.7]", () => {
    const it = begun()
    it.write(1)
    it.sight(null, "Ship?", { source: "permission", hook: pending("p") })
    expect(it.hook("p", "denied")).toEqual(["settled 1 adapter", "closed r1 unavailable"])
  })
})

describe("ordinary input", () => {
  it("is held by candidates, open requests and any editor on screen, and freed once [Q4.8]", () => {
    const it = play()
    it.tell({ _tag: "painted", shown: [], editor: true, at: 1 })
    it.tell({ _tag: "painted", shown: [], editor: false, at: 2 })
    it.sight("a", "Ship?")
    it.complete("a", "Ship?", "Red")
    expect(it.log).toEqual(["held", "free", "held", "free"])
  })

  it("is held by a question that cannot be represented until the turn has ended [Q6.2]", () => {
    const it = play()
    it.tell({ _tag: "opaque", nativeId: null, at: 0 })
    it.end("withdrawn", "a")
    it.complete(null, "Ship?", "Red")
    it.paint()
    expect(it.log).toEqual(["held"])
    expect(it.turn()).toEqual(["free"])
  })

  it("is free after the turn of an unconfirmed answer, whose question stays gone [Q4.7, Q3.3]", () => {
    const it = play()
    it.sight("a", "Ship?")
    it.paint("Ship?")
    it.begin(1, "r1")
    it.write(1, true)
    it.tell({ _tag: "timed_out", attempt: 1 })
    it.paint()
    expect(it.turn()).toEqual(["free"])
    it.sight("a", "Ship?")
    it.paint("Ship?")
    expect(State.open(it.state())).toEqual([])
  })
})

describe("budgets", () => {
  const warnings = (it: ReturnType<typeof play>) => it.log.filter((entry) => entry.includes("disabled"))

  it("of pending requests: one more closes all, warns once, holds until the turn ends, and then it is over [Q6.3]", () => {
    const it = play()
    for (let i = 0; i < Draft.budget.pending; i++) it.sight(`n${i}`, `Q${i}?`)
    it.paint("Q0?")
    it.begin(1, "r1")
    expect(warnings(it)).toEqual([])
    expect(it.sight("one more", "More?")).toEqual([
      "closed r1 unavailable",
      "settled 1 adapter",
      "question_automation_disabled"
    ])
    it.sight("ignored", "Ignored?")
    it.paint("Ignored?")
    it.paint()
    expect(it.state().held).toBe(true)
    expect(it.turn()).toEqual(["free"])
    it.sight("n0", "Q0?")
    it.paint("Q0?")
    it.sight("fresh", "Fresh?")
    expect(it.paint("Fresh?").some((entry) => entry.startsWith("raised"))).toBe(true)
    expect(State.open(it.state()).length).toBe(1)
    for (let i = 0; i < Draft.budget.pending; i++) it.sight(`m${i}`, `M${i}?`)
    expect(it.state().automation).toBe("until_turn_end")
    expect(warnings(it).length).toBe(1)
  })

  it.each([
    [
      "definitions of one call",
      Array.from({ length: Draft.budget.definitionsPerCall + 1 }, (_, i) => define(`${i}`))
    ],
    ["bytes of one call", [define("x".repeat(Draft.budget.bytesPerCall + 1))]],
    ["bytes of one call in UTF-8", [define("漢".repeat(Draft.budget.bytesPerCall / 3 + 1))]]
  ])("of the %s [Q6.3]", (_, definitions) => {
    const it = play()
    const [first, ...rest] = definitions
    it.sight("a", "", { definitions: [first!, ...rest] })
    expect(warnings(it).length).toBe(1)
  })

  it("of the bytes of all pending requests [Q6.3]", () => {
    const it = play()
    const half = "x".repeat(Draft.budget.pendingBytes / 2)
    it.sight("a", half)
    expect(warnings(it)).toEqual([])
    it.sight("b", half)
    expect(warnings(it).length).toBe(1)
  })

  it.each([
    ["count", (i: number) => `n${i}`, Draft.budget.retired],
    ["bytes", (i: number) => `${i}`.padEnd(Draft.budget.retiredBytes / 16, "x"), 16]
  ] as const)(
    "of retired identities, by %s: automation stays off for the session [Q6.3]",
    (_, name, room) => {
      const it = play()
      for (let i = 0; i < room; i++) {
        it.sight(name(i), "Again?")
        it.complete(name(i), "Again?", "Red")
      }
      expect(warnings(it)).toEqual([])
      it.sight(name(room), "Again?")
      it.complete(name(room), "Again?", "Red")
      expect(warnings(it).length).toBe(1)
      expect(it.state().held).toBe(true)
      expect(it.turn()).toEqual(["free"])
      it.sight("later", "Later?")
      it.paint("Later?")
      expect(State.open(it.state())).toEqual([])
      expect(it.state().held).toBe(true)
    }
  )

  it("that fills with the turn's own end holds nothing beyond it [Q6.3]", () => {
    const it = play()
    for (let i = 0; i < Draft.budget.retired; i++) it.complete(`n${i}`, "Again?", "Red")
    it.sight("last", "Last?")
    expect(it.turn()).toEqual(["question_automation_disabled", "free"])
  })
})
