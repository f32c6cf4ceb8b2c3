/** A window of rows over a longer body, and which rows have been on the screen in it. */
export interface Scroll {
  readonly top: number
  /** Row ranges `[from, to)` that a confirmed paint has shown: sorted, disjoint, not touching. */
  readonly seen: ReadonlyArray<readonly [from: number, to: number]>
}

export const start: Scroll = { top: 0, seen: [] }

/** Marks rows as shown; the same value where they were marked before. */
export const see = (scroll: Scroll, from: number, to: number): Scroll => {
  if (from >= to || scroll.seen.some(([start, end]) => start <= from && end >= to)) return scroll
  const apart = scroll.seen.filter(([start, end]) => end < from || start > to)
  const joined = scroll.seen.filter(([start, end]) => end >= from && start <= to)
  const range: readonly [number, number] = [
    Math.min(from, ...joined.map(([start]) => start)),
    Math.max(to, ...joined.map(([, end]) => end))
  ]
  return { ...scroll, seen: [...apart, range].toSorted(([left], [right]) => left - right) }
}

/** Whether every one of the first `count` rows has been shown. */
export const hasSeen = (scroll: Scroll, count: number): boolean =>
  count === 0 || scroll.seen.some(([from, to]) => from === 0 && to >= count)

/** Moves the window, kept within a body of `body` rows seen through `room`. */
export const move = (scroll: Scroll, by: number, body: number, room: number): Scroll => ({
  ...scroll,
  top: Math.max(0, Math.min(scroll.top + by, body - room))
})
