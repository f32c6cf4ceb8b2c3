import { describe, expect, it } from "@effect/vitest"
import * as Ledger from "../../../src/core/question/Ledger.ts"
import type { LedgerEvent, LedgerOutput } from "../../../src/core/question/LedgerEvent.ts"
import * as State from "../../../src/core/question/LedgerState.ts"
import type { LedgerState } from "../../../src/core/question/LedgerState.ts"
import type { QuestionDefinition } from "../../../src/core/question/QuestionDefinition.ts"
import { RequestId } from "../../../src/core/question/QuestionRequest.ts"
import type { NativeAnswers } from "../../../src/core/session/HookFact.ts"

/*
 * A breadth-first search over every interleaving of what can happen to one question, or to two. States that
 * behave alike are visited once: what counts of a byte clock is which paint is newer than which decision, and
 * of an id who carries it.
 */

const definition = (prompt: string): QuestionDefinition => ({
  prompt,
  header: null,
  options: [
    { label: "Yes", description: null, preview: null },
    { label: "No", description: null, preview: null }
  ],
  selection: "single",
  textMode: "alternative"
})

/** One native question of the agent, and what it would turn into if its metadata changed. */
interface Native {
  readonly id: string
  readonly definitions: readonly [QuestionDefinition]
  readonly changed: readonly [QuestionDefinition]
}

const native = (id: string, prompt: string): Native => ({
  id,
  definitions: [definition(prompt)],
  changed: [definition(`${prompt} (changed)`)]
})

const answers = (definitions: ReadonlyArray<QuestionDefinition>, value: string): NativeAnswers =>
  definitions.map(({ prompt }) => ({ prompt, value, notes: null }))

/** What a watcher outside knows, beside the ledger's own state: the independent half of every check. */
interface Witness {
  readonly raised: ReadonlyArray<string>
  readonly held: boolean
  readonly attempts: number
  /** The attempt that is not settled, and the last that was. */
  readonly live: number | null
  readonly revoked: number | null
  readonly grants: number
  readonly submits: number
  readonly unsettledWrite: boolean
  /** Native ids that ended, by the agent's record or with their turn: they may never be raised again. */
  readonly over: ReadonlyArray<string>
  /** Native ids whose answer was written and not confirmed. */
  readonly uncertain: ReadonlyArray<string>
  /** Hook invocations on which the caller's own decision is awaited. */
  readonly waiting: ReadonlyArray<string>
  /** Hook invocations so far: each happens once. */
  readonly invoked: ReadonlyArray<string>
  readonly editor: boolean
  readonly shut: boolean
}

interface Node {
  readonly state: LedgerState
  readonly witness: Witness
  readonly path: ReadonlyArray<string>
}

const start: Node = {
  state: State.make("claude"),
  witness: {
    raised: [],
    held: false,
    attempts: 0,
    live: null,
    revoked: null,
    grants: 0,
    submits: 0,
    unsettledWrite: false,
    over: [],
    uncertain: [],
    waiting: [],
    invoked: [],
    editor: false,
    shut: false
  },
  path: []
}

let freshIds = 0

type Move = readonly [name: string, event: LedgerEvent]

