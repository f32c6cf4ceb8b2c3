import * as Schema from "effect/Schema"

/** A start option was refused before anything was spawned (S2.1). */
export class InvalidLaunch extends Schema.TaggedError<InvalidLaunch>()("InvalidLaunch", {
  option: Schema.String,
  reason: Schema.String
}) {}

/** A dialog stands before the agent's prompt field and nobody may answer it for the person (S6.2). */
export class BlockedPrompt extends Schema.TaggedError<BlockedPrompt>()("BlockedPrompt", {
  code: Schema.tag("blocked_prompt"),
  label: Schema.String
}) {}

/** The agent's process ended while something still waited for it. */
export class AgentExited extends Schema.TaggedError<AgentExited>()("AgentExited", {
  code: Schema.tag("agent_exited"),
  exitCode: Schema.Int,
  signal: Schema.NullOr(Schema.Int),
  /** The last line on its screen, if there was one: why a start failed is mostly written there. */
  lastLine: Schema.NullOr(Schema.String)
}) {}

/** The gate is not armed: our hooks did not answer at start, so no call of the agent's would be governed (S5.2). */
export class Ungated extends Schema.TaggedError<Ungated>()("Ungated", {
  code: Schema.tag("ungated"),
  reason: Schema.String
}) {}

/** The agent showed no prompt field within the time that the caller allowed. */
export class StartTimedOut extends Schema.TaggedError<StartTimedOut>()("StartTimedOut", {
  code: Schema.tag("start_timed_out"),
  milliseconds: Schema.Int
}) {}

/** The prompt was written and retried, and the agent never took it (S3.3). */
export class PromptNotTaken extends Schema.TaggedError<PromptNotTaken>()("PromptNotTaken", {
  code: Schema.tag("prompt_not_taken"),
  attempts: Schema.Int
}) {}

/** The agent ended the turn with an error of its own (S3.2). */
export class TurnRejected extends Schema.TaggedError<TurnRejected>()("TurnRejected", {
  code: Schema.tag("turn_rejected"),
  reason: Schema.String
}) {}

/** The turn was interrupted: by a caller, a person, or a call that was refused without a reason. */
export class TurnInterrupted extends Schema.TaggedError<TurnInterrupted>()("TurnInterrupted", {
  code: Schema.tag("turn_interrupted")
}) {}

/** The agent said that its turn ended, and its transcript did not catch up in time (S3.2). */
export class TranscriptBehind extends Schema.TaggedError<TranscriptBehind>()("TranscriptBehind", {
  code: Schema.tag("transcript_behind"),
  milliseconds: Schema.Int
}) {}

/** Closing began, or the process is gone: nothing is sent any more (S2.4). */
export class SessionOver extends Schema.TaggedError<SessionOver>()("SessionOver", {
  code: Schema.tag("session_over")
}) {}

/** More waits to be typed than the queue holds (S3.5). */
export class InputQueueFull extends Schema.TaggedError<InputQueueFull>()("InputQueueFull", {
  code: Schema.tag("input_queue_full")
}) {}

export type TurnError =
  | AgentExited
  | BlockedPrompt
  | InputQueueFull
  | PromptNotTaken
  | SessionOver
  | TranscriptBehind
  | TurnInterrupted
  | TurnRejected
