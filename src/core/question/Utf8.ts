/** Bytes that `text` takes in UTF-8; a lone surrogate counts three, as its replacement character does. */
export const bytes = (text: string): number => {
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) count += 1
    else if (unit < 0x800) count += 2
    else if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) {
      count += 4
      i++
    } else count += 3
  }
  return count
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
