import type { Pattern } from "./Pattern.ts"

/**
 * Finds the patterns that may match by what is fixed in them: how they begin, else how they end. It leaves out only
 * what cannot match, so that a policy of a thousand rules costs little more than one of fifty.
 */
export interface RuleIndex {
  /** Positions by `Pattern.head`. */
  readonly byHead: ReadonlyMap<string, ReadonlyArray<number>>
  /** The heads in order, to find those below a directory. */
  readonly heads: ReadonlyArray<string>
  /** Positions of patterns without a fixed beginning, by `Pattern.tail`; -1: without a fixed end either. */
  readonly byTail: ReadonlyMap<number, ReadonlyArray<number>>
  readonly all: ReadonlyArray<number>
  /** What was found before. */
  readonly known: Map<string, ReadonlyArray<number>>
}

/**
 * - `heads`: every head that may match, `null` where any may.
 * - `under`: beginnings, of which every head that goes on may match too.
 * - `tails`: the last UTF-16 unit of every text, `null` where it is not known.
 */
export interface Keys {
  readonly heads: ReadonlyArray<string> | null
  readonly under: ReadonlyArray<string>
  readonly tails: ReadonlyArray<number> | null
}

/** Nothing is known: every rule may match. */
export const ANY: Keys = { heads: null, under: [], tails: null }

export const make = (patterns: ReadonlyArray<Pattern>): RuleIndex => {
  const byHead = new Map<string, Array<number>>()
  const byTail = new Map<number, Array<number>>()
  patterns.forEach(({ bare, head, tail }, position) => {
    if (head !== null) push(byHead, head, position)
    else push(byTail, bare === null ? tail : -1, position)
  })
  return {
    byHead,
    heads: [...byHead.keys()].toSorted(),
    byTail,
    all: patterns.map((_, position) => position),
    known: new Map()
  }
}

const push = <K>(map: Map<K, Array<number>>, key: K, position: number): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [position])
  else list.push(position)
}

/** Texts come from agents: what is remembered must not grow with what they make up. */
const MAX_KNOWN = 1_024

/** Positions of the patterns that may match, ascending. */
export const find = (index: RuleIndex, keys: Keys): ReadonlyArray<number> => {
  if (keys.heads === null) return index.all
  const heads = keys.heads.filter((head) => index.byHead.has(head))
  const ranges = keys.under.flatMap((prefix) => rangeOf(index.heads, prefix))
  const tails = keys.tails?.filter((tail) => index.byTail.has(tail)) ?? null
  const key = `${heads.length === 1 ? heads[0] : heads.join("\0")}\0\0${ranges.join()}\0${tails?.join() ?? "*"}`
  const known = index.known.get(key)
  if (known !== undefined) return known
  const lists = [
    ...(tails === null
      ? [...index.byTail.values()]
      : [-1, ...tails].map((tail) => index.byTail.get(tail) ?? [])),
    ...heads.map((head) => index.byHead.get(head) ?? []),
    ...ranges.flatMap(([from, to]) => index.heads.slice(from, to).map((head) => index.byHead.get(head) ?? []))
  ]
  const found = [...new Set(lists.flat())].toSorted((left, right) => left - right)
  if (index.known.size < MAX_KNOWN) index.known.set(key, found)
  return found
}

/** Which of the sorted heads begin so; empty where none does. */
const rangeOf = (sorted: ReadonlyArray<string>, prefix: string): ReadonlyArray<readonly [number, number]> => {
  const from = lowest(sorted, (head) => head >= prefix)
  const to = lowest(sorted, (head) => head > prefix && !head.startsWith(prefix))
  return from < to ? [[from, to]] : []
}

/** The first position of a sorted list where something holds that holds from there on. */
const lowest = (sorted: ReadonlyArray<string>, holds: (head: string) => boolean): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(sorted[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
