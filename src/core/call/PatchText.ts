/** A line of a patch that names a file, whatever stands before it: naming too many is safe, one too few is not. */
const FILE = /^\s*\*\*\*\s*(?:(?:Add|Update|Delete)\s+File|Move\s+to)\s*:\s*(.*?)\s*$/i
/** Lines of the form that name none. */
const FRAME = /^\s*\*\*\*\s*(?:Begin Patch|End Patch|End of File)\s*$/i
/** What looks like a further line of the form. */
const MARK = /^\s*\*\*\*\s*[A-Za-z][A-Za-z ]*:/

/**
 * Every file that a patch in the form of `apply_patch` adds, changes, deletes or moves, both ends of a move.
 * `null` where a line of the frame is not known, or no file is named: then it may write anywhere.
 */
export const files = (text: string): ReadonlyArray<string> | null => {
  const found = new Set<string>()
  for (const line of text.split(/\r\n|\r|\n/)) {
    const path = FILE.exec(line)?.[1]
    if (path !== undefined && path !== "") found.add(path)
    else if (MARK.test(line) && !FRAME.test(line)) return null
  }
  return found.size === 0 ? null : [...found]
}
