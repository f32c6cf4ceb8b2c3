import { assert, describe, it } from "@effect/vitest"
import type { ToolCall } from "../../../src/core/call/ToolCall.ts"
import * as HookGate from "../../../src/core/session/HookGate.ts"
import type { GateEvent, GateOutput, GateState, Verdict } from "../../../src/core/session/HookGate.ts"

const call = (input: unknown, more: Partial<ToolCall> = {}): ToolCall => ({
  agent: "claude",
  tool: "Bash",
  input,
  callId: null,
  cwd: "/work",
  mode: "default",
  requester: { agentName: null, sessionId: null, forwarded: false },
  ...more
})

const allow: Verdict = { _tag: "allow" }
const deny: HookGate.Denial = { _tag: "deny", kind: "person", reason: "no" }

const pre = (hook: string, callId: string, input: unknown, agentId: string | null = null): GateEvent => ({
  _tag: "tool_requested",
  hook,
  call: call(input, { callId }),
  agentId
})
const permission = (hook: string, input: unknown, more: Partial<ToolCall> = {}): GateEvent => ({
  _tag: "permission_requested",
  hook,
  call: call(input, more),
  agentId: null,
  writes: true
})
const decided = (hook: string, verdict: Verdict): GateEvent => ({ _tag: "decided", hook, verdict })
const result = (callId: string, form: HookGate.ResultForm = "gated"): GateEvent => ({
  _tag: "result",
  callId,
  tool: "Bash",
  form
})

/** What each event made the gate do, as `tag` or `tag hook`. */
const play = (...events: ReadonlyArray<GateEvent>): ReadonlyArray<string> => {
  let state: GateState = HookGate.initial
  return events.map((event) => {
    const next = HookGate.transition(state, event)
    state = next.state
    return next.outputs
      .map((output) => ("hook" in output ? `${output._tag} ${output.hook}` : output._tag))
      .join(", ")
  })
}

