import type { Frame } from "../../core/session/Frame.ts"
import type { StartupGate } from "../../core/session/ScreenFact.ts"
import * as ScreenRows from "./ScreenRows.ts"

const down = "\u001B[B"
const up = "\u001B[A"
const enter = "\r"

interface Dialog {
  readonly label: string
  readonly kind: StartupGate["kind"]
  /** The dialog's first row, under its rule. */
  readonly header: string
  /** A piece of its own words. */
  readonly copy: string
  /** Its rows, top first. */
  readonly rows: ReadonlyArray<string>
  /** The row that answers it: the one that grants for `trust`, the one that grants nothing for `offer`. */
  readonly wanted: string | null
  /** Whether the key legend stands below it. */
  readonly legend: boolean
}

const legend = "Enter to confirm · Esc to cancel"

/** The dialogs that may be answered (S6.2, S6.4), and those known to be a person's alone. */
const dialogs: ReadonlyArray<Dialog> = [
  {
    label: "folder_trust",
    kind: "trust",
    header: "Accessing workspace:",
    copy: "Quick safety check: Is this a project you created or one you trust?",
    rows: ["No, exit", "Yes, I trust this folder"],
    wanted: "Yes, I trust this folder",
    legend: true
  },
  {
    label: "auto_mode_offer",
    kind: "offer",
    header: "Make auto mode your default permission mode?",
    copy: "Auto mode lets Claude handle permission prompts automatically.",
    rows: ["Yes, set auto mode as my default permission mode", "No, keep manual mode"],
    wanted: "No, keep manual mode",
    legend: false
  },
  {
    label: "api_key",
    kind: "blocked",
    header: "Detected a custom API key in your environment",
    copy: "Do you want to use this API key?",
    rows: ["Yes", "No (recommended)"],
    wanted: null,
    legend: true
  },
  {
    label: "bypass_permissions",
    kind: "blocked",
    header: "WARNING: Claude Code running in Bypass Permissions mode",
    copy: "By proceeding, you accept all responsibility",
    rows: ["No, exit", "Yes, I accept"],
    wanted: null,
    legend: true
  },
  {
    label: "project_mcp_server",
    kind: "blocked",
    header: "New MCP server found in this project:",
    copy: "MCP servers may execute code or access system resources.",
    rows: [
      "Use this MCP server",
      "Use this and all future MCP servers in this project",
      "Continue without using this MCP server"
    ],
    wanted: null,
    legend: true
  }
]

const rowAt = (frame: Frame, row: number) => {
  const text = ScreenRows.textAt(frame, row)
  return { selected: text.trimStart().startsWith("❯ "), label: text.replace(/^\s*(?:❯ )?/, "") }
}

const readDialog = (dialog: Dialog, frame: Frame, top: number, end: number): StartupGate | null => {
  const first = end - dialog.rows.length + 1
  if (first <= top + 1) return null
  if (
    !ScreenRows.textAt(frame, top + 1)
      .trim()
      .startsWith(dialog.header)
  )
    return null
  const copy = frame.lines.slice(top + 2, first).map(({ text }) => text)
  if (!ScreenRows.visible(copy.join("")).includes(ScreenRows.visible(dialog.copy))) return null
  const rows = dialog.rows.map((_, index) => rowAt(frame, first + index))
  if (!rows.every(({ label }, index) => label === dialog.rows[index])) return null
  const selected = rows.findIndex((row) => row.selected)
  if (selected === -1 || rows.filter((row) => row.selected).length > 1) return null
  if (frame.cursor.y !== first + selected) return null
  const steps = dialog.wanted === null ? 0 : dialog.rows.indexOf(dialog.wanted) - selected
  return {
    label: dialog.label,
    kind: dialog.kind,
    selected: dialog.rows[selected]!,
    move: (steps > 0 ? down : up).repeat(Math.abs(steps)),
    commit: dialog.wanted === null ? "" : enter
  }
}

/**
 * The start-up dialog in front, or `null`. It is the last thing on the screen, under the last rule; its header,
 * its own words, all of its rows and the cursor's place are as measured. Another dialog with the same key legend
 * is `blocked`: a person's.
 */
export const read = (frame: Frame): StartupGate | null => {
  const last = ScreenRows.lastRow(frame)
  const top = ScreenRows.ruleAbove(frame, last)
  if (top === -1) return null
  const hasLegend = ScreenRows.textAt(frame, last).trim() === legend
  const end = hasLegend ? lastOption(frame, last) : last
  for (const dialog of dialogs) {
    if (dialog.legend !== hasLegend) continue
    const gate = readDialog(dialog, frame, top, end)
    if (gate !== null) return gate
  }
  const selected = rowAt(frame, frame.cursor.y)
  return hasLegend && frame.cursor.y > top && selected.selected
    ? { label: "unrecognised_dialog", kind: "blocked", selected: selected.label, move: "", commit: "" }
    : null
}

/** The last row above the legend that holds anything. */
const lastOption = (frame: Frame, legendRow: number): number => {
  let row = legendRow - 1
  while (row >= 0 && ScreenRows.textAt(frame, row) === "") row--
  return row
}
