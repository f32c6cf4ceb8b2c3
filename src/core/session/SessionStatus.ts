import * as Schema from "effect/Schema"

/**
 * Where a session stands (S2.2). Each real turn gives exactly one `running` and one `ready`; a question or an
 * ask inside a turn changes nothing here, its own event says so. `blocked`: something on the agent's screen
 * needs a person and no request of ours stands for it.
 */
export const SessionStatus = Schema.Literals([
  "starting",
  "ready",
  "running",
  "blocked",
  "stopping",
  "stopped",
  "killed",
  "exited"
])
export type SessionStatus = typeof SessionStatus.Type

/** What can happen to a session, as far as its status is concerned. */
export type StatusEvent =
  | "composer"
  | "turn_started"
  | "turn_ended"
  | "blocked"
  | "unblocked"
  | "stop_asked"
  | "kill_asked"
  | "process_gone"

const over = new Set<SessionStatus>(["stopped", "killed", "exited"])

/** Whether the process is gone; a status that is over never changes again. */
export const isOver = (status: SessionStatus): boolean => over.has(status)

/** Whether closing began: from here on no key of ours is written (S2.4). */
export const isClosing = (status: SessionStatus): boolean => status === "stopping" || over.has(status)

/**
 * The transitions that exist; what is not listed leaves the status as it is. `blocked` remembers nothing: a
 * session that is unblocked is `running` if a turn is open, else `ready`, which the caller knows.
 */
const table: Partial<Record<SessionStatus, Partial<Record<StatusEvent, SessionStatus>>>> = {
  starting: {
    composer: "ready",
    blocked: "blocked",
    stop_asked: "stopping",
    kill_asked: "killed",
    process_gone: "exited"
  },
  ready: {
    turn_started: "running",
    blocked: "blocked",
    stop_asked: "stopping",
    kill_asked: "killed",
    process_gone: "exited"
  },
  running: {
    turn_ended: "ready",
    blocked: "blocked",
    stop_asked: "stopping",
    kill_asked: "killed",
    process_gone: "exited"
  },
  blocked: {
    composer: "ready",
    turn_ended: "ready",
    unblocked: "running",
    stop_asked: "stopping",
    kill_asked: "killed",
    process_gone: "exited"
  },
  stopping: { kill_asked: "killed", process_gone: "stopped" }
}

export const step = (status: SessionStatus, event: StatusEvent): SessionStatus =>
  table[status]?.[event] ?? status
