/**
 * One line of a file: its bytes without the line feed, or the notice that it was too long to keep. `offset`
 * is the byte at which it begins, `size` its whole length, line feed included.
 */
export type Line =
  | { readonly _tag: "line"; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly _tag: "dropped"; readonly offset: number; readonly size: number }

const LINE_FEED = 0x0a

/**
 * Cuts bytes into lines as they come, whatever the cuts they come in. A line is given once its line feed was
 * seen; never more than `limit` bytes of an unfinished one are kept. `offset`: where in the file the first
 * byte stands.
 */
export const splitter = (limit: number, offset = 0): ((bytes: Uint8Array) => ReadonlyArray<Line>) => {
  let begin = offset
  let kept: Array<Uint8Array> = []
  let size = 0

  const keep = (bytes: Uint8Array): void => {
    size += bytes.length
    if (size > limit) kept = []
    // A copy, since the caller may use its buffer again; not `slice`, which for a Node buffer is none.
    else if (bytes.length > 0) kept.push(new Uint8Array(bytes))
  }

  const finish = (): Line => {
    const line: Line =
      size > limit
        ? { _tag: "dropped", offset: begin, size: size + 1 }
        : { _tag: "line", offset: begin, bytes: join(kept, size) }
    begin += size + 1
    kept = []
    size = 0
    return line
  }

  return (bytes) => {
    const lines: Array<Line> = []
    let from = 0
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
      keep(bytes.subarray(from, at))
      lines.push(finish())
      from = at + 1
    }
    keep(bytes.subarray(from))
    return lines
  }
}

const join = (parts: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const [first] = parts
  if (first !== undefined && parts.length === 1) return first
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
