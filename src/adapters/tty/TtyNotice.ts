import * as TerminalText from "../../core/ask/TerminalText.ts"

/** How a terminal is told that somebody waits (P6.4, C10). */
export type NoticeKind = "bell" | "osc9" | "osc777"

/** A desktop shows no more of a notice. */
const COLUMNS = 120

/** What a terminal takes for the end of a field, or of the sequence. */
const SEPARATORS = /[;\\]/g

const plain = (text: string): string =>
  TerminalText.cut(TerminalText.line(text), COLUMNS).replace(SEPARATORS, ",")

/** The bytes of a notice. Nothing in the text can end the sequence or begin another (X4). */
const FORMS: Readonly<Record<NoticeKind, (text: string) => string>> = {
  bell: () => "\x07",
  osc9: (text) => `\x1b]9;Obstat: ${plain(text)}\x07`,
  osc777: (text) => `\x1b]777;notify;Obstat;${plain(text)}\x07`
}

export const encode = (kind: NoticeKind, text: string): string => FORMS[kind](text)

const REPORTS = /\x1b\[\d+;\d+R/g

/** Whether input shows that somebody is there: more than the terminal's own answers to our queries. */
export const isHuman = (input: string): boolean => input.replaceAll(REPORTS, "") !== ""
