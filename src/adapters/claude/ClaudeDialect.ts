import type { Frame } from "../../core/session/Frame.ts"
import type { Dialect } from "../../core/session/Dialect.ts"
import type { ScreenFact } from "../../core/session/ScreenFact.ts"
import * as Answers from "./Answers.ts"
import * as Composer from "./Composer.ts"
import * as HookPayload from "./HookPayload.ts"
import * as HookReply from "./HookReply.ts"
import * as Keys from "./Keys.ts"
import * as Launch from "./Launch.ts"
import * as PermissionDialog from "./PermissionDialog.ts"
import * as QuestionEditor from "./QuestionEditor.ts"
import * as QuestionMatch from "./QuestionMatch.ts"
import * as QuestionView from "./QuestionView.ts"
import * as StartupDialogs from "./StartupDialogs.ts"
import * as Transcript from "./Transcript.ts"
import * as Version from "./Version.ts"

/** What stands in front. A dialog is the last thing on the screen, so no two of these can hold at once. */
const read = (frame: Frame): ScreenFact => {
  const question = QuestionView.read(frame)
  if (question !== null) return { _tag: "question", recognised: question._tag !== "unrecognised" }
  const permission = PermissionDialog.read(frame)
  if (permission !== null) return { _tag: "permission", title: permission.title }
  const gate = StartupDialogs.read(frame)
  if (gate !== null) return { _tag: "startup", gate }
  const composer = Composer.read(frame)
  return composer === null ? { _tag: "unknown" } : { _tag: "composer", ...composer }
}

/** Claude Code as a table: what the session engine has to know of it, and nothing else knows. */
export const dialect: Dialect = {
  agent: "claude",
  characterised: Version.characterised,
  launch: Launch.make,
  version: Version.parse,
  hooks: {
    decode: HookPayload.decode,
    deny: HookReply.deny,
    release: HookReply.release,
    refuse: HookReply.refuse,
    answer: HookReply.answer
  },
  screen: {
    read,
    isCommand: Composer.isCommand,
    keys: {
      prompt: (text) => Keys.paste(Composer.asPrompt(text)),
      submit: Keys.enter,
      interrupt: Keys.interrupt,
      clearDraft: Keys.clearDraft
    }
  },
  questions: {
    // Measured: from 200 ms after the prompt field's last key on, nothing was dropped.
    deafMs: 300,
    shows: QuestionMatch.shows,
    next: QuestionEditor.next,
    expected: Answers.expected,
    normaliseText: Answers.normaliseText,
    // 12 000 characters went in and out exactly; no limit was found.
    textLimit: null
  },
  transcript: { decode: Transcript.decode, resultForm: Transcript.resultForm }
}
