import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Emulator from "../../../src/adapters/xterm/Emulator.ts"
import * as PackedLines from "../../../src/adapters/xterm/PackedLines.ts"
import { blank, type Frame } from "../../../src/core/session/Frame.ts"

/** What the real program drew, said to hooks and wrote down; see `test/fixtures/record/record-claude.ts`. */
const folder = join(import.meta.dirname, "../../fixtures/recorded/claude")
const version = "2.1.305"
export const sizes = ["189x48", "100x40"] as const

const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"))
const isFrame = (value: unknown): value is Frame =>
  typeof value === "object" && value !== null && "lines" in value

/** Frames are written by our own recorder: their shape is taken as it is. */
export const frame = (name: string, size: (typeof sizes)[number] = "189x48", from = version): Frame => {
  const value = read(join(folder, from, size, `${name}.json`))
  if (!isFrame(value)) throw new Error(`no frame: ${name}`)
  return value
}

export const names = (size: (typeof sizes)[number], from = version): ReadonlyArray<string> =>
  readdirSync(join(folder, from, size))
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))

const records = (kind: string, scene: string): ReadonlyArray<unknown> =>
  readFileSync(join(folder, version, kind, `${scene}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line))

export const hooks = (scene: string) => records("hooks", scene)
export const transcript = (scene: string) => records("transcripts", scene)

/** The bytes of a whole scene, as they came. */
export const stream = (name: string, size: (typeof sizes)[number]): Uint8Array =>
  readFileSync(join(folder, version, size, `${name}.bytes`))

/** Every frame of a stream that is cut after each `step` bytes: mid-sequence, mid-character, mid-paint. */
export function* replay(bytes: Uint8Array, cols: number, rows: number, step: number): Generator<Frame> {
  const emulator = Emulator.make(cols, rows)
  const lines = [...blank(cols, rows).lines]
  for (let at = 0, sequence = 1; at < bytes.length; at += step, sequence++) {
    emulator.write(bytes.subarray(at, at + step))
    const { lines: changed, ...change } = emulator.change()
    PackedLines.unpackInto(lines, changed)
    yield { ...change, sequence, bytes: at, lines: [...lines] }
  }
  emulator.dispose()
}

/** The frame with its rows replaced, for what no recording shows. */
export const withRows = (frame: Frame, texts: ReadonlyArray<string>): Frame => ({
  ...frame,
  lines: frame.lines.map((line, row) => (texts[row] === undefined ? line : { ...line, text: texts[row] }))
})