describe("HookGate", () => {
  it("parks in PreToolUse, passes an allow and releases the equal permission once [S5.6]", () => {
    assert.deepStrictEqual(
      play(
        pre("p", "1", { command: "ls", timeout: 5 }),
        decided("p", allow),
        permission("r", { timeout: 5, command: "ls" }),
        { _tag: "dialog_settled", hook: "r" },
        permission("again", { command: "ls", timeout: 5 })
      ),
      ["ask p", "pass p", "release r, hold_keys r", "free_keys r", "ask again"]
    )
  })

  const differing: ReadonlyArray<readonly [string, GateEvent]> = [
    ["another input", permission("r", { command: "rm" })],
    ["another tool", permission("r", { command: "ls" }, { tool: "Read" })],
    [
      "another subagent",
      { _tag: "permission_requested", hook: "r", call: call({ command: "ls" }), agentId: "sub", writes: true }
    ]
  ]
  for (const [name, event] of differing) {
    it(`a permission for ${name} is a new ask, parked where it is [S5.6]`, () => {
      const start = [pre("p", "1", { command: "ls" }), decided("p", allow), event]
      assert.deepStrictEqual(play(...start, decided("r", allow)).slice(2), [
        "ask r",
        "release r, hold_keys r"
      ])
      assert.deepStrictEqual(play(...start, decided("r", deny)).slice(2), ["ask r", "refuse r, hold_keys r"])
    })
  }

  it("a permission whose PreToolUse still waits, or was withdrawn, is a new ask [S5.6]", () => {
    assert.deepStrictEqual(play(pre("p", "1", "x"), permission("r", "x")), ["ask p", "ask r"])
    assert.deepStrictEqual(play(pre("p", "1", "x"), { _tag: "withdrawn", hook: "p" }, permission("r", "x")), [
      "ask p",
      "withdraw p",
      "ask r"
    ])
  })

  it("a denied call is refused where the agent asks for it all the same [S5.6]", () => {
    assert.deepStrictEqual(play(pre("p", "1", "x"), decided("p", deny), permission("r", "x")), [
      "ask p",
      "deny p",
      "refuse r, hold_keys r"
    ])
  })

  it("no permission outlives its result or its turn [S5.6]", () => {
    const start = [pre("p", "1", "x"), decided("p", allow)]
    assert.deepStrictEqual(play(...start, result("1"), permission("r", "x")).slice(2), ["", "ask r"])
    assert.deepStrictEqual(play(...start, { _tag: "turn_over" }, permission("r", "x")).slice(2), [
      "",
      "ask r"
    ])
  })

  it("an input without a canonical text is never equal to itself [S5.6]", () => {
    const deep: unknown = JSON.parse("[".repeat(5000) + "]".repeat(5000))
    assert.deepStrictEqual(play(pre("p", "1", deep), decided("p", allow), permission("r", deep)), [
      "ask p",
      "pass p",
      "ask r"
    ])
  })

  it("a verdict after the withdrawal, the expiry or another verdict does nothing [S5.6]", () => {
    assert.deepStrictEqual(
      play(
        pre("p", "1", "x"),
        { _tag: "withdrawn", hook: "p" },
        decided("p", allow),
        pre("q", "2", "x"),
        decided("q", deny),
        decided("q", allow),
        permission("r", "x")
      ),
      ["ask p", "withdraw p", "", "ask q", "deny q", "", "refuse r, hold_keys r"]
    )
  })

  it("an ask that waited too long is denied as unavailable, in either place [S5.6]", () => {
    let state = HookGate.transition(HookGate.initial, pre("p", "1", "x")).state
    const tool = HookGate.transition(state, { _tag: "expired", hook: "p" })
    assert.deepStrictEqual(tool.outputs, [
      { _tag: "withdraw", hook: "p" },
      { _tag: "deny", hook: "p", verdict: { _tag: "deny", kind: "unavailable", reason: null } }
    ])
    state = HookGate.transition(tool.state, permission("r", "y")).state
    assert.deepStrictEqual(HookGate.transition(state, { _tag: "expired", hook: "r" }).outputs.slice(0, 2), [
      { _tag: "withdraw", hook: "r" },
      { _tag: "refuse", hook: "r", verdict: { _tag: "deny", kind: "unavailable", reason: null } }
    ])
  })

  it("closing fails every parked hook and everything later: a block, never a release [S5.6]", () => {
    assert.deepStrictEqual(
      play(
        pre("p", "1", "x"),
        decided("p", allow),
        pre("q", "2", "y"),
        { _tag: "closed" },
        permission("r", "x"),
        pre("s", "3", "z"),
        decided("q", allow)
      ),
      ["ask p", "pass p", "ask q", "withdraw q, fail q", "fail r", "fail s", ""]
    )
  })

  it("a write is not released in plan mode, allowed or not; a read is [S5.5]", () => {
    const plan = { mode: "plan" }
    const read: GateEvent = {
      _tag: "permission_requested",
      hook: "read",
      call: call("x", plan),
      agentId: null,
      writes: false
    }
    assert.deepStrictEqual(
      play(
        pre("p", "1", "x"),
        decided("p", allow),
        permission("w", "x", plan),
        permission("v", "y", plan),
        read
      ),
      ["ask p", "pass p", "withhold w", "withhold v", "release read, hold_keys read"]
    )
  })

  it("a result without its PreToolUse event shuts the gate [S5.5]", () => {
    assert.deepStrictEqual(play(pre("p", "1", "x"), result("2"), pre("q", "3", "x")), [
      "ask p",
      "ungated_call, withdraw p, fail p",
      "fail q"
    ])
  })

  it("results that the gate knows, or that the dialect excuses, shut nothing [S5.5]", () => {
    assert.deepStrictEqual(
      play(
        pre("p", "1", "x"),
        result("1"),
        result("1"),
        { _tag: "question_requested", callId: "2" },
        result("2"),
        result("3", "refused_before_hooks"),
        result("4", "hookless_harmless"),
        result("5", "hookless"),
        pre("q", "6", "x")
      ),
      ["ask p", "", "", "", "", "", "hookless_result", "hookless_call", "ask q"]
    )
  })
})

/**
 * Every interleaving (as Q3.8): the whole graph of states that these hooks can reach, in any order, with
 * decisions, withdrawals, expiries, results and ends at any time, early, late and repeated.
 */
