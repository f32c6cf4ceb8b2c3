import type { Frame } from "../../core/session/Frame.ts"
import * as ScreenRows from "./ScreenRows.ts"

const optionRow = /^ (❯| ) (\d)\. (.+)$/
const footer = /^ Esc to cancel(?: · .+)?$/

/**
 * Claude's own permission dialog, as its title row says (`Bash command`), or `null`: the last thing on the screen,
 * under its own rule, numbered rows from a yes to a no, one of them selected, the question above them.
 */
export const read = (frame: Frame): { readonly title: string } | null => {
  const last = ScreenRows.lastRow(frame)
  const top = ScreenRows.ruleAbove(frame, last)
  if (top === -1) return null
  // One dialog has no footer; its last row is then its last option.
  const end = footer.test(ScreenRows.textAt(frame, last)) ? last - 1 : last
  const options: Array<{ readonly row: number; readonly selected: boolean; readonly label: string }> = []
  let row = end
  for (; row > top; row--) {
    const text = ScreenRows.textAt(frame, row)
    const option = optionRow.exec(text)
    if (option !== null) {
      options.unshift({ row, selected: option[1] === "❯", label: option[3]! })
      if (option[2] === "1") break
    } else if (text !== "" && !text.startsWith("     ")) return null
  }
  const first = options[0]
  if (first === undefined || options.length < 2 || !first.label.startsWith("Yes")) return null
  if (!options.at(-1)!.label.startsWith("No")) return null
  if (options.filter(({ selected }) => selected).length !== 1) return null
  if (!ScreenRows.textAt(frame, row - 1).startsWith(" Do you want to ")) return null
  if (frame.cursor.y < first.row || frame.cursor.y > end) return null
  const title = ScreenRows.textAt(frame, top + 1)
  return /^ \S/.test(title) ? { title: title.trim() } : null
}