/** Everything that can happen next. */
const moves = ({ state, witness }: Node, natives: ReadonlyArray<Native>): ReadonlyArray<Move> => {
  const at = state.view.at
  const freshId = RequestId.make(`r${++freshIds}`)
  const all: Array<Move> = []
  const shownBy = (definitions: ReadonlyArray<QuestionDefinition>) =>
    state.tracked.filter((one) => one.definitions[0]!.prompt === definitions[0]!.prompt).map(({ id }) => id)

  for (const { changed, definitions, id } of natives) {
    const sighted = { _tag: "sighted", freshId, delivery: "blocking", at } as const
    all.push(
      [
        `tool hook ${id}`,
        {
          ...sighted,
          nativeId: id,
          definitions,
          source: "tool",
          hook: { token: `tool ${id}`, pending: true }
        }
      ],
      [
        `permission mirror ${id}`,
        {
          ...sighted,
          nativeId: null,
          definitions,
          source: "permission",
          hook: { token: `permission ${id}`, pending: true }
        }
      ],
      [`record ${id}`, { ...sighted, nativeId: id, definitions, source: "record", hook: null }],
      [`replaced ${id}`, { ...sighted, nativeId: id, definitions: changed, source: "record", hook: null }]
    )
    for (const token of [`tool ${id}`, `permission ${id}`]) {
      if (!witness.waiting.includes(token)) continue
      for (const outcome of ["passed", "answered", "denied"] as const) {
        all.push([`caller ${outcome} ${token}`, { _tag: "hook_settled", hook: token, outcome, at }])
      }
    }
    for (const [name, shown] of [
      [id, definitions],
      [`${id} changed`, changed]
    ] as const) {
      all.push([`frame of ${name}`, { _tag: "painted", shown: shownBy(shown), editor: true, at: at + 1 }])
      all.push(
        [
          `accepts ${name}`,
          { _tag: "completed", nativeId: id, definitions: shown, answers: answers(shown, "Yes"), at }
        ],
        [
          `accepts other ${name}`,
          { _tag: "completed", nativeId: id, definitions: shown, answers: answers(shown, "No"), at }
        ]
      )
    }
    all.push(
      [`completes empty ${id}`, { _tag: "completed", nativeId: id, definitions, answers: [], at }],
      [
        `accepts without id ${id}`,
        { _tag: "completed", nativeId: null, definitions, answers: answers(definitions, "Yes"), at }
      ],
      [`dismisses ${id}`, { _tag: "dismissed", nativeId: id, definitions: null, at }],
      [`withdraws ${id}`, { _tag: "withdrawn", nativeId: id, definitions: null, at }]
    )
  }
  all.push(["frame without editor", { _tag: "painted", shown: [], editor: false, at: at + 1 }])
  for (const { definitions, id, phase } of state.tracked) {
    if (phase === "raised") {
      for (const way of ["editor", "hook"] as const) {
        all.push([
          `host answers by ${way}`,
          {
            _tag: "begun",
            attempt: witness.attempts + 1,
            request: id,
            way,
            expected: answers(definitions, "Yes")
          }
        ])
      }
    }
    if (phase === "reserved") all.push(["host releases", { _tag: "released", request: id }])
  }
  const attempts = new Set([state.attempt?.attempt, state.writing, witness.revoked])
  for (const attempt of attempts) {
    if (attempt === undefined || attempt === null) continue
    const whose = attempt === state.attempt?.attempt ? "" : "revoked "
    all.push(
      [`${whose}key`, { _tag: "write", attempt, submits: false }],
      [`${whose}submitting key`, { _tag: "write", attempt, submits: true }],
      [`${whose}write settles`, { _tag: "write_settled", attempt }],
      [`${whose}time-out`, { _tag: "timed_out", attempt }],
      [`${whose}abort`, { _tag: "failed", attempt, category: "aborted" }]
    )
  }
  for (const what of ["key", "interrupt"] as const)
    all.push([`person's ${what}`, { _tag: "intervened", what }])
  all.push(["turn end", { _tag: "turn_ended", at }], ["crash", { _tag: "shut" }])
  return all.filter(
    ([, event]) =>
      event._tag !== "sighted" || event.hook === null || !witness.invoked.includes(event.hook.token)
  )
}

class Broken extends Error {}

const must = (holds: boolean, what: string) => {
  if (!holds) throw new Broken(what)
}

const without = <A>(list: ReadonlyArray<A>, item: A) => list.filter((each) => each !== item)

/** The questions that the newest frame may show: those that no pre-tool hook holds back any more. */
const onPanel = ({ tracked, view }: LedgerState, { waiting }: Witness) =>
  tracked.filter(({ id, nativeId }) => view.shown.includes(id) && !waiting.includes(`tool ${nativeId}`))

const lookAlikes = (
  { tracked }: LedgerState,
  { definitions }: { readonly definitions: ReadonlyArray<QuestionDefinition> | null }
) => tracked.filter((one) => one.definitions[0]!.prompt === definitions?.[0]?.prompt)