describe("HookGate, explored", () => {
  interface Monitor {
    /** Hooks that came and have had neither reply nor withdrawal. */
    readonly open: ReadonlyArray<string>
    readonly arrived: ReadonlyArray<string>
    /** Equal allows of PreToolUse that no release has used, by input; void after the turn. */
    readonly credit: Readonly<Record<string, number>>
    /** Ever, by input. */
    readonly allows: Readonly<Record<string, number>>
    readonly releases: Readonly<Record<string, number>>
    readonly denied: ReadonlyArray<string>
    readonly held: ReadonlyArray<string>
    readonly closed: boolean
  }

  const inputOf: Readonly<Record<string, string>> = { p1: "a", p2: "a", r1: "a", r2: "a", r3: "b" }
  const arrivals: Readonly<Record<string, GateEvent>> = {
    p1: pre("p1", "1", "a"),
    p2: pre("p2", "2", "a"),
    r1: permission("r1", "a"),
    r2: permission("r2", "a"),
    r3: permission("r3", "b")
  }
  const hooks = Object.keys(arrivals)
  const later: ReadonlyArray<GateEvent> = [
    ...hooks.flatMap((hook): ReadonlyArray<GateEvent> => [
      decided(hook, allow),
      decided(hook, deny),
      { _tag: "withdrawn", hook },
      { _tag: "expired", hook },
      { _tag: "dialog_settled", hook }
    ]),
    result("1"),
    result("2"),
    result("9"),
    { _tag: "turn_over" },
    { _tag: "closed" }
  ]

  // Millions of checks: the assertion library's own are too slow for this.
  const must = (holds: boolean, what: string): void => {
    if (!holds) assert.fail(what)
  }
  const count = (record: Readonly<Record<string, number>>, key: string, by: number) => ({
    ...record,
    [key]: (record[key] ?? 0) + by
  })
  const without = (list: ReadonlyArray<string>, item: string) => list.filter((one) => one !== item)

  /** Checks one output against what the monitor knows, and keeps it up to date. */
  const check = (monitor: Monitor, event: GateEvent, output: GateOutput): Monitor => {
    if (!("hook" in output)) return monitor
    const { hook } = output
    const input = inputOf[hook] ?? ""
    const own = event._tag === "decided" && event.hook === hook && event.verdict._tag === "allow"
    const answered = { ...monitor, open: without(monitor.open, hook) }
    const isOpen = () => must(monitor.open.includes(hook), `${output._tag} to a hook that is not open`)
    const notShut = () => must(!monitor.closed, `${output._tag} after the end`)
    switch (output._tag) {
      case "ask":
        isOpen()
        notShut()
        return monitor
      case "withdraw":
        isOpen()
        return event._tag === "withdrawn" ? answered : monitor
      case "pass":
        isOpen()
        notShut()
        must(own, "a pass without its own allow")
        return {
          ...answered,
          credit: count(monitor.credit, input, 1),
          allows: count(monitor.allows, input, 1)
        }
      case "release": {
        isOpen()
        notShut()
        must(!monitor.denied.includes(hook), "a release after a denial")
        if (own) return answered
        must((monitor.credit[input] ?? 0) > 0, "a release without an equal allow")
        const releases = count(monitor.releases, input, 1)
        must((releases[input] ?? 0) <= (monitor.allows[input] ?? 0), "more releases than calls")
        return { ...answered, credit: count(monitor.credit, input, -1), releases }
      }
      case "deny":
      case "refuse":
        isOpen()
        notShut()
        return { ...answered, denied: [...monitor.denied, hook].toSorted() }
      case "withhold":
        isOpen()
        return answered
      case "fail":
        isOpen()
        return answered
      case "hold_keys":
        must(!monitor.held.includes(hook), "keys held twice")
        return { ...monitor, held: [...monitor.held, hook].toSorted() }
      case "free_keys":
        must(monitor.held.includes(hook), "keys given back twice")
        return { ...monitor, held: without(monitor.held, hook) }
    }
  }

  const before = (monitor: Monitor, event: GateEvent): Monitor => {
    if ((event._tag === "tool_requested" || event._tag === "permission_requested") && "hook" in event) {
      const { hook } = event
      return {
        ...monitor,
        open: [...monitor.open, hook].toSorted(),
        arrived: [...monitor.arrived, hook].toSorted()
      }
    }
    return event._tag === "turn_over" ? { ...monitor, credit: {} } : monitor
  }

  const key = (state: GateState, monitor: Monitor): string =>
    JSON.stringify([
      state.parked.map(({ hook }) => hook).toSorted(),
      state.decided.map(({ hook, standing }) => [hook, standing]),
      [...state.seen].toSorted(),
      state.holding.toSorted(),
      state.shut,
      Object.values(monitor)
    ])

  it("never releases without an equal allow, nor twice, nor after the end, in any order of events [S5.6]", () => {
    const seen = new Set<string>()
    let frontier: ReadonlyArray<readonly [GateState, Monitor]> = [
      [
        HookGate.initial,
        {
          open: [],
          arrived: [],
          credit: {},
          allows: {},
          releases: {},
          denied: [],
          held: [],
          closed: false
        }
      ]
    ]
    let released = 0
    // Ends: no hook comes twice, so there is a last new state.
    while (frontier.length > 0) {
      const next: Array<readonly [GateState, Monitor]> = []
      for (const [state, monitor] of frontier) {
        const events = [
          ...Object.entries(arrivals).flatMap(([hook, event]) =>
            monitor.arrived.includes(hook) ? [] : [event]
          ),
          ...later
        ]
        for (const event of events) {
          const step = HookGate.transition(state, event)
          let after = before(monitor, event)
          for (const output of step.outputs) {
            after = check(after, event, output)
            if (output._tag === "release") released += 1
          }
          if (step.state.shut) {
            after = { ...after, closed: true }
            must(after.open.length + after.held.length === 0, "left open at the end")
          }
          const parked = step.state.parked.map(({ hook }) => hook).toSorted()
          must(after.open.join() === parked.join(), "open without being parked")
          const name = key(step.state, after)
          if (seen.has(name)) continue
          seen.add(name)
          next.push([step.state, after])
        }
      }
      frontier = next
    }
    assert.isAbove(released, 0)
  })
})
