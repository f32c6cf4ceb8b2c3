import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Annotation, AskPayload } from "./AskPayload.ts"

/**
 * Writes a note about an ask for the person who decides. A note is all that it can give: nothing in its type
 * allows, denies, defers or holds back (P4.1).
 */
export interface Annotator {
  readonly name: string
  /** `null`: nothing to say. */
  readonly annotate: (ask: Pick<AskPayload, "request" | "evidence">) => Effect.Effect<string | null, unknown>
}

/** An annotator of this name is registered already. Close the other's scope first, or choose another name. */
export class DuplicateAnnotator extends Schema.TaggedError<DuplicateAnnotator>()("DuplicateAnnotator", {
  name: Schema.String
}) {}

/**
 * The annotators that the operator has named (P4.1), at the node where the person is. Optional: without it, and
 * without names, prompts are as they are.
 */
export class Annotators extends Context.Service<
  Annotators,
  {
    /** Makes an annotator known for the scope's life. It runs only if the configuration names it. */
    readonly register: (annotator: Annotator) => Effect.Effect<void, DuplicateAnnotator, Scope.Scope>
    /**
     * The payload with their notes, in the configured order. Never fails, and changes nothing but the notes: of
     * one that breaks, overruns, says nothing or is not there, there is none.
     */
    readonly annotate: (payload: AskPayload) => Effect.Effect<AskPayload>
  }
>()("obstat/ask/Annotators") {}

export interface Options {
  /** In this order. */
  readonly names: ReadonlyArray<string>
  /** For each; default 5 s: a person waits for the prompt behind it. */
  readonly timeout?: Duration.Input
  /** Told once of each name that nobody has registered. */
  readonly onMissing?: (name: string) => Effect.Effect<void>
}

const TIMEOUT = Duration.seconds(5)

/** A note is a remark, not a document. UTF-16 units; what is longer is left out as a whole. */
const MAX_NOTE = 4000

export const layer = (options: Options): Layer.Layer<Annotators> => Layer.effect(Annotators, make(options))

const make = Effect.fnUntraced(function* ({ names, onMissing, timeout = TIMEOUT }: Options) {
  const known = yield* Effect.sync(() => new Map<string, Annotator>())
  const missing = new Set<string>()

  const note = Effect.fnUntraced(function* (
    name: string,
    { evidence, request }: AskPayload
  ): Effect.fn.Return<ReadonlyArray<Annotation>> {
    const annotator = known.get(name)
    if (annotator === undefined) {
      if (missing.has(name) || onMissing === undefined) return []
      missing.add(name)
      yield* onMissing(name)
      return []
    }
    const exit = yield* Effect.suspend(() => annotator.annotate({ request, evidence })).pipe(
      Effect.timeout(timeout),
      Effect.exit
    )
    const text: unknown = Exit.isSuccess(exit) ? exit.value : null
    return typeof text === "string" && text.trim() !== "" && text.length <= MAX_NOTE
      ? [{ source: name, text }]
      : []
  })

  return Annotators.of({
    register: Effect.fn("Annotators.register")(function* (annotator) {
      if (known.has(annotator.name)) return yield* new DuplicateAnnotator({ name: annotator.name })
      yield* Effect.acquireRelease(
        Effect.sync(() => known.set(annotator.name, annotator)),
        () => Effect.sync(() => known.delete(annotator.name))
      )
    }),
    annotate: Effect.fn("Annotators.annotate")(function* (payload) {
      const notes = yield* Effect.forEach([...new Set(names)], (name) => note(name, payload), {
        concurrency: "unbounded"
      })
      const annotations = notes.flat()
      return annotations.length === 0
        ? payload
        : { ...payload, annotations: [...payload.annotations, ...annotations] }
    })
  })
})
