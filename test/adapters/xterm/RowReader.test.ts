import { assert, describe, it } from "@effect/vitest"
import headless from "@xterm/headless"
import * as Emulator from "../../../src/adapters/xterm/Emulator.ts"
import * as PackedLines from "../../../src/adapters/xterm/PackedLines.ts"
import * as SplitCharacters from "../../../src/adapters/xterm/SplitCharacters.ts"
import type { FrameLine, FrameMark } from "../../../src/core/session/Frame.ts"
import { blank } from "../../../src/core/session/Frame.ts"
import * as Recordings from "../../fixtures/Recordings.ts"

/** The same screen read through the emulator's public interface, cell by cell. */
const read = (terminal: InstanceType<typeof headless.Terminal>): ReadonlyArray<FrameLine> => {
  const buffer = terminal.buffer.active
  return Array.from({ length: terminal.rows }, (_, row) => {
    const line = buffer.getLine(buffer.baseY + row)!
    const marks: Array<FrameMark> = []
    for (let column = 0; column < terminal.cols; column += 1) {
      const cell = line.getCell(column)!
      const [dim, inverse, bold] = [cell.isDim() !== 0, cell.isInverse() !== 0, cell.isBold() !== 0]
      const last = marks.at(-1)
      if (!dim && !inverse && !bold) continue
      if (last?.end === column && last.dim === dim && last.inverse === inverse && last.bold === bold) {
        marks[marks.length - 1] = { ...last, end: column + 1 }
      } else marks.push({ start: column, end: column + 1, dim, inverse, bold })
    }
    return { text: line.translateToString(true), wrapped: line.isWrapped, marks }
  })
}

describe("RowReader", () => {
  const extra: ReadonlyArray<readonly [string, string]> = [
    ["astral and combined", "a😀b e\u0301 👩‍👩‍👧 \u001b[7m箱\u001b[27m\u001b[1m \u001b[0m end"],
    [
      "erased with attributes",
      "\u001b[7m\u001b[2Jx\u001b[K\u001b[0m\u001b[5;5H\u001b[1mbold\u001b[2mdim\u001b[K"
    ],
    ["blanks written and not", "written   \r\n\u001b[10Cjumped\u001b[5C\r\n\u001b[44m   \u001b[0m"],
    ["half of a wide character overwritten", "箱箱箱\u001b[1;2Hx\u001b[1;6Hy"],
    ["to the last column", `\u001b[7m${"z".repeat(80)}\u001b[0m${"箱".repeat(41)}`]
  ]
  const all: ReadonlyArray<readonly [string, Uint8Array]> = [
    ...Recordings.terminal,
    ...extra.map(([name, text]) => [name, new Uint8Array(Buffer.from(text))] as const)
  ]
  for (const [name, recording] of all) {
    it(`reads what the public interface says, changed rows only, at every step: ${name} [S1.2]`, async () => {
      const { cols, rows } = Recordings.size
      const emulator = Emulator.make(cols, rows)
      const reference = new headless.Terminal({ cols, rows, scrollback: 0, allowProposedApi: true })
      const characters = SplitCharacters.make()
      const lines = blank(cols, rows).lines.slice()
      const step = 97
      for (let at = 0; at < recording.length; at += step) {
        const part = recording.slice(at, at + step)
        await new Promise<void>((resolve) => reference.write(characters.join(part), resolve))
        emulator.write(part)
        const before = lines.slice()
        const change = emulator.change()
        PackedLines.unpackInto(lines, change.lines)
        assert.deepStrictEqual(lines, read(reference))
        if (at > 0) for (const row of change.lines.rows) assert.notDeepEqual(lines[row], before[row])
      }
    })
  }
})
