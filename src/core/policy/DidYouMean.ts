/** The known word nearest to a mistyped one as advice, `null` if none is near. */
export const didYouMean = (word: string, known: ReadonlyArray<string>): string | null => {
  const near = known
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= 2 && distance < word.length)
    .toSorted((left, right) => left.distance - right.distance)
  return near[0] === undefined ? null : `did you mean "${near[0].candidate}"?`
}

/** Words longer than this are not mistyped keys of ours. */
const MAX_WORD = 40

const editDistance = (left: string, right: string): number => {
  if (left.length > MAX_WORD) return MAX_WORD
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let at = 0; at < left.length; at++) {
    const next = [at + 1]
    for (let column = 0; column < right.length; column++) {
      const same = left[at] === right[column] ? 0 : 1
      next.push(Math.min(next[column]! + 1, row[column + 1]! + 1, row[column]! + same))
    }
    row = next
  }
  return row[right.length]!
}
