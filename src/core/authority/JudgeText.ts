/**
 * Breaks open nothing in a model's reading: characters that show as nothing, reorder, or end a line, and the
 * beginnings of the marks by which model servers tell roles apart (`<|im_start|>`, `</system>`, `[INST]`).
 */
const ESCAPED =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?![\u0020\u3000])\p{Zs}|<|\[(?=\/?[A-Z_]+\])/gu

/** As JSON writes it: one escape per UTF-16 unit. */
const escape = (char: string): string =>
  Array.from(
    { length: char.length },
    (_, index) => `\\u${char.charCodeAt(index).toString(16).padStart(4, "0")}`
  ).join("")

/**
 * A JSON value as text for a model, on one line: valid JSON that gives back exactly the value, in which no
 * string can end its slot, begin a line, or hide a character.
 */
export const encode = (value: unknown): string => JSON.stringify(value).replace(ESCAPED, escape)
