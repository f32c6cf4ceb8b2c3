import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Key } from "../../core/ask/Keys.ts"
import * as AgentComposer from "./AgentComposer.ts"
import * as AgentPermission from "./AgentPermission.ts"
import * as AgentQuestion from "./AgentQuestion.ts"
import * as AgentQuestionView from "./AgentQuestionView.ts"
import * as AgentRows from "./AgentRows.ts"

/** The terminal that a scripted agent draws on. */
export interface AgentTerminal {
  readonly size: () => { readonly cols: number; readonly rows: number }
  readonly write: (text: string) => void
}

/** A part of the conversation, drawn for any width. */
export type Entry = (width: number) => ReadonlyArray<AgentRows.Row>

/** Text behind a mark, its further rows indented below its first. */
export const marked =
  (mark: string, text: string): Entry =>
  (width) => {
    const indent = " ".repeat(mark.length)
    return AgentRows.wrap(text, width - mark.length).map((line, index) =>
      AgentRows.row((index === 0 ? mark : indent) + line)
    )
  }

type Front =
  | { readonly _tag: "composer" }
  | {
      readonly _tag: "question"
      readonly state: AgentQuestion.AgentQuestion
      readonly ended: (outcome: AgentQuestion.Outcome) => void
    }
  | {
      readonly _tag: "permission"
      readonly state: AgentPermission.AgentPermission
      readonly ended: (outcome: AgentPermission.Outcome) => void
    }

const COMPOSER: Front = { _tag: "composer" }

/** Alternate screen, bracketed paste, no cursor; then what the real agent asks the terminal about itself. */
const OPEN = "\u001b[?1049h\u001b[?2004h\u001b[?25l\u001b[?u\u001b[c"
const CLOSE = "\u001b[?2004l\u001b[?25h\u001b[?1049l"

/** The screen of a scripted agent: the conversation, and in front of it the prompt field or a dialog. */
export const make = (terminal: AgentTerminal, header: ReadonlyArray<string>) => {
  let entries: ReadonlyArray<Entry> = []
  let composer = AgentComposer.empty
  let front: Front = COMPOSER
  let working: string | null = null
  let queued = 0
  let title = "Claude Code"
  let open = false

  const draw = (): void => {
    if (!open) return
    const { cols, rows } = terminal.size()
    const content = [
      AgentRows.blank,
      ...header.map((line) => AgentRows.row(line)),
      AgentRows.blank,
      ...entries.flatMap((entry) => [AgentRows.blank, ...entry(cols)])
    ]
    terminal.write(`\u001b]0;${working !== null && front._tag === "composer" ? "◐" : "✳"} ${title}\u0007`)
    if (front._tag !== "composer") {
      const dialog =
        front._tag === "question"
          ? AgentQuestionView.view(front.state, cols)
          : AgentPermission.view(front.state, cols)
      const { cursor } = dialog
      terminal.write(
        AgentRows.paint(
          {
            rows: [...content, ...dialog.rows],
            cursor: cursor === null ? null : { x: cursor.x, y: cursor.y + content.length }
          },
          { cols, rows }
        )
      )
      return
    }
    const field = AgentComposer.view(composer, { working: working !== null, queued, width: cols })
    const spinner = working === null ? [] : [AgentRows.row(`✽ ${working}`)]
    const room = Math.max(0, rows - field.rows.length - spinner.length)
    const above = content.slice(-room)
    const gap = Array.from({ length: room - above.length }, () => AgentRows.blank)
    const top = [...above, ...gap, ...spinner]
    terminal.write(
      AgentRows.paint(
        {
          rows: [...top, ...field.rows],
          cursor: field.cursor === null ? null : { x: field.cursor.x, y: field.cursor.y + top.length }
        },
        { cols, rows }
      )
    )
  }

  /** Puts a dialog in front until a key ends it, or until whoever waits for it stops waiting. */
  const dialog = <A>(show: (ended: (outcome: A) => void) => Front): Effect.Effect<A> =>
    Effect.suspend(() => {
      const outcome = Deferred.makeUnsafe<A>()
      front = show((value) => {
        front = COMPOSER
        Deferred.doneUnsafe(outcome, Effect.succeed(value))
      })
      draw()
      return Effect.onInterrupt(Deferred.await(outcome), () =>
        Effect.sync(() => {
          front = COMPOSER
          draw()
        })
      )
    })

  /** A key for whatever is in front; what it asks of the session, where the prompt field has it. */
  const press = (key: Key): AgentComposer.Act => {
    let act: AgentComposer.Act = { _tag: "none" }
    switch (front._tag) {
      case "question": {
        const pressed = AgentQuestion.press(front.state, key)
        if (AgentQuestion.isOutcome(pressed)) front.ended(pressed)
        else front = { ...front, state: pressed }
        break
      }
      case "permission": {
        const pressed = AgentPermission.press(front.state, key)
        if (AgentPermission.isOutcome(pressed)) front.ended(pressed)
        else front = { ...front, state: pressed }
        break
      }
      case "composer": {
        const [next, asked] = AgentComposer.press(composer, key)
        composer = next
        act = asked
        break
      }
    }
    draw()
    return act
  }

  return {
    open: () => {
      open = true
      terminal.write(OPEN)
      draw()
    },
    close: () => {
      if (open) terminal.write(CLOSE)
      open = false
    },
    draw,
    press,
    front: () => front._tag,
    say: (entry: Entry) => {
      entries = [...entries, entry]
      draw()
    },
    /** Takes the last entry back. */
    unsay: () => {
      entries = entries.slice(0, -1)
      draw()
    },
    /** `null`: the turn is over. */
    work: (what: string | null) => {
      working = what
      draw()
    },
    queue: (count: number) => {
      queued = count
      draw()
    },
    title: (text: string) => {
      title = text
      draw()
    },
    /** Puts text back into an empty prompt field. */
    restore: (text: string) => {
      composer = AgentComposer.press(composer, { _tag: "paste", text })[0]
      draw()
    },
    ask: (input: AgentQuestion.Input): Effect.Effect<AgentQuestion.Outcome> =>
      dialog((ended) => ({ _tag: "question", state: AgentQuestion.make(input), ended })),
    permit: (subject: AgentPermission.Subject): Effect.Effect<AgentPermission.Outcome> =>
      dialog((ended) => ({ _tag: "permission", state: AgentPermission.make(subject), ended }))
  }
}

export type AgentScreen = ReturnType<typeof make>