/** Checks one step against what the witness knows, and what the witness knows afterwards. */
const check = (
  before: Node,
  event: LedgerEvent,
  state: LedgerState,
  outputs: ReadonlyArray<LedgerOutput>
): Witness => {
  const was = before.witness
  let now: Witness = was
  const nativeOf = (request: string) =>
    [...before.state.tracked, ...state.tracked].find(({ id }) => id === request)?.nativeId ?? null
  if (event._tag === "sighted" && event.hook !== null) {
    const { token } = event.hook
    now = { ...now, waiting: [...now.waiting, token].toSorted(), invoked: [...now.invoked, token].toSorted() }
  }
  if (event._tag === "hook_settled") now = { ...now, waiting: without(now.waiting, event.hook) }
  if (event._tag === "painted" && !was.shut) now = { ...now, editor: event.editor }
  if (event._tag === "shut") now = { ...now, shut: true, editor: false }
  if (event._tag === "begun") {
    now = { ...now, attempts: event.attempt }
    const taken = was.live !== null || was.unsettledWrite
    const refused = outputs.some((output) => output._tag === "settled" && output.attempt === event.attempt)
    must(refused || !taken, "two attempts at once")
    if (refused) return now
    now = { ...now, live: event.attempt, grants: 0, submits: 0 }
  }
  if (event._tag === "write_settled" && event.attempt === before.state.writing)
    now = { ...now, unsettledWrite: false }
  const ends = event._tag === "completed" || event._tag === "dismissed" || event._tag === "withdrawn"

  for (const output of outputs) {
    switch (output._tag) {
      case "raised": {
        const { id } = output.request
        must(!was.shut, "raised after the end")
        must(!now.raised.includes(id), "raised twice")
        const nativeId = nativeOf(id)
        must(nativeId === null || !was.over.includes(nativeId), "a retired native question came back")
        must(nativeId === null || !now.uncertain.includes(nativeId), "an uncertain native question came back")
        must(state.view.shown.includes(id), "raised though no frame shows it")
        must(!now.waiting.includes(`tool ${nativeId}`), "raised before the caller's own decision")
        must(onPanel(state, now).length === 1, "raised from a panel that matches several")
        now = { ...now, raised: [...now.raised, id] }
        break
      }
      case "closed": {
        const { id } = output.request
        must(now.raised.includes(id), "closed without being open")
        now = { ...now, raised: without(now.raised, id) }
        if (output.closure.reason === "answered") {
          must(event._tag === "completed" && event.answers.length > 0, "answered without evidence")
          const nativeId = nativeOf(id)
          must(
            event._tag === "completed" &&
              (event.nativeId === null || event.nativeId === nativeId || nativeId === null),
            "answered by another call's evidence"
          )
          if (output.closure.by === "host") {
            must(was.live !== null && was.grants > 0, "answered by a host that wrote nothing")
            must(
              event._tag === "completed" && event.answers[0]!.value === "Yes",
              "answered by something else than the host's answer"
            )
          }
        }
        must(
          !ends || event.nativeId !== null || lookAlikes(before.state, event).length === 1,
          "closed by evidence that fits several"
        )
        if (output.closure.reason === "cancelled")
          must(event._tag === "dismissed", "cancelled without evidence")
        break
      }
      case "settled": {
        must(now.live === output.attempt, "an attempt settled twice")
        if (output.outcome === "accepted") must(event._tag === "completed", "accepted without evidence")
        const request = before.state.attempt?.request
        const nativeId = request === undefined ? null : nativeOf(request)
        const certain = ends || event._tag === "turn_ended" || event._tag === "shut"
        if (nativeId !== null && now.grants > 0 && !certain)
          now = { ...now, uncertain: [...now.uncertain, nativeId] }
        now = { ...now, live: null, revoked: output.attempt }
        break
      }
      case "granted":
        must(now.live === output.attempt, "a write after revocation")
        must(!was.shut, "a write after the end")
        must(
          state.attempt?.way === "hook" || onPanel(state, now).length === 1,
          "a key for a panel that matches several"
        )
        must(now.submits === 0, "a write after the submitting one")
        must(!now.unsettledWrite, "two writes at once")
        now = {
          ...now,
          grants: now.grants + 1,
          submits: now.submits + (event._tag === "write" && event.submits ? 1 : 0),
          unsettledWrite: true
        }
        break
      case "hold":
        must(output.held !== now.held, "a hold taken or released twice")
        now = { ...now, held: output.held }
        break
      case "warning":
        break
    }
  }

  if (ends && event.nativeId !== null) {
    now = { ...now, uncertain: without(now.uncertain, event.nativeId) }
    const known = before.state.tracked.some(({ nativeId }) => nativeId === event.nativeId)
    if ((known || event.definitions !== null) && !now.over.includes(event.nativeId)) {
      now = { ...now, over: [...now.over, event.nativeId].toSorted() }
    }
  }
  if (event._tag === "turn_ended" || event._tag === "shut") {
    const ended = before.state.tracked.flatMap(({ nativeId }) => (nativeId === null ? [] : [nativeId]))
    now = { ...now, uncertain: [], over: [...new Set([...now.over, ...ended])].toSorted() }
  }
  if (event._tag === "released")
    now = { ...now, uncertain: without(now.uncertain, nativeOf(event.request) ?? "") }
  if (ends && event.nativeId === null) {
    const left = state.tracked.map(({ nativeId }) => nativeId)
    now = { ...now, uncertain: now.uncertain.filter((nativeId) => left.includes(nativeId)) }
  }

  must(
    State.open(state)
      .map(({ id }) => id)
      .toSorted()
      .join() === now.raised.toSorted().join(),
    "the list is not what was raised and not closed"
  )
  const needed = now.raised.length > 0 || now.uncertain.length > 0 || now.unsettledWrite || now.editor
  must(now.held || !needed, "ordinary input is free while a question has the terminal")
  const reason = needed || state.tracked.some(({ phase }) => phase !== "raised")
  must(!now.held || reason, "ordinary input is held for no reason")
  must(!now.shut || now.raised.length === 0, "open after the end")
  must(!now.shut || now.live === null, "an attempt outlives the session")
  return now
}

