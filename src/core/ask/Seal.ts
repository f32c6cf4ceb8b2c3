import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as CanonicalJson from "../call/CanonicalJson.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import * as Tools from "../call/Tools.ts"
import type { Script } from "../policy/PathFacts.ts"
import { EXPLAINING_FIELDS } from "./AskPayload.ts"

/**
 * What an approval is for, as one text (P1.4): agent, requester, tool, directory, every field of the input that
 * decides what runs, and the scripts that it names. Two calls are the same to a person exactly if their seals
 * are equal. `none` for an input that is no JSON: it equals nothing, itself included.
 *
 * A known tool's fields in which an agent explains itself are left out: the same command in other words about it
 * is the same command. Of an unknown tool every field may decide.
 */
export const of = (call: ToolCall, scripts: ReadonlyArray<Script>): Option.Option<string> =>
  CanonicalJson.print({
    agent: call.agent,
    requester: call.requester,
    tool: call.tool,
    cwd: call.cwd,
    input: decisive(call),
    scripts: scripts.map(({ digest, path }) => [path, digest])
  })

const decisive = ({ agent, input, tool }: ToolCall): unknown => {
  if (!KNOWN.has(Tools.find(agent, tool)._tag) || !Predicate.isObject(input) || Array.isArray(input))
    return input
  return Object.fromEntries(Object.entries(input).filter(([field]) => !EXPLAINING_FIELDS.has(field)))
}

/** Kinds of tools whose deciding fields are known. */
const KNOWN: ReadonlySet<Tools.ToolRule["_tag"]> = new Set(["command", "file", "target"])

export const isSame = (left: Option.Option<string>, right: Option.Option<string>): boolean =>
  Option.isSome(left) && Option.isSome(right) && left.value === right.value
