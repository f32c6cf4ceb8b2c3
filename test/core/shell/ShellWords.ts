/** Index after the closing character of a nesting pair that opens at `at`. */
const closing = (text: string, at: number, open: string, close: string): number => {
  let depth = 0
  for (let index = at; index < text.length; index++) {
    if (text[index] === open) depth++
    if (text[index] === close && --depth === 0) return index + 1
  }
  return text.length
}

/**
 * A unit of the corpus as words, the way a shell splits a line: quotes removed, expansions kept as written.
 * Written apart from the code under test on purpose, and only as good as the corpus needs.
 */
export const split = (text: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  let word: string | null = null
  let at = 0
  const keep = (to: number): void => {
    word = (word ?? "") + text.slice(at, to)
    at = to
  }
  while (at < text.length) {
    const char = text[at]!
    if (/[ \t\n]/.test(char)) {
      if (word !== null) words.push(word)
      word = null
      at++
    } else if (char === "'") {
      const end = text.indexOf("'", at + 1)
      word = (word ?? "") + text.slice(at + 1, end)
      at = end + 1
    } else if (char === '"') {
      word ??= ""
      for (at++; text[at] !== '"'; at++) {
        if (text[at] === "\\" && /["\\$`]/.test(text[at + 1]!)) at++
        word += text[at]
      }
      at++
    } else if (char === "\\") {
      word = (word ?? "") + text[at + 1]
      at += 2
    } else if (char === "`") {
      let end = at + 1
      while (text[end] !== "`") end += text[end] === "\\" ? 2 : 1
      keep(end + 1)
    } else if (/[$<>=]/.test(char) && text[at + 1] === "(") keep(closing(text, at + 1, "(", ")"))
    else if (char === "$" && text[at + 1] === "{") keep(closing(text, at + 1, "{", "}"))
    else keep(at + 1)
  }
  if (word !== null) words.push(word)
  return words
}