/** Equal for states that behave alike. */
const keyOf = ({ state, witness }: Node): string => {
  const index = new Map(state.tracked.map(({ id }, i) => [id, i]))
  const stale = (at: number) => at >= state.view.at
  return JSON.stringify([
    state.tracked.map((one) => [
      one.nativeId,
      one.definitions[0]!.prompt,
      one.phase,
      one.hooks.map(({ leads, pending, token }) => `${token} ${pending} ${leads}`).toSorted(),
      one.presentable,
      one.decided,
      stale(one.after)
    ]),
    state.attempt && [index.get(state.attempt.request), state.attempt.way, state.attempt.stage],
    state.writing !== null && state.writing === state.attempt?.attempt,
    state.writing !== null,
    state.view.shown.flatMap((id) => index.get(id) ?? []),
    state.view.editor,
    [...state.retired].toSorted(),
    [
      ...new Set(state.ended.map((one) => `${one.nativeId} ${one.definitions[0]!.prompt} ${stale(one.at)}`))
    ].toSorted(),
    state.held,
    state.shut,
    // Of the attempts that are over, any stands for all.
    witness.revoked !== null,
    witness.revoked !== null && witness.revoked === state.writing,
    witness.over,
    witness.uncertain,
    witness.waiting,
    witness.invoked,
    witness.grants > 0,
    witness.submits
  ])
}

/** Visits every reachable state up to `depth` moves; the depth is reached early if nothing new is left. */
const explore = (natives: ReadonlyArray<Native>, depth: number) => {
  const seen = new Set([keyOf(start)])
  let frontier: ReadonlyArray<Node> = [start]
  let steps = 0
  let level = 0
  for (; level < depth && frontier.length > 0; level++) {
    const next: Array<Node> = []
    for (const node of frontier) {
      for (const [name, event] of moves(node, natives)) {
        steps++
        const { outputs, state } = Ledger.transition(node.state, event)
        const path = [...node.path, name]
        let witness: Witness
        try {
          witness = check(node, event, state, outputs)
        } catch (error) {
          throw new Error(`${String(error)} after: ${path.join(" · ")}`, { cause: error })
        }
        const reached: Node = { state, witness, path }
        const key = keyOf(reached)
        if (!seen.has(key)) {
          seen.add(key)
          next.push(reached)
        }
      }
    }
    frontier = next
  }
  return { states: seen.size, steps, level, exhausted: frontier.length === 0 }
}

describe("every interleaving of a question's life keeps the ledger's promises", () => {
  it("for one question, to the last reachable state [Q3.8, Q3.1, Q3.2, Q3.3, Q4.3, Q4.7]", () => {
    const { exhausted, states } = explore([native("a", "Ship it?")], 40)
    expect(exhausted).toBe(true)
    expect(states).toBeGreaterThan(10_000)
  })

  it("for two questions, six moves deep [Q3.8, Q5.6]", () => {
    const { level, states } = explore([native("a", "Ship it?"), native("b", "Which one?")], 6)
    expect(level).toBe(6)
    expect(states).toBeGreaterThan(10_000)
  })

  it("for two questions that look alike, six moves deep [Q3.8, Q5.6]", () => {
    const { level, states } = explore([native("a", "Ship it?"), native("b", "Ship it?")], 6)
    expect(level).toBe(6)
    expect(states).toBeGreaterThan(10_000)
  })
})
