import { describe, expect, it } from "@effect/vitest"
import * as SessionStatus from "../../../src/core/session/SessionStatus.ts"

const events = [
  "composer",
  "turn_started",
  "turn_ended",
  "blocked",
  "unblocked",
  "stop_asked",
  "kill_asked",
  "process_gone"
] as const satisfies ReadonlyArray<SessionStatus.StatusEvent>

const statuses = SessionStatus.SessionStatus.literals

describe("SessionStatus", () => {
  it("a turn gives one running and one ready, whatever is repeated [S2.2]", () => {
    const seen: Array<string> = []
    let status: SessionStatus.SessionStatus = "starting"
    for (const event of ["composer", "turn_started", "turn_started", "turn_ended", "turn_ended"] as const) {
      const next = SessionStatus.step(status, event)
      if (next !== status) seen.push(next)
      status = next
    }
    expect(seen).toEqual(["ready", "running", "ready"])
  })

  it("what is over never changes, and closing is never undone [S2.2, S2.4]", () => {
    for (const status of statuses) {
      for (const event of events) {
        const next = SessionStatus.step(status, event)
        if (SessionStatus.isOver(status)) expect(next).toBe(status)
        if (SessionStatus.isClosing(status)) expect(SessionStatus.isClosing(next)).toBe(true)
      }
    }
  })

  it("every status that lives ends when the process is gone [S2.2]", () => {
    for (const status of statuses) {
      expect(SessionStatus.isOver(SessionStatus.step(status, "process_gone"))).toBe(true)
    }
  })
})
