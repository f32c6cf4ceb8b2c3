import * as Script from "../testing/Script.ts"

/** What the scripted agent does in the demo: one call of each kind, one grouped question, two asks. */
export const script = Script.sequence(
  Script.reply(
    Script.text("I look at the project first."),
    Script.tool("Bash", { command: "ls", description: "List the files" }, "toolu_look")
  ),
  Script.reply(
    Script.tool(
      "AskUserQuestion",
      {
        questions: [
          {
            question: "Which channel is this release for?",
            header: "Channel",
            multiSelect: false,
            options: [
              { label: "Stable", description: "Everybody gets it" },
              { label: "Preview", description: "Only those who asked for it" }
            ]
          },
          {
            question: "What goes into the notes?",
            header: "Notes",
            multiSelect: true,
            options: [
              { label: "Fixes", description: "What no longer breaks" },
              { label: "Features", description: "What is new" },
              { label: "Internals", description: "What only we notice" }
            ]
          }
        ]
      },
      "toolu_question"
    )
  ),
  Script.reply(
    Script.text("I write the notes."),
    Script.tool(
      "Bash",
      { command: "printf 'Fixes and features\\n' > NOTES.md", description: "Write the release notes" },
      "toolu_notes"
    )
  ),
  Script.reply(
    Script.text("I tidy up."),
    Script.tool(
      "Bash",
      { command: "echo tidying && sh -c 'rm -rf build'", description: "Remove old output" },
      "toolu_tidy"
    )
  ),
  Script.reply(
    Script.text("Then I publish."),
    Script.tool(
      "Bash",
      { command: "timeout 60 ./publish.sh --channel preview", description: "Publish the release" },
      "toolu_publish"
    )
  ),
  Script.reply(Script.text("The notes are written. Nothing was removed, and nothing is published yet."))
)

/** The demo's policy, as a person would write it. */
export const policy = `{
  // What nothing else matches is asked.
  "permission": {
    "*": "ask",
    "path": { "*": "allow" },
    "bash": {
      "ls *": "allow",
      "echo *": "allow",
      "rm *": { "action": "deny", "reason": "old output is removed by the build itself" }
    }
  }
}
`

export const prompt = "Prepare the release."

/** Files that the demo's project begins with. */
export const project: Readonly<Record<string, string>> = {
  "README.md": "# Demo\n",
  "publish.sh": "#!/bin/sh\necho published\n",
  "build/old.txt": "old output\n"
}

const down = "\u001B[B"
const right = "\u001B[C"
const enter = "\r"

/** A recorded person: what they see, and then what they type. */
export interface Recorded {
  /** Text of the dialog that they wait for. */
  readonly sees: string
  readonly types: string
}

/** Chooses the preview channel, ticks two kinds of notes, allows the notes, and denies publishing with a reason. */
export const person: ReadonlyArray<Recorded> = [
  { sees: "Which channel is this release for?", types: down + enter + enter },
  { sees: "What goes into the notes?", types: ` ${down} ${down}${down}${down}${enter}` },
  { sees: "Submit", types: enter },
  { sees: "NOTES.md", types: right + right + enter },
  { sees: "publish.sh", types: `${right}${enter}not before the review${enter}` }
]
