import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"

export class PtySpawnFailed extends Schema.TaggedError<PtySpawnFailed>()("PtySpawnFailed", {
  /** What was at fault: the program, its working directory, or the pseudo-terminal itself. */
  at: Schema.Literals(["file", "cwd", "pty"]),
  /** The program, or the working directory where that is at fault. */
  path: Schema.String,
  /** The system's own code (`ENOENT`, `EACCES`, `ENOTDIR`, `EISDIR`), or a short reason. */
  reason: Schema.String
}) {}

export class PtyClosed extends Schema.TaggedError<PtyClosed>()("PtyClosed", {}) {}

export interface PtySpawnOptions {
  /** Absolute path of the program. */
  readonly file: string
  readonly args: ReadonlyArray<string>
  /** Absolute path. */
  readonly cwd: string
  /** The whole environment of the child; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly cols: number
  readonly rows: number
}

/** How a child ended: `code` where it exited, `signal` (a number) where one ended it. */
export interface PtyExit {
  readonly code: number
  readonly signal: number | null
}

/**
 * One child on a pseudo-terminal. The child leads its own process group. Whatever ends first, the child, the
 * scope or the host process, the whole group is ended with it; nothing of it outlives the scope (S2.3).
 */
export interface PtyProcess {
  readonly pid: number
  /** One listener for the child's output; bytes in order, none before this is called is lost. The bytes are the listener's to keep. */
  readonly onData: (listener: (bytes: Uint8Array) => void) => void
  /** Resolves at once when the child is reaped; output may still follow until `drained`. */
  readonly exit: Effect.Effect<PtyExit>
  /** Resolves once the last byte has been handed to the listener, or the scope has closed. */
  readonly drained: Effect.Effect<void>
  /** Resolves once the operating system has taken the bytes; calls never interleave theirs. */
  readonly write: (text: string) => Effect.Effect<void, PtyClosed>
  readonly resize: (cols: number, rows: number) => Effect.Effect<void, PtyClosed>
  /** Sends a signal to the whole process group; a no-op once the child is gone. */
  readonly signal: (name: "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGHUP") => Effect.Effect<void>
  /**
   * Flow control: `pause` holds the child's output back, `resume` ends that; neither loses a byte. `null` is
   * allowed, and then back-pressure is the operating system's (S1.2).
   */
  readonly flow: { readonly pause: () => void; readonly resume: () => void } | null
}

/** Starts real programs in real pseudo-terminals (S1.1). */
export class Pty extends Context.Service<
  Pty,
  {
    readonly spawn: (options: PtySpawnOptions) => Effect.Effect<PtyProcess, PtySpawnFailed, Scope.Scope>
  }
>()("obstat/session/Pty") {}
