import type * as Result from "effect/Result"
import type { Event } from "effect/encoding/Sse"
import type { Failure, Reply } from "./Script.ts"

/**
 * What an agent wants of the model with one request.
 *
 * - `main`: the session that a person talks to.
 * - `subagent`: an agent that another agent started.
 * - `title`: a title for the session, answered with the script's title.
 * - `single`: one question without tools, as a judge asks it.
 * - `other`: nothing that a script knows; always unexpected.
 */
export type RequestKind = "main" | "subagent" | "title" | "single" | "other"

/** A tool's result as the model received it. */
export interface ToolResult {
  readonly id: string
  /** The result's text; text blocks joined, other blocks (images) left out. */
  readonly text: string
  readonly isError: boolean
}

/** One request, as far as a script needs it. */
export interface ModelRequest {
  readonly kind: RequestKind
  /** Whether the reply is wanted as events; else as one JSON body. */
  readonly stream: boolean
  /** The conversation that the last marked prompt names, else `null`. */
  readonly name: string | null
  /** Replies since that prompt; without one, all replies. */
  readonly turn: number
  /** What tells this conversation from others and stays the same throughout: the text of its first message. */
  readonly conversation: string
  /** Every tool result of the conversation so far, oldest first. */
  readonly toolResults: ReadonlyArray<ToolResult>
}

/** One piece of a streamed reply. */
export type ReplyPart =
  | { readonly _tag: "event"; readonly event: Event }
  | { readonly _tag: "gate"; readonly name: string }
  | { readonly _tag: "pause"; readonly millis: number }

/**
 * One wire protocol of a model server, as a table; all functions are pure. A further protocol is a further
 * table beside the others, and the server does not change.
 */
export interface ModelProtocol {
  readonly name: string
  readonly method: string
  readonly path: string
  /** Reads a request's JSON body, or says why it is none that can be answered. */
  readonly read: (body: unknown) => Result.Result<ModelRequest, string>
  /** A streamed reply in the order of its bytes; `id` is unique for this server. */
  readonly reply: (reply: Reply, id: string) => ReadonlyArray<ReplyPart>
  /** The same reply as one JSON body. */
  readonly whole: (reply: Reply, id: string) => unknown
  /** The JSON body of an HTTP error. */
  readonly failure: (failure: Pick<Failure, "status" | "message">) => unknown
}
