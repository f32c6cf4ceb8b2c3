/** Where one command may end and another begin, by text alone. */
const CUT = /[;&|(){}\n`]|\$\(/

/**
 * A text that was not understood, cut into what may be commands: quotes and backslashes stripped, words at
 * blanks (L3.5). Linear in the text. Only for denies: it finds too much, never too little of what it cuts.
 */
export const cut = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text.split(CUT).flatMap((piece) => {
    const words = piece
      .replaceAll(/["'\\]/g, "")
      .split(/\s+/)
      .filter((word) => word !== "")
    return words.length === 0 ? [] : [words]
  })
