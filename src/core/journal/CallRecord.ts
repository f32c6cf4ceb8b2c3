import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as CanonicalJson from "../call/CanonicalJson.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import * as Tools from "../call/Tools.ts"
import * as Analysis from "../policy/Analysis.ts"
import type { Basis } from "../policy/Basis.ts"
import type { CallFacts } from "./JournalEntry.ts"
import * as Redaction from "./Redaction.ts"

/** The one text of a value, to be fingerprinted and compared; empty for what is no JSON value. */
export const text = (value: unknown): string => Option.getOrElse(CanonicalJson.print(value), () => "")

/** Where a call happened, as its ruling saw it. */
export const environment = (call: Pick<ToolCall, "cwd">, basis: Basis): Analysis.Environment => ({
  cwd: call.cwd,
  home: basis.home,
  projectRoot: basis.projectRoot,
  ...(basis.temporary === null ? {} : { temporary: basis.temporary })
})

/** The fields of an input that its tool's rule names. */
const named = ({ agent, input, tool }: ToolCall): unknown => {
  if (!Predicate.isObject(input)) return input
  const names = new Set<unknown>(Object.values(Tools.find(agent, tool)))
  return Object.fromEntries(Object.entries(input).filter(([name]) => names.has(name)))
}

/**
 * The part of an input on which the ruling depends: what a file tool would write, or how an agent explains itself,
 * decides nothing and is not written down (A4.5, P3.4). It is the part only where its analysis is that of the whole.
 */
const deciding = (call: ToolCall, basis: Basis | null): unknown => {
  if (basis === null) return {}
  const input = named(call)
  const places = environment(call, basis)
  const same = Equal.equals(Analysis.analyse({ ...call, input }, places), Analysis.analyse(call, places))
  return same ? input : call.input
}

/** What stands in a row of a call. */
export const facts = (call: ToolCall, basis: Basis | null): CallFacts => {
  const { complete, value } = Redaction.bound(deciding(call, basis))
  return {
    agent: call.agent,
    tool: call.tool,
    // A call without an input has none to keep.
    input: value ?? null,
    complete,
    callId: call.callId,
    cwd: call.cwd,
    mode: call.mode,
    requester: call.requester
  }
}
