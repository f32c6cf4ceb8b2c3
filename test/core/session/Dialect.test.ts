import { describe, expect, it } from "@effect/vitest"
import { readingOnce } from "../../../src/core/session/Dialect.ts"
import { blank, type Frame } from "../../../src/core/session/Frame.ts"
import * as FakeAgent from "./FakeAgent.ts"

describe("Dialect", () => {
  it("reads each frame once, however many look at it [S2.8]", () => {
    const { dialect } = FakeAgent.make(FakeAgent.composer(), () => undefined)
    const read: Array<Frame> = []
    const screen = {
      ...dialect.screen,
      read: (frame: Frame) => {
        read.push(frame)
        return dialect.screen.read(frame)
      }
    }
    const once = readingOnce({ ...dialect, screen })
    const [first, second] = [blank(80, 24), blank(80, 24)]
    for (const frame of [first, first, second, first]) {
      expect(once.screen.read(frame)).toEqual(dialect.screen.read(frame))
    }
    expect(read).toEqual([first, second])
  })
})
